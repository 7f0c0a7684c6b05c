//! Writes the report on the checks.

use crate::context::{AgentContext, no_such_project};
use crate::error::AgentError;
use crate::roles::document;
use crate::tools::{Outcome, Tool, Watch, arguments};
use domain::Scope;
use domain::plan::MAX_REPORT_BYTES;
use domain::requirement::{section_in, table};
use serde_json::{Value, json};
use store::plans::PlanKind;

/// The heading over the coverage of the requirements, which we write for the model.
const HEADING: &str = "## What you asked for, and what is proved";

pub(super) struct Report {
    pub(super) context: AgentContext,
    pub(super) scope: Scope,
}

#[derive(serde::Deserialize)]
struct Arguments {
    content: String,
}

#[async_trait::async_trait]
impl Tool for Report {
    fn name(&self) -> &'static str {
        "report"
    }

    fn description(&self) -> &'static str {
        "Writes the report on the checks that have run, replacing the one before. The user reads it \
         beside the checks."
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {"content": {"type": "string", "description": "The whole report, in markdown"}},
            "required": ["content"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, _: &Watch<'_>) -> Result<Outcome, AgentError> {
        let given: Arguments = arguments(given)?;
        let mut content = document(&given.content, "content", MAX_REPORT_BYTES)?.text;
        let coverage = self.context.coverage(self.scope).await?;
        if !coverage.is_empty() {
            content = section_in(&content, HEADING, &table(&coverage));
        }
        let plans = &self.context.plans;
        let written = plans.put_report(self.scope, PlanKind::Validation, &content).await;
        if !written.map_err(AgentError::internal)? {
            return Err(no_such_project());
        }
        Ok(Outcome {
            summary: "Validation report written".to_owned(),
            answer: "Written. The user can read it.".to_owned(),
        })
    }
}
