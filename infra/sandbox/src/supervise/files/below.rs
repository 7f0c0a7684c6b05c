//! Opens files below the workspace, and nothing outside it.
//!
//! The kernel itself resolves the path with a ban on leaving the folder, so neither `..` nor a link nor a concurrent
//! move of folders leads out. If the kernel lacks that call, or a container's filter blocks it, the path is walked step
//! by step, and no link is followed at all.

use std::fs::read_link;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use protocol::{FILE_PATH_BYTES, FileFailure};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::Errno;

/// How often a path is resolved again if a concurrent move interfered.
const TRIES: usize = 8;

/// Where the workspace keeps keys.
const KEYS: &str = "ssh";

/// The workspace, held open.
pub struct Below {
    root: OwnedFd,
    path: PathBuf,
}

/// The path of a request, which must not lead up.
pub fn relative(path: &str) -> Result<PathBuf, FileFailure> {
    if path.len() > FILE_PATH_BYTES || path.contains('\0') {
        return Err(FileFailure::NotFound);
    }
    let mut relative = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => relative.push(name),
            Component::CurDir => {}
            _ => return Err(FileFailure::Outside),
        }
    }
    Ok(relative)
}

impl Below {
    pub fn open(workspace: &Path) -> Result<Self, FileFailure> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let root = openat(CWD, workspace, flags, Mode::empty()).map_err(failure)?;
        let path = place(&root)?;
        Ok(Self { root, path })
    }

    /// Opens `path`, following links as long as they stay below.
    pub fn find(&self, path: &Path, flags: OFlags) -> Result<OwnedFd, FileFailure> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let flags = flags | OFlags::CLOEXEC;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        for _ in 0..TRIES {
            match openat2(&self.root, path, flags, Mode::empty(), resolve) {
                Err(Errno::AGAIN) => {}
                Err(Errno::NOSYS | Errno::PERM) => return self.walk(path, flags).map_err(failure),
                found => return found.map_err(failure),
            }
        }
        Err(FileFailure::Unavailable)
    }

    /// Opens the path step by step, following no link.
    pub(super) fn walk(&self, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        let on_the_way = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut folder = openat(&self.root, ".", on_the_way, Mode::empty())?;
        for step in path.parent().unwrap_or(Path::new("")) {
            folder = openat(&folder, step, on_the_way, Mode::empty())?;
        }
        let last = path.file_name().unwrap_or(std::ffi::OsStr::new("."));
        openat(&folder, last, flags | OFlags::NOFOLLOW, Mode::empty())
    }

    /// The real place of an open file, relative to the workspace.
    pub fn real_path(&self, file: &impl AsFd) -> Result<PathBuf, FileFailure> {
        let place = place(file)?;
        place.strip_prefix(&self.path).map(Path::to_owned).map_err(|_| FileFailure::Outside)
    }

    /// Whether a real path is in the folder of keys.
    pub fn holds_keys(&self, real: &Path) -> bool {
        real.starts_with(KEYS)
    }
}

fn place(file: &impl AsFd) -> Result<PathBuf, FileFailure> {
    let link = format!("/proc/self/fd/{}", file.as_fd().as_raw_fd());
    read_link(link).map_err(|error| io_failure(&error))
}

/// A system error as a sentence for the user.
pub fn failure(error: Errno) -> FileFailure {
    match error {
        Errno::NOENT | Errno::NAMETOOLONG => FileFailure::NotFound,
        Errno::NOTDIR => FileFailure::NotADirectory,
        Errno::ISDIR | Errno::NXIO | Errno::NODEV => FileFailure::NotAFile,
        Errno::XDEV | Errno::LOOP => FileFailure::Outside,
        Errno::ACCESS | Errno::PERM | Errno::ROFS => FileFailure::Denied,
        Errno::NOSPC | Errno::DQUOT => FileFailure::NoSpace,
        error => {
            tracing::warn!(%error, "a file could not be reached");
            FileFailure::Unavailable
        }
    }
}

/// The same for an error that the library has wrapped.
pub fn io_failure(error: &io::Error) -> FileFailure {
    error
        .raw_os_error()
        .map_or(FileFailure::Unavailable, |code| failure(Errno::from_raw_os_error(code)))
}
