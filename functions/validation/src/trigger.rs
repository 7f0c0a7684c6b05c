//! Starting the checks, or having the failed ones prepared again.

use crate::App;
use domain::step::{Event, Phase};
use domain::{PlanId, RunId, Scope};
use http_kit::ApiError;
use runs::refuse;
use serde::{Deserialize, Serialize};
use store::plans::PlanKind;
use utoipa::ToSchema;

/// What became of it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Triggered {
    /// `success`, or `error` when there is no plan to carry out.
    pub status: String,
    /// The same for people.
    pub detail: String,
    /// The plan whose checks run.
    pub plan_id: Option<PlanId>,
}

impl App {
    pub(crate) async fn trigger(&self, scope: Scope) -> Result<Triggered, ApiError> {
        let plan = self.plans.get(scope, PlanKind::Validation).await?;
        let plan = plan.ok_or_else(ApiError::not_found)?;
        let Some(plan_id) = plan.plan_id.filter(|_| !plan.steps.is_empty()) else {
            let detail = "There is no validation plan yet.".to_owned();
            return Ok(Triggered { status: "error".to_owned(), detail, plan_id: None });
        };
        let present = self.checks.load(scope).await?.unwrap_or_default();
        if present.plan_id.as_ref() != Some(&plan_id) || !present.is_done() {
            self.chats.check_credit(scope).await?;
        }
        self.decisions.note_under_way(scope).await.map_err(refuse)?;
        let started = self.checks.start(scope, &plan_id, &plan.steps).await;
        started.map_err(refuse)?.ok_or_else(ApiError::not_found)?;
        self.retry_failed(scope, &plan_id).await?;
        self.progression.resume(scope).await.map_err(refuse)?;
        self.projects.touch(scope).await?;
        let detail = "Validation is under way.".to_owned();
        Ok(Triggered { status: "success".to_owned(), detail, plan_id: Some(plan_id) })
    }

    async fn retry_failed(&self, scope: Scope, plan_id: &PlanId) -> Result<(), ApiError> {
        let checks = self.checks.load(scope).await?.unwrap_or_default();
        for check in checks.steps.iter().filter(|check| check.phase == Phase::Failed) {
            let event = Event::Approve { run_id: RunId::random(), sha256: None };
            let again = self.progression.apply(scope, plan_id, check.number, &event).await;
            let (check, _) = again.map_err(refuse)?;
            // One that was approved runs as soon as it is prepared: its sandbox is to be there by then.
            self.decisions.with_sandbox(scope, check).await.map_err(refuse)?;
        }
        Ok(())
    }
}
