//! Ending a step that is under way.

use crate::{Runs, refuse};
use aws::Delivery;
use domain::step::{Event, Phase, Step};
use domain::{PlanId, RunId, Scope};
use http_kit::ApiError;
use protocol::ToAgent;
use protocol::WireRun;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The error of a step that was cancelled before its command ran.
const CANCELLED: &str = "Cancelled by user";

/// Names a step.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct StepName {
    /// The plan that was shown.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
}

impl Runs {
    /// Ends what a step is doing. A command that runs ends when the sandbox has killed it, and the
    /// step is then failed by the sandbox's report.
    pub async fn cancel(&self, scope: Scope, name: StepName) -> Result<Step, ApiError> {
        let execution = self.executions.load(scope).await?.ok_or_else(ApiError::not_found)?;
        if execution.plan_id.as_ref() != Some(&name.plan_id) {
            return Err(ApiError::conflict("stale_plan", "This plan has been replaced."));
        }
        let step = execution.step(name.step_number).ok_or_else(ApiError::not_found)?;
        let under_way = matches!(step.phase, Phase::Preparing | Phase::Running);
        let Some(run_id) = step.run_id.clone().filter(|_| under_way) else {
            return Err(ApiError::conflict("illegal_transition", "This step is not under way."));
        };
        if step.phase == Phase::Running && self.tell_sandbox(scope, step.number, &run_id).await? {
            return Ok(step.clone());
        }
        let event = Event::Abandoned { run_id, error: CANCELLED.to_owned() };
        let ended = self.progression.apply(scope, &name.plan_id, step.number, &event).await;
        ended.map(|(step, _)| step).map_err(refuse)
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
