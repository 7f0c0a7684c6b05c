//! Writes the validation plan.

use crate::error::AgentError;
use crate::roles::planned::{PLAN_BYTES, Traces, requirements};
use crate::roles::{counted, document, planned};
use crate::tools::{Outcome, Tool, Watch, arguments};
use domain::Scope;
use domain::document::Fingerprint;
use serde_json::{Value, json};
use store::plans::{PlanKind, Plans, Writing};

/// The tool that must have written a validation plan.
pub(crate) const WRITE: &str = "write_validation_plan";

/// The table that shows which checks prove what.
const TRACES: Traces = Traces {
    thing: "check",
    heading: "## What proves what you asked for",
    column: "proved by check",
};

pub(super) struct WriteValidationPlan {
    pub(super) plans: Plans,
    pub(super) scope: Scope,
    pub(super) written_from: Fingerprint,
}

#[derive(serde::Deserialize)]
struct Arguments {
    plan: String,
    checks: Vec<planned::Given>,
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
                "checks": planned::schema("check", "proves", "What to look at, what is right, which evidence to print"),
            },
            "required": ["plan", "checks"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, _: &Watch<'_>) -> Result<Outcome, AgentError> {
        let given: Arguments = arguments(given)?;
        let plan = document(&given.plan, "plan", PLAN_BYTES)?.text;
        let requirements = requirements(&self.plans, self.scope).await?;
        let checks = planned::checked("Check", given.checks, &requirements)?;
        let plan = planned::traced(&plan, &TRACES, &checks, &requirements);
        let written_from = Some(&self.written_from);
        let writing = Writing { text: &plan, steps: &checks, written_from };
        let written = self.plans.write(self.scope, PlanKind::Validation, writing).await;
        planned::stored(written.map_err(AgentError::internal)?)?;
        Ok(Outcome {
            summary: format!("Validation plan written, {}", counted(checks.len(), "check")),
            answer: format!(
                "Written. The checks are prepared and shown to the user next.{}",
                planned::unserved("check", &checks, &requirements)
            ),
        })
    }
}
