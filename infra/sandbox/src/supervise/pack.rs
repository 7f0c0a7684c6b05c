//! The workspace as a zip, streamed to the agent as it is made.
//!
//! The supervisor makes it rather than the agent, because the agent can read files that the workspace's owner cannot: a
//! link put in place of a folder between two looks would make the agent pack a foreign file.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use protocol::WorkspaceUse;
use rustix::fs::OFlags;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::unpack::stays_inside;
use super::{Events, send};
use crate::pipe::{Event, Frame};

const GIB: u64 = 1024 * 1024 * 1024;

/// The largest workspace that is backed up, in bytes of its files: two fifths of a task's ephemeral storage, which also
/// has to hold the zip.
const WORKSPACE_BYTES: u64 = 8 * GIB;

/// How many files, folders and links it may contain.
const WORKSPACE_FILES: u64 = 200_000;

/// How much of a zip is sent in one frame, in bytes.
const PART_BYTES: usize = 256 * 1024;

/// Files from this size on need the format's 64-bit fields.
const LARGE_FILE_BYTES: u64 = u32::MAX as u64;

/// Packs the workspace and streams it as [`Event::Packed`], then [`Event::PackDone`].
pub fn start(job: u64, workspace: PathBuf, events: Events) {
    let parts = Parts { job, events: events.clone() };
    tokio::spawn(async move {
        let packed = tokio::task::spawn_blocking(move || pack_within(&workspace, parts)).await;
        let (size, error) = match packed {
            Ok((size, packed)) => (size, packed.err().map(|error| error.to_string())),
            Err(error) => (None, Some(error.to_string())),
        };
        send(&events, Event::PackDone { job, error, workspace: size }, Vec::new()).await;
    });
}

/// Packs a workspace within its limits, and returns its size. A larger one is not read: a single sparse file would keep
/// this busy for minutes.
fn pack_within(root: &Path, parts: Parts) -> (Option<WorkspaceUse>, io::Result<()>) {
    let size = match measure(root, WORKSPACE_BYTES, WORKSPACE_FILES) {
        Ok(size) => size,
        Err(error) => return (None, Err(error)),
    };
    let packed = match size.bytes <= size.max_bytes && size.files <= size.max_files {
        true => pack(root, parts).map(drop),
        false => Err(io::Error::other(format!(
            "the workspace has {} bytes in {} files and folders, more than the {} GiB and {} files that are backed up",
            size.bytes,
            size.files,
            size.max_bytes / GIB,
            size.max_files
        ))),
    };
    (Some(size), packed)
}

/// Measures the tree below `root` as [`pack`] would read it, stopping at more than `max_files` files.
fn measure(root: &Path, max_bytes: u64, max_files: u64) -> io::Result<WorkspaceUse> {
    let mut size = WorkspaceUse { bytes: 0, files: 0, max_bytes, max_files };
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let Ok(meta) = fs::symlink_metadata(&path) else {
                continue;
            };
            size.files += 1;
            if meta.is_dir() {
                folders.push(path);
            } else if meta.is_file() {
                size.bytes = size.bytes.saturating_add(meta.len());
            }
            if size.files > max_files {
                return Ok(size);
            }
        }
    }
    Ok(size)
}

/// Writes everything below `root` as a zip to `to`: folders, files and links, with their modes.
pub fn pack<W: Write>(root: &Path, to: W) -> io::Result<W> {
    let mut zip = ZipWriter::new_stream(io::BufWriter::with_capacity(PART_BYTES, to));
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> = fs::read_dir(&folder)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            // A file that vanished between the listing and now was a temporary one.
            let Ok(meta) = fs::symlink_metadata(&path) else {
                continue;
            };
            // A name that is not UTF-8 has no faithful form in a zip, and a backslash is a path separator on Windows.
            let name = path.strip_prefix(root).ok().and_then(Path::to_str);
            let Some(name) = name.filter(|name| !name.contains('\\')) else {
                continue;
            };
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Deflated)
                .compression_level(Some(1))
                .large_file(meta.len() >= LARGE_FILE_BYTES)
                .unix_permissions(meta.permissions().mode() & 0o777);
            if meta.is_dir() {
                zip.add_directory(name, options)?;
                folders.push(path);
            } else if meta.is_symlink() {
                // A link out of the workspace could lead anywhere on the machine that opens the zip.
                let target = fs::read_link(&path)?;
                let target = target.to_str();
                if let Some(target) = target.filter(|target| stays_inside(Path::new(name), target))
                {
                    zip.add_symlink(name, target, options)?;
                }
            } else if meta.is_file()
                && let Ok(file) = open(&path)
            {
                zip.start_file(name, options)?;
                // Reads no more than the measured size, even if the file grows in the meantime.
                io::copy(&mut file.take(meta.len()), &mut zip)?;
            }
        }
    }
    zip.finish()?.into_inner().into_inner().map_err(io::IntoInnerError::into_error)
}

/// Opens a file, which must still be one: follows no link and does not block on a FIFO.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// Sends its input to the agent, and waits while the agent has enough.
struct Parts {
    job: u64,
    events: Events,
}

impl Write for Parts {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let part = &data[..data.len().min(PART_BYTES)];
        let frame = Frame { message: Event::Packed { job: self.job }, data: part.to_vec() };
        self.events.blocking_send(frame).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn counting_stops_at_the_limit_of_files() {
        let root = tempfile::tempdir().unwrap();
        for n in 0..50 {
            fs::write(root.path().join(n.to_string()), "12").unwrap();
        }
        let all = measure(root.path(), 1_000, 50).unwrap();
        assert_eq!((all.bytes, all.files), (100, 50));
        assert_eq!(measure(root.path(), 1_000, 10).unwrap().files, 11);
    }
}
