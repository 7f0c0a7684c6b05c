//! Projects, and the partition that holds everything of one.
//!
//! A project's items are under `P#{installation}#{project}`. The installation is in the key, so a stranger's lookup
//! finds nothing and no check can be forgotten. Creating a project also creates its empty documents, so that one read
//! distinguishes "empty" from "not yours".
//!
//! A caller that gets no answer may repeat its call. If the call has a key, creating the project also creates an item
//! with the key's digest, in the same transaction, and a repeated call finds the first call's project there.

use crate::deletions::Deletions;
use crate::table::{Change, IntoWrite, Key, Table, number, unless_refused};
use crate::{StoreError, costs, documentation, executions, pipelines, plans, sandboxes};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::project::Project;
use domain::secret_token::sha256_hex;
use domain::{InstallationId, ProjectId, Scope, Timestamp};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// The projects of the table.
#[derive(Clone, Debug)]
pub struct Projects {
    table: Table,
}

/// How long a repeated call finds the project that the first one created, in seconds.
const REPEATED_SECONDS: i64 = 24 * 60 * 60;

/// A call that creates a project.
#[derive(Debug, Clone, Copy)]
pub struct KeyedCall<'a> {
    /// Identifies the call, so that its repetition creates no second project.
    pub key: &'a str,
    /// SHA-256 of what the call asks for.
    pub request_sha256: &'a str,
}

/// What a call created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creation {
    /// The project.
    pub project: ProjectId,
    /// SHA-256 of what the call asked for.
    pub request_sha256: String,
}

/// The result of creating a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Created {
    /// The project exists now.
    Yes,
    /// A call with the same key has created this project.
    Before(Creation),
    /// Another project has this random id.
    IdTaken,
    /// The installation already has as many projects as allowed.
    TooMany,
    /// The installation's account is being deleted.
    AccountDeleted,
}

fn owner(installation: InstallationId) -> String {
    format!("I#{installation}")
}

pub(crate) fn key(scope: Scope) -> Key {
    Key::new(owner(scope.installation), format!("PROJECT#{}", scope.project))
}

fn creation_key(installation: InstallationId, key: &str) -> Key {
    Key::new(owner(installation), format!("CREATION#{}", sha256_hex(key.as_bytes())))
}

impl Projects {
    /// The projects in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Creates a project with its empty documents, without a limit; `false` if its random id is taken.
    pub async fn create(
        &self,
        installation: InstallationId,
        project: &Project,
    ) -> Result<bool, StoreError> {
        Ok(self.create_within(installation, project, u32::MAX, None).await? == Created::Yes)
    }

    /// Creates a project with its empty documents, if its installation has fewer than `most` and no earlier call with
    /// the same key has created one. A call that began before the deletion of the installation's account creates none.
    pub async fn create_within(
        &self,
        installation: InstallationId,
        project: &Project,
        most: u32,
        call: Option<KeyedCall<'_>>,
    ) -> Result<Created, StoreError> {
        let scope = Scope { installation, project: project.id };
        let mut puts = vec![self.table.put_in_transaction(&key(scope), project, 1)?];
        puts.extend(pipelines::initial(&self.table, scope)?);
        puts.extend(plans::initial(&self.table, scope)?);
        puts.extend(executions::initial(&self.table, scope)?);
        puts.extend(costs::initial(&self.table, scope)?);
        puts.extend(documentation::initial(&self.table, scope)?);
        puts.extend(sandboxes::initial(&self.table, scope)?);
        if let Some(KeyedCall { key, request_sha256 }) = call {
            let made = Creation { project: project.id, request_sha256: request_sha256.to_owned() };
            let forgotten = Timestamp::now().plus_seconds(REPEATED_SECONDS).epoch_seconds();
            let key = creation_key(installation, key);
            puts.push(self.table.expiring_put_in_transaction(&key, &made, forgotten)?);
        }
        let mut writes = puts
            .into_iter()
            .map(|put| put.condition_expression("attribute_not_exists(pk)").into_write())
            .collect::<Result<Vec<_>, StoreError>>()?;
        let count = writes.len();
        writes.push(self.counting(installation, most)?);
        writes.push(Deletions::unless_account_deleted(&self.table, installation)?);
        match self.table.transact_or_why(writes).await? {
            Ok(()) => Ok(Created::Yes),
            Err(failed) => {
                // A repeated call has its answer even if its project was the last that the installation may have.
                if let Some(KeyedCall { key, .. }) = call
                    && let Some(made) = self.table.get(&creation_key(installation, key)).await?
                {
                    return Ok(Created::Before(made.value));
                }
                Ok(match failed[..] {
                    [.., last] if last > count => Created::AccountDeleted,
                    [only] if only == count => Created::TooMany,
                    _ => Created::IdTaken,
                })
            }
        }
    }

    fn counting(
        &self,
        installation: InstallationId,
        most: u32,
    ) -> Result<TransactWriteItem, StoreError> {
        let update = self
            .table
            .update_in_transaction(&Key::new(owner(installation), "COUNT"))
            .update_expression("ADD projects :one")
            .condition_expression("attribute_not_exists(projects) OR projects < :most")
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":most", number(most));
        update.into_write()
    }

    /// The write that removes a deleted project from its installation's count.
    pub(crate) fn uncounting(
        table: &Table,
        installation: InstallationId,
    ) -> Result<TransactWriteItem, StoreError> {
        let update = table
            .update_in_transaction(&Key::new(owner(installation), "COUNT"))
            .update_expression("ADD projects :less")
            .expression_attribute_values(":less", number(-1));
        update.into_write()
    }

    /// All projects of an installation, most recently touched first.
    pub async fn list(&self, installation: InstallationId) -> Result<Vec<Project>, StoreError> {
        let found = self.table.query::<Project>(&owner(installation), "PROJECT#").await?;
        let mut projects: Vec<_> = found.into_iter().map(|(_, stored)| stored.value).collect();
        projects.sort_by_key(|project| Reverse((project.updated_at, project.id)));
        Ok(projects)
    }

    /// The project, if it belongs to this installation.
    pub async fn get(&self, scope: Scope) -> Result<Option<Project>, StoreError> {
        Ok(self.table.get::<Project>(&key(scope)).await?.map(|stored| stored.value))
    }

    /// Whether the project exists. Reads an item that a deletion removes first, and that nothing brings back.
    pub async fn exists(&self, scope: Scope) -> Result<bool, StoreError> {
        let found = self.table.get::<serde::de::IgnoredAny>(&costs::key(scope)).await?;
        Ok(found.is_some())
    }

    /// Changes a project for its owner; `None` if this installation has no such project.
    pub async fn change<E: From<StoreError>>(
        &self,
        scope: Scope,
        act: impl Fn(Project) -> Result<Project, E>,
    ) -> Result<Option<Project>, E> {
        self.table
            .modify(key(scope), |project: Project| {
                let changed = act(project)?;
                Ok(Change::Write(changed.clone(), changed))
            })
            .await
    }

    /// Records that its owner has used the project.
    pub async fn touch(&self, scope: Scope) -> Result<(), StoreError> {
        let update = self.table.client.update_item().table_name(&self.table.name);
        let update = update
            .set_key(Some(key(scope).attributes()))
            // Raises the version, so that a change that read the item before cannot overwrite the new time.
            .update_expression("SET updated_at = :now ADD version :one")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":now", AttributeValue::S(Timestamp::now().to_string()))
            .expression_attribute_values(":one", number(1));
        unless_refused("UpdateItem", update.send().await).map(drop)
    }
}
