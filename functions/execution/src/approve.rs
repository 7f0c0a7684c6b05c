//! The owner's word on a step: approve, reject, execute again.

use crate::App;
use domain::step::Step;
use domain::{PlanId, Scope};
use flows::Decision;
use http_kit::ApiError;
use runs::refuse;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The owner's word on a step.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct StepDecision {
    /// The plan that was shown.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// Run it (again), or turn it down.
    pub approved: bool,
    /// SHA-256 of the command that was shown; if another stands there now, the answer is 409.
    pub command_sha256: Option<String>,
}

impl App {
    /// Carries the owner's word out; the step as it is then.
    pub(crate) async fn decide(&self, scope: Scope, word: StepDecision) -> Result<Step, ApiError> {
        let StepDecision { plan_id, step_number, approved, command_sha256 } = word;
        let decision = Decision { plan_id, step_number, approved, command_sha256 };
        self.decisions.carry_out(scope, decision).await.map_err(refuse)
    }
}
