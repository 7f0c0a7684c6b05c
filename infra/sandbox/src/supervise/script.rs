//! How bash reads a script, and what makes it fail.
//!
//! - Both the script and its proof are parsed whole before either runs: a broken script never runs halfway.
//! - Steps and checks run with `bash -euo pipefail`, with errexit in command substitutions, set on the command line;
//!   variables that change how bash reads a script do not reach it.
//! - A script fails if its last command does, also where errexit does not look: before `&&`, and in a command that runs
//!   as at a prompt.
//! - A background job that failed before the script ended, and that the script did not wait for, is an error. A job
//!   that still runs is a daemon and continues. `wait` without operands, with which bash hides every failure, fails if
//!   one of the jobs did. Only the proof can find a job that fails later, or that a signal has killed.
//! - The proof runs after the script has succeeded, in a separate bash. A run succeeds if both do.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Parses and runs `script` and `proof`, and writes the record of their progress.
const RUN: &str = include_str!("script/run.sh");

/// Defines what happens at a script's end.
const PRELUDE: &str = include_str!("script/prelude.sh");

/// The file in which the script and its proof record their progress.
const NOTE: &str = "note";

/// How much of that file is read, in bytes: it may hold the text of a background job.
const NOTE_BYTES: u64 = 2000;

/// Variables that change how bash reads a script: `SHELLOPTS=noexec` makes any script succeed.
const READ_BY_BASH: [&str; 5] = ["BASHOPTS", "BASH_ENV", "ENV", "POSIXLY_CORRECT", "SHELLOPTS"];

/// A script to run, and its proof.
pub struct Script {
    pub script: Vec<u8>,
    pub proof: Option<Vec<u8>>,
    /// Whether the first command that fails ends it; otherwise the script continues, as at a prompt.
    pub strict: bool,
}

impl Script {
    /// The runner's argument.
    pub fn rules(&self) -> &'static str {
        if self.strict { "strict" } else { "as-typed" }
    }

    /// Writes the runner's files to a folder, which lives as long as the run.
    pub fn write(&self) -> io::Result<TempDir> {
        let folder = tempfile::Builder::new().prefix("step-").tempdir()?;
        fs::write(runner(folder.path()), RUN)?;
        fs::write(folder.path().join("prelude"), PRELUDE)?;
        fs::write(folder.path().join("script"), with_end(&self.script))?;
        if let Some(proof) = &self.proof {
            fs::write(folder.path().join("proof"), with_end(proof))?;
        }
        Ok(folder)
    }
}

/// The empty line keeps a backslash at the script's end from joining the call to its last line.
fn with_end(script: &[u8]) -> Vec<u8> {
    [script, b"\n\ngroundcrew_end $?\n"].concat()
}

/// The program in a run's folder that bash runs.
pub fn runner(folder: &Path) -> PathBuf {
    folder.join("run")
}

/// Whether a variable of this name has no effect on how bash reads a script.
pub fn leaves_bash_alone(name: &str) -> bool {
    !READ_BY_BASH.contains(&name) && !name.starts_with("BASH_FUNC_")
}

/// The reason why a run failed with exit code `code`, in words for its owner; `None` if the code says enough.
pub fn reason(folder: &Path, code: i32) -> Option<String> {
    let mut note = Vec::new();
    fs::File::open(folder.join(NOTE)).ok()?.take(NOTE_BYTES).read_to_end(&mut note).ok()?;
    let note = String::from_utf8_lossy(&note);
    let (stage, job) = note.trim().split_once('\n').unwrap_or((note.trim(), ""));
    match (stage, job) {
        ("parsing script", _) => {
            Some("The script has a syntax error, so no part of it was run.".to_owned())
        }
        ("parsing proof", _) => {
            Some("The proof has a syntax error, so nothing was run.".to_owned())
        }
        ("running proof", _) => Some(format!(
            "The script ended without an error, but its proof failed with exit code {code}."
        )),
        (_, "") => None,
        (_, job) => Some(format!(
            "A background job failed with exit code {code} and the script did not wait for it: {job}"
        )),
    }
}
