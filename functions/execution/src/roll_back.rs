//! Rolls back a change in progress.

use crate::App;
use domain::Scope;
use domain::audit::Actor;
use domain::change::FIRST;
use domain::step::{Step, StepDecision};
use http_kit::{ApiError, ErrorCode};
use runs::refuse;

impl App {
    /// Runs the rollback that its owner saw with a step; returns the run. To undo a completed change, its owner begins
    /// another one; to undo the first change, they tear the project down.
    pub(crate) async fn roll_back(
        &self,
        scope: Scope,
        decision: &StepDecision,
        by: &Actor,
    ) -> Result<Step, ApiError> {
        let pipeline = self.pipelines.get(scope).await?.ok_or_else(ApiError::not_found)?.value;
        if pipeline.change == FIRST || pipeline.is_done() {
            let detail = "Only a change that is under way can be rolled back.";
            return Err(ApiError::conflict(ErrorCode::NotUnderWay, detail));
        }
        self.decisions.roll_back(scope, decision, by).await.map_err(refuse)
    }
}
