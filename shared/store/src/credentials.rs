//! Sealed credentials; this crate never sees a value.
//!
//! The set of each provider is one item under `CREDENTIAL#{provider}`. Names, lengths and times can be read without
//! unsealing; the values are in the sealer's form. A value that another one replaces stays in the item, so that outputs
//! still hide it; deleting the set, or the project, deletes it too.

use crate::StoreError;
use crate::projects::partition;
use crate::table::{Change, Key, Table};
use domain::credential::{MAX_FORMER, MAX_FORMER_BYTES, Provider};
use domain::masking::{EVERYWHERE_BYTES, Hiding, WORD_BYTES};
use domain::{Scope, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Attempts at a write while other callers delete and create the same set.
const MAX_ATTEMPTS: usize = 4;

/// One sealed credential.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedValue {
    /// The sealer's output, as text.
    pub sealed: String,
    /// Length of the value in bytes.
    pub bytes: usize,
    /// The sealer's fingerprint of the value, which recognizes the same value again; `None` for values from before
    /// fingerprints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// How outputs hide it, as recorded when it was sealed; use [`SealedValue::hiding`].
    #[serde(default, skip_serializing_if = "is_everywhere")]
    pub hiding: Hiding,
    /// When it was sealed. Of two values with the same name, the later one wins.
    pub sealed_at: Timestamp,
}

impl SealedValue {
    /// How outputs hide it. Of a value that was sealed before this was recorded, only the length is known.
    pub fn hiding(&self) -> Hiding {
        match (self.hiding, self.bytes) {
            (Hiding::Everywhere, ..WORD_BYTES) => Hiding::Never,
            (Hiding::Everywhere, ..EVERYWHERE_BYTES) => Hiding::AsAWord,
            (known, _) => known,
        }
    }
}

fn is_everywhere(hiding: &Hiding) -> bool {
    *hiding == Hiding::Everywhere
}

/// A value that another one replaced. Commands do not get it, but files and earlier outputs may still contain it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerValue {
    /// The name that it had and for which it is sealed.
    pub name: String,
    /// The value.
    #[serde(flatten)]
    pub value: SealedValue,
}

/// The credentials of one provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedSet {
    /// The provider.
    pub provider: Provider,
    /// The values, by the name of their environment variable.
    pub values: BTreeMap<String, SealedValue>,
    /// Values that were replaced, the oldest first: [`MAX_FORMER`] of [`MAX_FORMER_BYTES`] at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<FormerValue>,
    /// When the set last changed.
    pub updated_at: Timestamp,
}

impl SealedSet {
    /// The set with other values; those that it no longer contains become former ones.
    fn with(mut self, values: BTreeMap<String, SealedValue>) -> Self {
        let old = std::mem::replace(&mut self.values, values);
        self.former.extend(old.into_iter().map(|(name, value)| FormerValue { name, value }));
        let mut room = MAX_FORMER_BYTES;
        let mut kept: Vec<FormerValue> = Vec::new();
        for former in self.former.drain(..).rev() {
            let same = |other: &SealedValue| {
                other.sealed == former.value.sealed
                    || (other.fingerprint.is_some()
                        && other.fingerprint == former.value.fingerprint)
            };
            let known = self.values.values().any(same) || kept.iter().any(|k| same(&k.value));
            if !known && kept.len() < MAX_FORMER && former.value.bytes <= room {
                room -= former.value.bytes;
                kept.push(former);
            }
        }
        kept.reverse();
        self.former = kept;
        self
    }
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

    /// A project's sets; empty for a project that this installation does not have.
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

    /// Replaces a provider's credentials with these.
    pub async fn replace(
        &self,
        scope: Scope,
        provider: Provider,
        values: &BTreeMap<String, SealedValue>,
    ) -> Result<(), StoreError> {
        self.write(scope, provider, |_| values.clone()).await
    }

    /// Adds these to a provider's credentials; replaces those of the same name.
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

    /// Deletes a provider's credentials; returns whether it had any.
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
        let changed = |present: SealedSet| {
            let values = change(present.values.clone());
            SealedSet { updated_at: Timestamp::now(), ..present.with(values) }
        };
        let empty = || SealedSet {
            provider,
            values: BTreeMap::new(),
            former: Vec::new(),
            updated_at: Timestamp::now(),
        };
        for _ in 0..MAX_ATTEMPTS {
            let written = self.table.modify(key(scope, provider), |present: SealedSet| {
                Ok::<_, StoreError>(Change::Write(changed(present), ()))
            });
            if written.await?.is_some() {
                return Ok(());
            }
            if self.table.put_new(&key(scope, provider), &changed(empty()), None).await? {
                return Ok(());
            }
        }
        Err(StoreError::Contended)
    }
}
