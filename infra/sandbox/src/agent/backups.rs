//! Outgoing zips of the workspace: the supervisor makes them; this module spools and uploads them.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use protocol::{Backup, WorkspaceUse};

use crate::pipe::Order;

/// How many zips may be made at once.
const PACKING: usize = 2;

const GIB: u64 = 1024 * 1024 * 1024;

/// The largest zip that is spooled, in bytes.
const ZIP_BYTES: u64 = 2 * GIB;

/// The zips in progress.
pub struct Backups {
    folder: PathBuf,
    jobs: HashMap<u64, Job>,
    last: u64,
}

struct Job {
    backup: Backup,
    path: PathBuf,
    file: File,
    bytes: u64,
    error: Option<String>,
}

/// A finished zip, or the reason why it failed.
pub struct Packed {
    pub backup: Backup,
    pub path: PathBuf,
    pub error: Option<String>,
    /// The size of the workspace.
    pub workspace: Option<WorkspaceUse>,
}

impl Backups {
    /// Begins with an empty spool; files that an earlier agent left in it are useless.
    pub fn open(folder: PathBuf) -> io::Result<Self> {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(Self { folder, jobs: HashMap::new(), last: 0 })
    }

    /// Whether this zip is being made.
    pub fn is_making(&self, request_id: &str) -> bool {
        self.jobs.values().any(|job| job.backup.request_id == request_id)
    }

    /// Begins a zip; `None` if the same one is already being made or too many are.
    pub fn begin(&mut self, backup: Backup) -> io::Result<Option<Order>> {
        if self.jobs.len() >= PACKING || self.is_making(&backup.request_id) {
            return Ok(None);
        }
        self.last += 1;
        let path = self.folder.join(format!("{}.zip", self.last));
        let job = Job { backup, file: File::create(&path)?, path, bytes: 0, error: None };
        self.jobs.insert(self.last, job);
        Ok(Some(Order::Pack { job: self.last }))
    }

    /// Whether no zip is being made.
    pub fn is_idle(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Takes the next part of a zip.
    pub fn part(&mut self, job: u64, data: &[u8]) {
        let Some(job) = self.jobs.get_mut(&job) else {
            return;
        };
        job.bytes += data.len() as u64;
        if job.bytes > ZIP_BYTES {
            job.error =
                Some(format!("the zip of the workspace is larger than {} GiB", ZIP_BYTES / GIB));
        } else if let Err(error) = job.file.write_all(data) {
            job.error = Some(error.to_string());
        }
    }

    /// Takes the end of a zip.
    pub fn end(
        &mut self,
        job: u64,
        error: Option<String>,
        workspace: Option<WorkspaceUse>,
    ) -> Option<Packed> {
        self.jobs.remove(&job).map(|job| Packed {
            workspace,
            backup: job.backup,
            path: job.path,
            error: job.error.or(error),
        })
    }

    /// Handles the supervisor's end, which ends every zip in progress.
    pub fn all_failed(&mut self) -> Vec<Packed> {
        let jobs: Vec<_> = self.jobs.keys().copied().collect();
        let error = || Some("the sandbox's own processes were ended".to_owned());
        jobs.into_iter().filter_map(|job| self.end(job, error(), None)).collect()
    }
}
