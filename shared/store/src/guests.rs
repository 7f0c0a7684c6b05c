//! The guests of a person's account, in one item. A sign-in and the owner's decision each write it only if it has not
//! changed since they read it, so if an owner's decision overtakes a sign-in, the sign-in is decided again.

use crate::StoreError;
use crate::table::{IntoWrite, Key, MAX_ATTEMPTS, Table};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::guests::{Admission, Guests as List};
use domain::{InstallationId, Timestamp};

/// The guests of the table.
#[derive(Clone, Debug)]
pub struct Guests {
    table: Table,
}

/// A list of guests as it was read; version `None` if the table has none.
pub(crate) struct Seen {
    pub list: List,
    pub version: Option<u64>,
}

fn key(id: InstallationId) -> Key {
    Key::new(format!("INSTALLATION#{id}"), "GUESTS")
}

impl Guests {
    /// The guests in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The guests of an installation.
    pub async fn get(&self, id: InstallationId) -> Result<List, StoreError> {
        self.see(id).await.map(|seen| seen.list)
    }

    /// Chooses the policy for all guests about whom the owner has not decided.
    pub async fn choose(&self, id: InstallationId, policy: Admission) -> Result<List, StoreError> {
        let chosen = self.change(id, |list| Some(list.choosing(policy, Timestamp::now()))).await?;
        chosen.ok_or(StoreError::Contended)
    }

    /// Decides about one guest; `None` if the list does not have them.
    pub async fn decide(
        &self,
        id: InstallationId,
        user_id: u64,
        admission: Admission,
    ) -> Result<Option<List>, StoreError> {
        self.change(id, |list| list.deciding(user_id, admission)).await
    }

    /// Forgets the guests of an account that is being deleted.
    pub async fn forget(&self, id: InstallationId) -> Result<(), StoreError> {
        self.table.take::<serde::de::IgnoredAny>(&key(id)).await.map(drop)
    }

    async fn change(
        &self,
        id: InstallationId,
        decide: impl Fn(List) -> Option<List>,
    ) -> Result<Option<List>, StoreError> {
        for _ in 0..MAX_ATTEMPTS {
            let Seen { list, version } = self.see(id).await?;
            let Some(changed) = decide(list) else { return Ok(None) };
            if self.note(id, version, &changed).await? {
                return Ok(Some(changed));
            }
        }
        Err(StoreError::Contended)
    }

    pub(crate) async fn see(&self, id: InstallationId) -> Result<Seen, StoreError> {
        let stored = self.table.get::<List>(&key(id)).await?;
        Ok(match stored {
            Some(stored) => Seen { list: stored.value, version: Some(stored.version) },
            None => Seen { list: List::default(), version: None },
        })
    }

    /// Writes a list in place of the one with this version; `false` if that has changed.
    pub(crate) async fn note(
        &self,
        id: InstallationId,
        version: Option<u64>,
        list: &List,
    ) -> Result<bool, StoreError> {
        match version {
            Some(version) => self.table.replace(&key(id), version, list).await,
            None => self.table.put_new(&key(id), list, None).await,
        }
    }

    /// The write of a list in place of the one with this version.
    pub(crate) fn noting(
        &self,
        id: InstallationId,
        version: Option<u64>,
        list: &List,
    ) -> Result<TransactWriteItem, StoreError> {
        let Some(version) = version else {
            let put = self.table.put_in_transaction(&key(id), list, 1)?;
            let put = put.condition_expression("attribute_not_exists(pk)");
            return put.into_write();
        };
        self.table.replacement(&key(id), version, list)
    }
}
