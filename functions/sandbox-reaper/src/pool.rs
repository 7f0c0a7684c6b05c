//! Keeps the warm pool: fills it to its size, renews it, and removes dead tasks.
//!
//! Only the clock fills the pool. Otherwise a task that ends as soon as it is up would be replaced as fast as it ends,
//! and each start costs money.
//!
//! A slot is taken before ECS is asked for its task, with the id that makes the request repeatable. A crash in between
//! leaves a slot without a task. The next minute asks for it again, and ECS answers with the task that the first
//! request started, if any.

use crate::{App, ReaperError};
use aws::{Launch, TaskState};
use domain::PooledId;
use domain::pool::{PooledTask, TaskOrigin};
use domain::report::Chain;
use domain::sandbox::SandboxStatus;
use settings::{ConfigError, var_or};
use store::tokens::{Grant, SANDBOX_TOKEN_SECONDS};

/// No pool by default, because its tasks cost money even if no project starts.
const SANDBOX_POOL_SIZE: &str = "0";
/// The largest pool, in tasks: one minute's call of this function must be able to start all of them.
const MAX_POOL_SIZE: u32 = 20;

impl App {
    /// Brings the pool to its size, and ends tasks that left it without a project.
    pub(crate) async fn keep_pool(&self) -> Result<(), ReaperError> {
        let mut outcome = self.end_claims().await;
        let mut free: Vec<u32> = (0..self.pool_size).collect();
        for task in self.pool.tasks().await? {
            match self.keep_task(&task).await {
                Ok(true) => free.retain(|slot| *slot != task.slot),
                Ok(false) => {}
                Err(error) => {
                    free.retain(|slot| *slot != task.slot);
                    outcome = failed(error, task.slot);
                }
            }
        }
        for slot in free {
            if let Err(error) = self.fill(slot).await {
                outcome = failed(error, slot);
            }
        }
        outcome
    }

    /// Checks a task of the pool; returns whether it keeps its slot.
    async fn keep_task(&self, task: &PooledTask) -> Result<bool, ReaperError> {
        if let Some(why) = task.obsolete(self.pool_size, self.tasks.task_definition()) {
            self.retire(task, why).await?;
            return Ok(false);
        }
        let Some(arn) = &task.task_arn else {
            self.launch(task).await?;
            return Ok(true);
        };
        if self.tasks.state(arn).await? == TaskState::Up {
            return Ok(true);
        }
        tracing::warn!(slot = task.slot, "a pooled task has ended");
        self.pool.give_up(task.slot, &task.id).await?;
        Ok(false)
    }

    async fn fill(&self, slot: u32) -> Result<(), ReaperError> {
        let task = PooledTask::new(slot, self.tasks.task_definition());
        if self.pool.occupy(&task).await? {
            self.launch(&task).await?;
        }
        Ok(())
    }

    /// Asks ECS to start the task of a slot, or for the task that it has already started.
    async fn launch(&self, task: &PooledTask) -> Result<(), ReaperError> {
        let (slot, id) = (task.slot, &task.id);
        let grant = Grant::Pooled { slot, id: id.clone() };
        let token = self.tokens.issue(grant, SANDBOX_TOKEN_SECONDS).await?;
        let origin = TaskOrigin::Pool { slot, id: id.clone() };
        let environment = [
            ("GROUNDCREW_WEBSOCKET_URL", self.websocket_url.as_str()),
            ("GROUNDCREW_TOKEN", token.expose()),
        ];
        match self.tasks.run(id.as_str(), &origin, &environment).await? {
            Launch::Started(arn) => self.pooled_task_is_up(slot, id, &arn).await,
            Launch::Refused(reason) => {
                tracing::warn!(slot, reason, "ECS started no task for the pool");
                self.pool.give_up(slot, id).await?;
                Ok(())
            }
        }
    }

    /// Removes a task from the pool and ends it, unless a project has taken it in the meantime.
    async fn retire(&self, task: &PooledTask, why: &str) -> Result<(), ReaperError> {
        if !self.pool.give_up(task.slot, &task.id).await? {
            return Ok(());
        }
        tracing::info!(slot = task.slot, why, "ending a pooled task");
        // A task that is not known yet ends when ECS reports it, or when its agent says hello.
        if let Some(arn) = &task.task_arn {
            self.tasks.stop(arn, why).await?;
        }
        Ok(())
    }

    /// Records the task of a slot; ends a task without a slot or project.
    pub(crate) async fn pooled_task_is_up(
        &self,
        slot: u32,
        id: &PooledId,
        arn: &str,
    ) -> Result<(), ReaperError> {
        let noted = self.pool.change(slot, id, |task| {
            let news = task.task_arn.is_none();
            if news {
                task.task_arn = Some(arn.to_owned());
            }
            news
        });
        if noted.await?.is_none() && self.pool.claim_of(id).await?.is_none() {
            self.tasks.stop(arn, "the pool has no slot for it").await?;
        }
        Ok(())
    }

    /// Removes a pooled task that has ended from the table, and ends its claim.
    pub(crate) async fn pooled_task_stopped(
        &self,
        slot: u32,
        id: &PooledId,
    ) -> Result<(), ReaperError> {
        if self.pool.give_up(slot, id).await? {
            tracing::warn!(slot, "a pooled task has ended");
            return Ok(());
        }
        match self.pool.claim_of(id).await? {
            Some(claim) => self.claimed_task_stopped(&claim).await,
            None => Ok(()),
        }
    }

    /// Ends tasks whose sandbox now has another task or is down, and claims that never began.
    async fn end_claims(&self) -> Result<(), ReaperError> {
        for claim in self.pool.claims().await? {
            let sandbox = self.sandboxes.get(claim.scope).await?;
            if let Some(sandbox) = sandbox.filter(|sandbox| claim.holds(sandbox)) {
                // Once its agent has connected, the reaper treats it like any other sandbox.
                let begun = sandbox.status != SandboxStatus::Creating;
                if !begun && self.tasks.state(&claim.task_arn).await? == TaskState::Down {
                    self.claimed_task_stopped(&claim).await?;
                }
                continue;
            }
            self.tasks
                .stop(&claim.task_arn, "its project's sandbox uses another task, or none")
                .await?;
            self.pool.end_claim(&claim.id).await?;
        }
        Ok(())
    }
}

fn failed(error: ReaperError, slot: u32) -> Result<(), ReaperError> {
    tracing::error!(error = %Chain(&error), slot, "a slot of the pool could not be maintained");
    Err(error)
}

/// How many tasks wait for a project, from `SANDBOX_POOL_SIZE`.
pub(crate) fn pool_size() -> Result<u32, ConfigError> {
    let given = var_or("SANDBOX_POOL_SIZE", SANDBOX_POOL_SIZE);
    let size = given.parse().ok().filter(|size| *size <= MAX_POOL_SIZE);
    size.ok_or_else(|| ConfigError::Invalid {
        name: "SANDBOX_POOL_SIZE",
        reason: format!("{given:?} is not a number of tasks up to {MAX_POOL_SIZE}"),
    })
}
