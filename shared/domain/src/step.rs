//! The life of a step.
//!
//! ```text
//! pending → preparing → waiting_approval → running → completed
//!              │               │              │   ╲
//!              ╰───────────────┴──────────────┴──→ failed → preparing → …
//! ```
//!
//! `preparing` (the agent writes the command) and `running` (the sandbox runs it) are both `in_progress` to the user.
//! An [`Event`] moves a step; [`Step::apply`] returns the result and, apart from the clock, reads nothing else. Queues deliver twice and WebSocket
//! messages overtake each other, so every event of a run carries its [`RunId`]: an event of another run is
//! [`Applied::Ignored`], never an error. If a *user* requests something that the step's state does not allow, the
//! result is a [`Refusal`].
//!
//! A decision names the attempt and the SHA-256 of the command that its owner saw ([`Seen`]). Only a step's first
//! attempt can be decided without naming it. Each approval begins the next attempt, so the same approval never counts
//! twice. Re-executing a failed step prepares it again with its error. The new command runs at once only if it is
//! exactly the one that was approved when it waited; otherwise it waits. A command that failed as a reading was never
//! approved. The agent does not rewrite a command that its owner edited: the owner's text waits for them again, until
//! they reject it.
//!
//! A command that only reads may run without approval, confined. If the sandbox cannot confine it, nothing has run, and the
//! command waits for its owner like any other (see [`reading`]).
//!
//! An owner may cancel what is under way. A preparation ends at once. A run is only marked: the sandbox may have the
//! command, and may be out of reach, so the step stays `running` until the sandbox reports the end or is gone. Whatever
//! ends it without a result then, it ends as canceled.
//!
//! A check under a standing approval follows another cycle, always with the same command: `completed` or `failed` →
//! `pending` → `running` → `completed` or `failed`.

mod apply;
mod autonomy;
mod decision;
mod edit;
mod event;
mod failure;
mod finish;
mod phase;
#[cfg(test)]
mod properties;
mod reading;
mod refusal;
mod rollback;
mod standing;
mod target;

use crate::gate::GateVerdict;
use crate::output::OutputView;
use crate::saved_plan::SavedPlan;
use crate::secret_token::sha256_hex;
use crate::{PlanId, RunId, Timestamp};
use read_only::Reach;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The longest script that may be proposed, in bytes.
pub const MAX_SCRIPT_BYTES: usize = 24_000;

/// The longest script in JSON without its quotes, in bytes. Quotes, backslashes and line breaks take two bytes there,
/// and a script travels to its sandbox in one message of 128 KB, with all credentials of its project.
pub const MAX_WRITTEN_SCRIPT_BYTES: usize = 40_000;

/// The longest words for a step's failure, in characters.
pub const MAX_ERROR_CHARS: usize = 2_000;

pub use autonomy::Autonomy;
pub use decision::{MAX_REASON_CHARS, Seen, StepDecision};
pub use edit::{Edited, StepEdit};
pub use event::Event;
pub use failure::Failure;
pub use finish::{Finish, Outcome};
pub use phase::{Phase, StepStatus};
pub use refusal::Refusal;
pub use rollback::{MAX_ROLLBACK_BYTES, Rollback, offered};
pub use standing::Standing;
pub use target::CommandTarget;

/// The list that a step belongs to. Steps have the same states in each.
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
    /// The checks of the validated state that may run again unchanged.
    Drift,
    /// The script that rolls back the change under way.
    Rollback,
}

impl Track {
    /// All tracks.
    pub const ALL: [Self; 5] =
        [Self::Execution, Self::Validation, Self::Helper, Self::Drift, Self::Rollback];

    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Execution => "execution",
            Self::Validation => "validation",
            Self::Helper => "helper",
            Self::Drift => "drift",
            Self::Rollback => "rollback",
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
    /// The verdict of automatic checks before its owner saw it; `None` for older scripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<GateVerdict>,
    /// The owner's edit after the agent wrote it; `None` if the text is the agent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<Edited>,
    /// How to roll back the change to which the command belongs; `None` for a command outside a change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback: Option<Rollback>,
}

/// The size of a script in JSON without its quotes, in bytes; to be compared with [`MAX_WRITTEN_SCRIPT_BYTES`].
pub fn written_script_bytes(script: &str) -> usize {
    let quotes = "\"\"".len();
    serde_json::to_string(script).map_or(usize::MAX, |json| json.len() - quotes)
}

impl Command {
    /// The command of an unchecked script.
    pub fn new(script: impl Into<String>) -> Self {
        let script = script.into();
        Self {
            sha256: sha256_hex(script.as_bytes()),
            script,
            verdict: None,
            edited: None,
            rollback: None,
        }
    }
}

