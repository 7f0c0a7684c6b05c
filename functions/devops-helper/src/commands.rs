//! Lists the commands that have not ended, for a page that was reloaded.

use crate::App;
use domain::Scope;
use domain::chat::ProposedCommand;
use domain::step::{CommandTarget, Step};
use http_kit::ApiError;

impl App {
    /// Commands that wait for their owner or are running, newest first.
    pub(crate) async fn open_commands(
        &self,
        scope: Scope,
    ) -> Result<Vec<ProposedCommand>, ApiError> {
        let commands = self.commands.load(scope).await?.ok_or_else(ApiError::not_found)?;
        Ok(commands.steps.iter().rev().filter_map(open).collect())
    }
}

/// The command as its owner sees it, while it waits or runs.
pub(crate) fn open(step: &Step) -> Option<ProposedCommand> {
    let waits = step.phase.awaits_approval();
    let command = step.command.as_ref().filter(|_| waits || step.phase.is_running())?;
    Some(ProposedCommand {
        number: step.number,
        target: step.target.unwrap_or(CommandTarget::Sandbox),
        script: command.script.clone(),
        sha256: command.sha256.clone(),
        status: step.status(),
        needs_approval: waits,
        attempt: step.attempt,
        verdict: command.verdict.clone(),
    })
}
