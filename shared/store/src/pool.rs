//! The warm pool's tasks, and which project has which.
//!
//! The slot's row is a pooled task's right to live: an agent whose row is gone is told to stop, and a task that ECS
//! reports without one is ended. A start takes the row away, writes down whose the task is now, and puts it on the
//! project's sandbox, all in one transaction: of two starts one gets it, and a crash leaves no task that is nobody's.

use crate::StoreError;
use crate::sandboxes;
use crate::table::{Change, Key, Table, built};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::pool::PooledTask;
use domain::sandbox::{Sandbox, SandboxStatus};
use domain::{PooledId, Scope};
use serde::{Deserialize, Serialize};

/// The pool's one partition.
const POOL: &str = "POOL";
/// How often a claim is tried while others write to the same sandbox.
const ATTEMPTS: usize = 5;

/// The pool of the table.
#[derive(Clone, Debug)]
pub struct Pool {
    table: Table,
}

/// A task that left the pool, and whose sandbox it became.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The task, as the pool knew it.
    pub id: PooledId,
    /// The same, as ECS knows it.
    pub task_arn: String,
    /// Whose it is.
    #[serde(flatten)]
    pub scope: Scope,
    /// Which life of the sandbox.
    pub generation: u64,
}

impl Claim {
    /// Whether the sandbox still is what the task was taken for.
    pub fn holds(&self, sandbox: &Sandbox) -> bool {
        sandbox.is_carried_by(self.generation, &self.task_arn)
    }
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimed {
    /// The task is the sandbox's, which is now this.
    Yes(Sandbox),
    /// Somebody else has it, or it is gone.
    Taken,
    /// The sandbox waits for no task any more; it is now this, or the project is gone.
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

    /// The task that has this slot, if it is this one.
    pub async fn find(&self, slot: u32, id: &PooledId) -> Result<Option<PooledTask>, StoreError> {
        let found = self.table.get::<PooledTask>(&slot_key(slot)).await?;
        Ok(found.map(|stored| stored.value).filter(|task| task.id == *id))
    }

    /// Gives a task its slot; `false` when another has it.
    pub async fn occupy(&self, task: &PooledTask) -> Result<bool, StoreError> {
        self.table.put_new(&slot_key(task.slot), task, None).await
    }

    /// Changes a task if `act` says so; what it is now, or `None` when the slot is not this task's.
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

    /// Takes a task out of the pool; `false` when it is not there any more.
    pub async fn give_up(&self, slot: u32, id: &PooledId) -> Result<bool, StoreError> {
        self.table.transact(vec![self.taking(slot, id)?]).await
    }

    /// Makes a task of the pool the one that carries this life of a project's sandbox.
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
            let note = built(note.condition_expression("attribute_not_exists(pk)").build())?;
            let writes = vec![
                self.taking(task.slot, &task.id)?,
                TransactWriteItem::builder().put(note).build(),
                sandboxes::putting(&self.table, scope, stored.version, &sandbox)?,
            ];
            match self.table.transact_or_why(writes).await? {
                Ok(()) => return Ok(Claimed::Yes(sandbox)),
                Err(failed) if failed.iter().any(|write| *write < 2) => return Ok(Claimed::Taken),
                // Only the sandbox has changed: another look says whether it still wants one.
                Err(_) => {}
            }
        }
        Err(StoreError::Contended)
    }

    /// The claims whose end nobody has seen to.
    pub async fn claims(&self) -> Result<Vec<Claim>, StoreError> {
        let rows = self.table.query::<Claim>(POOL, "CLAIM#").await?;
        Ok(rows.into_iter().map(|(_, row)| row.value).collect())
    }

    /// Whose sandbox a task of the pool became.
    pub async fn claim_of(&self, id: &PooledId) -> Result<Option<Claim>, StoreError> {
        Ok(self.table.get::<Claim>(&claim_key(id)).await?.map(|stored| stored.value))
    }

    /// Forgets a claim: its task is over.
    pub async fn end_claim(&self, id: &PooledId) -> Result<(), StoreError> {
        self.table.take::<Claim>(&claim_key(id)).await.map(drop)
    }

    fn taking(&self, slot: u32, id: &PooledId) -> Result<TransactWriteItem, StoreError> {
        let delete = self.table.delete_in_transaction(&slot_key(slot));
        let delete = delete
            .condition_expression("id = :id")
            .expression_attribute_values(":id", AttributeValue::S(id.to_string()));
        Ok(TransactWriteItem::builder().delete(built(delete.build())?).build())
    }
}
