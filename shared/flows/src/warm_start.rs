//! Starts a sandbox in a task of the warm pool.
//!
//! The function first claims a task, which makes it the sandbox's in the table, and then sends its agent the
//! assignment. The task serves this one project for the rest of its life. Between the two, anything may happen:
//!
//! - The caller dies. The agent's next sign of life comes from a task that is claimed but not assigned, and gets the
//!   assignment as its answer (see the function `terminal`).
//! - The agent is gone. The generation that its task was to carry is abandoned for the next one, with another task. If
//!   the agent comes back and gets the assignment after all, it belongs to an earlier generation, and the gateway stops
//!   it.
//! - It is unknown whether the assignment was delivered. Then the task is kept: either the agent gets the assignment
//!   again at its next sign of life, or the task has ended and the reaper starts the sandbox over.

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

/// How an attempt to start a sandbox from the pool ended.
pub(crate) enum WarmStart {
    /// The sandbox as it is now: it has a pooled task, or needs none anymore.
    Settled(Box<Sandbox>),
    /// The pool had no task for it.
    NeedsTask {
        /// The generation that the task will carry.
        generation: u64,
    },
}

impl SandboxControl {
    /// Puts a generation of a sandbox into a task of the pool.
    pub(crate) async fn start_warm(
        &self,
        scope: Scope,
        sandbox: Sandbox,
    ) -> Result<WarmStart, StartRefused> {
        let mut generation = sandbox.generation;
        let mut ready = self.pool.tasks().await?;
        ready.retain(PooledTask::is_ready);
        // Prefer the newest tasks, because the oldest leave the pool first.
        ready.sort_by_key(|task| task.started_at);
        for task in ready {
            let claimed = match self.pool.claim(&task, scope, generation).await? {
                Claimed::Yes(sandbox) => sandbox,
                Claimed::Taken => continue,
                Claimed::Unwanted(now) => {
                    let settled = now.map(Box::new).map(WarmStart::Settled);
                    return settled.ok_or(StartRefused::NoSuchProject);
                }
            };
            if self.assign(scope, generation, &task).await? == Delivery::Delivered {
                tracing::info!(%scope, generation, slot = task.slot, "a pooled task is assigned");
                return Ok(WarmStart::Settled(Box::new(claimed)));
            }
            let arn = task.task_arn.as_deref().unwrap_or_default();
            match self.begin_next_life(scope, generation, arn).await? {
                Some((next, true)) => generation = next.generation,
                Some((now, false)) => return Ok(WarmStart::Settled(Box::new(now))),
                None => return Err(StartRefused::NoSuchProject),
            }
        }
        Ok(WarmStart::NeedsTask { generation })
    }

    /// Assigns a project to a pooled agent.
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

/// The assignment that gives a pooled agent to this generation of a sandbox: the user, and a token for its first
/// connection.
pub async fn assignment(
    tokens: &Tokens,
    scope: Scope,
    generation: u64,
) -> Result<Assignment, StoreError> {
    let token = tokens.issue(Grant::Sandbox { scope, generation }, SANDBOX_TOKEN_SECONDS).await?;
    Ok(Assignment { user: scope.username(), token: token.expose().to_owned() })
}
