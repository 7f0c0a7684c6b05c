//! What an owner decides about a step, from the call to the transition.

use super::Refusal;
use crate::PlanId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The attempt that a call may leave unnamed: nothing has run before it.
const FIRST_ATTEMPT: u32 = 1;

/// An owner's decision on a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StepDecision {
    /// The plan that was shown.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// Run it (again), or turn it down.
    pub approved: bool,
    /// What was shown.
    #[serde(flatten)]
    pub seen: Seen,
}

/// What an owner saw of a step when they decided.
///
/// Both fields may be left out for a step's first attempt only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Seen {
    /// SHA-256 of the command that was shown; if another stands there now, the answer is 409.
    pub command_sha256: Option<String>,
    /// The attempt that was shown; if it is over, the answer is 409, or what the same call was answered before.
    pub attempt: Option<u32>,
}

impl Seen {
    /// An attempt with its command.
    pub fn of(attempt: u32, command_sha256: Option<&str>) -> Self {
        Self { attempt: Some(attempt), command_sha256: command_sha256.map(str::to_owned) }
    }

    /// Refuses unless this is what stands there.
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
}
