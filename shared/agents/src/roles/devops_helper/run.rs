//! The helper's tool: puts a command on the desk and stays with it.

use super::follow::follow;
use super::result;
use crate::AgentEvent;
use crate::desk::CommandDesk;
use crate::error::AgentError;
use crate::roles::propose::readable;
use crate::tools::{Outcome, Tool, Watch, arguments};
use domain::Scope;
use domain::chat::{CommandTarget, ProposedCommand};
use domain::step::StepStatus;
use serde_json::{Value, json};
use std::sync::Arc;

/// Longest reason, in characters.
const REASON_CHARS: usize = 300;

/// Approves nothing and aims at nothing but its project: both are the desk's.
pub(super) struct RunCommand {
    pub(super) desk: Arc<dyn CommandDesk>,
    pub(super) scope: Scope,
}

#[derive(serde::Deserialize)]
struct Arguments {
    target: CommandTarget,
    command: String,
    #[serde(default)]
    reason: String,
}

#[async_trait::async_trait]
impl Tool for RunCommand {
    fn name(&self) -> &'static str {
        "run_command"
    }

    fn description(&self) -> &'static str {
        "Runs one bash command and answers with what it printed. The user sees it, and has to approve \
         it unless it only reads."
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "target": {"type": "string", "enum": ["sandbox", "server"], "description": "Where it runs"},
                "command": {"type": "string", "description": "The bash command"},
                "reason": {"type": "string", "description": "What it is for, in one sentence for the user"},
            },
            "required": ["target", "command", "reason"],
            "additionalProperties": false,
        })
    }

    async fn run(&self, given: Value, watch: &Watch<'_>) -> Result<Outcome, AgentError> {
        let given: Arguments = arguments(given)?;
        let command = readable("command", &given.command).await?;
        let reason: String = given.reason.trim().chars().take(REASON_CHARS).collect();
        let desk = self.desk.as_ref();
        let proposed = desk.propose(self.scope, given.target, command.trim_end(), &reason).await?;
        let status = if proposed.needs_approval {
            StepStatus::WaitingApproval
        } else {
            StepStatus::InProgress
        };
        let shown = ProposedCommand {
            number: proposed.number,
            target: given.target,
            script: proposed.command.script,
            sha256: proposed.command.sha256,
            status,
            needs_approval: proposed.needs_approval,
            attempt: proposed.attempt,
        };
        watch.reader.send(AgentEvent::Command(shown)).await;
        let end = follow(desk, self.scope, proposed.number, watch).await?;
        let step = end.step();
        let (number, status, exit_code) = (proposed.number, step.status(), step.exit_code);
        watch.reader.send(AgentEvent::CommandEnd { number, status, exit_code }).await;
        Ok(result::outcome(number, given.target, command.trim_end(), &end))
    }
}
