//! The events that move a step.

use super::{Command, Failure, Finish, Rollback, Seen, StepEdit};
use crate::RunId;
use crate::actor::Actor;
use crate::gate::GateVerdict;
use read_only::Reach;

/// The events of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The step's turn has come: the agent writes its command.
    Prepare {
        /// The id of the run that begins.
        run_id: RunId,
    },
    /// The agent wrote the command, and automatic checks judged it.
    Prepared {
        /// The run that the event belongs to.
        run_id: RunId,
        /// The id of the run that begins at once if this command was approved before.
        next_run_id: RunId,
        /// The command with its proof.
        script: String,
        /// The verdict of the automatic checks, if they could judge the command.
        verdict: Option<GateVerdict>,
        /// How to roll back the step's change after this step.
        rollback: Option<Rollback>,
    },
    /// The agent waits for something that its owner should know about, or goes on.
    Waiting {
        /// The run that the event belongs to.
        run_id: RunId,
        /// The reason, for the owner; `None` when the wait is over.
        notice: Option<String>,
    },
    /// The agent could not write the command.
    PreparationFailed {
        /// The run that the event belongs to.
        run_id: RunId,
        /// The reason, for the owner.
        error: String,
    },
    /// The owner approves the command, or has it executed again, with these credentials.
    Approve {
        /// The id of the run that begins.
        run_id: RunId,
        /// The attempt and the digest that were shown.
        seen: Seen,
        /// The names of the credentials that the run gets.
        credentials: Vec<String>,
    },
    /// The owner edits the command before they decide; automatic checks have judged the new text.
    Edit {
        /// The owner's text and what it replaces.
        edit: StepEdit,
        /// The command as it will run.
        command: Command,
        /// The author of the edit.
        by: Actor,
    },
    /// The command only reads, so it runs as a reader without approval.
    Read {
        /// The id of the run that begins.
        run_id: RunId,
        /// What the command needs beyond files and programs.
        reach: Reach,
    },
    /// The command only reads, and its owner lets such commands run, so this text runs as a reader.
    ReadStep {
        /// The id of the run that begins.
        run_id: RunId,
        /// The attempt and the digest that were shown.
        seen: Seen,
        /// The command as it will run.
        command: Command,
        /// What the command needs beyond files and programs.
        reach: Reach,
    },
    /// The owner rejects the command.
    Reject {
        /// The attempt and the digest that were shown.
        seen: Seen,
        /// The reason, in their words.
        reason: Option<String>,
    },
    /// The command only reads on the owner's server, so it runs without an approval and without credentials.
    RunReading {
        /// The id of the run that begins.
        run_id: RunId,
    },
    /// The check is to run again under its standing approval, after the checks before it.
    Recheck,
    /// The check's turn has come: it runs again under its standing approval.
    RunStanding {
        /// The id of the run that begins.
        run_id: RunId,
    },
    /// The sandbox has accepted the run.
    Acknowledged {
        /// The run that the event belongs to.
        run_id: RunId,
    },
    /// The owner cancels what is under way.
    Cancel {
        /// The run that the event belongs to.
        run_id: RunId,
    },
    /// The run has ended.
    Finished {
        /// The run that the event belongs to.
        run_id: RunId,
        /// The run's final report.
        finish: Finish,
    },
    /// The run cannot continue, because the sandbox is gone or never answered.
    Abandoned {
        /// The run that the event belongs to.
        run_id: RunId,
        /// The reason for the failure.
        failure: Failure,
        /// Details, for the owner.
        detail: Option<String>,
    },
}
