//! A project's Terraform state: its current version, and its lock.
//!
//! A lock belongs to a command of one sandbox. It never lapses with time, because a sandbox whose connection is down
//! may still be applying. Instead, a request shows which old locks are void: if it comes from a later generation, the
//! earlier sandbox is gone; within the same generation, it names the locks that the sandbox's commands still hold.
//!
//! Writing takes two steps. [`TerraformState::begin`] records a version, its content is uploaded, and
//! [`TerraformState::commit`] makes it the current one. A writer that dies between the two leaves the state as it was.

mod listed;

pub use listed::{ListedResource, bounded, listed};

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The largest state, in bytes. A state of some thousand resources takes a few megabytes.
pub const STATE_BYTES: u64 = 16 * 1024 * 1024;

/// How many versions of a state are kept.
pub const KEPT_STATES: usize = 20;

/// The most states of a project; each belongs to one root module.
pub const MAX_STATES: usize = 16;

/// The longest name of a state, in bytes.
const NAME_BYTES: usize = 64;

/// The length of a version's name, in hexadecimal digits; the writer chooses the name.
const VERSION_DIGITS: usize = 32;

/// The longest text of a lock, in bytes.
const LOCK_TEXT_BYTES: usize = 200;

/// A state's name: `main`, unless a root module chooses another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateName(String);

/// A text that names no state and no version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a name of a state")]
pub struct NotAName;

impl FromStr for StateName {
    type Err = NotAName;

    fn from_str(text: &str) -> Result<Self, NotAName> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_".contains(&b);
        let named = (1..=NAME_BYTES).contains(&text.len()) && text.bytes().all(plain);
        if named { Ok(Self(text.to_owned())) } else { Err(NotAName) }
    }
}

impl fmt::Display for StateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Terraform's description of a lock.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockInfo {
    /// Terraform's id of the lock.
    pub id: String,
    /// The operation that holds it.
    pub operation: String,
    /// The user and the machine.
    pub who: String,
    /// The time, as Terraform writes it.
    pub created: String,
}

impl LockInfo {
    /// The same with texts of a bounded length.
    pub fn bounded(mut self) -> Self {
        for text in [&mut self.id, &mut self.operation, &mut self.who, &mut self.created] {
            text.truncate(text.floor_char_boundary(LOCK_TEXT_BYTES));
        }
        self
    }
}

/// When a sandbox asked. Questions are repeated and overtake each other, so they are not handled in the order in which
/// they were asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AskedAt {
    /// The sandbox's generation.
    pub generation: u64,
    /// Its agent's count of questions; 0 from agents of earlier versions.
    #[serde(default)]
    pub order: u64,
}

/// A held lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateLock {
    /// Terraform's description of it.
    pub info: LockInfo,
    /// The run or terminal that holds it.
    pub holder: String,
    /// When it was asked for.
    #[serde(flatten)]
    pub asked_at: AskedAt,
}

/// One version of a state. Its content is an object of the bucket, encrypted with its own key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateVersion {
    /// Its name.
    pub id: String,
    /// Terraform's count of versions.
    pub serial: u64,
    /// Terraform's name for the state that all its versions share.
    pub lineage: String,
    /// Whether it lists no resource.
    pub empty: bool,
    /// Size in bytes.
    pub bytes: u64,
    /// Lower-case hex SHA-256 of the content.
    pub sha256: String,
    /// The content's key, as KMS wrapped it.
    pub sealed: String,
    /// When the writer asked to write it.
    pub at: Timestamp,
}

/// A version whose content is being uploaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Pending {
    version: StateVersion,
    /// The version that it replaces.
    base: Option<String>,
    /// The lock under which it is written.
    lock: Option<String>,
    /// Its resources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    resources: Vec<ListedResource>,
}

/// One state of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerraformState {
    /// Newest first; the first one is current.
    versions: Vec<StateVersion>,
    /// The resources of the current version; empty if its writer did not list them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    resources: Vec<ListedResource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pending: Option<Pending>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lock: Option<StateLock>,
}

/// Why a write does not happen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateRefusal {
    /// Another command has the lock.
    #[error("Another command holds the lock on this state.")]
    Locked(Box<StateLock>),
    /// The content is too large.
    #[error(
        "The state has {0} bytes; Groundcrew keeps up to {STATE_BYTES}. Split the configuration into several root modules."
    )]
    TooLarge(u64),
    /// The table has a newer version.
    #[error(
        "Groundcrew keeps a newer version of this state (serial {kept}) than this one (serial {offered}), so nothing was replaced. If terraform.tfstate in the workspace comes from an older backup, remove it."
    )]
    Older {
        /// The serial of the current version.
        kept: u64,
        /// The serial of the refused version.
        offered: u64,
    },
    /// The current version belongs to other resources.
    #[error(
        "Groundcrew keeps a state of other resources under this name (another lineage). Nothing was replaced."
    )]
    OtherLineage,
    /// Another writer was faster.
    #[error("The state was written by another command meanwhile. Nothing was replaced.")]
    Replaced,
    /// The version has no valid name.
    #[error("This is not a version of a state.")]
    Unnamed,
}

