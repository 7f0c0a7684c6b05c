//! Lets a workspace's owner view and edit its text files.
//!
//! The supervisor serves them with the rights of the commands, so a request can reach nothing that a script could not.
//! Every file that is read or replaced lies below the workspace, wherever links lead ([`below`]).
//!
//! A file is replaced, never written in place: a concurrent reader sees the old one or the new one, and a full disk
//! damages neither.

mod below;
#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use protocol::{FILE_BYTES, FILE_END_BYTES, FileEntry, FileFailure, FileKind, LISTED_ENTRIES};
use rustix::fs::{
    AtFlags, Dir, FileType, Gid, Mode, OFlags, RenameFlags, Uid, fchmod, fchown, fsync, openat,
    renameat, renameat_with, statat, unlinkat,
};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::{Events, send};
use crate::pipe::{Event, FilesAsk, FilesDone};
use below::{Below, failure, relative};

/// How many names of a directory are read; in a larger directory the list of the first names may be incomplete.
const NAMES: usize = 20_000;

/// The flags for opening a file to inspect it: a FIFO in its place does not block.
const LOOK: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY);

/// The first bytes of a private key, as OpenSSL, OpenSSH and PuTTY write it.
const KEY_MARKS: [&[u8]; 2] = [b"PRIVATE KEY-----", b"PuTTY-User-Key-File-"];

/// How far into a file to search for the beginning of a key, in bytes; comments may come before it.
const KEY_BEGIN_BYTES: usize = 4096;

/// Modes of new files: only the owner may read keys.
const NEW_MODE: u32 = 0o644;
const NEW_KEY_MODE: u32 = 0o600;

/// The workspace's files.
#[derive(Clone)]
pub struct Files {
    workspace: PathBuf,
    /// Held from the check of the old file to its replacement: one of two concurrent edits is refused.
    writing: Arc<Mutex<()>>,
}

impl Files {
    pub fn new(workspace: PathBuf) -> Self {
        Self { workspace, writing: Arc::default() }
    }

    /// Answers with [`Event::Files`].
    pub fn start(&self, job: u64, ask: FilesAsk, data: Vec<u8>, events: Events) {
        let files = self.clone();
        tokio::spawn(async move {
            let served = tokio::task::spawn_blocking(move || files.serve(ask, &data)).await;
            let (done, data) = match served {
                Ok(Ok(served)) => served,
                Ok(Err(code)) => (FilesDone::Failed { code }, Vec::new()),
                Err(error) => {
                    tracing::error!(%error, "a request about a file failed unexpectedly");
                    (FilesDone::Failed { code: FileFailure::Unavailable }, Vec::new())
                }
            };
            send(&events, Event::Files { job, done }, data).await;
        });
    }

    fn serve(&self, ask: FilesAsk, data: &[u8]) -> Result<(FilesDone, Vec<u8>), FileFailure> {
        let below = Below::open(&self.workspace)?;
        Ok(match ask {
            FilesAsk::List { path } => {
                let (entries, truncated) = list(&below, &relative(&path)?)?;
                (FilesDone::Listed { entries, truncated }, Vec::new())
            }
            FilesAsk::Read { path, end } => {
                let path = relative(&path)?;
                let (content, bytes) =
                    if end { read_end(&below, &path)? } else { read(&below, &path)? };
                (FilesDone::Content { bytes }, content)
            }
            FilesAsk::Write { path, base_sha256 } => {
                let _one = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
                write(&below, &relative(&path)?, base_sha256.as_deref(), data)?;
                (FilesDone::Written, Vec::new())
            }
        })
    }
}

