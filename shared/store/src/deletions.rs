//! Deletes projects and accounts.
//!
//! Deleting a project first removes, in one transaction, the items that every call on it begins with: from then on all
//! calls answer "not found". A row of a separate list says that the other items remain; the reaper works through it, as
//! often as necessary. The row stays for [`LATE_SECONDS`], because a call that was under way may still write something.
//! Almost everything late comes within [`EARLY_SECONDS`]: until then the reaper looks at each of its sweeps, and then
//! once more at the end, so that an hour's deletions do not fill each sweep. The ledger keeps its entries.
//!
//! The row of an account's deletion stays for [`ACCOUNT_LATE_SECONDS`] and is looked at by each sweep until then. No
//! project can be created next to it, so none appears that no look would find.

use crate::keys::partition;
use crate::projects::Projects;
use crate::sandboxes::{self, Sandboxes};
use crate::table::{Change, IntoWrite, Key, MAX_ATTEMPTS, Table, number, text};
use crate::{StoreError, costs, documentation, executions, pipelines, plans, projects};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::sandbox::{RunningTime, Sandbox};
use domain::step::Track;
use domain::{InstallationId, Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// The partition of the list.
const DELETIONS: &str = "DELETIONS";
/// How long something of a deleted project may still arrive, in seconds: longer than any function runs, and longer than
/// any address at which a sandbox may upload an object is valid.
pub const LATE_SECONDS: i64 = 65 * 60;
/// How long something is likely to arrive, in seconds: longer than a sandbox takes to stop.
const EARLY_SECONDS: i64 = 5 * 60;
/// How long a call that began before an account's deletion may still write something that is not of a project, in
/// seconds: longer than API Gateway waits for a call. A person who signs in again can create projects after this.
pub const ACCOUNT_LATE_SECONDS: i64 = 2 * 60;

/// A project that is being deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deletion {
    /// The project.
    #[serde(flatten)]
    pub scope: Scope,
    /// The task of its sandbox, which the reaper stops first.
    pub task_arn: Option<String>,
    /// When the owner deleted it.
    pub at: Timestamp,
    /// The uncharged running time of its sandbox until then.
    #[serde(default)]
    pub running: RunningTime,
    /// The sandbox's last generation.
    #[serde(default)]
    pub generation: u64,
    /// Whether nothing was left of it when [`EARLY_SECONDS`] had passed.
    #[serde(default)]
    pub empty: bool,
}

impl Deletion {
    /// Whether no late call can write to the project anymore.
    pub fn is_over(&self) -> bool {
        Timestamp::now().seconds_since(self.at) >= LATE_SECONDS
    }

    /// Whether something of the project is left to delete, or may be.
    fn is_due(&self) -> bool {
        !self.empty || self.is_over()
    }
}

/// An account that is being deleted with everything it has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Its installation.
    pub installation: InstallationId,
    /// When its deletion began; rows of an earlier version have none.
    #[serde(default)]
    pub at: Option<Timestamp>,
}

impl Account {
    /// Whether no call that began before the deletion can still write something of the account.
    pub fn is_over(&self) -> bool {
        self.at.is_none_or(|at| Timestamp::now().seconds_since(at) >= ACCOUNT_LATE_SECONDS)
    }
}

/// The deletions of the table.
#[derive(Clone, Debug)]
pub struct Deletions {
    pub(crate) table: Table,
}

fn deletion(scope: Scope, sandbox: Option<Sandbox>, at: Timestamp) -> Deletion {
    let sandbox = sandbox.unwrap_or_default();
    let until = sandbox.ended_at(at);
    let Sandbox { task_arn, running, generation, .. } = sandbox;
    // We pay for the time until its task is stopped.
    let running = running.followed(false, until);
    Deletion { scope, task_arn, at, running, generation, empty: false }
}

fn project_row(scope: Scope) -> Key {
    Key::new(DELETIONS, format!("PROJECT#{scope}"))
}

fn account_row(id: InstallationId) -> Key {
    Key::new(DELETIONS, format!("ACCOUNT#{id}"))
}

