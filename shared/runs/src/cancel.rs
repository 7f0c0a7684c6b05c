//! Cancels steps that are under way.

use crate::{Runs, refuse};
use aws::Delivery;
use domain::audit::{Actor, DecisionRecord, Verdict};
use domain::security::{self, About, SecurityEvent};
use domain::step::{Event, Failure, Phase, Step};
use domain::{PlanId, RunId, Scope};
use http_kit::ApiError;
use protocol::ToAgent;
use protocol::WireRun;
use serde::{Deserialize, Serialize};
use store::executions::ExecutionError;
use utoipa::ToSchema;

/// Names a step.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct StepName {
    /// The plan that the owner saw.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// The attempt that the owner saw; a later one is left alone. Without it, the present one ends.
    pub attempt: Option<u32>,
    /// Whether the run of the step's rollback ends, and not the step itself.
    #[serde(default)]
    pub rollback: bool,
}

impl Runs {
    /// Cancels the work on a step. A running command ends once the sandbox has killed it; the sandbox's report then
    /// fails the step.
    pub async fn cancel(&self, scope: Scope, name: StepName, by: &Actor) -> Result<Step, ApiError> {
        let execution = self.executions.load(scope).await?.ok_or_else(ApiError::not_found)?;
        if execution.plan_id.as_ref() != Some(&name.plan_id) {
            return Err(refuse(ExecutionError::StalePlan));
        }
        let step = execution.step(name.step_number).ok_or_else(ApiError::not_found)?;
        let under_way = matches!(step.phase, Phase::Preparing | Phase::Running);
        let meant = name.attempt.is_none_or(|attempt| attempt == step.attempt);
        let Some(run_id) = step.run_id.clone().filter(|_| under_way && meant) else {
            return self.cancelled_before(scope, &name, step).await;
        };
        let record = self.record(step, by);
        if self.executions.audit().keep(scope, &record).await? {
            let (track, number, attempt) = (record.track, step.number, step.attempt);
            let detail = format!("cancelled {track:?} step={number} attempt={attempt}");
            security::record(SecurityEvent::Decided, About::project(scope).by(by), &detail);
        }
        if step.phase == Phase::Running && self.tell_sandbox(scope, step.number, &run_id).await? {
            return Ok(step.clone());
        }
        let event = Event::Abandoned { run_id, failure: Failure::Cancelled, detail: None };
        let ended = self.progression.apply(scope, &name.plan_id, step.number, &event).await;
        ended.map(|(step, _)| step).map_err(refuse)
    }

    fn record(&self, step: &Step, by: &Actor) -> DecisionRecord {
        let track = self.executions.track();
        DecisionRecord::new(track, Verdict::Cancelled, step, step, by.clone())
    }

    /// An attempt stays cancelled, however often the owner cancels it.
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
        Err(ApiError::conflict("illegal_transition", "This step is not under way."))
    }

    async fn tell_sandbox(
        &self,
        scope: Scope,
        step_number: u32,
        run_id: &RunId,
    ) -> Result<bool, ApiError> {
        let sandbox = self.sandboxes.get(scope).await?;
        let Some(connection) = sandbox.and_then(|sandbox| sandbox.connection_id) else {
            return Ok(false);
        };
        let track = self.executions.track();
        let run_id = WireRun { track, step_number, run_id: run_id.clone() }.to_string();
        let sent = self.gateway.post(&connection, &ToAgent::RunCancel { run_id }).await;
        Ok(sent.map_err(ApiError::internal)? == Delivery::Delivered)
    }
}
