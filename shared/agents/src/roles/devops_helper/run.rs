//! The helper's tool: puts a command on the desk and follows it.

use super::follow::follow;
use super::result;
use crate::desk::{CommandDesk, Drafted};
use crate::error::AgentError;
use crate::machines::Sandbox;
use crate::roles::propose::{self, Known, ROUNDS, readable};
use crate::tools::{Outcome, Tool, Watch, arguments, try_again};
use domain::Scope;
use domain::chat::{ChatEvent, Message, ProposedCommand};
use domain::gate::GateVerdict;
use domain::secret_token::sha256_hex;
use domain::step::CommandTarget;
use domain::step::StepStatus;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The longest reason, in characters.
const REASON_CHARS: usize = 300;

/// Runs a command. The tool itself approves nothing and can reach only its own project: the desk decides both.
pub(super) struct RunCommand {
    pub(super) desk: Arc<dyn CommandDesk>,
    pub(super) scope: Scope,
    /// What the gate uses to judge a command besides its text.
    pub(super) known: Known,
    /// The sandbox whose tools check the command.
    pub(super) sandbox: Sandbox,
    /// How many commands were sent back to the model.
    pub(super) rejected: AtomicUsize,
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
        let draft = desk.draft(self.scope, given.target, command.trim_end()).await?;
        let verdict = self.verdict(&draft, watch.messages).await?;
        let proposed = desk.propose(self.scope, &draft, verdict.clone(), &reason).await?;
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
            verdict,
        };
        watch.reader.send(ChatEvent::Command { command: shown.clone() }).await;
        let end = follow(desk, self.scope, shown, watch).await?;
        let step = end.step();
        let (number, status, exit_code) = (proposed.number, step.status(), step.exit_code);
        watch.reader.send(ChatEvent::CommandEnd { number, status, exit_code }).await;
        Ok(result::outcome(number, given.target, command.trim_end(), &end))
    }
}

impl RunCommand {
    /// The automatic checks' verdict on a command before its owner is asked; none for a command that only reads. Errors
    /// go back to the model, like those of a step's script; after [`ROUNDS`] of them, they are shown beside the
    /// command.
    async fn verdict(
        &self,
        draft: &Drafted,
        messages: &[Message],
    ) -> Result<Option<GateVerdict>, AgentError> {
        if !draft.needs_approval {
            return Ok(None);
        }
        let known = self.known.with_said(messages);
        let known = match draft.target {
            CommandTarget::Sandbox => known,
            CommandTarget::Server => known.on_server(&draft.command),
        };
        let rounds = self.rejected.load(Ordering::Relaxed);
        let verdict =
            propose::verdict(&self.sandbox, self.scope, &known, &draft.command, rounds).await;
        if let Some(complaint) = propose::complaint(&verdict).filter(|_| rounds < ROUNDS) {
            self.rejected.fetch_add(1, Ordering::Relaxed);
            return Err(try_again(complaint));
        }
        // The wrapper that carries a command to the server is ours; the digest covers the whole, which the user
        // approves.
        Ok(Some(GateVerdict { sha256: sha256_hex(draft.script.as_bytes()), ..verdict }))
    }
}