impl Deletions {
    /// The deletions in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Removes a project from its owner's view; `None` if this installation has no such project. Repeating it is
    /// harmless.
    pub async fn begin(&self, scope: Scope) -> Result<Option<Deletion>, StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let found = self.table.get::<Sandbox>(&sandboxes::key(scope)).await?;
            let (version, sandbox) =
                found.map_or((None, None), |found| (Some(found.version), Some(found.value)));
            let deletion = deletion(scope, sandbox, Timestamp::now());
            match self.table.transact_or_why(self.beginning(&deletion, version)?).await? {
                Ok(()) => return Ok(Some(deletion)),
                Err(failed) if failed.contains(&0) => return Ok(None),
                // Its sandbox has changed in the meantime. Its running time is charged only once, here or there.
                Err(_) => {}
            }
        }
        Err(StoreError::Contended)
    }

    fn beginning(
        &self,
        deletion: &Deletion,
        sandbox: Option<u64>,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let scope = deletion.scope;
        let row = self.table.put_in_transaction(&project_row(scope), deletion, 1)?;
        let entry = self.table.delete_in_transaction(&projects::key(scope));
        let entry = entry.condition_expression("attribute_exists(pk)");
        let mut writes = vec![
            entry.into_write()?,
            row.into_write()?,
            Projects::uncounting(&self.table, scope.installation)?,
            Sandboxes::new(&self.table).counting(scope, false, None)?,
        ];
        for key in beginnings(&self.table, scope)? {
            let delete = self.table.delete_in_transaction(&key);
            let delete = match sandbox.filter(|_| key == sandboxes::key(scope)) {
                Some(version) => delete
                    .condition_expression("version = :version")
                    .expression_attribute_values(":version", number(version)),
                None => delete,
            };
            writes.push(delete.into_write()?);
        }
        Ok(writes)
    }

    /// The row of a deletion that also charges its sandbox's last minutes, unless they are already charged.
    pub(crate) fn charged(&self, deletion: &Deletion) -> Result<TransactWriteItem, StoreError> {
        let charged = Deletion { running: RunningTime::default(), ..deletion.clone() };
        let put = self.table.put_in_transaction(&project_row(deletion.scope), &charged, 2)?;
        let put = put.condition_expression("version = :begun");
        let put = put.expression_attribute_values(":begun", number(1));
        put.into_write()
    }

    /// The projects of which something is left to delete, or may be.
    pub async fn under_way(&self) -> Result<Vec<Deletion>, StoreError> {
        let rows = self.table.query::<Deletion>(DELETIONS, "PROJECT#").await?;
        Ok(rows.into_iter().map(|(_, row)| row.value).filter(Deletion::is_due).collect())
    }

    /// Deletes all items of a project that is being deleted; returns their number.
    pub async fn wipe(&self, scope: Scope) -> Result<usize, StoreError> {
        let partition = partition(scope);
        let rows = self.sort_keys(&partition).await?;
        for sk in &rows {
            let key = Key::new(partition.as_str(), sk.as_str());
            self.table.take::<serde::de::IgnoredAny>(&key).await?;
        }
        Ok(rows.len())
    }

    async fn sort_keys(&self, pk: &str) -> Result<Vec<String>, StoreError> {
        let mut pages = self
            .table
            .client
            .query()
            .table_name(&self.table.name)
            .key_condition_expression("pk = :pk")
            .expression_attribute_values(":pk", AttributeValue::S(pk.to_owned()))
            .projection_expression("sk")
            .consistent_read(true)
            .into_paginator()
            .items()
            .send();
        let mut found = Vec::new();
        while let Some(item) = pages.next().await {
            found.push(text(&item.map_err(StoreError::dynamo("Query"))?, "sk"));
        }
        Ok(found)
    }

    /// Notes that nothing was left of a project. From [`EARLY_SECONDS`] after its deletion, it is looked at only once
    /// more; when that time, too, has passed, the deletion is complete, and this returns `true`.
    pub async fn note_empty(&self, deletion: &Deletion) -> Result<bool, StoreError> {
        if deletion.is_over() {
            self.finish(deletion.scope).await?;
            return Ok(true);
        }
        if Timestamp::now().seconds_since(deletion.at) >= EARLY_SECONDS {
            let note = |deletion: Deletion| -> Result<_, StoreError> {
                Ok(Change::Write(Deletion { empty: true, ..deletion }, ()))
            };
            self.table.modify(project_row(deletion.scope), note).await?;
        }
        Ok(false)
    }

    /// Forgets a completed deletion.
    async fn finish(&self, scope: Scope) -> Result<(), StoreError> {
        self.table.take::<serde::de::IgnoredAny>(&project_row(scope)).await.map(drop)
    }

    /// Starts the deletion of everything that an installation has.
    pub async fn begin_account(&self, installation: InstallationId) -> Result<(), StoreError> {
        let row = Account { installation, at: Some(Timestamp::now()) };
        self.table.put_new(&account_row(installation), &row, None).await.map(drop)
    }

    /// Whether everything that an installation has is being deleted.
    pub async fn is_account_deleted(&self, id: InstallationId) -> Result<bool, StoreError> {
        Ok(self.table.get::<Account>(&account_row(id)).await?.is_some())
    }

    /// The accounts that are being deleted.
    pub async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        let rows = self.table.query::<Account>(DELETIONS, "ACCOUNT#").await?;
        Ok(rows.into_iter().map(|(_, row)| row.value).collect())
    }

    /// Forgets the deletion of an account whose projects are all being deleted.
    pub async fn finish_account(&self, installation: InstallationId) -> Result<(), StoreError> {
        self.table.take::<serde::de::IgnoredAny>(&account_row(installation)).await.map(drop)
    }

    /// The condition that an installation's account is not being deleted.
    pub(crate) fn unless_account_deleted(
        table: &Table,
        id: InstallationId,
    ) -> Result<TransactWriteItem, StoreError> {
        let check = table
            .check_in_transaction(&account_row(id))
            .condition_expression("attribute_not_exists(pk)");
        check.into_write()
    }

    /// All items of a project, by sort key, without sealed values.
    pub async fn export(
        &self,
        scope: Scope,
    ) -> Result<serde_json::Map<String, serde_json::Value>, StoreError> {
        let rows = self.table.query::<serde_json::Value>(&partition(scope), "").await?;
        Ok(rows.into_iter().map(|(sk, row)| (sk, unsealed(row.value))).collect())
    }
}

