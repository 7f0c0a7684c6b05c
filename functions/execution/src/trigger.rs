//! Starts an execution.

use crate::App;
use domain::stage::StageRefusal;
use domain::{PlanId, Scope};
use http_kit::{ApiError, ErrorCode};
use runs::refuse;
use serde::{Deserialize, Serialize};
use store::plans::PlanKind;
use utoipa::ToSchema;

/// Asks for the execution of the implementation plan.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Start {
    /// The user's message; unused, kept for compatibility.
    pub message: Option<String>,
    /// The plan that was shown, from the header `Plan-Id`; if another one has been written since, the answer is 409.
    /// Without it, the current plan is executed.
    pub plan_id: Option<PlanId>,
}

/// The execution has started.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Started {
    /// Always `accepted`.
    pub status: String,
    /// The plan that is executed.
    pub plan_id: PlanId,
}

impl App {
    /// Starts the execution of the current plan, or continues it; asking twice is harmless.
    pub(crate) async fn trigger(
        &self,
        scope: Scope,
        shown: Option<&PlanId>,
    ) -> Result<Started, ApiError> {
        let plan = self.plans.get(scope, PlanKind::Implementation).await?;
        let plan = plan.ok_or_else(ApiError::not_found)?;
        let planned = plan.plan_id.clone().filter(|_| plan.has_steps());
        let plan_id = planned.ok_or(StageRefusal::ImplementationMissing)?;
        if shown.is_some_and(|shown| *shown != plan_id) {
            let detail =
                "The plan was rewritten after it was shown. Read it, then confirm it again.";
            return Err(ApiError::conflict(ErrorCode::StalePlan, detail));
        }
        let present = self.executions.load(scope).await?.unwrap_or_default();
        if present.plan_id.as_ref() != Some(&plan_id) || !present.is_done() {
            self.chats.check_credit(scope).await?;
        }
        self.decisions.note_under_way(scope).await.map_err(refuse)?;
        let started = self.executions.start(scope, &plan_id, &plan.steps).await;
        started.map_err(refuse)?.ok_or_else(ApiError::not_found)?;
        self.progression.resume(scope).await.map_err(refuse)?;
        self.projects.touch(scope).await?;
        Ok(Started { status: "accepted".to_owned(), plan_id })
    }
}
