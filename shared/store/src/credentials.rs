//! Sealed credentials; this crate never sees a value.
//!
//! The set of each provider is one item under `CREDENTIAL#{provider}`. Names, lengths and times can be read without
//! unsealing; the values are in the sealer's form. A value that another one replaces stays in the item, so that outputs
//! still hide it; deleting the set, or the project, deletes it too.

use crate::StoreError;
use crate::keys::partition;
use crate::ledger::put_once;
use crate::table::{Key, Table};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::credential::{MAX_FORMER, MAX_FORMER_BYTES, Provider};
use domain::masking::{EVERYWHERE_BYTES, Hiding, WORD_BYTES};
use domain::{Scope, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Attempts at a write while other callers write sets of the same project.
const MAX_ATTEMPTS: usize = 24;
/// The longest pause between two of them, in milliseconds.
const PAUSE_MS: u64 = 50;

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

/// The item that every write of a set writes, too, so that two writes of different sets see each other: the bounds are
/// the project's, not a set's.
#[derive(Serialize, Deserialize)]
struct Gate {}

fn gate_key(scope: Scope) -> Key {
    Key::new(partition(scope), "CREDENTIALS")
}

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

    /// Replaces a provider's credentials with these, if `may` allows it beside the project's current ones.
    pub async fn replace<E: From<StoreError>>(
        &self,
        scope: Scope,
        provider: Provider,
        values: &BTreeMap<String, SealedValue>,
        may: impl Fn(&[SealedSet]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.write(scope, provider, may, |_| values.clone()).await
    }

    /// Adds these to a provider's credentials, and replaces those of the same name, if `may` allows it beside the
    /// project's current ones.
    pub async fn add<E: From<StoreError>>(
        &self,
        scope: Scope,
        provider: Provider,
        values: &BTreeMap<String, SealedValue>,
        may: impl Fn(&[SealedSet]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.write(scope, provider, may, |mut present| {
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

    async fn write<E: From<StoreError>>(
        &self,
        scope: Scope,
        provider: Provider,
        may: impl Fn(&[SealedSet]) -> Result<(), E>,
        change: impl Fn(BTreeMap<String, SealedValue>) -> BTreeMap<String, SealedValue>,
    ) -> Result<(), E> {
        let (key, gate) = (key(scope, provider), gate_key(scope));
        for attempt in 0..MAX_ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(Duration::from_millis(rand::random_range(0..=PAUSE_MS))).await;
            }
            // Read before the sets: a set that is written later raises the gate's version.
            let passed = self.table.get::<Gate>(&gate).await?.map(|gate| gate.version);
            let found = self.table.query::<SealedSet>(&partition(scope), PREFIX).await;
            let (mut present, mut sets) = (None, Vec::new());
            for (sk, stored) in found? {
                if sk == key.sk {
                    present = Some((stored.value.clone(), stored.version));
                }
                sets.push(stored.value);
            }
            may(&sets)?;
            let empty = SealedSet {
                provider,
                values: BTreeMap::new(),
                former: Vec::new(),
                updated_at: Timestamp::now(),
            };
            let (set, version) = present.map_or((empty, None), |(set, n)| (set, Some(n)));
            let values = change(set.values.clone());
            let changed = SealedSet { updated_at: Timestamp::now(), ..set.with(values) };
            let writes =
                vec![self.put(&gate, passed, &Gate {})?, self.put(&key, version, &changed)?];
            if self.table.transact(writes).await? {
                return Ok(());
            }
        }
        Err(StoreError::Contended.into())
    }

    /// Writes an item that still has this version, or that does not exist.
    fn put<T: Serialize>(
        &self,
        key: &Key,
        version: Option<u64>,
        value: &T,
    ) -> Result<TransactWriteItem, StoreError> {
        match version {
            Some(version) => self.table.replacement(key, version, value),
            None => put_once(&self.table, key, value),
        }
    }
}
