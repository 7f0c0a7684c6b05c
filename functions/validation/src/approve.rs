//! The owner's word on a check.

use crate::App;
use domain::step::Step;
use domain::{PlanId, Scope};
use flows::Decision;
use http_kit::ApiError;
use runs::refuse;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The owner's word on a check.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CheckDecision {
    /// The plan that was shown; the present one when it is left out.
    pub plan_id: Option<PlanId>,
    /// The check, from 1.
    pub step_number: u32,
    /// Run it (again), or turn it down.
    pub approved: bool,
    /// SHA-256 of the command that was shown; if another stands there now, the answer is 409.
    pub command_sha256: Option<String>,
}

impl App {
    pub(crate) async fn decide(&self, scope: Scope, word: CheckDecision) -> Result<Step, ApiError> {
        let CheckDecision { plan_id, step_number, approved, command_sha256 } = word;
        let plan_id = match plan_id {
            Some(plan_id) => plan_id,
            None => self.present_plan(scope).await?,
        };
        let decision = Decision { plan_id, step_number, approved, command_sha256 };
        self.decisions.carry_out(scope, decision).await.map_err(refuse)
    }

    async fn present_plan(&self, scope: Scope) -> Result<PlanId, ApiError> {
        let checks = self.checks.load(scope).await?.ok_or_else(ApiError::not_found)?;
        checks.plan_id.ok_or_else(ApiError::not_found)
    }
}
