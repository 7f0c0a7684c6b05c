//! Credentials, sealed: this crate never sees a value.
//!
//! Each provider's set is an item of its own under `CREDENTIAL#{provider}`. What is called what, how long
//! it is and when it was given can be read without unsealing anything; the rest is what the sealer
//! made of it.

use crate::StoreError;
use crate::projects::partition;
use crate::table::{Change, Key, Table};
use domain::credential::Provider;
use domain::{Scope, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Attempts at a write between others' deletions and creations of the same set.
const MAX_ATTEMPTS: usize = 4;

/// One sealed credential.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedValue {
    /// What the sealer made of it, as text.
    pub sealed: String,
    /// Length of the value in bytes.
    pub bytes: usize,
    /// When it was sealed: of two values of one name the later one counts.
    pub sealed_at: Timestamp,
}

/// The credentials of one provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedSet {
    /// Whose they are.
    pub provider: Provider,
    /// By the name of the variable that will hold the value.
    pub values: BTreeMap<String, SealedValue>,
    /// When the set last changed.
    pub updated_at: Timestamp,
}

/// The credentials of the table.
#[derive(Clone, Debug)]
pub struct Credentials {
    table: Table,
}

const PREFIX: &str = "CREDENTIAL#";

fn key(scope: Scope, provider: Provider) -> Key {
    Key::new(partition(scope), format!("{PREFIX}{provider}"))
}

impl Credentials {
    /// The credentials in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// A project's sets; none for a project that this installation does not have.
    pub async fn list(&self, scope: Scope) -> Result<Vec<SealedSet>, StoreError> {
        let found = self.table.query::<SealedSet>(&partition(scope), PREFIX).await?;
        Ok(found.into_iter().map(|(_, stored)| stored.value).collect())
    }

    /// The names of a project's credentials, each once.
    pub async fn names(&self, scope: Scope) -> Result<Vec<String>, StoreError> {
        let sets = self.list(scope).await?;
        let names: BTreeSet<_> = sets.into_iter().flat_map(|set| set.values.into_keys()).collect();
        Ok(names.into_iter().collect())
    }

    /// Makes these a provider's credentials, in the place of those it had.
    pub async fn replace(
        &self,
        scope: Scope,
        provider: Provider,
        values: &BTreeMap<String, SealedValue>,
    ) -> Result<(), StoreError> {
        self.write(scope, provider, |_| values.clone()).await
    }

    /// Adds these to a provider's credentials; one of the same name is replaced.
    pub async fn add(
        &self,
        scope: Scope,
        provider: Provider,
        values: &BTreeMap<String, SealedValue>,
    ) -> Result<(), StoreError> {
        self.write(scope, provider, |mut present| {
            present.extend(values.clone());
            present
        })
        .await
    }

    /// Forgets a provider's credentials; whether there were any.
    pub async fn delete(&self, scope: Scope, provider: Provider) -> Result<bool, StoreError> {
        let taken = self.table.take::<SealedSet>(&key(scope, provider)).await?;
        Ok(taken.is_some())
    }

    async fn write(
        &self,
        scope: Scope,
        provider: Provider,
        change: impl Fn(BTreeMap<String, SealedValue>) -> BTreeMap<String, SealedValue>,
    ) -> Result<(), StoreError> {
        let set =
            |values| SealedSet { provider, values: change(values), updated_at: Timestamp::now() };
        for _ in 0..MAX_ATTEMPTS {
            let changed = self.table.modify(key(scope, provider), |present: SealedSet| {
                Ok::<_, StoreError>(Change::Write(set(present.values), ()))
            });
            if changed.await?.is_some() {
                return Ok(());
            }
            if self.table.put_new(&key(scope, provider), &set(BTreeMap::new()), None).await? {
                return Ok(());
            }
        }
        Err(StoreError::Contended)
    }
}