/// The first entries by name, and whether there are more.
fn list(below: &Below, path: &Path) -> Result<(Vec<FileEntry>, bool), FileFailure> {
    let folder = below.find(path, OFlags::RDONLY | OFlags::DIRECTORY)?;
    let mut names = Vec::new();
    for entry in Dir::read_from(&folder).map_err(failure)?.take(NAMES) {
        let entry = entry.map_err(failure)?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            names.push(entry.file_name().to_owned());
        }
    }
    names.sort();
    let truncated = names.len() > LISTED_ENTRIES;
    let mut entries = Vec::new();
    for name in names.into_iter().take(LISTED_ENTRIES) {
        // A file that vanished between the listing and now was a temporary one.
        let Ok(stat) = statat(&folder, &name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        let kind = match (FileType::from_raw_mode(stat.st_mode), name.to_str()) {
            // A name that is not UTF-8 cannot be requested.
            (_, Err(_)) => FileKind::Other,
            (FileType::RegularFile, _) => FileKind::File,
            (FileType::Directory, _) => FileKind::Directory,
            (FileType::Symlink, _) => FileKind::Link,
            _ => FileKind::Other,
        };
        let bytes = u64::try_from(stat.st_size).unwrap_or(0);
        let is_small_file = kind == FileKind::File && bytes <= FILE_BYTES as u64;
        let is_key = || {
            openat(&folder, &name, LOOK | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
                .map(File::from)
                .map_err(io::Error::from)
                .and_then(|file| begins_as_key(&file))
                .unwrap_or(true)
        };
        entries.push(FileEntry {
            editable: is_small_file && !is_key(),
            name: name.to_string_lossy().into_owned(),
            kind,
            bytes,
            modified: rfc3339(stat.st_mtime),
        });
    }
    Ok((entries, truncated))
}

/// The whole content of a text file, and its size.
fn read(below: &Below, path: &Path) -> Result<(Vec<u8>, u64), FileFailure> {
    let file = File::from(below.find(path, LOOK)?);
    let content = whole(&file)?;
    if is_key(&content) {
        return Err(FileFailure::Denied);
    }
    match std::str::from_utf8(&content) {
        Ok(text) if !text.contains('\0') => {
            let bytes = content.len() as u64;
            Ok((content, bytes))
        }
        _ => Err(FileFailure::Binary),
    }
}

/// The last lines of a text file of any size, and the size of the whole file. Services may be writing to it.
fn read_end(below: &Below, path: &Path) -> Result<(Vec<u8>, u64), FileFailure> {
    let mut file = File::from(below.find(path, LOOK)?);
    let meta = metadata(&file)?;
    if !meta.is_file() {
        return Err(FileFailure::NotAFile);
    }
    let lost = |error: io::Error| below::io_failure(&error);
    if begins_as_key(&file).map_err(lost)? {
        return Err(FileFailure::Denied);
    }
    let (bytes, most) = (meta.len(), FILE_END_BYTES as u64);
    // One byte more, to see whether the end begins with a line.
    let begin = bytes.saturating_sub(most + 1);
    file.seek(SeekFrom::Start(begin)).map_err(lost)?;
    let mut content = Vec::new();
    file.take(most + 1).read_to_end(&mut content).map_err(lost)?;
    if begin > 0 || content.len() > FILE_END_BYTES {
        let line = content.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let character = || content.iter().skip(1).position(|byte| byte & 0xC0 != 0x80);
        let cut = line.filter(|at| *at < content.len()).or_else(|| character().map(|at| at + 1));
        content.drain(..cut.unwrap_or(content.len()));
    }
    if is_key(&content) {
        return Err(FileFailure::Denied);
    }
    if let Err(error) = std::str::from_utf8(&content) {
        // The last character may not be completely written yet.
        if error.error_len().is_some() {
            return Err(FileFailure::Binary);
        }
        content.truncate(error.valid_up_to());
    }
    if content.contains(&0) { Err(FileFailure::Binary) } else { Ok((content, bytes)) }
}

/// Replaces a file whose content is still `base`, or creates one if there is none.
fn write(
    below: &Below,
    path: &Path,
    base: Option<&str>,
    content: &[u8],
) -> Result<(), FileFailure> {
    if content.len() > FILE_BYTES {
        return Err(FileFailure::TooLarge);
    }
    // Follows a link once here, so that the target file is replaced rather than the link.
    let old = match below.find(path, LOOK) {
        Ok(fd) => Some(File::from(fd)),
        Err(FileFailure::NotFound) => None,
        Err(other) => return Err(other),
    };
    let real = match &old {
        Some(file) => below.real_path(file)?,
        None => path.to_owned(),
    };
    if let Some(file) = &old {
        let known = whole(file)?;
        if is_key(&known) {
            return Err(FileFailure::Denied);
        }
        if known == content {
            // The file already has this content, perhaps from a request whose answer was lost.
            return Ok(());
        }
        if base != Some(hex::encode(Sha256::digest(&known)).as_str()) {
            return Err(FileFailure::Conflict);
        }
    } else if base.is_some() {
        return Err(FileFailure::Conflict);
    }
    let name = real.file_name().ok_or(FileFailure::NotAFile)?;
    let parent = real.parent().unwrap_or(Path::new(""));
    let folder = below.find(parent, OFlags::PATH | OFlags::DIRECTORY)?;
    let place = below.real_path(&folder)?;
    if place != parent && old.is_some() {
        // The file was moved since the check.
        return Err(FileFailure::Conflict);
    }
    let new_mode = if below.holds_keys(&place) { NEW_KEY_MODE } else { NEW_MODE };
    let spare = format!(".groundcrew-{:016x}", rand::random::<u64>());
    let replaced = fill(&folder, &spare, old.as_ref(), new_mode, content)
        .and_then(|()| put_in_place(&folder, &spare, name, old.is_some()));
    if replaced.is_err() {
        let _ = unlinkat(&folder, &spare, AtFlags::empty());
    }
    replaced
}

/// Writes the new content to a file next to the old one, with the old one's owner and mode.
fn fill(
    folder: &impl std::os::fd::AsFd,
    spare: &str,
    old: Option<&File>,
    new_mode: u32,
    content: &[u8],
) -> Result<(), FileFailure> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file =
        File::from(openat(folder, spare, flags, Mode::from_raw_mode(0o600)).map_err(failure)?);
    file.write_all(content).map_err(|error| below::io_failure(&error))?;
    let mut mode = new_mode;
    if let Some(old) = old {
        let (old, new) = (metadata(old)?, metadata(&file)?);
        if (old.uid(), old.gid()) != (new.uid(), new.gid()) {
            let owner = (Uid::from_raw(old.uid()), Gid::from_raw(old.gid()));
            fchown(&file, Some(owner.0), Some(owner.1)).map_err(failure)?;
        }
        mode = old.mode() & 0o7777;
    }
    fchmod(&file, Mode::from_raw_mode(mode)).map_err(failure)?;
    fsync(&file).map_err(failure)
}

