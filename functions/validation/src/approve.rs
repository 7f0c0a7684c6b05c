//! The owner's decision on a check.

use crate::App;
use domain::audit::Actor;
use domain::step::{Seen, Step, StepDecision};
use domain::{PlanId, Scope};
use http_kit::ApiError;
use runs::refuse;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The owner's decision on a check.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CheckDecision {
    /// The plan that the owner saw; by default the current one.
    pub plan_id: Option<PlanId>,
    /// The check, from 1.
    pub step_number: u32,
    /// True to run it (again), false to reject it.
    pub approved: bool,
    /// The attempt and command that the owner saw.
    #[serde(flatten)]
    pub seen: Seen,
    /// For a rejection: what the agent should do differently, in at most 1,000 characters.
    #[serde(default)]
    pub reason: Option<String>,
}

impl App {
    pub(crate) async fn decide(
        &self,
        scope: Scope,
        decision: CheckDecision,
        by: &Actor,
    ) -> Result<Step, ApiError> {
        let CheckDecision { plan_id, step_number, approved, seen, reason } = decision;
        let plan_id = match plan_id {
            Some(plan_id) => plan_id,
            None => self.present_plan(scope).await?,
        };
        let reason = self.chats.seal_reason(scope, reason).await?;
        let decision =
            StepDecision { plan_id, step_number, approved, seen, reason, roll_back: false };
        self.decisions.carry_out(scope, &decision, by).await.map_err(refuse)
    }

    async fn present_plan(&self, scope: Scope) -> Result<PlanId, ApiError> {
        let checks = self.checks.load(scope).await?.ok_or_else(ApiError::not_found)?;
        checks.plan_id.ok_or_else(ApiError::not_found)
    }
}
