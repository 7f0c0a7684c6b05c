//! Reads the deployment: `infra/template.yaml` and the recorded payloads in `events/`.
//!
//! The template is read as CloudFormation reads it, with its short tags expanded (`!Ref X` is `{"Ref": "X"}`) but
//! without SAM's transform: the tests check the text that people write and review. `infra/lint.sh` checks SAM's
//! expansion.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod engines;
pub mod source;
mod template;
mod yaml;

pub use engines::Engines;
pub use template::{Function, Route, Template};

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The text of a file in the repository.
pub fn text(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Names of the folders in a folder of the repository, sorted.
pub fn folders(path: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(repository().join(path))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The recorded payloads of a function: file name without `.json`, and the payload.
pub fn events(function: &str) -> Vec<(String, Value)> {
    let folder = repository().join("events").join(function);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return Vec::new();
    };
    let mut events: Vec<(String, Value)> = entries
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (
                name,
                serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())),
            )
        })
        .collect();
    events.sort_by(|a, b| a.0.cmp(&b.0));
    events
}
