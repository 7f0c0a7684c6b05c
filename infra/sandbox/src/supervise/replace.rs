//! Replaces the content of the workspace with a zip's.
//!
//! The workspace folder itself cannot be exchanged (it may be a mount, and shells have it as their working folder), so
//! its content is: the zip is extracted next to it, the old content moves out, the new content moves in, and then the
//! old is deleted. After a crash in between, the next start reverts the exchange if the extraction was incomplete, and
//! otherwise completes it.

use std::fs;
use std::io::{self, Read, Seek};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::home::ROOMS;
use super::unpack::unpack;

/// The content during its extraction.
const ARRIVING: &str = ".groundcrew-arriving";
/// The complete content that moves in.
const READY: &str = ".groundcrew-ready";
/// The content that moved out.
const OLD: &str = ".groundcrew-old";

/// Replaces the content of `root` with that of `zip`; returns the names of refused entries.
pub fn replace(zip: impl Read + Seek, root: &Path, most: u64) -> io::Result<Vec<String>> {
    recover(root)?;
    let (arriving, old) = (root.join(ARRIVING), root.join(OLD));
    fs::create_dir(&arriving)?;
    let exchanged = unpack(zip, &arriving, most).and_then(|refused| {
        for room in ROOMS {
            fs::create_dir_all(arriving.join(room))?;
        }
        fs::create_dir(&old)?;
        move_all(root, &old)?;
        fs::rename(&arriving, root.join(READY))?;
        Ok(refused)
    });
    // The same in both cases: complete content moves in; otherwise content that moved out moves back.
    let mended = recover(root);
    exchanged.and_then(|refused| mended.map(|()| refused))
}

/// Completes or reverts an interrupted replacement.
pub fn recover(root: &Path) -> io::Result<()> {
    let (arriving, ready, old) = (root.join(ARRIVING), root.join(READY), root.join(OLD));
    if ready.is_dir() {
        fs::create_dir_all(&old)?;
        for name in names(&ready)? {
            let place = root.join(&name);
            if place.symlink_metadata().is_ok() {
                // A process that was still running created this since.
                let aside = old.join(format!("{:016x}", rand::random::<u64>()));
                move_one(&place, &aside)?;
            }
            move_one(&ready.join(&name), &place)?;
        }
        fs::remove_dir(&ready)?;
    } else if old.is_dir() {
        for name in names(&old)? {
            if root.join(&name).symlink_metadata().is_err() {
                move_one(&old.join(&name), &root.join(&name))?;
            }
        }
    }
    for folder in [arriving, old] {
        if folder.is_dir() {
            remove(&folder)?;
        }
    }
    Ok(())
}

fn names(folder: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name())).collect()
}

fn move_all(root: &Path, to: &Path) -> io::Result<()> {
    for name in names(root)? {
        if ![ARRIVING, READY, OLD].iter().any(|ours| name == *ours) {
            move_one(&root.join(&name), &to.join(&name))?;
        }
    }
    Ok(())
}

/// Moves an entry to another folder; a read-only folder cannot change its parent.
fn move_one(from: &Path, to: &Path) -> io::Result<()> {
    let meta = from.symlink_metadata()?;
    let mode = meta.permissions().mode();
    let locked = meta.is_dir() && mode & 0o200 == 0;
    if locked {
        fs::set_permissions(from, fs::Permissions::from_mode(mode | 0o700))?;
    }
    fs::rename(from, to)?;
    if locked { fs::set_permissions(to, fs::Permissions::from_mode(mode)) } else { Ok(()) }
}

/// Removes a folder with everything in it, including read-only folders of caches.
fn remove(folder: &Path) -> io::Result<()> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    fs::remove_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn zip_of(names: &[&str]) -> Cursor<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for name in names {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(b"new").unwrap();
        }
        Cursor::new(zip.finish().unwrap().into_inner())
    }

    fn tree(root: &Path) -> Vec<String> {
        let mut found: Vec<_> =
            names(root).unwrap().into_iter().map(|n| n.into_string().unwrap()).collect();
        found.sort();
        found
    }

    #[test]
    fn a_replacement_leaves_only_the_new_content() {
        let root = tempfile::tempdir().unwrap();
        let locked = root.path().join("cache/locked");
        fs::create_dir_all(&locked).unwrap();
        fs::write(locked.join("f"), "old").unwrap();
        for folder in [&locked, &root.path().join("cache")] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o555)).unwrap();
        }
        fs::write(root.path().join("f"), "old").unwrap();
        replace(zip_of(&["f", "a/b"]), root.path(), 1000).unwrap();
        assert_eq!(tree(root.path()), ["a", "ansible", "f", "ssh", "terraform"]);
        assert_eq!(fs::read_to_string(root.path().join("f")).unwrap(), "new");
    }

    #[test]
    fn a_zip_that_cannot_be_extracted_changes_nothing() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("f"), "old").unwrap();
        assert!(replace(Cursor::new(b"no zip".to_vec()), root.path(), 1000).is_err());
        assert!(replace(zip_of(&["a", "b"]), root.path(), 4).is_err());
        assert_eq!(tree(root.path()), ["f"]);
        assert_eq!(fs::read_to_string(root.path().join("f")).unwrap(), "old");
    }

    #[test]
    fn a_crash_before_the_new_content_is_complete_reverts_and_a_later_one_completes() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        for folder in [ARRIVING, OLD] {
            fs::create_dir(at(folder)).unwrap();
            fs::write(at(folder).join("moved"), folder).unwrap();
        }
        fs::write(at("left"), "old").unwrap();
        recover(root.path()).unwrap();
        assert_eq!(tree(root.path()), ["left", "moved"]);
        assert_eq!(fs::read_to_string(at("moved")).unwrap(), OLD);

        for folder in [READY, OLD] {
            fs::create_dir(at(folder)).unwrap();
            fs::write(at(folder).join("moved"), folder).unwrap();
        }
        recover(root.path()).unwrap();
        assert_eq!(tree(root.path()), ["left", "moved"]);
        assert_eq!(fs::read_to_string(at("moved")).unwrap(), READY);
        recover(root.path()).unwrap();
    }
}
