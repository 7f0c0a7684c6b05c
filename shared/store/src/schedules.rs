//! The schedules on which the checks of validated projects run again.
//!
//! Each project has its schedule among its own items. A row of a separate list, sorted by time, names the project at
//! the time that is due next, so that the reaper reads only what is due. Both change in one transaction, on condition
//! that the schedule has not changed since it was read. If two of the reaper's sweeps find the same row, one moves it
//! on, and only that one runs the checks.

use crate::StoreError;
use crate::audit::decision_write;
use crate::keys::partition;
use crate::table::{IntoWrite, Key, MAX_ATTEMPTS, Table};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::audit::{Actor, DecisionRecord};
use domain::schedule::{Every, Schedule};
use domain::{PlanId, Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// The partition of the list.
const SCHEDULES: &str = "SCHEDULES";

/// A project whose checks are to run at this time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Due {
    /// The project.
    #[serde(flatten)]
    pub scope: Scope,
    /// The time.
    pub at: Timestamp,
}

/// The schedules of the table.
#[derive(Clone, Debug)]
pub struct Schedules {
    table: Table,
}

fn key(scope: Scope) -> Key {
    Key::new(partition(scope), "SCHEDULE")
}

/// The beginning of the sort keys of a second's rows; as text they sort by time.
fn second(at: Timestamp) -> String {
    format!("DUE#{:012}", at.epoch_seconds())
}

impl Due {
    fn key(&self) -> Key {
        Key::new(SCHEDULES, format!("{}#{}", second(self.at), self.scope))
    }
}

impl Schedules {
    /// The schedules in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The schedule of a project; off if it has none.
    pub async fn get(&self, scope: Scope) -> Result<Schedule, StoreError> {
        let stored = self.table.get::<Schedule>(&key(scope)).await?;
        Ok(stored.map(|stored| stored.value).unwrap_or_default())
    }

    /// Changes how often a project's checks run, from `now` on, and records who changed it; does nothing if it is
    /// already so.
    pub async fn set(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        every: Every,
        now: Timestamp,
        by: &Actor,
    ) -> Result<Schedule, StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let stored = self.table.get::<Schedule>(&key(scope)).await?;
            let present = stored.as_ref().map(|stored| stored.value).unwrap_or_default();
            if present.every == every {
                return Ok(present);
            }
            let next = Schedule::new(every, now);
            let record = DecisionRecord::of_schedule(plan_id.clone(), every, by.clone());
            let mut writes = self.moving(scope, present, next)?;
            writes.push(decision_write(&self.table, scope, &record)?);
            writes.push(match stored {
                Some(stored) => self.table.replacement(&key(scope), stored.version, &next)?,
                None => {
                    let put = self.table.put_in_transaction(&key(scope), &next, 1)?;
                    let put = put.condition_expression("attribute_not_exists(pk)");
                    put.into_write()?
                }
            });
            if self.table.transact(writes).await? {
                return Ok(next);
            }
        }
        Err(StoreError::Contended)
    }

    /// The projects that are due by `now`, at most `limit`, the longest due first.
    pub async fn due(&self, now: Timestamp, limit: u32) -> Result<Vec<Due>, StoreError> {
        // The next second's rows sort after all of this one.
        let end = second(now.plus_seconds(1));
        let output = self
            .table
            .client
            .query()
            .table_name(&self.table.name)
            .key_condition_expression("pk = :pk AND sk < :end")
            .expression_attribute_values(":pk", AttributeValue::S(SCHEDULES.to_owned()))
            .expression_attribute_values(":end", AttributeValue::S(end))
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .consistent_read(true)
            .send()
            .await
            .map_err(StoreError::dynamo("Query"))?;
        Ok(serde_dynamo::from_items(output.items.unwrap_or_default())?)
    }

    /// Moves a due schedule to its next time. Returns whether this call did so; then its caller runs the checks.
    pub async fn take(&self, due: &Due, now: Timestamp) -> Result<bool, StoreError> {
        self.follow(due, |schedule| schedule.after(now)).await
    }

    /// Turns a due schedule off. Returns whether this call did so.
    pub async fn end(&self, due: &Due) -> Result<bool, StoreError> {
        self.follow(due, |_| Schedule::default()).await
    }

    async fn follow(
        &self,
        due: &Due,
        next: impl FnOnce(Schedule) -> Schedule,
    ) -> Result<bool, StoreError> {
        let stored = self.table.get::<Schedule>(&key(due.scope)).await?;
        let Some(stored) = stored.filter(|stored| stored.value.due_at == Some(due.at)) else {
            // Its project is gone, or another run of the reaper has moved it on.
            self.table.take::<Due>(&due.key()).await?;
            return Ok(false);
        };
        let next = next(stored.value);
        let mut writes = self.moving(due.scope, stored.value, next)?;
        writes.push(self.table.replacement(&key(due.scope), stored.version, &next)?);
        self.table.transact(writes).await
    }

    /// The writes that move a project's row of the list.
    fn moving(
        &self,
        scope: Scope,
        from: Schedule,
        to: Schedule,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let row = |schedule: Schedule| schedule.due_at.map(|at| Due { scope, at });
        let (from, to) = (row(from), row(to));
        let mut writes = Vec::new();
        if from == to {
            return Ok(writes);
        }
        if let Some(due) = from {
            writes.push(self.table.delete_in_transaction(&due.key()).into_write()?);
        }
        if let Some(due) = to {
            writes.push(self.table.put_in_transaction(&due.key(), &due, 1)?.into_write()?);
        }
        Ok(writes)
    }
}
