//! The list of a project's backups; the zips themselves are objects of the bucket.

use crate::StoreError;
use crate::keys::partition;
use crate::table::{Change, Key, Table};
use domain::Scope;
use domain::backup::Backups as Listed;

/// The lists of backups of the table.
#[derive(Clone, Debug)]
pub struct Backups {
    table: Table,
}

fn key(scope: Scope) -> Key {
    Key::new(partition(scope), "BACKUPS")
}

impl Backups {
    /// The backups in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The project's backups; also empty for a missing project.
    pub async fn get(&self, scope: Scope) -> Result<Listed, StoreError> {
        let stored = self.table.get(&key(scope)).await?;
        Ok(stored.map(|stored| stored.value).unwrap_or_default())
    }

    /// Changes the list, creating it with the first backup; returns the result of `act`.
    pub async fn change<R>(
        &self,
        scope: Scope,
        mut act: impl FnMut(&mut Listed) -> R,
    ) -> Result<R, StoreError> {
        loop {
            let changed = self.table.modify(key(scope), |mut list: Listed| {
                let result = act(&mut list);
                Ok::<_, StoreError>(Change::Write(list, result))
            });
            if let Some(result) = changed.await? {
                return Ok(result);
            }
            let mut first = Listed::default();
            let result = act(&mut first);
            if self.table.put_new(&key(scope), &first, None).await? {
                return Ok(result);
            }
        }
    }
}
