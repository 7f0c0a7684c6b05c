//! Small state files, replaced whole and atomically.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Reads a JSON file; `None` if it does not exist.
pub fn read_json<T: DeserializeOwned>(file: &Path) -> std::io::Result<Option<T>> {
    match std::fs::read(file) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Replaces a JSON file: a reader, or the next start after a kill, sees the old state or the new one.
///
/// Only the file's owner may read it, because some of these files hold secrets.
pub fn write_json<T: Serialize>(file: &Path, value: &T) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    let folder = file.parent().unwrap_or(Path::new("."));
    let draft = folder.join(format!(
        ".{}.{}",
        file.file_name().unwrap_or_default().display(),
        crate::ids::task_id()
    ));
    let mut open = std::fs::OpenOptions::new();
    let written = open
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)
        .and_then(|mut f| f.write_all(&serde_json::to_vec_pretty(value)?))
        .and_then(|()| std::fs::rename(&draft, file));
    if written.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    written
}
