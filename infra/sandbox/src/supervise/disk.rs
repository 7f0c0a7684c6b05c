//! Limits how much of the disk the workspace takes while commands write to it.
//!
//! The disk belongs to the machine, and a file system quota would need root and the right file system. So the supervisor
//! measures. It reads the free space, which costs one system call, every [`LOOK_EVERY`]; only if that fell by as much as
//! the workspace may still grow, and now and then regardless, does it measure the workspace: the blocks of its files, and
//! of deleted files that a process still holds open. If the workspace is above its bound and grows, the supervisor ends
//! everything inside, whichever process wrote. Later commands may still read and delete; if one writes more, everything is
//! ended again.
//!
//! A process can hide files: in a folder that it closed, or behind descriptors that no other process sees. If anything is
//! hidden, all space that the disk has lost since the sandbox started counts as the workspace's.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::statvfs;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// How often the free space is read.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How often the workspace is measured even if the disk is as free as before: something else may have been deleted.
const MEASURE_EVERY: Duration = Duration::from_secs(15);

/// The shortest pause between two measurements, as a multiple of the last one's duration.
const REST: u32 = 4;

/// How much a workspace above its bound may still grow, in bytes: programs that clean up write a little.
const SLACK_BYTES: u64 = 1024 * 1024;

/// The unit in which every file system reports a file's blocks, in bytes.
const BLOCK_BYTES: u64 = 512;

/// Watches `workspace` and reports its size each time it has grown beyond `most` bytes.
pub fn watch(workspace: PathBuf, most: u64) -> mpsc::Receiver<u64> {
    let (full, reports) = mpsc::channel(1);
    tokio::spawn(async move {
        let mut bound = Bound::new(most);
        let Ok(first) = free(&workspace) else { return };
        let (mut free_then, mut measured, mut rest) = (first, Instant::now(), Duration::ZERO);
        loop {
            sleep(LOOK_EVERY).await;
            let Ok(now) = free(&workspace) else { continue };
            let fell = free_then.saturating_sub(now) > bound.left();
            if measured.elapsed() < rest || !(fell || measured.elapsed() > MEASURE_EVERY) {
                continue;
            }
            let (began, place) = (Instant::now(), workspace.clone());
            let Ok(used) = tokio::task::spawn_blocking(move || measure(&place)).await else {
                return;
            };
            (free_then, measured, rest) = (now, Instant::now(), began.elapsed() * REST);
            let lost = if used.hides { first.saturating_sub(now) } else { 0 };
            let bytes = used.bytes.max(lost);
            if bound.is_broken(bytes) && full.send(bytes).await.is_err() {
                return;
            }
        }
    });
    reports
}

/// The free bytes of the file system of `path`.
fn free(path: &Path) -> io::Result<u64> {
    let system = statvfs(path)?;
    Ok(system.f_bfree.saturating_mul(system.f_frsize))
}

/// A bound above which a workspace may shrink but not grow.
struct Bound {
    most: u64,
    /// The size from which growth counts: the bound, or the smallest size measured since everything inside was last ended.
    floor: u64,
    used: u64,
    /// Whether the bound was broken just now: processes that are being ended may still have written.
    ending: bool,
}

impl Bound {
    fn new(most: u64) -> Self {
        Self { most, floor: most, used: 0, ending: false }
    }

    /// How much may be written before the next measurement.
    fn left(&self) -> u64 {
        self.limit().saturating_sub(self.used)
    }

    fn limit(&self) -> u64 {
        if self.floor > self.most { self.floor.saturating_add(SLACK_BYTES) } else { self.most }
    }

    /// Takes a measurement; returns whether the workspace has grown beyond its bound.
    fn is_broken(&mut self, used: u64) -> bool {
        let broken = !self.ending && used > self.limit();
        self.used = used;
        let least = if broken || self.ending { used } else { self.floor.min(used) };
        self.floor = least.max(self.most);
        self.ending = broken;
        broken
    }
}

/// How much of the disk a workspace takes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Used {
    bytes: u64,
    /// Whether there may be more that cannot be seen.
    hides: bool,
}

fn measure(workspace: &Path) -> Used {
    let mut used = Used::default();
    let Ok(root) = fs::metadata(workspace) else { return used };
    let mut known = HashSet::new();
    let mut folders = vec![workspace.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                used.hides |= error.kind() != io::ErrorKind::NotFound;
                continue;
            }
        };
        for entry in entries.flatten() {
            // A file that vanishes in the meantime takes no space.
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() {
                folders.push(entry.path());
            }
            used.count(&meta, &mut known);
        }
    }
    for process in crate::process::living_descendants() {
        let fds = format!("/proc/{}/fd", process.as_raw_nonzero());
        used.count_nameless(Path::new(&fds), root.dev(), &mut known);
    }
    used
}

impl Used {
    fn count(&mut self, meta: &Metadata, known: &mut HashSet<(u64, u64)>) {
        // A file with several names counts once.
        if meta.nlink() == 1 || meta.is_dir() || known.insert((meta.dev(), meta.ino())) {
            self.bytes = self.bytes.saturating_add(meta.blocks().saturating_mul(BLOCK_BYTES));
        }
    }

    /// Counts deleted files that a process still holds open.
    fn count_nameless(&mut self, fds: &Path, disk: u64, known: &mut HashSet<(u64, u64)>) {
        let entries = match fs::read_dir(fds) {
            Ok(entries) => entries,
            Err(error) => {
                self.hides |= error.kind() == io::ErrorKind::PermissionDenied;
                return;
            }
        };
        for entry in entries.flatten() {
            let Ok(meta) = fs::metadata(entry.path()) else { continue };
            if meta.is_file() && meta.nlink() == 0 && meta.dev() == disk {
                self.count(&meta, known);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    const MIB: u64 = 1024 * 1024;

    #[test]
    fn linked_blocks_count_once_and_holes_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        File::create(at("hole")).unwrap().set_len(60 << 30).unwrap();
        let empty = measure(folder.path()).bytes;
        fs::write(at("file"), vec![1; 3 << 20]).unwrap();
        fs::hard_link(at("file"), at("again")).unwrap();
        let grown = measure(folder.path()).bytes - empty;
        assert!((3 * MIB..4 * MIB).contains(&grown), "{grown}");
    }

    #[test]
    fn growth_above_the_bound_is_reported_and_shrinking_is_not() {
        let mut bound = Bound::new(10 * MIB);
        let reported =
            [4, 10, 12, 12, 13, 15, 14, 11, 12, 13, 9, 10, 11].map(|n| bound.is_broken(n * MIB));
        let (no, yes) = (false, true);
        assert_eq!(reported, [no, no, yes, no, no, yes, no, no, no, yes, no, no, yes]);
        // Processes that are being ended write until they are gone; later processes are not blamed for that.
        let mut bound = Bound::new(10 * MIB);
        let reported = [11, 15, 15, 16, 17].map(|n| bound.is_broken(n * MIB));
        assert_eq!(reported, [yes, no, no, no, yes]);
        assert_eq!(Bound::new(10 * MIB).left(), 10 * MIB);
        assert_eq!(bound.left(), MIB);
    }
}
