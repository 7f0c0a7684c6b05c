//! Deleting projects and accounts.
//!
//! Deleting a project takes away, in one transaction, what every call of it begins with: from then on it is
//! "not found" everywhere. A row on a list of its own says that the rest is still to go: whoever
//! reconciles works it off, as often as it takes. The row stays for [`LATE_SECONDS`], because a call that was
//! under way may still write something. Entries of the ledger are kept.

use crate::projects::{Projects, partition};
use crate::sandboxes::{self, Sandboxes};
use crate::table::{Key, Table, built, text};
use crate::{StoreError, costs, documentation, executions, pipelines, plans, projects};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::sandbox::Sandbox;
use domain::{InstallationId, Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// The partition of the list.
const DELETIONS: &str = "DELETIONS";
/// How long something may still be written to a project that is deleted, in seconds: the end of a hold, which
/// outlasts every function.
pub const LATE_SECONDS: i64 = 20 * 60;

/// A project that is being deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deletion {
    /// The project.
    #[serde(flatten)]
    pub scope: Scope,
    /// The task of its sandbox, which is stopped first.
    pub task_arn: Option<String>,
    /// When it was asked for.
    pub at: Timestamp,
}

impl Deletion {
    /// Nothing is written to the project any more.
    pub fn is_over(&self) -> bool {
        Timestamp::now().seconds_since(self.at) >= LATE_SECONDS
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Account {
    installation: InstallationId,
}

/// The deletions of the table.
#[derive(Clone, Debug)]
pub struct Deletions {
    table: Table,
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

    /// Takes a project away from its owner; `None` when this installation has none of that id. Repeating it is harmless.
    pub async fn begin(&self, scope: Scope) -> Result<Option<Deletion>, StoreError> {
        let sandbox = self.table.get::<Sandbox>(&sandboxes::key(scope)).await?;
        let task_arn = sandbox.and_then(|stored| stored.value.task_arn);
        let deletion = Deletion { scope, task_arn, at: Timestamp::now() };
        let row = self.table.put_in_transaction(&project_row(scope), &deletion, 1)?;
        let entry = self.table.delete_in_transaction(&projects::key(scope));
        let entry = entry.condition_expression("attribute_exists(pk)");
        let mut writes = vec![
            TransactWriteItem::builder().delete(built(entry.build())?).build(),
            TransactWriteItem::builder().put(built(row.build())?).build(),
            Projects::uncounting(&self.table, scope.installation)?,
            Sandboxes::new(&self.table).counting(scope, false, None)?,
        ];
        for key in beginnings(&self.table, scope)? {
            let delete = built(self.table.delete_in_transaction(&key).build())?;
            writes.push(TransactWriteItem::builder().delete(delete).build());
        }
        Ok(self.table.transact(writes).await?.then_some(deletion))
    }

    /// The projects that are being deleted.
    pub async fn under_way(&self) -> Result<Vec<Deletion>, StoreError> {
        let rows = self.table.query::<Deletion>(DELETIONS, "PROJECT#").await?;
        Ok(rows.into_iter().map(|(_, row)| row.value).collect())
    }

    /// Deletes whatever the table has of a project that is being deleted; how many items there were.
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

    /// Forgets a deletion that has come to its end.
    pub async fn finish(&self, scope: Scope) -> Result<(), StoreError> {
        self.table.take::<serde::de::IgnoredAny>(&project_row(scope)).await.map(drop)
    }

    /// Has everything of an installation deleted.
    pub async fn begin_account(&self, installation: InstallationId) -> Result<(), StoreError> {
        let row = Account { installation };
        self.table.put_new(&account_row(installation), &row, None).await.map(drop)
    }

    /// The accounts that are being deleted.
    pub async fn accounts(&self) -> Result<Vec<InstallationId>, StoreError> {
        let rows = self.table.query::<Account>(DELETIONS, "ACCOUNT#").await?;
        Ok(rows.into_iter().map(|(_, row)| row.value.installation).collect())
    }

    /// Forgets the deletion of an account whose projects are all being deleted.
    pub async fn finish_account(&self, installation: InstallationId) -> Result<(), StoreError> {
        self.table.take::<serde::de::IgnoredAny>(&account_row(installation)).await.map(drop)
    }

    /// Everything that the table has of a project, by sort key; what is sealed is left out.
    pub async fn export(
        &self,
        scope: Scope,
    ) -> Result<serde_json::Map<String, serde_json::Value>, StoreError> {
        let rows = self.table.query::<serde_json::Value>(&partition(scope), "").await?;
        Ok(rows.into_iter().map(|(sk, row)| (sk, unsealed(row.value))).collect())
    }
}

/// The same without sealed values and keys of the table.
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

/// The items that every project has from its beginning, without which no call finds it.
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
    Ok(keys.map(|sk| Key::new(partition(scope), sk)).collect())
}
