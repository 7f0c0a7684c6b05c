//! Backups of a project's workspace.
//!
//! Each has an object of its own. The newest [`KEPT_BACKUPS`] are kept, and the *current* one whatever its age: it
//! holds what the workspace last was, and fills the next sandbox. That is the newest, or the one that was restored since.
//!
//! What a sandbox is asked for carries the backup's name and reason in its request id, so an answer says by
//! itself what has come about. Answers can overtake each other; taking them in any order comes to the same.

use crate::{RunId, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// How many backups of a project are kept.
pub const KEPT_BACKUPS: usize = 20;

/// A backup's name; of one that follows a run, the run's.
pub type BackupId = RunId;

/// What a backup was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BackupReason {
    /// A command has run.
    Step,
    /// Its owner asked.
    Manual,
    /// The sandbox was about to be stopped.
    Stop,
    /// The files were taken home.
    Download,
    /// An earlier backup was about to take its place.
    Restore,
    /// The sandbox was not used any more.
    Idle,
}

impl BackupReason {
    const ALL: [Self; 6] =
        [Self::Step, Self::Manual, Self::Stop, Self::Download, Self::Restore, Self::Idle];

    fn as_str(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Manual => "manual",
            Self::Stop => "stop",
            Self::Download => "download",
            Self::Restore => "restore",
            Self::Idle => "idle",
        }
    }
}

/// A backup that is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Backup {
    /// Its name.
    pub id: BackupId,
    /// When it was complete.
    pub at: Timestamp,
    /// Size of the zip.
    pub bytes: u64,
    /// What it was made for.
    pub reason: BackupReason,
}

/// The backups of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backups {
    /// What the next sandbox is filled from.
    pub current: Option<BackupId>,
    /// Newest first.
    pub list: Vec<Backup>,
}

impl Backups {
    /// The backup of this name.
    pub fn find(&self, id: &BackupId) -> Option<&Backup> {
        self.list.iter().find(|backup| &backup.id == id)
    }

    /// Takes a backup that is complete; the names of those that are to be deleted. One that is known is no news.
    pub fn add(&mut self, backup: Backup) -> Vec<BackupId> {
        if self.find(&backup.id).is_some() {
            return Vec::new();
        }
        self.current = Some(backup.id.clone());
        self.list.insert(0, backup);
        let mut dropped = Vec::new();
        while self.list.len() > KEPT_BACKUPS {
            let old = self.list.iter().rposition(|old| Some(&old.id) != self.current.as_ref());
            let Some(old) = old else { break };
            dropped.push(self.list.remove(old).id);
        }
        dropped
    }

    /// The workspace is what the backup `id` holds, and `before` what it was; the names to be deleted.
    pub fn restored(&mut self, id: &BackupId, before: Backup) -> Vec<BackupId> {
        let dropped = self.add(before);
        if self.find(id).is_some() {
            self.current = Some(id.clone());
        }
        dropped
    }
}

/// A backup that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupRequest {
    /// Its name.
    pub id: BackupId,
    /// What it is for.
    pub reason: BackupReason,
}

/// A restore that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreRequest {
    /// The backup that is to be restored.
    pub from: BackupId,
    /// The backup of what is there until then.
    pub before: BackupId,
}

/// Not the id of such a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the id of a request")]
pub struct NotARequest;

impl BackupRequest {
    /// A backup under a new name.
    pub fn new(reason: BackupReason) -> Self {
        Self { id: BackupId::random(), reason }
    }
}

impl fmt::Display for BackupRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "backup-{}-{}", self.reason.as_str(), self.id)
    }
}

impl FromStr for BackupRequest {
    type Err = NotARequest;

    fn from_str(text: &str) -> Result<Self, NotARequest> {
        let rest = text.strip_prefix("backup-").ok_or(NotARequest)?;
        let (reason, id) = rest.split_once('-').ok_or(NotARequest)?;
        let reason = BackupReason::ALL.into_iter().find(|known| known.as_str() == reason);
        Ok(Self { id: name(id)?, reason: reason.ok_or(NotARequest)? })
    }
}

impl fmt::Display for RestoreRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "restore-{}-{}", self.from, self.before)
    }
}

impl FromStr for RestoreRequest {
    type Err = NotARequest;

    fn from_str(text: &str) -> Result<Self, NotARequest> {
        let rest = text.strip_prefix("restore-").ok_or(NotARequest)?;
        let (from, before) = rest.split_once('-').ok_or(NotARequest)?;
        Ok(Self { from: name(from)?, before: name(before)? })
    }
}

/// A name becomes part of an object's key: nothing that means something there.
fn name(text: &str) -> Result<BackupId, NotARequest> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if plain { Ok(BackupId::from(text)) } else { Err(NotARequest) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn backup(n: usize, reason: BackupReason) -> Backup {
        Backup { id: RunId(format!("{n:x}")), at: Timestamp::now(), bytes: 1, reason }
    }

    #[test]
    fn a_request_says_by_its_id_what_it_was_for() {
        for reason in BackupReason::ALL {
            let request = BackupRequest::new(reason);
            assert_eq!(request.to_string().parse(), Ok(request));
        }
        let restore = RestoreRequest { from: BackupId::random(), before: BackupId::random() };
        assert_eq!(restore.to_string().parse(), Ok(restore));
        for bad in ["backup-step-../x", "backup-x-1", "backup-step-", "restore-1", "upload-step-1"]
        {
            assert_eq!(bad.parse::<BackupRequest>(), Err(NotARequest), "{bad}");
            assert_eq!(bad.parse::<RestoreRequest>(), Err(NotARequest), "{bad}");
        }
    }

    #[test]
    fn a_restore_and_the_backup_before_it_come_to_the_same_in_any_order() {
        let before = backup(2, BackupReason::Restore);
        let mut begin = Backups::default();
        begin.add(backup(1, BackupReason::Step));
        let (mut one, mut other) = (begin.clone(), begin);
        one.add(before.clone());
        one.restored(&BackupId::from("1"), before.clone());
        other.restored(&BackupId::from("1"), before.clone());
        other.add(before);
        assert_eq!(one, other);
        assert_eq!(one.current, Some(BackupId::from("1")));
    }

    proptest! {
        #[test]
        fn the_current_backup_is_always_kept_and_nothing_is_lost_unnamed(
            moves in proptest::collection::vec((any::<bool>(), 0usize..60), 1..200)
        ) {
            let mut backups = Backups::default();
            let mut there = std::collections::BTreeSet::new();
            for (n, (restores, from)) in moves.into_iter().enumerate() {
                let new = backup(n, BackupReason::Step);
                there.insert(new.id.clone());
                let from = RunId(format!("{from:x}"));
                let dropped = if restores { backups.restored(&from, new) } else { backups.add(new) };
                for id in dropped {
                    prop_assert!(there.remove(&id));
                }
                prop_assert!(backups.list.len() <= KEPT_BACKUPS);
                let listed: std::collections::BTreeSet<_> =
                    backups.list.iter().map(|backup| backup.id.clone()).collect();
                prop_assert_eq!(&listed, &there);
                prop_assert!(listed.contains(backups.current.as_ref().unwrap()));
            }
        }
    }
}
