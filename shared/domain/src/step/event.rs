//! What happens to a step.

use super::{Command, Failure, Finish, Rollback, Seen, StepEdit};
use crate::RunId;
use crate::audit::Actor;
use crate::gate::GateVerdict;
use crate::read_only::Reach;

/// The events of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Its turn has come: the agent writes its command.
    Prepare {
        /// The run that the event belongs to.
        run_id: RunId,
    },
    /// The agent wrote the command, and automatic checks judged it.
    Prepared {
        /// The run that the event belongs to.
        run_id: RunId,
        /// The run that an approval will start.
        next_run_id: RunId,
        /// The command with its proof.
        script: String,
        /// The machines' verdict, if they could judge it.
        verdict: Option<GateVerdict>,
        /// How the change that the step belongs to is rolled back after it.
        rollback: Option<Rollback>,
    },
    /// The agent could not write it.
    PreparationFailed {
        /// The run that the event belongs to.
        run_id: RunId,
        /// Why, for the owner.
        error: String,
    },
    /// The owner approves it, or has it executed again, with these credentials by name.
    Approve {
        /// The run that the event belongs to.
        run_id: RunId,
        /// The attempt and the digest that were shown.
        seen: Seen,
        /// The names of the credentials that it gets.
        credentials: Vec<String>,
    },
    /// The owner edits it before they decide, and machines checked their text.
    Edit {
        /// The owner's text and what it replaces.
        edit: StepEdit,
        /// The command as it will run.
        command: Command,
        /// Author of the edit.
        by: Actor,
    },
    /// It only reads, so it runs as a reader without approval.
    Read {
        /// The run that the event belongs to.
        run_id: RunId,
        /// The command's needs beyond files and programs.
        reach: Reach,
    },
    /// It only reads and its owner wants such commands to run: this text of it runs as a reader.
    ReadStep {
        /// The run that the event belongs to.
        run_id: RunId,
        /// The attempt and the digest that were shown.
        seen: Seen,
        /// The command as it will run.
        command: Command,
        /// The command's needs beyond files and programs.
        reach: Reach,
    },
    /// The owner rejects it.
    Reject {
        /// The attempt and the digest that were shown.
        seen: Seen,
        /// Why, in their words.
        reason: Option<String>,
    },
    /// The command only reads on the owner's server, so it runs without an approval and without credentials.
    RunReading {
        /// The run that the event belongs to.
        run_id: RunId,
    },
    /// It is to run again under its standing approval, after those before it.
    Recheck,
    /// Its turn to run again under its standing approval has come.
    RunStanding {
        /// The run that the event belongs to.
        run_id: RunId,
    },
    /// The sandbox has taken the run.
    Acknowledged {
        /// The run that the event belongs to.
        run_id: RunId,
    },
    /// The run came to its end.
    Finished {
        /// The run that the event belongs to.
        run_id: RunId,
        /// The run's final report.
        finish: Finish,
    },
    /// The run cannot continue: the sandbox is gone, or never answered.
    Abandoned {
        /// The run that the event belongs to.
        run_id: RunId,
        /// Reason for the failure.
        failure: Failure,
        /// More about it, for the owner.
        detail: Option<String>,
    },
}
