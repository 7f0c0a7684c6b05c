//! The local stack's engines, as `cargo dev engines` starts them.

use crate::repository;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How long the engines may take to start.
const START: Duration = Duration::from_secs(60);

/// Running engines over a separate folder, on free ports. Dropping this stops them.
pub struct Engines {
    // Dropped before its folder is removed.
    _stack: Child,
    data: TempDir,
}

impl Engines {
    /// Builds the local stack and the functions, and starts the engines with further arguments. Returns once they are
    /// ready, when the file with the functions' environment exists.
    pub async fn start(functions: &[String], arguments: &[&str]) -> Self {
        let target = repository().join("target");
        let programs: Vec<&str> =
            functions.iter().map(String::as_str).chain(["local-stack"]).collect();
        api_tests::binaries::build(&target, &programs);

        let data = tempfile::tempdir().unwrap();
        let mut command = Command::new(target.join("debug/local-stack"));
        command.args(["--engines-only", "--sandbox", "none", "--port", "0", "--data-dir"]);
        command.arg(data.path()).args(arguments);
        let mut stack = command.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(stack.stdout.take().unwrap()).lines();
        // It listens earlier, while it still creates its tables and keys.
        let ready = tokio::time::timeout(START, lines.next_line()).await;
        ready.expect("the engines start").unwrap().expect("the engines are ready");
        Self { _stack: stack, data }
    }

    /// The folder with all of their data.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// The file with the environment of the functions.
    pub fn environment_file(&self) -> PathBuf {
        self.data().join("engines.env")
    }

    /// The environment of the functions.
    pub fn environment(&self) -> BTreeMap<String, String> {
        let file = std::fs::read_to_string(self.environment_file()).unwrap();
        let pairs = file.lines().filter_map(|line| line.split_once('='));
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }
}