/// The result of [`TerraformState::begin`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// Upload the content under this key; delete an earlier upload that was never committed.
    Upload {
        /// The content's key, as KMS wrapped it.
        sealed: String,
        /// The name of the abandoned version.
        abandoned: Option<String>,
    },
    /// The current version already has this content.
    Kept,
}

impl TerraformState {
    /// The current version.
    pub fn current(&self) -> Option<&StateVersion> {
        self.versions.first()
    }

    /// The resources of the current version, without their secrets; empty if its writer did not list them.
    pub fn resources(&self) -> &[ListedResource] {
        &self.resources
    }

    /// Adds the resources of a version whose content will be uploaded.
    pub fn list(&mut self, version: &str, resources: Vec<ListedResource>) {
        if let Some(pending) = self.pending.as_mut().filter(|p| p.version.id == version) {
            pending.resources = bounded(resources);
        }
    }

    /// The lock.
    pub fn lock(&self) -> Option<&StateLock> {
        self.lock.as_ref()
    }

    /// Takes the lock for `wanted`. `held` names the locks that commands of the asking sandbox held or had asked for when
    /// it asked.
    pub fn take_lock(&mut self, wanted: StateLock, held: &[String]) -> Result<(), Box<StateLock>> {
        match &self.lock {
            Some(lock) if lock.info.id == wanted.info.id && lock.asked_at > wanted.asked_at => {
                Ok(())
            }
            Some(lock) if lock.info.id != wanted.info.id && !is_void(lock, &wanted, held) => {
                Err(Box::new(lock.clone()))
            }
            _ => {
                self.lock = Some(wanted);
                Ok(())
            }
        }
    }

    /// Releases the lock with this id; without an id, any lock. A lock that was asked for later stays: Terraform tries
    /// again with the same id, while the agent still releases what the first try may have taken.
    pub fn release(&mut self, id: Option<&str>, asked_at: AskedAt) {
        self.lock
            .take_if(|lock| lock.asked_at <= asked_at && id.is_none_or(|id| lock.info.id == id));
    }

    /// Records a version whose content will be uploaded, under the lock with the id `lock` or without one.
    ///
    /// Asking again for the same version keeps its key.
    pub fn begin(
        &mut self,
        version: StateVersion,
        lock: Option<&str>,
    ) -> Result<Begun, StateRefusal> {
        let digits = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if version.id.len() != VERSION_DIGITS || !version.id.bytes().all(digits) {
            return Err(StateRefusal::Unnamed);
        }
        if version.bytes > STATE_BYTES {
            return Err(StateRefusal::TooLarge(version.bytes));
        }
        self.is_free_for(lock)?;
        if let Some(kept) = self.current() {
            if kept.sha256 == version.sha256 {
                return Ok(Begun::Kept);
            }
            if kept.lineage != version.lineage && !kept.empty {
                return Err(StateRefusal::OtherLineage);
            }
            if kept.lineage == version.lineage && kept.serial >= version.serial {
                return Err(StateRefusal::Older { kept: kept.serial, offered: version.serial });
            }
        }
        if let Some(pending) = &self.pending
            && pending.version.id == version.id
        {
            let sealed = pending.version.sealed.clone();
            return Ok(Begun::Upload { sealed, abandoned: None });
        }
        let sealed = version.sealed.clone();
        let base = self.current().map(|kept| kept.id.clone());
        let lock = lock.map(str::to_owned);
        let pending = Pending { version, base, lock, resources: Vec::new() };
        let abandoned = self.pending.replace(pending).map(|abandoned| abandoned.version.id);
        Ok(Begun::Upload { sealed, abandoned })
    }

    /// Makes an uploaded version the current one; returns the names of the versions to delete. Repeating this is
    /// harmless.
    pub fn commit(&mut self, id: &str) -> Result<Vec<String>, StateRefusal> {
        if self.current().is_some_and(|kept| kept.id == id) {
            return Ok(Vec::new());
        }
        let Some(pending) = self.pending.take_if(|pending| pending.version.id == id) else {
            return Err(StateRefusal::Replaced);
        };
        let base = self.current().map(|kept| &kept.id);
        if base != pending.base.as_ref() {
            return Err(StateRefusal::Replaced);
        }
        self.is_free_for(pending.lock.as_deref())?;
        self.versions.insert(0, pending.version);
        self.resources = pending.resources;
        let dropped = self.versions.split_off(self.versions.len().min(KEPT_STATES));
        Ok(dropped.into_iter().map(|version| version.id).collect())
    }

    /// Whether the state is free for a writer with this lock. A writer whose lock was released may still write: the
    /// resources that it created exist, and the state should list them.
    fn is_free_for(&self, lock: Option<&str>) -> Result<(), StateRefusal> {
        match &self.lock {
            Some(held) if Some(held.info.id.as_str()) != lock => {
                Err(StateRefusal::Locked(Box::new(held.clone())))
            }
            _ => Ok(()),
        }
    }
}

/// Whether the command that took `lock` is over, according to the requester, who cannot know of later locks.
fn is_void(lock: &StateLock, asker: &StateLock, held: &[String]) -> bool {
    let (took, asked) = (lock.asked_at, asker.asked_at);
    took.generation < asked.generation || took <= asked && !held.contains(&lock.info.id)
}

#[cfg(test)]
mod tests;
