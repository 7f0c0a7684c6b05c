//! The life of a step.
//!
//! ```text
//! pending → preparing → waiting_approval → running → completed
//!              │               │              │   ╲
//!              ╰───────────────┴──────────────┴──→ failed → preparing → …
//! ```
//!
//! `preparing` (the agent writes the command) and `running` (the sandbox runs it) are both
//! `in_progress` to the user. What moves a step is an [`Event`]; [`Step::apply`] is pure and says
//! what became of it. Queues deliver twice and WebSocket messages overtake each other, so every
//! event of a run carries its [`RunId`]: one that is not the step's present run is
//! [`Applied::Ignored`], never an error. What a *user* asks for and cannot have is a [`Refusal`].
//!
//! A decision names what was shown: the attempt and the command's SHA-256 ([`Seen`]). Only a step's
//! first attempt can be decided without naming it. Each approval begins the next attempt, so the same
//! approval never counts twice. Re-executing a failed step has it prepared anew with its error; the new
//! command runs at once only when it is the very same that was approved, otherwise it waits to be seen.

mod apply;
mod decision;
mod failure;
#[cfg(test)]
mod properties;

use crate::output::OutputView;
use crate::read_only::Reach;
use crate::secret_token::sha256_hex;
use crate::{PlanId, RunId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Longest script that may be proposed, in bytes.
pub const MAX_SCRIPT_BYTES: usize = 24_000;

pub use decision::{Seen, StepDecision};
pub use failure::Failure;

/// What a step is part of: both stages walk the same life.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Track {
    /// The steps of the implementation plan.
    #[default]
    Execution,
    /// The checks of the validation plan.
    Validation,
    /// The commands of the DevOps helper, each proposed in its chat.
    Helper,
}

impl Track {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Execution, Self::Validation, Self::Helper];

    /// The word of the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Execution => "execution",
            Self::Validation => "validation",
            Self::Helper => "helper",
        }
    }
}

/// Where a step stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Its turn has not come.
    #[default]
    Pending,
    /// The agent is writing its command.
    Preparing,
    /// The command is there to be approved.
    WaitingApproval,
    /// The sandbox is running it.
    Running,
    /// It ran and exited with 0.
    Completed,
    /// It did not.
    Failed,
}

/// The five words of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// Its turn has not come.
    Pending,
    /// Being prepared or running.
    InProgress,
    /// Waits for its owner.
    WaitingApproval,
    /// Done.
    Completed,
    /// Not done; `error_message` says why.
    Failed,
}

impl StepStatus {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::WaitingApproval => "waiting_approval",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }
}

/// A command and what identifies it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// A bash script.
    pub script: String,
    /// SHA-256 of the script's bytes, hexadecimal.
    pub sha256: String,
}

impl Command {
    /// The command of a script.
    pub fn new(script: impl Into<String>) -> Self {
        let script = script.into();
        Self { sha256: sha256_hex(script.as_bytes()), script }
    }
}

/// One step of an execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The plan it belongs to.
    pub plan_id: PlanId,
    /// Its place in the plan, from 1.
    pub number: u32,
    /// A short title.
    pub description: String,
    /// What the execution agent is told to do.
    pub prompt: String,
    /// Where it stands.
    pub phase: Phase,
    /// The attempt that is under way, or was the last.
    pub run_id: Option<RunId>,
    /// Attempts begun so far.
    pub attempt: u32,
    /// The command that is shown, ran or runs.
    pub command: Option<Command>,
    /// While preparing again: the command that its owner wants executed again.
    #[serde(default)]
    pub approved_sha256: Option<String>,
    /// Its owner approved the very command that was shown, by its hash.
    #[serde(default)]
    pub approved_as_shown: bool,
    /// Set while it is a command that runs as a reader, because it only reads and nobody approved it: what it reaches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reach>,
    /// The approval that the present run, or its preparation, goes back to.
    #[serde(default)]
    pub approval: Option<Approval>,
    /// The sandbox acknowledged the run.
    #[serde(default)]
    pub acknowledged: bool,
    /// What the command printed.
    #[serde(default)]
    pub output: OutputView,
    /// Exit code of the last run that exited.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// How long the last run took, in milliseconds.
    #[serde(default)]
    pub duration_ms: Option<u64>,
    /// Why it failed; older items only have [`Step::error`]. Read it with [`Step::failure`].
    #[serde(default)]
    pub failure: Option<Failure>,
    /// The same in words, for people.
    #[serde(default)]
    pub error: Option<String>,
    /// When it entered its phase.
    pub since: Timestamp,
}