fn put_in_place(
    folder: &impl std::os::fd::AsFd,
    spare: &str,
    name: &OsStr,
    replaces: bool,
) -> Result<(), FileFailure> {
    if replaces {
        return renameat(folder, spare, folder, name).map_err(failure);
    }
    renameat_with(folder, spare, folder, name, RenameFlags::NOREPLACE).map_err(|error| {
        // Another process created a file there since the check.
        if error == rustix::io::Errno::EXIST { FileFailure::Conflict } else { failure(error) }
    })
}

fn metadata(file: &File) -> Result<std::fs::Metadata, FileFailure> {
    file.metadata().map_err(|error| below::io_failure(&error))
}

/// The whole content of a regular file that is small enough.
fn whole(file: &File) -> Result<Vec<u8>, FileFailure> {
    let meta = metadata(file)?;
    if !meta.is_file() {
        return Err(FileFailure::NotAFile);
    }
    let mut content = Vec::new();
    file.take(FILE_BYTES as u64 + 1)
        .read_to_end(&mut content)
        .map_err(|error| below::io_failure(&error))?;
    if content.len() > FILE_BYTES { Err(FileFailure::TooLarge) } else { Ok(content) }
}

fn begins_as_key(file: &File) -> io::Result<bool> {
    let mut begin = Vec::new();
    file.take(KEY_BEGIN_BYTES as u64).read_to_end(&mut begin)?;
    Ok(is_key(&begin))
}

fn is_key(content: &[u8]) -> bool {
    let begin = &content[..content.len().min(KEY_BEGIN_BYTES)];
    KEY_MARKS.iter().any(|mark| begin.windows(mark.len()).any(|bytes| bytes == *mark))
}

fn rfc3339(seconds: i64) -> String {
    let time = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    time.format(&Rfc3339).unwrap_or_default()
}
