//! An owner's decision about a step, from the call to the transition.

use super::{Refusal, StepStatus};
use crate::PlanId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The attempt that a call need not name, because it is the first.
const FIRST_ATTEMPT: u32 = 1;

/// An owner's decision on a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StepDecision {
    /// The plan that the owner saw.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// True to run it (again), false to reject it.
    pub approved: bool,
    /// The attempt and command that the owner saw.
    #[serde(flatten)]
    pub seen: Seen,
    /// True to run the rollback of this step in the place of its command, which rolls the whole change back;
    /// `rollback_sha256` names it then.
    #[serde(default)]
    pub roll_back: bool,
    /// For a rejection: what the agent should do differently, in at most 1,000 characters.
    #[serde(default)]
    pub reason: Option<String>,
}

/// The longest reason for a rejection, in characters.
pub const MAX_REASON_CHARS: usize = 1_000;

/// What an owner saw of a step when they decided.
///
/// The attempt and the command may be left out for a step's first attempt only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Seen {
    /// SHA-256 of the command that the owner saw; if the step has another command now, the answer is 409.
    pub command_sha256: Option<String>,
    /// The attempt that the owner saw; if it is over, the answer is 409, or the first answer to the same call.
    pub attempt: Option<u32>,
    /// SHA-256 of the rollback that the owner saw beside the command; if it has another now, the answer is 409.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rollback_sha256: Option<String>,
    /// The status that the owner saw; if the step has another now, the answer is 409. It distinguishes the approval of
    /// a waiting command from the request to execute a failed step again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub status: Option<StepStatus>,
}

impl Seen {
    /// An attempt with its command, whatever its status is.
    pub fn of(attempt: u32, command_sha256: Option<&str>) -> Self {
        let command_sha256 = command_sha256.map(str::to_owned);
        Self { attempt: Some(attempt), command_sha256, ..Self::default() }
    }

    /// Refuses unless the step has this attempt and this command.
    pub(super) fn check(&self, attempt: u32, command: Option<&str>) -> Result<(), Refusal> {
        let later = attempt > FIRST_ATTEMPT;
        match self.attempt {
            Some(seen) if seen != attempt => return Err(Refusal::AttemptOver),
            None if later => return Err(Refusal::AttemptUnnamed),
            _ => {}
        }
        match (self.command_sha256.as_deref(), command) {
            (None, Some(_)) if later => Err(Refusal::AttemptUnnamed),
            (Some(seen), shown) if Some(seen) != shown => Err(Refusal::CommandChanged),
            _ => Ok(()),
        }
    }

    /// Refuses if the owner saw another status: within one attempt, a waiting command can have been rejected.
    pub(super) fn check_status(&self, now: StepStatus) -> Result<(), Refusal> {
        match self.status {
            Some(seen) if seen != now => Err(Refusal::IllegalTransition),
            _ => Ok(()),
        }
    }
}
