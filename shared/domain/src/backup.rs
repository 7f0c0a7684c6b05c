//! Backups of a project's workspace.
//!
//! Each backup is one object. [`KEPT_BACKUPS`] are kept: automatic ones go first, and the *current* one never goes: it
//! holds the workspace's last content and fills the next sandbox. The current backup is the newest one, or the last one
//! restored. A sandbox that was stopped may still be uploading when the next one is at work. Its backup is listed, but
//! once the next one has made a backup, that one stays current: it holds the later content.
//!
//! The id of a request to a sandbox contains the backup's name and reason, so the answer alone shows which backup
//! exists now. Answers can overtake each other; any order gives the same result.

use crate::step::Track;
use crate::{RunId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

mod request;

pub use request::{BackupRequest, NotARequest, RestoreRequest};

/// The number of backups that a project keeps.
pub const KEPT_BACKUPS: usize = 20;

/// How many places at the top of the list are kept whatever their reason: the newest backup, the one before it, and the
/// one that is being restored.
const RECENT: usize = 3;

/// A backup's name; the backup after a run has the run's id.
pub type BackupId = RunId;

/// The reason for a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BackupReason {
    /// A step or a rollback ran.
    Step,
    /// A check ran.
    Check,
    /// A command of the DevOps helper ran.
    Command,
    /// The owner asked for it.
    Manual,
    /// The sandbox was about to stop.
    Stop,
    /// The owner downloaded the files.
    Download,
    /// An earlier backup was about to replace the workspace.
    Restore,
    /// The sandbox was idle.
    Idle,
    /// The project began with the files of a repository.
    Import,
}

impl BackupReason {
    const ALL: [Self; 9] = [
        Self::Step,
        Self::Check,
        Self::Command,
        Self::Manual,
        Self::Stop,
        Self::Download,
        Self::Restore,
        Self::Idle,
        Self::Import,
    ];

    /// The reason for a backup after a run; `None` for the checks of a drift check, which run often and only read.
    pub fn after_run(track: Track) -> Option<Self> {
        match track {
            Track::Execution | Track::Rollback => Some(Self::Step),
            Track::Validation => Some(Self::Check),
            Track::Helper => Some(Self::Command),
            Track::Drift => None,
        }
    }

    /// Whether such backups give way to all others: they hold nothing that the next backup does not hold.
    fn is_fleeting(self) -> bool {
        matches!(self, Self::Check | Self::Download)
    }

    /// Whether the owner asked for the backup, or may want to return to it: such backups outlive the automatic ones.
    fn is_kept(self) -> bool {
        matches!(self, Self::Manual | Self::Restore | Self::Import)
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Check => "check",
            Self::Command => "command",
            Self::Manual => "manual",
            Self::Stop => "stop",
            Self::Download => "download",
            Self::Restore => "restore",
            Self::Idle => "idle",
            Self::Import => "import",
        }
    }
}

/// A complete backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Backup {
    /// Its name.
    pub id: BackupId,
    /// The time of its completion.
    pub at: Timestamp,
    /// Size of the zip.
    pub bytes: u64,
    /// Its reason.
    pub reason: BackupReason,
    /// The number of the step, check or command that ran before it.
    #[serde(default)]
    pub step_number: Option<u32>,
}

/// The backups of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backups {
    /// The backup that fills the next sandbox.
    pub current: Option<BackupId>,
    /// The generation of the sandbox that made or restored the current backup.
    #[serde(default)]
    generation: u64,
    /// The next one to delete is the last. They are in the order of their age, except for those that were restored.
    pub list: Vec<Backup>,
}

impl Backups {
    /// The backup of this name.
    pub fn find(&self, id: &BackupId) -> Option<&Backup> {
        self.list.iter().find(|backup| &backup.id == id)
    }

    /// The backup to restore. From now on it counts as the second newest, because the sandbox adds a backup of its present
    /// files first, which would otherwise delete the backup to restore if it is the oldest.
    pub fn choose(&mut self, id: &BackupId) -> Option<Backup> {
        let place = self.list.iter().position(|backup| &backup.id == id)?;
        // The newest one keeps its place: it shows whether a report of an earlier restore is late.
        let newest = place.min(1);
        self.list.get_mut(newest..=place)?.rotate_right(1);
        self.list.get(newest).cloned()
    }

    /// All backups, the newest first.
    pub fn by_age(&self) -> Vec<Backup> {
        let mut backups = self.list.clone();
        backups.sort_by_key(|backup| std::cmp::Reverse(backup.at));
        backups
    }

