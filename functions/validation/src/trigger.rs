//! Starts the checks, prepares the failed ones again, or runs passed ones again.

use crate::App;
use crate::routes::{CheckAttempt, ValidationStart};
use domain::audit::Actor;
use domain::step::{Failure, Seen, Step, StepDecision};
use domain::{PlanId, Scope};
use flows::ProgressionError;
use http_kit::ApiError;
use runs::refuse;
use serde::{Deserialize, Serialize};
use store::executions::ExecutionError;
use store::plans::PlanKind;
use utoipa::ToSchema;

/// The result of starting a validation.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Triggered {
    /// `success`, or `error` if there is no plan to execute.
    pub status: String,
    /// The same in words, for people.
    pub detail: String,
    /// The plan whose checks run.
    pub plan_id: Option<PlanId>,
}

impl App {
    pub(crate) async fn trigger(
        &self,
        scope: Scope,
        start: ValidationStart,
        by: &Actor,
    ) -> Result<Triggered, ApiError> {
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
        self.begin_again(scope, &plan_id, &start, by).await?;
        self.progression.resume(scope).await.map_err(refuse)?;
        self.projects.touch(scope).await?;
        let detail = "Validation is under way.".to_owned();
        Ok(Triggered { status: "success".to_owned(), detail, plan_id: Some(plan_id) })
    }

    /// Prepares failed checks again, and runs passed ones again. A failed check whose command stays the same runs at
    /// once.
    async fn begin_again(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        start: &ValidationStart,
        by: &Actor,
    ) -> Result<(), ApiError> {
        let checks = self.checks.load(scope).await?.unwrap_or_default();
        let meant = |check: &&Step| {
            (check.phase.has_failed() && start.retries(check))
                || (check.phase.has_succeeded() && names(start.passed.as_deref(), check))
        };
        for check in checks.steps.iter().filter(meant) {
            let sha256 = check.command.as_ref().map(|command| command.sha256.as_str());
            let decision = StepDecision {
                plan_id: plan_id.clone(),
                step_number: check.number,
                approved: true,
                seen: Seen::of(check.attempt, sha256),
                reason: None,
                roll_back: false,
            };
            match self.decisions.carry_out(scope, &decision, by).await {
                // Another trigger, or its owner, was faster.
                Ok(_) | Err(ProgressionError::Execution(ExecutionError::Refused(_))) => {}
                Err(error) => return Err(refuse(error)),
            }
        }
        Ok(())
    }
}

impl ValidationStart {
    /// Whether this failed check is to be prepared again.
    fn retries(&self, check: &Step) -> bool {
        // A check that its owner rejected or canceled starts again only if the caller names it.
        let by_owner = matches!(check.failure(), Some(Failure::Rejected | Failure::Cancelled));
        let unnamed = self.failed.is_none() && self.passed.is_none();
        names(self.failed.as_deref(), check) || unnamed && !by_owner
    }
}

/// Whether a list names the last attempt at this check.
fn names(shown: Option<&[CheckAttempt]>, check: &Step) -> bool {
    let is_last =
        |named: &CheckAttempt| named.step_number == check.number && named.attempt == check.attempt;
    shown.unwrap_or_default().iter().any(is_last)
}
