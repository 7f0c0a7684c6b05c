//! The warm pool's tasks, and the projects that took them.
//!
//! A pooled task may live only while its slot has a row: the gateway stops an agent whose row is gone, and the reaper
//! stops a task that ECS reports without one. A start deletes the row, records the task's new project, and puts the
//! task on that project's sandbox, all in one transaction. Of two concurrent starts one gets the task, and a crash
//! leaves no task without an owner.

use crate::StoreError;
use crate::sandboxes;
use crate::table::{Change, IntoWrite, Key, Table};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::pool::PooledTask;
use domain::sandbox::{Sandbox, SandboxStatus};
use domain::{PooledId, Scope};
use serde::{Deserialize, Serialize};

/// The partition of the pool.
const POOL: &str = "POOL";
/// How often to try a claim while other calls write to the same sandbox.
const ATTEMPTS: usize = 5;

/// The pool of the table.
#[derive(Clone, Debug)]
pub struct Pool {
    table: Table,
}

/// A task that left the pool, and the sandbox that it became.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The task's id in the pool.
    pub id: PooledId,
    /// Its ARN in ECS.
    pub task_arn: String,
    /// The project that took it.
    #[serde(flatten)]
    pub scope: Scope,
    /// The generation of the sandbox.
    pub generation: u64,
}

impl Claim {
    /// Whether the sandbox is still in the state for which it took the task.
    pub fn holds(&self, sandbox: &Sandbox) -> bool {
        sandbox.is_carried_by(self.generation, &self.task_arn)
    }
}

/// The result of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimed {
    /// The sandbox has the task; this is its new state.
    Yes(Sandbox),
    /// Another project has the task, or it is gone.
    Taken,
    /// The sandbox no longer waits for a task; this is its state, or `None` for a deleted project.
    Unwanted(Option<Sandbox>),
}

fn slot_key(slot: u32) -> Key {
    Key::new(POOL, format!("SLOT#{slot:06}"))
}

fn claim_key(id: &PooledId) -> Key {
    Key::new(POOL, format!("CLAIM#{id}"))
}

impl Pool {
    /// The pool in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// All tasks of the pool, by slot.
    pub async fn tasks(&self) -> Result<Vec<PooledTask>, StoreError> {
        let rows = self.table.query::<PooledTask>(POOL, "SLOT#").await?;
        Ok(rows.into_iter().map(|(_, row)| row.value).collect())
    }

    /// The task in this slot, if it is the one with this id.
    pub async fn find(&self, slot: u32, id: &PooledId) -> Result<Option<PooledTask>, StoreError> {
        let found = self.table.get::<PooledTask>(&slot_key(slot)).await?;
        Ok(found.map(|stored| stored.value).filter(|task| task.id == *id))
    }

    /// Puts a task into its slot; `false` if another task has the slot.
    pub async fn occupy(&self, task: &PooledTask) -> Result<bool, StoreError> {
        self.table.put_new(&slot_key(task.slot), task, None).await
    }

    /// Changes a task as `act` decides; returns its new state, or `None` if the slot holds another task.
    pub async fn change(
        &self,
        slot: u32,
        id: &PooledId,
        mut act: impl FnMut(&mut PooledTask) -> bool,
    ) -> Result<Option<PooledTask>, StoreError> {
        let changed = self.table.modify(slot_key(slot), |mut task: PooledTask| {
            Ok::<_, StoreError>(if task.id != *id {
                Change::Keep(None)
            } else if act(&mut task) {
                Change::Write(task.clone(), Some(task))
            } else {
                Change::Keep(Some(task))
            })
        });
        Ok(changed.await?.flatten())
    }

    /// Removes a task from the pool; `false` if it is gone already.
    pub async fn give_up(&self, slot: u32, id: &PooledId) -> Result<bool, StoreError> {
        self.table.transact(vec![self.taking(slot, id)?]).await
    }

    /// Gives a task of the pool to this generation of a project's sandbox.
    pub async fn claim(
        &self,
        task: &PooledTask,
        scope: Scope,
        generation: u64,
    ) -> Result<Claimed, StoreError> {
        let Some(task_arn) = &task.task_arn else { return Ok(Claimed::Taken) };
        let claim = Claim { id: task.id.clone(), task_arn: task_arn.clone(), scope, generation };
        let key = sandboxes::key(scope);
        for _ in 0..ATTEMPTS {
            let Some(stored) = self.table.get::<Sandbox>(&key).await? else {
                return Ok(Claimed::Unwanted(None));
            };
            let mut sandbox = stored.value;
            if sandbox.status != SandboxStatus::Creating || !sandbox.lacks_task(generation) {
                return Ok(Claimed::Unwanted(Some(sandbox)));
            }
            sandbox.task_arn = Some(task_arn.clone());
            let note = self.table.put_in_transaction(&claim_key(&task.id), &claim, 1)?;
            let note = note.condition_expression("attribute_not_exists(pk)").into_write()?;
            let writes = vec![
                self.taking(task.slot, &task.id)?,
                note,
                sandboxes::putting(&self.table, scope, stored.version, &sandbox)?,
            ];
            match self.table.transact_or_why(writes).await? {
                Ok(()) => return Ok(Claimed::Yes(sandbox)),
                Err(failed) if failed.iter().any(|write| *write < 2) => return Ok(Claimed::Taken),
                // Only the sandbox has changed; the next attempt reads whether it still needs a task.
                Err(_) => {}
            }
        }
        Err(StoreError::Contended)
    }

    /// The claims whose tasks may still be running.
    pub async fn claims(&self) -> Result<Vec<Claim>, StoreError> {
        let rows = self.table.query::<Claim>(POOL, "CLAIM#").await?;
        Ok(rows.into_iter().map(|(_, row)| row.value).collect())
    }

    /// The claim of a pooled task.
    pub async fn claim_of(&self, id: &PooledId) -> Result<Option<Claim>, StoreError> {
        Ok(self.table.get::<Claim>(&claim_key(id)).await?.map(|stored| stored.value))
    }

    /// Forgets a claim whose task has ended.
    pub async fn end_claim(&self, id: &PooledId) -> Result<(), StoreError> {
        self.table.take::<Claim>(&claim_key(id)).await.map(drop)
    }

    fn taking(&self, slot: u32, id: &PooledId) -> Result<TransactWriteItem, StoreError> {
        let delete = self.table.delete_in_transaction(&slot_key(slot));
        let delete = delete
            .condition_expression("id = :id")
            .expression_attribute_values(":id", AttributeValue::S(id.to_string()));
        delete.into_write()
    }
}