/// The same without sealed values and the table's keys.
fn unsealed(mut value: serde_json::Value) -> serde_json::Value {
    match &mut value {
        serde_json::Value::Object(fields) => {
            for hidden in ["sealed", "pk", "sk", "connection_id", "task_arn"] {
                fields.remove(hidden);
            }
            for field in fields.values_mut() {
                *field = unsealed(field.take());
            }
        }
        serde_json::Value::Array(items) => {
            for item in items {
                *item = unsealed(item.take());
            }
        }
        _ => {}
    }
    value
}

/// The items without which no call finds a project.
fn beginnings(table: &Table, scope: Scope) -> Result<Vec<Key>, StoreError> {
    let puts = [
        pipelines::initial(table, scope)?,
        plans::initial(table, scope)?,
        executions::initial(table, scope)?,
        costs::initial(table, scope)?,
        documentation::initial(table, scope)?,
        sandboxes::initial(table, scope)?,
    ];
    let sort_key = |put: aws_sdk_dynamodb::types::builders::PutBuilder| {
        let item = put.get_item().clone().unwrap_or_default();
        item.get("sk").and_then(|sk| sk.as_s().ok()).cloned()
    };
    let keys = puts.into_iter().flatten().filter_map(sort_key);
    let keys = keys.map(|sk| Key::new(partition(scope), sk));
    // A project gets this one later; without it, no check runs again.
    Ok(keys.chain([executions::header_key(scope, Track::Drift)]).collect())
}
