//! The desk on which the helper's commands lie: the steps of its track.

use crate::script::script;
use agents::{AgentError, CommandDesk, Proposed};
use async_trait::async_trait;
use domain::chat::CommandTarget;
use domain::read_only::is_read_only;
use domain::sandbox::SandboxStatus;
use domain::step::{Applied, Command, Event, Phase, Step, Track};
use domain::{PlanId, RunId, Scope};
use flows::Progression;
use settings::{ConfigError, SdkConfig};
use store::Table;
use store::executions::Executions;
use store::sandboxes::Sandboxes;

/// Commands kept per project; older ones go.
const COMMANDS_KEPT: u32 = 50;
/// The plan of a track that has none.
pub(crate) const PLAN: &str = "devops-helper";

pub(crate) struct Desk {
    commands: Executions,
    sandboxes: Sandboxes,
    progression: Progression,
}

impl Desk {
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            commands: Executions::new(table).on(Track::Helper),
            sandboxes: Sandboxes::new(table),
            progression: Progression::from_env(sdk, table)?.on(Track::Helper),
        })
    }

    async fn check_sandbox(&self, scope: Scope) -> Result<(), AgentError> {
        let sandbox = self.sandboxes.get(scope).await.map_err(AgentError::internal)?;
        match sandbox.map(|sandbox| sandbox.status) {
            Some(SandboxStatus::Ready | SandboxStatus::Creating) => Ok(()),
            _ => Err(AgentError::model(
                "The sandbox is not running, so no command can run. Ask the user to start it.",
            )),
        }
    }
}

#[async_trait]
impl CommandDesk for Desk {
    async fn propose(
        &self,
        scope: Scope,
        target: CommandTarget,
        command: &str,
        reason: &str,
    ) -> Result<Proposed, AgentError> {
        self.check_sandbox(scope).await?;
        let command_script = script(target, command);
        // On a server the same words are just as harmless; what carries them there is ours.
        let read_only = is_read_only(command);
        let added = self
            .commands
            .add(scope, &PlanId::from(PLAN), COMMANDS_KEPT, |number| {
                proposed(number, reason, &command_script, read_only)
            })
            .await
            .map_err(AgentError::internal)?;
        let step = added.ok_or_else(|| AgentError::model("There is no such project."))?;
        if step.phase == Phase::Running {
            self.progression.hand_on(scope, &step).await.map_err(AgentError::internal)?;
        }
        Ok(Proposed {
            number: step.number,
            command: Command::new(command_script),
            needs_approval: !read_only,
        })
    }

    async fn look(&self, scope: Scope, number: u32) -> Result<Step, AgentError> {
        let step = self.commands.step(scope, number).await.map_err(AgentError::internal)?;
        step.ok_or_else(|| AgentError::model("This command is not known any more."))
    }
}

/// A command as it is put on the desk: waiting for its owner, or running when it only reads.
fn proposed(number: u32, reason: &str, script: &str, read_only: bool) -> Step {
    let step = Step::new(PlanId::from(PLAN), number, reason.to_owned(), reason.to_owned());
    let preparation = RunId::random();
    let mut events = vec![
        Event::Prepare { run_id: preparation.clone() },
        Event::Prepared {
            run_id: preparation,
            next_run_id: RunId::random(),
            script: script.to_owned(),
        },
    ];
    if read_only {
        events.push(Event::Approve { run_id: RunId::random(), sha256: None });
    }
    events.into_iter().fold(step, |step, event| match step.apply(event) {
        Ok(Applied::Changed(next)) => *next,
        Ok(Applied::Ignored) | Err(_) => step,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_writes_waits_and_one_that_reads_runs() {
        assert_eq!(proposed(1, "why", "rm x", false).phase, Phase::WaitingApproval);
        assert_eq!(proposed(1, "why", "ls", true).phase, Phase::Running);
    }
}