/// One step of an execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The plan to which it belongs.
    pub plan_id: PlanId,
    /// Its number in the plan, from 1.
    pub number: u32,
    /// A short title.
    pub description: String,
    /// The task for the execution agent.
    pub prompt: String,
    /// Where a command of the DevOps helper runs; `None` for the steps of a plan, which run in the sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<CommandTarget>,
    /// Current phase; the API shows only its status.
    pub phase: Phase,
    /// The current attempt, or the last one.
    pub run_id: Option<RunId>,
    /// Attempts begun so far.
    pub attempt: u32,
    /// The command that is shown, runs, or ran.
    pub command: Option<Command>,
    /// While it is prepared again: the digest of the command that its owner approved and asked to execute again.
    #[serde(default)]
    pub approved_sha256: Option<String>,
    /// Whether the approval named the digest of the command that its owner saw.
    #[serde(default)]
    pub approved_as_shown: bool,
    /// What the command may reach if it runs as a reader without approval, because it only reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reach>,
    /// While a reading runs in the words that were judged: the command as its owner would have been asked about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Box<Command>>,
    /// The approval of the command that runs or ran, or that is prepared again; a reading has none.
    #[serde(default)]
    pub approval: Option<Approval>,
    /// The standing approval under which it may run again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
    /// Since when its check under a standing approval finds a difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drifted_since: Option<Timestamp>,
    /// Whether the sandbox acknowledged the run.
    #[serde(default)]
    pub acknowledged: bool,
    /// Whether its owner canceled the run that is under way. The run goes on until the sandbox has ended it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cancelling: bool,
    /// What the command printed.
    #[serde(default)]
    pub output: OutputView,
    /// Exit code of the last run that exited.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// How long the last run took, in milliseconds.
    #[serde(default)]
    pub duration_ms: Option<u64>,
    /// The Terraform plan that the last run saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved_plan: Option<SavedPlan>,
    /// How long its agent has worked on its commands, over all attempts, in milliseconds.
    #[serde(default)]
    pub prepared_ms: u64,
    /// What its agent waits for while it prepares the command, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// The reason for its failure. Older items have only [`Step::error`], so read it with [`Step::failure`].
    #[serde(default)]
    pub failure: Option<Failure>,
    /// The same in words, for people.
    #[serde(default)]
    pub error: Option<String>,
    /// The owner's reason for rejecting its command.
    #[serde(default)]
    pub rejection: Option<String>,
    /// The attempt before the current command, if the agent wrote the command again.
    #[serde(default)]
    pub earlier: Option<Earlier>,
    /// When it entered its phase.
    pub since: Timestamp,
}

/// An earlier attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = EarlierAttempt)]
pub struct Earlier {
    /// Its script.
    pub command: String,
    /// How it ended, for people.
    pub error_message: Option<String>,
    /// The owner's reason for rejecting it, if they gave one.
    pub reason: Option<String>,
}

/// The content of an approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// The attempt that the owner saw; identifies the approval's record.
    pub attempt: u32,
    /// The credentials that the command will receive, by name.
    pub credentials: Vec<String>,
}

/// The effect of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied {
    /// The step moved.
    Changed(Box<Step>),
    /// Late or repeated: no effect, and no error.
    Ignored,
}

impl Step {
    /// A step that waits for its turn.
    pub fn new(plan_id: PlanId, number: u32, description: String, prompt: String) -> Self {
        Self {
            plan_id,
            number,
            description,
            prompt,
            target: None,
            phase: Phase::Pending,
            run_id: None,
            attempt: 0,
            command: None,
            approved_sha256: None,
            approved_as_shown: false,
            reading: None,
            asked: None,
            approval: None,
            standing: None,
            drifted_since: None,
            acknowledged: false,
            cancelling: false,
            output: OutputView::default(),
            exit_code: None,
            duration_ms: None,
            saved_plan: None,
            prepared_ms: 0,
            notice: None,
            failure: None,
            error: None,
            rejection: None,
            earlier: None,
            since: Timestamp::now(),
        }
    }

    /// The status in the API.
    pub fn status(&self) -> StepStatus {
        self.phase.status()
    }

    /// The reason for its failure, also for items that were written before failures had a type.
    pub fn failure(&self) -> Option<Failure> {
        let failed = self.phase.has_failed();
        let words = || self.error.as_deref().map_or(Failure::Unknown, Failure::of_words);
        failed.then(|| self.failure.unwrap_or_else(words))
    }

    /// Whether the sandbox should go on with this run; otherwise it ended, was given up or is canceled.
    pub fn wants(&self, run_id: &RunId) -> bool {
        self.phase.is_running() && self.is_under_way(run_id) && !self.cancelling
    }

    /// Whether `run_id` is the current run.
    pub fn is_under_way(&self, run_id: &RunId) -> bool {
        self.phase.is_at_work() && self.run_id.as_ref() == Some(run_id)
    }
}
