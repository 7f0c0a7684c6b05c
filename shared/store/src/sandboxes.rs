//! Each project's sandbox, and the list of projects that the reaper takes care of.
//!
//! One item beside an installation's balance lists its running sandboxes and changes with them in one transaction, so
//! concurrent starts never bring up more sandboxes than allowed.
//!
//! A stopped or deleted sandbox frees its place at once, although its task takes up to two minutes to stop. Keeping the
//! place until ECS reports the end would make everyone who restarts a sandbox wait, and one lost report would block an
//! account. So the same transaction counts the starts of an installation in the last [`STARTS_SECONDS`]
//! ([`crate::sliding`]): starting and stopping in a loop, or deleting projects whose sandboxes run, brings up only a
//! few tasks more than allowed.
//!
//! A function puts a project on the reaper's list and then moves one of its steps. In between, the reaper may find
//! nothing under way. So each listing has a time: the reaper takes a project off the list only if no function has
//! listed it since, and only after the time that such a function needs to move its step.

use crate::StoreError;
use crate::keys::partition;
use crate::ledger::{in_credit, wallet};
use crate::rates::numbers;
use crate::sliding::{Count, Limit, Next};
use crate::table::{IntoWrite, Item, Key, MAX_ATTEMPTS, Table, number, unless_refused};
use aws_sdk_dynamodb::types::builders::PutBuilder;
use aws_sdk_dynamodb::types::{
    AttributeValue, ReturnValuesOnConditionCheckFailure, TransactWriteItem,
};
use domain::sandbox::{Sandbox, StartRefusal};
use domain::{InstallationId, Scope, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The reaper's list: projects whose sandbox is up or whose steps are under way.
const ACTIVE: &str = "ACTIVE-SANDBOXES";
/// The shortest time that a project stays on that list, in seconds: longer than a call that lists it may take.
pub const LISTED_SECONDS: i64 = 60;
/// The length of the window in which starts are counted, in seconds: a task that was stopped ends well within one.
pub const STARTS_SECONDS: i64 = 300;

/// How many sandboxes of one installation may be up, and begin.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many may be up at once.
    pub running: u32,
    /// How many may begin in any [`STARTS_SECONDS`].
    pub starts: u32,
}

/// The sandboxes of the table.
#[derive(Clone, Debug)]
pub struct Sandboxes {
    pub(crate) table: Table,
}

/// A project on the reaper's list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Active {
    /// The project.
    #[serde(flatten)]
    pub scope: Scope,
    /// When it was listed last; none for older rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    listed_at: Option<Timestamp>,
}

pub(crate) fn key(scope: Scope) -> Key {
    Key::new(partition(scope), "SANDBOX")
}

fn active_key(scope: Scope) -> Key {
    Key::new(ACTIVE, format!("P#{scope}"))
}

/// The item that lists an installation's running sandboxes.
fn running_key(installation: InstallationId) -> Key {
    Key::new(wallet(installation), "RUNNING")
}

/// The item that counts an installation's recent starts.
fn starts_key(installation: InstallationId) -> Key {
    Key::new(wallet(installation), format!("STARTS#{STARTS_SECONDS}"))
}

