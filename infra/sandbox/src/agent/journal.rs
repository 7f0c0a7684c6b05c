//! The on-disk record of runs, which ensures that no run is executed twice even if the agent dies.
//!
//! A run is written down before it is accepted and its report before it is sent. A record is replaced by renaming a
//! whole new file over it, so after a crash either the old or the new one exists.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use protocol::RunReport;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The record of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    pub run_id: String,
    /// `None` during the run, and if the agent died during it.
    pub report: Option<RunReport>,
    /// Whether the gateway has confirmed the report.
    pub recorded: bool,
}

/// A folder of records.
pub struct Journal {
    folder: PathBuf,
}

/// How many records of confirmed runs are kept; a run is redelivered within hours, not thousands of runs later.
const KEPT_RECORDS: usize = 5_000;

impl Journal {
    /// Opens the journal in `folder`, which only the agent's user may enter.
    pub fn open(folder: PathBuf) -> io::Result<Self> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        Ok(Self { folder })
    }

    /// The record of a run; `None` if it was never accepted.
    pub fn find(&self, run_id: &str) -> io::Result<Option<Record>> {
        match fs::read(self.path(run_id, "json")) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Writes a record; when this returns, the record survives a crash of the agent or the machine.
    pub fn write(&self, record: &Record) -> io::Result<()> {
        let path = self.path(&record.run_id, "json");
        let new = path.with_extension("new");
        let mut file = File::create(&new)?;
        file.write_all(&serde_json::to_vec(record)?)?;
        file.sync_data()?;
        fs::rename(new, path)?;
        File::open(&self.folder)?.sync_all()
    }

    /// All records that are not confirmed; forgets the oldest of the others.
    pub fn open_records(&self) -> io::Result<Vec<Record>> {
        let mut open = Vec::new();
        let mut settled = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let record: Record = match serde_json::from_slice(&fs::read(&path)?) {
                Ok(record) => record,
                Err(error) => {
                    // Renaming is atomic, so this is a damaged disk and not a torn write.
                    tracing::error!(%error, path = %path.display(), "skipped an unreadable record");
                    continue;
                }
            };
            if record.recorded {
                settled.push((fs::metadata(&path)?.modified()?, path));
            } else {
                open.push(record);
            }
        }
        settled.sort();
        for (_, path) in settled.iter().rev().skip(KEPT_RECORDS) {
            fs::remove_file(path)?;
        }
        Ok(open)
    }

    /// Where the output of a run is kept.
    pub fn output(&self, run_id: &str) -> PathBuf {
        self.path(run_id, "log")
    }

    /// A run's file name, hashed: its id comes from outside and is not safe as a file name.
    fn path(&self, run_id: &str, extension: &str) -> PathBuf {
        let name = hex::encode(Sha256::digest(run_id));
        Path::new(&self.folder).join(name).with_extension(extension)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_looks_like_a_path_stays_in_the_journal() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path().join("runs")).unwrap();
        let record = Record { run_id: "../../etc/x".into(), report: None, recorded: false };
        journal.write(&record).unwrap();
        assert!(journal.find("../../etc/x").unwrap().is_some());
        assert!(journal.find("other").unwrap().is_none());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(journal.open_records().unwrap().len(), 1);
    }
}
