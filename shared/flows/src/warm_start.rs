//! Starting a sandbox in a task of the warm pool.
//!
//! A task is claimed, which makes it the sandbox's in the table, and then its agent gets the assignment. It serves this one project
//! for the rest of its life. Between the two anything may happen:
//!
//! - The caller dies. The agent's next sign of life comes from a task that is claimed and not assigned, and is answered
//!   with the assignment (see the function `terminal`).
//! - The agent is gone. The life that its task was to carry is given up for the next one, with another task: should the
//!   agent come back and be assigned after all, it belongs to an earlier life and gets the order to stop.
//! - The assignment's delivery is unknown. Then the task is not given up: the agent gets it again at its next sign of life, or
//!   its task has ended and the reaper starts the sandbox over.

use crate::{SandboxControl, StartRefused};
use aws::Delivery;
use domain::Scope;
use domain::pool::PooledTask;
use domain::report::Chain;
use domain::sandbox::Sandbox;
use protocol::{Assignment, ToAgent};
use store::StoreError;
use store::pool::Claimed;
use store::tokens::{Grant, SANDBOX_TOKEN_SECONDS, Tokens};

impl SandboxControl {
    /// Puts a life of a sandbox into a task of the pool; what the sandbox is now, or else the generation that
    /// still wants a task.
    pub(crate) async fn start_warm(
        &self,
        scope: Scope,
        sandbox: Sandbox,
    ) -> Result<Result<Sandbox, u64>, StartRefused> {
        let mut generation = sandbox.generation;
        let mut ready = self.pool.tasks().await?;
        ready.retain(PooledTask::is_ready);
        // The oldest would be the first to leave.
        ready.sort_by_key(|task| task.started_at);
        for task in ready {
            let claimed = match self.pool.claim(&task, scope, generation).await? {
                Claimed::Yes(sandbox) => sandbox,
                Claimed::Taken => continue,
                Claimed::Unwanted(now) => return now.map(Ok).ok_or(StartRefused::NoSuchProject),
            };
            if self.assign(scope, generation, &task).await? == Delivery::Delivered {
                tracing::info!(%scope, generation, slot = task.slot, "a pooled task is assigned");
                return Ok(Ok(claimed));
            }
            let arn = task.task_arn.as_deref().unwrap_or_default();
            match self.begin_next_life(scope, generation, arn).await? {
                Some((next, true)) => generation = next.generation,
                Some((now, false)) => return Ok(Ok(now)),
                None => return Err(StartRefused::NoSuchProject),
            }
        }
        Ok(Err(generation))
    }

    /// Tells a pooled agent whose it is.
    async fn assign(
        &self,
        scope: Scope,
        generation: u64,
        task: &PooledTask,
    ) -> Result<Delivery, StartRefused> {
        let Some(connection) = &task.connection_id else { return Ok(Delivery::Gone) };
        let assignment = assignment(&self.tokens, scope, generation).await?;
        match self.gateway.post(connection, &ToAgent::Assign(assignment)).await {
            Ok(delivery) => Ok(delivery),
            Err(error) => {
                tracing::warn!(error = %Chain(&error), %scope, "it is unknown whether a pooled task was assigned");
                Ok(Delivery::Delivered)
            }
        }
    }
}

/// What makes a pooled agent the one of this life of a sandbox: the user, and a token for its first connection as such.
pub async fn assignment(
    tokens: &Tokens,
    scope: Scope,
    generation: u64,
) -> Result<Assignment, StoreError> {
    let token = tokens.issue(Grant::Sandbox { scope, generation }, SANDBOX_TOKEN_SECONDS).await?;
    Ok(Assignment { user: scope.username(), token: token.expose().to_owned() })
}