    /// Adds a completed backup by the sandbox of this generation, unless it is known; returns the names of the backups
    /// to delete.
    pub fn add(&mut self, backup: Backup, generation: u64) -> Vec<BackupId> {
        if self.find(&backup.id).is_some() {
            return Vec::new();
        }
        if generation >= self.generation {
            self.current = Some(backup.id.clone());
            self.generation = generation;
        }
        self.list.insert(0, backup);
        let mut dropped = Vec::new();
        while self.list.len() > KEPT_BACKUPS {
            let Some(old) = self.dispensable() else { break };
            dropped.push(self.list.remove(old).id);
        }
        dropped
    }

    /// The place of the backup to delete next: the oldest one that was only made for a download or after a check, or else
    /// the oldest automatic one, or else the oldest. So downloads, checks and steps do not displace what the owner may want
    /// to restore.
    fn dispensable(&self) -> Option<usize> {
        let is_current = |backup: &Backup| Some(&backup.id) == self.current.as_ref();
        let oldest = |places: usize, goes: fn(BackupReason) -> bool| {
            let old = self.list.get(places..)?;
            old.iter().rposition(|old| goes(old.reason) && !is_current(old)).map(|at| at + places)
        };
        oldest(RECENT, BackupReason::is_fleeting)
            .or_else(|| oldest(RECENT, |reason| !reason.is_kept()))
            .or_else(|| oldest(0, |_| true))
    }

