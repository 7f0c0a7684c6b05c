//! Stores the helper's commands as steps of the helper track.

use crate::script::{approved, unapproved};
use agents::{AgentError, CommandDesk, Drafted, Proposed};
use async_trait::async_trait;
use domain::gate::GateVerdict;
use domain::sandbox::Sandbox;
use domain::step::CommandTarget;
use domain::step::{Applied, Command, Event, Refusal, Step, Track};
use domain::{PlanId, RunId, Scope};
use flows::Progression;
use read_only::{Place, Reach, Reading};
use settings::{ConfigError, SdkConfig};
use store::Table;
use store::executions::Executions;
use store::sandboxes::Sandboxes;

/// Commands kept per project; older ones are deleted.
pub(crate) const COMMANDS_KEPT: u32 = 50;
/// The plan id of this track, which has no plan.
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

    async fn running_sandbox(&self, scope: Scope) -> Result<Sandbox, AgentError> {
        let sandbox = self.sandboxes.get(scope).await.map_err(AgentError::internal)?;
        sandbox.filter(Sandbox::is_up).ok_or_else(|| {
            AgentError::model(
                "The sandbox is not running, so no command can run. Ask the user to start it.",
            )
        })
    }
}

#[async_trait]
impl CommandDesk for Desk {
    async fn draft(
        &self,
        scope: Scope,
        target: CommandTarget,
        command: &str,
    ) -> Result<Drafted, AgentError> {
        let sandbox = self.running_sandbox(scope).await?;
        let (script, unasked) = carried(target, command, &sandbox);
        let needs_approval = unasked.is_none();
        Ok(Drafted { target, command: command.to_owned(), script, needs_approval })
    }

    async fn propose(
        &self,
        scope: Scope,
        draft: &Drafted,
        verdict: Option<GateVerdict>,
        reason: &str,
    ) -> Result<Proposed, AgentError> {
        // Decide again how the command runs: the draft holds only an earlier decision, and the sandbox may have
        // changed.
        let sandbox = self.running_sandbox(scope).await?;
        let (command_script, unasked) = carried(draft.target, &draft.command, &sandbox);
        let verdict = verdict.filter(|_| unasked.is_none());
        let step = proposed(draft.target, reason, &command_script, verdict, unasked.as_ref())
            .map_err(AgentError::internal)?;
        let added = self
            .commands
            .add(scope, &PlanId::from(PLAN), COMMANDS_KEPT, |number| Step {
                number,
                ..step.clone()
            })
            .await
            .map_err(AgentError::internal)?;
        let step = added.ok_or_else(|| AgentError::model("There is no such project."))?;
        if step.phase.is_running() {
            self.progression.hand_on(scope, &step).await.map_err(AgentError::internal)?;
        }
        Ok(Proposed {
            number: step.number,
            command: Command::new(command_script),
            needs_approval: unasked.is_none(),
            attempt: step.attempt,
        })
    }

    async fn look(&self, scope: Scope, number: u32) -> Result<Step, AgentError> {
        let step = self.commands.step(scope, number).await.map_err(AgentError::internal)?;
        step.ok_or_else(|| AgentError::model("This command no longer exists."))
    }
}

/// The script that will run, and how it runs if it needs no approval.
fn carried(target: CommandTarget, command: &str, sandbox: &Sandbox) -> (String, Option<Unasked>) {
    let unasked = unasked(target, command, sandbox);
    let script = match &unasked {
        Some(unasked) => unapproved(target, &unasked.script),
        None => approved(target, command),
    };
    (script, unasked)
}

/// A command that runs without its owner's approval, and how.
pub(crate) struct Unasked {
    script: String,
    how: How,
}

enum How {
    /// In the sandbox's reader, which can reach only this.
    Reader(Reach),
    /// On the server: the script that carries it there is ours, and the command has an exact shape.
    Carried,
}

/// Recognizes a command that only reads; `None` for any other command, and if the sandbox cannot confine it.
fn unasked(target: CommandTarget, command: &str, sandbox: &Sandbox) -> Option<Unasked> {
    match target {
        CommandTarget::Sandbox if !sandbox.confines_readers => None,
        CommandTarget::Sandbox => {
            let reading = Reading::of(command, Place::Sandbox)?;
            Some(Unasked { script: reading.script(), how: How::Reader(reading.reach) })
        }
        CommandTarget::Server => {
            let reading = Reading::of(command, Place::Server)?;
            Some(Unasked { script: reading.remote(), how: How::Carried })
        }
    }
}

/// The step for a command, without its number yet: it waits for its owner, or runs if it only reads.
pub(crate) fn proposed(
    target: CommandTarget,
    reason: &str,
    script: &str,
    verdict: Option<GateVerdict>,
    unasked: Option<&Unasked>,
) -> Result<Step, Refusal> {
    let step = Step::new(PlanId::from(PLAN), 0, reason.to_owned(), reason.to_owned());
    let step = Step { target: Some(target), ..step };
    let preparation = RunId::random();
    let mut events = vec![
        Event::Prepare { run_id: preparation.clone() },
        Event::Prepared {
            run_id: preparation,
            next_run_id: RunId::random(),
            script: script.to_owned(),
            verdict,
            rollback: None,
        },
    ];
    let run_id = RunId::random();
    events.extend(unasked.map(|unasked| match &unasked.how {
        How::Reader(reach) => Event::Read { run_id, reach: reach.clone() },
        How::Carried => Event::RunReading { run_id },
    }));
    events.into_iter().try_fold(step, |step, event| match step.apply(event)? {
        Applied::Changed(next) => Ok(*next),
        Applied::Ignored => Ok(step),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use domain::step::Phase;

    #[test]
    fn a_command_that_writes_waits_and_one_that_reads_runs() {
        let sandbox = Sandbox { confines_readers: true, ..Sandbox::default() };
        let waits = proposed(CommandTarget::Sandbox, "why", "rm x", None, None).unwrap();
        assert_eq!(waits.phase, Phase::WaitingApproval);
        for (target, reads) in [(CommandTarget::Sandbox, true), (CommandTarget::Server, false)] {
            let unasked = unasked(target, "df -h", &sandbox).unwrap();
            let step = proposed(target, "why", &unasked.script, None, Some(&unasked)).unwrap();
            assert_eq!(step.target, Some(target));
            assert_eq!((step.phase, step.reading.is_some()), (Phase::Running, reads));
        }
    }

    #[test]
    fn a_command_that_the_sandbox_cannot_confine_needs_approval() {
        let sandbox = Sandbox::default();
        assert!(unasked(CommandTarget::Sandbox, "df -h", &sandbox).is_none());
        assert!(unasked(CommandTarget::Server, "df -h", &sandbox).is_some());
    }
}
