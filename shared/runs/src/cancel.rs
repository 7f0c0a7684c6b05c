//! Cancels steps that are under way.

use crate::{Runs, refuse};
use domain::audit::{Actor, Verdict};
use domain::security::{self, About, SecurityEvent};
use domain::step::{Event, Failure, Refusal, Step};
use domain::{PlanId, RunId, Scope};
use flows::tell_cancelled;
use http_kit::{ApiError, ErrorCode};
use protocol::WireRun;
use serde::{Deserialize, Serialize};
use store::executions::{ExecutionError, StepAfter};
use utoipa::ToSchema;

/// Names a step.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct StepName {
    /// The plan that the owner saw.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// The attempt that the owner saw; a later one is left alone. Without it, the current one ends.
    pub attempt: Option<u32>,
    /// Whether the run of the step's rollback ends, and not the step itself.
    #[serde(default)]
    pub rollback: bool,
}

impl Runs {
    /// Cancels the work on a step. A command that a sandbox may have ends with the sandbox's report, which fails the
    /// step; until then the step is running and its cancellation is repeated to the sandbox.
    pub async fn cancel(&self, scope: Scope, name: StepName, by: &Actor) -> Result<Step, ApiError> {
        let execution = self.executions.load(scope).await?.ok_or_else(ApiError::not_found)?;
        if execution.plan_id.as_ref() != Some(&name.plan_id) {
            return Err(refuse(ExecutionError::StalePlan));
        }
        let step = execution.step(name.step_number).ok_or_else(ApiError::not_found)?;
        let meant = name.attempt.is_none_or(|attempt| attempt == step.attempt);
        let Some(run_id) = step.run_id.clone().filter(|_| step.phase.is_at_work() && meant) else {
            return self.cancelled_before(scope, &name, step).await;
        };
        let cancelled = self.executions.cancel(scope, &name.plan_id, step.number, &run_id, by);
        let StepAfter { step, changed } = cancelled.await.map_err(refuse)?;
        if changed {
            let (track, number, attempt) = (self.executions.track(), step.number, step.attempt);
            let detail = format!("cancelled {track:?} step={number} attempt={attempt}");
            security::record(SecurityEvent::Decided, About::project(scope).by(by), &detail);
        }
        match step.is_under_way(&run_id) {
            true => self.end(scope, step, run_id).await,
            // Its command was written in this moment and is the approved one, so the next attempt has begun.
            false if step.phase.is_at_work() => {
                Err(refuse(ExecutionError::from(Refusal::AttemptOver)))
            }
            false => Ok(step),
        }
    }

    /// Has the sandbox end a run that is canceled. If no sandbox can have the run, it ends at once.
    async fn end(&self, scope: Scope, step: Step, run_id: RunId) -> Result<Step, ApiError> {
        let (track, step_number) = (self.executions.track(), step.number);
        let run = WireRun { track, step_number, run_id: run_id.clone() };
        let told = tell_cancelled(&self.sandboxes, &self.gateway, scope, &run).await;
        if told.map_err(ApiError::internal)? {
            return Ok(step);
        }
        let event = Event::Abandoned { run_id, failure: Failure::Cancelled, detail: None };
        let ended = self.executions.apply_to_run(scope, step.number, &event).await;
        ended.map(|after| after.step).map_err(refuse)
    }

    /// An attempt stays canceled, however often the owner cancels it.
    async fn cancelled_before(
        &self,
        scope: Scope,
        name: &StepName,
        step: &Step,
    ) -> Result<Step, ApiError> {
        let key = (self.executions.track(), &name.plan_id, name.step_number);
        if let Some(attempt) = name.attempt {
            let audit = self.executions.audit();
            if audit.decision(scope, key, attempt, Verdict::Cancelled).await?.is_some() {
                return Ok(step.clone());
            }
        }
        Err(ApiError::conflict(ErrorCode::IllegalTransition, "This step is not under way."))
    }
}