/// What an approval allows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// The attempt that was shown when it was given; its record is found by this.
    pub attempt: u32,
    /// The credentials that the command will be given, by name.
    pub credentials: Vec<String>,
}

/// How a run ended, as the sandbox reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The script exited; the exit code says how.
    Exited,
    /// Its deadline passed and the sandbox killed its process group.
    TimedOut,
    /// Its owner cancelled it.
    Cancelled,
    /// The sandbox went away while it ran.
    Lost,
    /// It never started: the script is not the approved one, or the sandbox could not start it.
    Refused,
}

/// The end of a run, as the sandbox tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    /// How it ended.
    pub outcome: Outcome,
    /// Its exit code, when it exited.
    pub exit_code: Option<i32>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// All that it printed.
    pub output: OutputView,
    /// The sandbox's own words, when something other than the command went wrong.
    pub detail: Option<String>,
}

/// What can happen to a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Its turn has come: the agent is to write its command.
    Prepare { run_id: RunId },
    /// The agent wrote it.
    Prepared { run_id: RunId, next_run_id: RunId, script: String },
    /// The agent could not.
    PreparationFailed { run_id: RunId, error: String },
    /// The owner approves, or wants it executed again, with these credentials by name.
    Approve { run_id: RunId, seen: Seen, credentials: Vec<String> },
    /// It only reads, so it runs as a reader without anybody's approval.
    Read { run_id: RunId, reach: Reach },
    /// The owner turns it down.
    Reject { seen: Seen },
    /// The command only reads on the owner's server, so it runs without an approval and without credentials.
    RunReading { run_id: RunId },
    /// The sandbox has taken the run.
    Acknowledged { run_id: RunId },
    /// The run came to its end.
    Finished { run_id: RunId, finish: Finish },
    /// The run cannot go on: the sandbox is gone, or never answered.
    Abandoned { run_id: RunId, failure: Failure, detail: Option<String> },
}

/// What became of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied {
    /// The step moved.
    Changed(Box<Step>),
    /// Late or repeated: nothing to do, and no error.
    Ignored,
}

/// Why a user's wish is not carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The step is not in a state that allows it.
    #[error("This step is not waiting for that any more.")]
    IllegalTransition,
    /// The decision is on an attempt that another decision has ended.
    #[error("This attempt is over. Look at the step as it is now.")]
    AttemptOver,
    /// The step has been tried before, and the decision does not say which attempt and command it is on.
    #[error(
        "This step was tried before. Approve it with the attempt and the command that you saw."
    )]
    AttemptUnnamed,
    /// The command is not the one that was shown.
    #[error("The command has changed since it was shown. Review it and approve again.")]
    CommandChanged,
}

impl Step {
    /// A step whose turn has not come.
    pub fn new(plan_id: PlanId, number: u32, description: String, prompt: String) -> Self {
        Self {
            plan_id,
            number,
            description,
            prompt,
            phase: Phase::Pending,
            run_id: None,
            attempt: 0,
            command: None,
            approved_sha256: None,
            approved_as_shown: false,
            reading: None,
            approval: None,
            acknowledged: false,
            output: OutputView::default(),
            exit_code: None,
            duration_ms: None,
            failure: None,
            error: None,
            since: Timestamp::now(),
        }
    }

    /// The word of the API for where it stands.
    pub fn status(&self) -> StepStatus {
        match self.phase {
            Phase::Pending => StepStatus::Pending,
            Phase::Preparing | Phase::Running => StepStatus::InProgress,
            Phase::WaitingApproval => StepStatus::WaitingApproval,
            Phase::Completed => StepStatus::Completed,
            Phase::Failed => StepStatus::Failed,
        }
    }

    /// Why it failed, also for an item that was stored before failures had a type.
    pub fn failure(&self) -> Option<Failure> {
        let failed = self.phase == Phase::Failed;
        let words = || self.error.as_deref().map_or(Failure::Unknown, Failure::of_words);
        failed.then(|| self.failure.unwrap_or_else(words))
    }

    /// Whether `run_id` is the run that is under way.
    pub fn is_under_way(&self, run_id: &RunId) -> bool {
        matches!(self.phase, Phase::Preparing | Phase::Running)
            && self.run_id.as_ref() == Some(run_id)
    }
}
