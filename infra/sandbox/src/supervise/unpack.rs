//! Extracts a zip into the workspace.
//!
//! The zip came out of a sandbox and is not trusted. An entry that would leave the workspace, or that no file system
//! could hold beside the others, is refused and named, and the rest is extracted: if one odd entry failed the restore,
//! everything else would be lost. Files come first and links
//! last, so no file is ever written through a link of the same zip. A link's target may begin with `..` and then only
//! go down: if the folders on its way are real ones or links that obey the same rule, it cannot end outside.

use std::borrow::Cow;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, OFlags, ResolveFlags, open, openat2};
use rustix::io::Errno;
use zip::ZipArchive;
use zip::result::ZipError;

use super::replace::replace;
use super::{Events, send};
use crate::pipe::Event;

/// How many bytes a zip may expand to: the whole of a small disk, but not a zip bomb.
const UNPACKED_BYTES: u64 = 8 * 1024 * 1024 * 1024;

/// How many entries a zip may have.
const ENTRIES: usize = 200_000;

/// The longest target of a link, in bytes: the system's own limit.
const LINK_BYTES: u64 = 4096;

/// How many refused entries are named.
const NAMED: usize = 20;

/// A zip that is still arriving, in a file without a name.
pub struct Spool(File);

/// Takes the next part of a zip; extracts the zip after the last part and reports [`Event::Unpacked`].
pub fn take(
    spool: &mut Option<Spool>,
    workspace: &Path,
    data: &[u8],
    (last, replaces): (bool, bool),
    events: &Events,
) {
    let written = match spool.take() {
        Some(spool) => Ok(spool),
        None => tempfile::tempfile_in(workspace).map(Spool),
    }
    .and_then(|mut spool| spool.0.write_all(data).map(|()| spool));
    if !last {
        // The last part fails as well, because the spooled data is not a zip then.
        *spool = written.ok();
        return;
    }
    let (workspace, events) = (workspace.to_owned(), events.clone());
    tokio::spawn(async move {
        let unpacked = tokio::task::spawn_blocking(move || match replaces {
            true => replace(written?.0, &workspace, UNPACKED_BYTES),
            false => unpack(written?.0, &workspace, UNPACKED_BYTES),
        });
        let (refused, error) = match unpacked.await {
            Ok(Ok(refused)) => (refused, None),
            Ok(Err(error)) => (Vec::new(), Some(error.to_string())),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        send(&events, Event::Unpacked { refused, error }, Vec::new()).await;
    });
}

/// Extracts `zip` below `root` and returns the names of entries that were refused.
pub fn unpack(zip: impl Read + Seek, root: &Path, most: u64) -> io::Result<Vec<String>> {
    let mut archive = ZipArchive::new(zip)?;
    if archive.len() > ENTRIES {
        return Err(io::Error::other("the archive has too many entries"));
    }
    let mut refused = Vec::new();
    let mut links = Vec::new();
    let mut modes = Vec::new();
    let mut left = most;
    for index in 0..archive.len() {
        let mut entry = match archive.by_index(index) {
            // Encrypted, or packed in a way that we cannot read.
            Err(ZipError::UnsupportedArchive(_)) => {
                refuse(&mut refused, format!("entry {index}"));
                continue;
            }
            entry => entry?,
        };
        let Ok(name) = entry.name().map(Cow::into_owned) else {
            refuse(&mut refused, format!("entry {index}"));
            continue;
        };
        let mode = entry.unix_mode().unwrap_or(0o644) & 0o777;
        let Some(path) = inside(&name).filter(|path| makes_no_detour(root, path)) else {
            refuse(&mut refused, name);
            continue;
        };
        let place = root.join(&path);
        if entry.is_symlink() {
            let mut target = Vec::new();
            entry.by_ref().take(LINK_BYTES).read_to_end(&mut target)?;
            // A target that is not text is empty here, and is refused.
            links.push((name, path, String::from_utf8(target).unwrap_or_default()));
        } else if entry.is_dir() {
            match folders(&place)? {
                true => modes.push((place, mode)),
                false => refuse(&mut refused, name),
            }
        } else {
            // A conflict with existing content, such as a folder in place of a file, loses only that entry.
            let has_folder = folders(place.parent().unwrap_or(root))?;
            let Some(mut file) = has_folder.then(|| create(&place).ok()).flatten() else {
                refuse(&mut refused, name);
                continue;
            };
            let written = io::copy(&mut entry.by_ref().take(left + 1), &mut file)?;
            left = left
                .checked_sub(written)
                .ok_or_else(|| io::Error::other("the archive expands beyond its limit"))?;
            file.set_permissions(fs::Permissions::from_mode(mode))?;
        }
    }
    for (name, path, target) in links {
        let place = root.join(&path);
        if !stays_inside(&path, &target)
            || !makes_no_detour(root, &path)
            || !folders(place.parent().unwrap_or(root))?
            || symlink(&target, &place).is_err()
        {
            refuse(&mut refused, name);
        }
    }
    // Folders come last and innermost first: a read-only folder must be filled before its mode is set.
    for (folder, mode) in modes.into_iter().rev() {
        fs::set_permissions(folder, fs::Permissions::from_mode(mode | 0o700))?;
    }
    Ok(refused)
}

fn refuse(refused: &mut Vec<String>, name: String) {
    if refused.len() < NAMED {
        refused.push(name);
    }
}

/// The relative path that an entry's name denotes; `None` if it is not below the root.
fn inside(name: &str) -> Option<PathBuf> {
    if name.contains('\\') {
        return None;
    }
    let mut path = PathBuf::new();
    for component in Path::new(name).components() {
        match component {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (!path.as_os_str().is_empty()).then_some(path)
}

/// Whether no folder on the way to `path` is a link.
///
/// The system walks the path once. Asking it about each folder would take time in proportion to the square of the path's
/// length, and a zip may have many entries with long paths.
fn makes_no_detour(root: &Path, path: &Path) -> bool {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => return true,
    };
    let walked = open(root, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).and_then(|root| {
        let (way, mode) = (OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
        openat2(&root, folder, way, mode, ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS)
    });
    match walked {
        // What does not exist yet, or is not a folder, is not a link; nor is anything on the way to it.
        Ok(_) | Err(Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG) => true,
        Err(_) => false,
    }
}

/// Whether a link at `path` to `target` ends below the root: `..` first, not past the root, then only down.
pub(super) fn stays_inside(path: &Path, target: &str) -> bool {
    let mut height = path.components().count() - 1;
    let mut down = false;
    Path::new(target).components().all(|part| match part {
        Component::Normal(_) => {
            down = true;
            true
        }
        Component::CurDir => true,
        Component::ParentDir if !down && height > 0 => {
            height -= 1;
            true
        }
        _ => false,
    }) && !target.is_empty()
}

/// Makes a folder and those above it; `false` if its path cannot be that of a folder here.
fn folders(path: &Path) -> io::Result<bool> {
    use io::ErrorKind::{AlreadyExists, InvalidFilename, InvalidInput, NotADirectory};
    match DirBuilder::new().recursive(true).mode(0o755).create(path) {
        Ok(()) => Ok(true),
        Err(error) => match error.kind() {
            AlreadyExists | InvalidFilename | InvalidInput | NotADirectory => Ok(false),
            _ => Err(error),
        },
    }
}

/// Creates or empties a file, unless a link is in its place.
fn create(place: &Path) -> io::Result<File> {
    File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
        .open(place)
}

#[cfg(test)]
mod tests;
