//! What projects have pushed to repositories, and the files they began with: two items of the project, which are
//! deleted with it.

use crate::StoreError;
use crate::keys::partition;
use crate::table::{Change, Key, Table, unless_refused};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::Scope;
use domain::backup::BackupId;
use domain::origin::Origin;
use domain::repository::{Push, Pushed};

/// Attempts at the first write while other callers also make it.
const MAX_ATTEMPTS: usize = 4;

/// The records of pushes and of origins in the table.
#[derive(Clone, Debug)]
pub struct Repositories {
    table: Table,
}

fn key(scope: Scope) -> Key {
    Key::new(partition(scope), "REPOSITORY")
}

fn origin_key(scope: Scope) -> Key {
    Key::new(partition(scope), "ORIGIN")
}

impl Repositories {
    /// The records in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// What a project has pushed; empty before the first push.
    pub async fn get(&self, scope: Scope) -> Result<Pushed, StoreError> {
        let stored = self.table.get(&key(scope)).await?;
        Ok(stored.map(|stored| stored.value).unwrap_or_default())
    }

    /// Records the paths that a push is about to write.
    pub async fn begin(
        &self,
        scope: Scope,
        repository: &str,
        paths: &[String],
    ) -> Result<(), StoreError> {
        self.change(scope, |pushed| pushed.begin(repository, paths.iter().cloned())).await
    }

    /// Records a finished push.
    pub async fn finish(
        &self,
        scope: Scope,
        push: &Push,
        paths: &[String],
    ) -> Result<(), StoreError> {
        self.change(scope, |pushed| pushed.finish(push.clone(), paths.to_vec())).await
    }

    /// The repository whose files the project began with.
    pub async fn origin(&self, scope: Scope) -> Result<Option<Origin>, StoreError> {
        Ok(self.table.get(&origin_key(scope)).await?.map(|stored| stored.value))
    }

    /// Records the origin of a project; `false` if it has another one.
    pub async fn begin_with(&self, scope: Scope, origin: &Origin) -> Result<bool, StoreError> {
        self.table.put_new(&origin_key(scope), origin, None).await
    }

    /// Deletes the note of an import whose backup the project does not have; keeps another import's note.
    pub async fn forget_origin(&self, scope: Scope, backup: &BackupId) -> Result<(), StoreError> {
        let delete = self
            .table
            .client
            .delete_item()
            .table_name(&self.table.name)
            .set_key(Some(origin_key(scope).attributes()))
            .condition_expression("backup_id = :backup")
            .expression_attribute_values(":backup", AttributeValue::S(backup.to_string()));
        unless_refused("DeleteItem", Box::pin(delete.send()).await).map(drop)
    }

    async fn change(&self, scope: Scope, act: impl Fn(&mut Pushed)) -> Result<(), StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let changed = self.table.modify(key(scope), |mut pushed: Pushed| {
                act(&mut pushed);
                Ok::<_, StoreError>(Change::Write(pushed, ()))
            });
            if changed.await?.is_some() {
                return Ok(());
            }
            let mut first = Pushed::default();
            act(&mut first);
            if self.table.put_new(&key(scope), &first, None).await? {
                return Ok(());
            }
        }
        Err(StoreError::Contended)
    }
}
