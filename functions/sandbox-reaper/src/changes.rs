//! Handles ECS's events about tasks.
//!
//! ECS names a task by its `startedBy`: a generation of a project's sandbox, or a slot of the warm pool. The function
//! that started it may have died before it recorded the task. This module then records the task, or ends it if no
//! project or slot needs it anymore. Events come late, twice and in any order, so each is judged by the current state
//! of the table.

use crate::{App, ReaperError};
use aws::TaskState;
use domain::Scope;
use domain::pool::TaskOrigin;
use domain::sandbox::SandboxStatus;
use serde_json::Value;

impl App {
    /// Handles a task's change of state.
    pub(crate) async fn task_changed(&self, detail: &Value) -> Result<(), ReaperError> {
        let text = |name: &str| detail.get(name).and_then(Value::as_str).unwrap_or_default();
        // Tasks that this stack did not start do not concern it.
        let Ok(origin) = text("startedBy").parse() else { return Ok(()) };
        let arn = text("taskArn");
        match (origin, text("lastStatus")) {
            (TaskOrigin::Project { scope, generation }, "STOPPED") => {
                self.task_stopped(scope, generation, arn).await
            }
            (TaskOrigin::Pool { slot, id }, "STOPPED") => self.pooled_task_stopped(slot, &id).await,
            // It is stopping; another event follows once it has stopped.
            (_, status) if TaskState::of(status) != TaskState::Up => Ok(()),
            (TaskOrigin::Project { scope, generation }, _) => {
                self.task_is_up(scope, generation, arn).await
            }
            (TaskOrigin::Pool { slot, id }, _) => self.pooled_task_is_up(slot, &id, arn).await,
        }
    }

    /// Records the task on the sandbox of its generation, or ends it.
    async fn task_is_up(
        &self,
        scope: Scope,
        generation: u64,
        arn: &str,
    ) -> Result<(), ReaperError> {
        if !self.control.note_task(scope, generation, arn).await? {
            tracing::info!(%scope, generation, "ending a task of an earlier generation");
            self.tasks.stop(arn, "its project's sandbox uses another task, or none").await?;
        }
        Ok(())
    }

    async fn task_stopped(
        &self,
        scope: Scope,
        generation: u64,
        arn: &str,
    ) -> Result<(), ReaperError> {
        let Some(sandbox) = self.sandboxes.get(scope).await? else { return Ok(()) };
        if sandbox.lacks_task(generation) || sandbox.is_carried_by(generation, arn) {
            self.ended(scope, &sandbox).await?;
        }
        Ok(())
    }

    /// Ends a claim together with its task: the sandbox has ended, or starts over if its agent never connected.
    pub(crate) async fn claimed_task_stopped(
        &self,
        claim: &store::pool::Claim,
    ) -> Result<(), ReaperError> {
        let (scope, generation) = (claim.scope, claim.generation);
        match self.sandboxes.get(scope).await?.filter(|sandbox| claim.holds(sandbox)) {
            Some(sandbox) if sandbox.status == SandboxStatus::Creating => {
                tracing::warn!(%scope, generation, "a pooled task ended before it was assigned");
                self.control.start_over(scope, generation, &claim.task_arn).await?;
            }
            Some(sandbox) => self.ended(scope, &sandbox).await?,
            None => {}
        }
        Ok(self.pool.end_claim(&claim.id).await?)
    }
}