/// The reason why a sandbox did not start.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// The owner must do something first.
    #[error(transparent)]
    Refused(#[from] StartRefusal),
    /// Too many sandboxes of the installation have begun; another may begin after this many seconds.
    #[error("too many sandboxes have begun")]
    TooOften(u32),
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How to count a start in the next attempt, or why there is none, from the writes whose conditions failed: the
/// sandbox, the running ones, the balance and the starts, in this order.
fn after_refusal(
    failed: &BTreeMap<usize, Item>,
    limits: Limits,
    count: Count,
    now: Timestamp,
) -> Result<Count, BeginError> {
    if failed.contains_key(&0) {
        return Ok(count);
    }
    if failed.contains_key(&2) {
        return Err(StartRefusal::NoCredit.into());
    }
    if failed.contains_key(&1) {
        return Err(StartRefusal::TooMany(limits.running).into());
    }
    let item = failed.get(&3).map(numbers).unwrap_or_default();
    match count.after_refusal(&item, now.epoch_seconds()) {
        Next::Try(other) => Ok(other),
        Next::Wait(seconds) => Err(BeginError::TooOften(seconds)),
    }
}

/// Writes a sandbox, if its version is unchanged.
pub(crate) fn putting(
    table: &Table,
    scope: Scope,
    version: u64,
    sandbox: &Sandbox,
) -> Result<TransactWriteItem, StoreError> {
    let put = table.put_in_transaction(&key(scope), sandbox, version + 1)?;
    let put = put.condition_expression("version = :version");
    let put = put.expression_attribute_values(":version", number(version));
    put.into_write()
}

pub(crate) fn initial(table: &Table, scope: Scope) -> Result<Vec<PutBuilder>, StoreError> {
    Ok(vec![table.put_in_transaction(&key(scope), &Sandbox::default(), 1)?])
}

impl Sandboxes {
    /// The sandboxes in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The project's sandbox; `None` if this installation has no such project.
    pub async fn get(&self, scope: Scope) -> Result<Option<Sandbox>, StoreError> {
        Ok(self.table.get(&key(scope)).await?.map(|stored| stored.value))
    }

    /// Changes the sandbox if `act` returns `true`; returns its state afterward, or `None` without a project.
    ///
    /// Use [`Sandboxes::begin`] for a change that brings a sandbox up for its owner.
    pub async fn change(
        &self,
        scope: Scope,
        act: impl FnMut(&mut Sandbox) -> bool,
    ) -> Result<Option<(Sandbox, bool)>, StoreError> {
        match self.write(scope, None, act).await {
            Ok(changed) => Ok(changed),
            Err(BeginError::Store(error)) => Err(error),
            Err(BeginError::Refused(_) | BeginError::TooOften(_)) => Err(StoreError::Contended),
        }
    }

    /// The same for a change that may bring the sandbox up: at the moment of the change, the balance must be positive,
    /// and the installation must be within its limits.
    pub async fn begin(
        &self,
        scope: Scope,
        limits: Limits,
        act: impl FnMut(&mut Sandbox) -> bool,
    ) -> Result<Option<(Sandbox, bool)>, BeginError> {
        self.write(scope, Some(limits), act).await
    }

    async fn write(
        &self,
        scope: Scope,
        limits: Option<Limits>,
        mut act: impl FnMut(&mut Sandbox) -> bool,
    ) -> Result<Option<(Sandbox, bool)>, BeginError> {
        let mut counted = None;
        for _ in 0..MAX_ATTEMPTS {
            let Some(stored) = self.table.get::<Sandbox>(&key(scope)).await? else {
                return Ok(None);
            };
            let (before, mut sandbox) = (stored.value.clone(), stored.value);
            if !act(&mut sandbox) {
                return Ok(Some((before, false)));
            }
            let at = before.ended_at(Timestamp::now());
            sandbox.running = before.running.followed(sandbox.is_up(), at);
            let is_news = before.is_up() != sandbox.is_up();
            let limits = limits.filter(|_| is_news && sandbox.is_up());
            if !is_news {
                if self.table.replace(&key(scope), stored.version, &sandbox).await? {
                    return Ok(Some((sandbox, true)));
                }
                continue;
            }
            let mut writes = vec![
                putting(&self.table, scope, stored.version, &sandbox)?,
                self.counting(scope, sandbox.is_up(), limits.map(|limits| limits.running))?,
            ];
            let now = Timestamp::now();
            let count = limits.map(|limits| {
                let limit = Limit { window_seconds: STARTS_SECONDS, allowed: limits.starts };
                counted.unwrap_or_else(|| limit.count(1, now.epoch_seconds()))
            });
            if let Some(count) = count {
                writes.push(in_credit(&self.table, scope.installation)?);
                writes.push(self.starting(scope.installation, count)?);
            }
            if sandbox.is_up() {
                // The same transaction puts the project on the reaper's list, so that the reaper repeats the start if
                // the process dies here.
                let active = Active { scope, listed_at: Some(now) };
                let put = self.table.put_in_transaction(&active_key(scope), &active, 1)?;
                writes.push(put.into_write()?);
            }
            let Err(failed) = self.table.transact_or_items(writes).await? else {
                return Ok(Some((sandbox, true)));
            };
            if let Some((limits, count)) = limits.zip(count) {
                counted = Some(after_refusal(&failed, limits, count, now)?);
            }
        }
        Err(StoreError::Contended.into())
    }

    /// Adds a project to its installation's list of running sandboxes, or removes it.
    pub(crate) fn counting(
        &self,
        scope: Scope,
        is_up: bool,
        most: Option<u32>,
    ) -> Result<TransactWriteItem, StoreError> {
        let verb = if is_up { "ADD" } else { "DELETE" };
        let project = scope.project.to_string();
        let update = self
            .table
            .update_in_transaction(&running_key(scope.installation))
            .update_expression(format!("{verb} projects :project"))
            .expression_attribute_values(":project", AttributeValue::Ss(vec![project.clone()]));
        let update = match most {
            Some(most) => update
                .condition_expression(
                    "attribute_not_exists(projects) OR size(projects) < :most OR contains(projects, :this)",
                )
                .expression_attribute_values(":most", number(most))
                .expression_attribute_values(":this", AttributeValue::S(project)),
            None => update,
        };
        update.into_write()
    }

    /// Counts a start.
    fn starting(
        &self,
        installation: InstallationId,
        count: Count,
    ) -> Result<TransactWriteItem, StoreError> {
        let mut update = self
            .table
            .update_in_transaction(&starts_key(installation))
            .update_expression(count.update())
            .condition_expression(count.condition())
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        for (name, value) in count.values() {
            update = update.expression_attribute_values(name, number(value));
        }
        update.into_write()
    }

    /// Puts a project on the reaper's list. This happens before one of its steps moves, so that a crash leaves at most
    /// a superfluous row.
    pub async fn list_active(&self, scope: Scope, now: Timestamp) -> Result<(), StoreError> {
        let active = Active { scope, listed_at: Some(now) };
        self.table.put(&active_key(scope), &active).await
    }

    /// Takes a project off that list once its sandbox is down and no step is under way. Returns `false` if the project
    /// stays, because it was listed again since `active` was read, or so recently that its step may be about to move.
    pub async fn unlist_idle(&self, active: &Active, now: Timestamp) -> Result<bool, StoreError> {
        let delete = self
            .table
            .client
            .delete_item()
            .table_name(&self.table.name)
            .set_key(Some(active_key(active.scope).attributes()));
        let delete = match active.listed_at {
            Some(at) if now.seconds_since(at) < LISTED_SECONDS => return Ok(false),
            Some(at) => delete
                .condition_expression("listed_at = :read")
                .expression_attribute_values(":read", serde_dynamo::to_attribute_value(at)?),
            None => delete.condition_expression("attribute_not_exists(listed_at)"),
        };
        unless_refused("DeleteItem", delete.send().await)
    }

    /// Takes a deleted project off that list.
    pub async fn unlist_deleted(&self, scope: Scope) -> Result<(), StoreError> {
        self.table.take::<Active>(&active_key(scope)).await.map(drop)
    }

    /// The projects on that list.
    pub async fn active(&self) -> Result<Vec<Active>, StoreError> {
        let rows = self.table.query::<Active>(ACTIVE, "P#").await?;
        Ok(rows.into_iter().map(|(_, row)| row.value).collect())
    }
}
