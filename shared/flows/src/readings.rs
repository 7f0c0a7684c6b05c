//! Runs steps without asking because they only read, if their owner allows that.
//!
//! Two things make this safe. The owner has allowed it for exactly this plan, which the write that starts the run
//! checks again. And the command runs in the reader's confinement, so a line that was wrongly taken for harmless finds
//! nothing to change. If the sandbox has no such confinement, every command waits.

use crate::{Progression, ProgressionError};
use domain::script::parts;
use domain::step::{Autonomy, Command, Event, Seen, Step, Track};
use domain::{RunId, Scope};
use read_only::{Place, ReadingScript};
use settings::{ConfigError, SdkConfig};
use store::executions::{ExecutionError, Executions};
use store::sandboxes::Sandboxes;
use store::{StoreError, Table};

/// Starts steps that only read.
#[derive(Clone, Debug)]
pub struct Readings {
    executions: Executions,
    sandboxes: Sandboxes,
    progression: Progression,
}

impl Readings {
    /// Uses the table and both queues.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            executions: Executions::new(table),
            sandboxes: Sandboxes::new(table),
            progression: Progression::from_env(sdk, table)?,
        })
    }

    /// A copy of this for another track.
    pub fn on(&self, track: Track) -> Self {
        let executions = self.executions.on(track);
        Self { executions, progression: self.progression.on(track), ..self.clone() }
    }

    /// Starts the step that waits for its owner, if it only reads and they allow such steps to run.
    pub async fn start_waiting(&self, scope: Scope) -> Result<(), ProgressionError> {
        let Some(execution) = self.executions.load(scope).await? else { return Ok(()) };
        let asked = execution.autonomy != Autonomy::AskForChanges;
        if asked || !matches!(self.executions.track(), Track::Execution | Track::Validation) {
            return Ok(());
        }
        let Some(step) = execution.steps.iter().find(|s| s.phase.awaits_approval()) else {
            return Ok(());
        };
        let sandbox = self.sandboxes.get(scope).await?;
        let confined = sandbox.is_some_and(|sandbox| sandbox.is_up() && sandbox.confines_readers);
        let Some(event) = reading(step).filter(|_| confined) else { return Ok(()) };
        let started = self.progression.apply(scope, &step.plan_id, step.number, &event).await;
        match started {
            // Its owner was faster, with a decision, an edit, or another autonomy.
            Err(ProgressionError::Execution(
                ExecutionError::Refused(_)
                | ExecutionError::StalePlan
                | ExecutionError::Store(StoreError::Contended),
            )) => Ok(()),
            started => started.map(drop),
        }
    }
}

/// The run of a command that only reads, in the words that were judged; an owner's own text needs their approval.
fn reading(step: &Step) -> Option<Event> {
    let shown = step.command.as_ref().filter(|command| command.edited.is_none())?;
    let (script, proof) = parts(&shown.script);
    let ReadingScript { script, reach } = ReadingScript::of(script, proof, Place::Sandbox)?;
    Some(Event::ReadStep {
        run_id: RunId::random(),
        seen: Seen::of(step.attempt, Some(&shown.sha256)),
        command: Command::new(script),
        reach,
    })
}
