//! Small state files, replaced whole and atomically.

use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Reads a JSON file; `None` if it does not exist.
pub fn read_json<T: DeserializeOwned>(file: &Path) -> std::io::Result<Option<T>> {
    match std::fs::read(file) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Replaces a JSON file: a reader, or the next start after a kill, sees the old state or the new one.
pub fn write_json<T: Serialize>(file: &Path, value: &T) -> std::io::Result<()> {
    let draft = draft(file, &serde_json::to_vec_pretty(value)?)?;
    std::fs::rename(&draft, file).inspect_err(|_| drop(std::fs::remove_file(&draft)))
}

/// Creates a file that several processes share, unless it exists; returns its text, which the first of them has made.
pub fn shared(file: &Path, make: impl FnOnce() -> Result<String>) -> Result<String> {
    if !file.exists() {
        let draft = draft(file, make()?.as_bytes())?;
        let linked = std::fs::hard_link(&draft, file);
        std::fs::remove_file(&draft)?;
        if let Err(error) = linked
            && error.kind() != ErrorKind::AlreadyExists
        {
            return Err(error.into());
        }
    }
    Ok(std::fs::read_to_string(file)?)
}

/// Writes a new file next to the one whose content it is to become.
///
/// Only the file's owner may read it, because some of these files hold secrets.
fn draft(file: &Path, content: &[u8]) -> std::io::Result<PathBuf> {
    use std::os::unix::fs::OpenOptionsExt;
    let folder = file.parent().unwrap_or(Path::new("."));
    let name = file.file_name().unwrap_or_default().display();
    let draft = folder.join(format!(".{name}.{}", crate::ids::task_id()));
    let mut open = std::fs::OpenOptions::new();
    let file = open.write(true).create_new(true).mode(0o600).open(&draft);
    let written = file.and_then(|mut file| file.write_all(content));
    written.inspect_err(|_| drop(std::fs::remove_file(&draft)))?;
    Ok(draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_writers_of_a_shared_file_one_decides() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        let write = |n: u8| {
            let made = || {
                // Another writer finishes between this one's look and its own.
                shared(&file, || Ok("first".to_owned()))?;
                Ok(n.to_string())
            };
            shared(&file, made).unwrap()
        };
        assert_eq!([write(1), write(2)], ["first", "first"]);
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 1, "no drafts are left");
    }
}
