//! Writing the validation plan.

use crate::context::no_such_project;
use crate::error::AgentError;
use crate::roles::{counted, document, planned};
use crate::tools::{Outcome, Tool, Watch, arguments};
use domain::Scope;
use domain::plan::{MAX_DOCUMENT_BYTES, PlannedStep};
use serde_json::{Value, json};
use store::plans::{PlanKind, Plans};

/// The tool that a validation plan must have gone through.
pub(crate) const WRITE: &str = "write_validation_plan";

pub(super) struct WriteValidationPlan {
    pub(super) plans: Plans,
    pub(super) scope: Scope,
}

#[derive(serde::Deserialize)]
struct Arguments {
    plan: String,
    checks: Vec<PlannedStep>,
}

#[async_trait::async_trait]
impl Tool for WriteValidationPlan {
    fn name(&self) -> &'static str {
        WRITE
    }

    fn description(&self) -> &'static str {
        "Writes the validation plan and its checks, replacing those before. The user reads the plan; \
         the checks are then prepared and shown one by one."
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "plan": {"type": "string", "description": "The whole plan, in markdown"},
                "checks": planned::schema("check", "What to look at, what is right, which evidence to print"),
            },
            "required": ["plan", "checks"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, _: &Watch<'_>) -> Result<Outcome, AgentError> {
        let given: Arguments = arguments(given)?;
        let plan = document(&given.plan, "plan", MAX_DOCUMENT_BYTES)?.text;
        let checks = planned::checked("Check", given.checks)?;
        let written = self.plans.put(self.scope, PlanKind::Validation, &plan, &checks).await;
        written.map_err(AgentError::internal)?.ok_or_else(no_such_project)?;
        Ok(Outcome {
            summary: format!("Validation plan written, {}", counted(checks.len(), "check")),
            answer: "Written. The checks are prepared and shown to the user next.".to_owned(),
        })
    }
}
