//! The agent's private folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use rustix::fs::{FlockOperation, flock};

/// The folder that outlives the agent and that one agent at a time holds.
pub struct State {
    folder: PathBuf,
    _lock: File,
}

impl State {
    /// Locks the folder; fails while another agent holds it.
    pub fn take(folder: &Path) -> anyhow::Result<Self> {
        let folder = std::path::absolute(folder)?;
        // The folder must be traversable, because a sandbox with another user has to reach its workspace inside; only
        // the agent's user may read anything else in it.
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o711)
            .create(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o711))?;
        let lock = File::create(folder.join("lock"))?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)
            .with_context(|| format!("another agent is using {}", folder.display()))?;
        Ok(Self { folder, _lock: lock })
    }

    /// The path of a folder or file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Whether the workspace has been filled once: a later backup must not be extracted over newer files.
    pub fn is_restored(&self) -> bool {
        self.path("restored").exists()
    }

    /// Records that the workspace is filled.
    pub fn set_restored(&self) -> io::Result<()> {
        let mut file = File::create(self.path("restored"))?;
        file.write_all(b"1\n")?;
        file.sync_all()
    }
}