    /// Records that the workspace of this generation now has the content of `id`, and that `before` holds the previous
    /// content; returns the names of the backups to delete. A backup that was added later holds what the workspace
    /// became afterward.
    pub fn restored(&mut self, id: &BackupId, before: Backup, generation: u64) -> Vec<BackupId> {
        let before_id = before.id.clone();
        let dropped = self.add(before, generation);
        let newest = self.list.first().is_some_and(|newest| newest.id == before_id);
        if newest && generation == self.generation && self.find(id).is_some() {
            self.current = Some(id.clone());
        }
        dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn backup(n: usize, reason: BackupReason) -> Backup {
        let at = Timestamp::now().plus_seconds(i64::try_from(n).unwrap());
        Backup { id: RunId(format!("{n:x}")), at, bytes: 1, reason, step_number: None }
    }

    #[test]
    fn a_restore_and_the_backup_before_it_give_the_same_result_in_any_order() {
        let before = backup(2, BackupReason::Restore);
        let mut begin = Backups::default();
        begin.add(backup(1, BackupReason::Step), 1);
        let (mut one, mut other) = (begin.clone(), begin);
        one.add(before.clone(), 1);
        one.restored(&BackupId::from("1"), before.clone(), 1);
        other.restored(&BackupId::from("1"), before.clone(), 1);
        other.add(before, 1);
        assert_eq!(one, other);
        assert_eq!(one.current, Some(BackupId::from("1")));
    }

    #[test]
    fn a_restore_that_is_reported_again_does_not_undo_a_later_backup() {
        let (before, later) = (backup(2, BackupReason::Restore), backup(3, BackupReason::Step));
        let mut backups = Backups::default();
        backups.add(backup(1, BackupReason::Step), 1);
        backups.restored(&BackupId::from("1"), before.clone(), 1);
        backups.add(later.clone(), 1);
        backups.restored(&BackupId::from("1"), before, 1);
        assert_eq!(backups.current, Some(later.id));
        assert_eq!(backups.list.len(), 3);
    }

    #[test]
    fn the_last_backup_of_a_stopped_sandbox_does_not_replace_its_successors() {
        let (last, step) = (backup(2, BackupReason::Stop), backup(3, BackupReason::Step));
        let mut begin = Backups::default();
        begin.add(backup(1, BackupReason::Step), 7);
        let mut early = begin.clone();
        early.add(last.clone(), 7);
        assert_eq!(early.current.as_ref(), Some(&last.id), "it fills the next sandbox if it can");
        early.add(step.clone(), 8);
        let mut late = begin;
        late.add(step.clone(), 8);
        late.add(last.clone(), 7);
        late.restored(&BackupId::from("1"), backup(4, BackupReason::Restore), 7);
        for backups in [early, late] {
            assert_eq!(backups.current.as_ref(), Some(&step.id));
            assert!(backups.find(&last.id).is_some(), "its owner can still restore it");
        }
    }

    #[test]
    fn a_late_backup_does_not_undo_a_restore_in_the_next_sandbox() {
        let mut backups = Backups::default();
        backups.add(backup(1, BackupReason::Step), 7);
        backups.restored(&BackupId::from("1"), backup(2, BackupReason::Restore), 8);
        backups.add(backup(3, BackupReason::Stop), 7);
        assert_eq!(backups.current, Some(BackupId::from("1")));
    }

    #[test]
    fn restoring_the_oldest_of_all_backups_keeps_it_for_the_next_sandbox() {
        let mut backups = Backups::default();
        for n in 1..=KEPT_BACKUPS {
            backups.add(backup(n, BackupReason::Step), 1);
        }
        let (oldest, next) = (BackupId::from("1"), BackupId::from("2"));
        assert_eq!(backups.choose(&oldest).map(|chosen| chosen.id), Some(oldest.clone()));
        let before = backup(KEPT_BACKUPS + 1, BackupReason::Restore);
        assert_eq!(backups.add(before.clone(), 1), [next]);
        assert_eq!(backups.restored(&oldest, before, 1), []);
        assert_eq!(backups.current.as_ref(), Some(&oldest));
        assert!(backups.find(&oldest).is_some());
        assert_eq!(backups.by_age().last().map(|last| &last.id), Some(&oldest));
        assert_eq!(backups.choose(&BackupId::from("2")), None);
    }

    #[test]
    fn downloads_do_not_displace_other_backups() {
        let mut backups = Backups::default();
        for n in 1..KEPT_BACKUPS {
            backups.add(backup(n, BackupReason::Step), 1);
        }
        for n in KEPT_BACKUPS..3 * KEPT_BACKUPS {
            backups.add(backup(n, BackupReason::Download), 1);
        }
        let steps = backups.list.iter().filter(|backup| backup.reason == BackupReason::Step);
        assert_eq!((backups.list.len(), steps.count()), (KEPT_BACKUPS, KEPT_BACKUPS - RECENT));
        // Also if the only one made for a download is the one to restore.
        let mut backups = Backups::default();
        backups.add(backup(1, BackupReason::Download), 1);
        for n in 2..=KEPT_BACKUPS {
            backups.add(backup(n, BackupReason::Step), 1);
        }
        let chosen = backups.choose(&BackupId::from("1")).unwrap();
        backups.restored(&chosen.id, backup(KEPT_BACKUPS + 1, BackupReason::Restore), 1);
        assert_eq!(backups.current, Some(chosen.id));
    }

    #[test]
    fn checks_and_steps_do_not_displace_what_the_owner_may_want_back() {
        let mut backups = Backups::default();
        backups.add(backup(1, BackupReason::Manual), 1);
        backups.add(backup(2, BackupReason::Restore), 1);
        for n in 3..KEPT_BACKUPS {
            backups.add(backup(n, BackupReason::Step), 1);
        }
        let count = |backups: &Backups, reason| {
            backups.list.iter().filter(|backup| backup.reason == reason).count()
        };
        for n in KEPT_BACKUPS..3 * KEPT_BACKUPS {
            backups.add(backup(n, BackupReason::Check), 1);
        }
        assert_eq!(count(&backups, BackupReason::Step), KEPT_BACKUPS - 2 - RECENT);
        for n in 3 * KEPT_BACKUPS..5 * KEPT_BACKUPS {
            backups.add(backup(n, BackupReason::Step), 1);
        }
        let owners = [BackupReason::Manual, BackupReason::Restore];
        assert_eq!(owners.map(|reason| count(&backups, reason)), [1, 1]);
        assert_eq!(backups.list.len(), KEPT_BACKUPS);
        assert_eq!(BackupReason::after_run(Track::Drift), None, "it runs every day");
    }

    proptest! {
        #[test]
        fn the_current_backup_is_always_kept_and_every_dropped_one_is_named(
            moves in proptest::collection::vec((any::<bool>(), 0usize..60, 1u64..4), 1..200)
        ) {
            let mut backups = Backups::default();
            let mut there = std::collections::BTreeSet::new();
            for (n, (restores, from, by)) in moves.into_iter().enumerate() {
                let new = backup(n, BackupReason::Step);
                there.insert(new.id.clone());
                let from = RunId(format!("{from:x}"));
                let chosen = restores && backups.choose(&from).is_some();
                let latest = by >= backups.generation;
                let dropped = match restores {
                    true => backups.restored(&from, new, by),
                    false => backups.add(new, by),
                };
                if chosen && latest {
                    prop_assert_eq!(backups.current.as_ref(), Some(&from));
                }
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
