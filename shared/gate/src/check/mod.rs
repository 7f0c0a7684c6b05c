//! Finds mistakes that are visible in the text: what no program could parse, and names that refer to nothing.

mod ansible;
mod compose;
mod config;
mod foreign;
mod names;
mod proof;
mod shell;
mod tasks;
mod terraform;

pub(crate) use tasks::{Task, documents as task_documents, tasks};

use crate::places::is_yaml;
use crate::{FILES, Unit, yaml};
use domain::gate::{Finding, Severity};

pub(crate) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    syntax(unit, findings);
    shell::examine(unit, findings);
    foreign::examine(unit, findings);
    proof::examine(unit, findings);
    terraform::examine(unit, findings);
    ansible::examine(unit, findings);
    compose::examine(unit, findings);
    config::examine(unit, findings);
}

/// Parses YAML and JSON files in their own language.
fn syntax(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in &unit.files {
        let mistake = if is_yaml(file) {
            yaml::documents(&file.filled()).err().map(|mistake| (mistake.line, mistake.message))
        } else if file.extension() == "json" {
            let read = serde_json::from_str::<serde_json::Value>(&file.filled());
            read.err().map(|error| (error.line(), format!("This is not valid JSON: {error}.")))
        } else {
            None
        };
        if let Some((line, message)) = mistake {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

pub(crate) fn error(tool: &str, message: impl Into<String>) -> Finding {
    Finding::new(tool, Severity::Error, message)
}

pub(crate) fn warning(tool: &str, message: impl Into<String>) -> Finding {
    Finding::new(tool, Severity::Warning, message)
}
