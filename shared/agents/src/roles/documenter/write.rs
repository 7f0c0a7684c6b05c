//! Writes the documentation, without secrets that may have slipped into it.

use super::facts;
use crate::context::no_such_project;
use crate::error::AgentError;
use crate::roles::{counted, document};
use crate::tools::{Outcome, Tool, Watch, arguments};
use domain::Scope;
use domain::document::{Fingerprint, MAX_DOCUMENTATION_BYTES, MAX_QUICKSTART_BYTES};
use domain::requirement::section_in;
use serde_json::{Value, json};
use store::documentation::Documents;

pub(super) const WRITE: &str = "write_documentation";

pub(super) struct WriteDocumentation {
    pub(super) documents: Documents,
    pub(super) scope: Scope,
    pub(super) written_from: Fingerprint,
    /// How far each requirement is built and proved, as a table; empty without requirements.
    pub(super) coverage: String,
}

/// Heading of that table.
const HEADING: &str = "## What was asked for, and what is proved";

#[derive(serde::Deserialize)]
struct Arguments {
    documentation: String,
    quickstart: String,
    key_value_data: Value,
}

#[async_trait::async_trait]
impl Tool for WriteDocumentation {
    fn name(&self) -> &'static str {
        WRITE
    }

    fn description(&self) -> &'static str {
        "Writes the documentation, the quickstart and the configuration data, replacing those before. \
         The user reads them on the project's home."
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "documentation": {"type": "string", "description": "The whole documentation, in markdown"},
                "quickstart": {"type": "string", "description": "The quickstart, in markdown"},
                "key_value_data": {"type": "object", "description": "Hosts, ports, users, paths and the like, by name"},
            },
            "required": ["documentation", "quickstart", "key_value_data"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, _: &Watch<'_>) -> Result<Outcome, AgentError> {
        let given: Arguments = arguments(given)?;
        let documentation =
            document(&given.documentation, "documentation", MAX_DOCUMENTATION_BYTES)?;
        let quickstart = document(&given.quickstart, "quickstart", MAX_QUICKSTART_BYTES)?;
        let facts = facts::checked(given.key_value_data)?;
        let text = match self.coverage.is_empty() {
            true => documentation.text,
            false => section_in(&documentation.text, HEADING, &self.coverage),
        };
        let written = self.documents.change(self.scope, |documents| {
            documents.documentation.clone_from(&text);
            documents.quickstart.clone_from(&quickstart.text);
            documents.key_value_data.clone_from(&facts.json);
            documents.written_from = Some(self.written_from.clone());
        });
        if !written.await.map_err(AgentError::internal)? {
            return Err(no_such_project());
        }
        let put_away =
            documentation.secrets.len() + quickstart.secrets.len() + facts.secrets_put_away;
        let answer = match put_away {
            0 => "Written. The user can read it.".to_owned(),
            n => format!(
                "Written. The user can read it. {} in it looked like secrets and were replaced by references.",
                counted(n, "text")
            ),
        };
        let summary =
            format!("Documentation written, {}", counted(facts.keys, "configuration value"));
        Ok(Outcome { summary, answer })
    }
}
