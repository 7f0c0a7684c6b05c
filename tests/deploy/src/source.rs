//! Finds the environment variables that the Rust sources read, by searching their text.
//!
//! A client that is created from the environment has a `from_env` in its own file. Starting at a function's crate, this
//! follows the variables of each such file (`var("NAME")`) and the clients that it creates through the shared crates.
//! It searches text and does not parse Rust: it would miss a name that is composed at run time.

use crate::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Shared crates whose clients read the environment.
const SHARED: [&str; 8] = [
    "shared/aws/src",
    "shared/flows/src",
    "shared/agents/src",
    "shared/chats/src",
    "shared/runs/src",
    "shared/http-kit/src",
    "shared/store/src",
    "shared/workbench/src",
];

/// Environment variables that a piece of code reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Without these the function does not start.
    pub required: BTreeSet<String>,
    /// These have a default, or replace another variable.
    pub optional: BTreeSet<String>,
    makes: BTreeSet<String>,
}

impl Needs {
    fn of_text(text: &str) -> Self {
        let mut needs = Self::default();
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
            let fallible = line.contains(".ok()") || line.starts_with("let Ok(");
            // A closure of that name splits lists of subnets and the like.
            let read = [quoted_after(line, "var(\""), quoted_after(line, "list(\"")].concat();
            for name in read {
                let kept = if fallible { &mut needs.optional } else { &mut needs.required };
                kept.insert(name);
            }
            needs.optional.extend(quoted_after(line, "var_or(\""));
            needs.optional.extend(quoted_after(line, "count_or(\""));
            needs.makes.extend(makers(line));
        }
        needs
    }

    fn add(&mut self, other: &Self) {
        self.required.extend(other.required.iter().cloned());
        self.optional.extend(other.optional.iter().cloned());
        self.makes.extend(other.makes.iter().cloned());
    }
}

/// The variables of the function's crate, including those of the shared clients it creates.
pub fn needs(function: &str) -> Needs {
    let shared = shared_makers();
    let mut needs =
        Needs::of_text(&sources(&repository().join("functions").join(function).join("src")));
    let mut followed = BTreeSet::new();
    while let Some(next) = needs.makes.difference(&followed).next().cloned() {
        if let Some(more) = shared.get(&next) {
            needs.add(more);
        }
        followed.insert(next);
    }
    let optional = &needs.optional;
    needs.required.retain(|name| !optional.contains(name));
    needs
}

/// The text of every source file in a folder.
pub fn sources(folder: &Path) -> String {
    files(folder).into_iter().map(|(_, text)| text).collect()
}

/// The clients of the shared crates, each with the variables of its file.
fn shared_makers() -> BTreeMap<String, Needs> {
    let mut makers = BTreeMap::new();
    for folder in SHARED {
        for (_, text) in files(&repository().join(folder)) {
            let at = text.find("fn from_env(").or_else(|| text.find("fn from_env<"));
            let Some(at) = at else { continue };
            let owner =
                text[..at].rsplit("\nimpl ").next().and_then(|rest| rest.split([' ', '<']).next());
            makers.insert(
                format!("{}::from_env", owner.expect("a method of a type")),
                Needs::of_text(&text),
            );
        }
    }
    // The only client whose constructor is named after its purpose.
    for (maker, variable) in [("agent_runs", "AGENT_RUNS_QUEUE_URL"), ("steps", "STEPS_QUEUE_URL")]
    {
        let required = BTreeSet::from([variable.to_owned()]);
        makers.insert(format!("Queue::{maker}"), Needs { required, ..Needs::default() });
    }
    makers.insert("flows::table".to_owned(), Needs::of_text("var(\"TABLE_NAME\")"));
    makers
}

fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    found.sort();
    found
}

fn quoted_after(line: &str, start: &str) -> Vec<String> {
    let parts = line.split(start).skip(1);
    parts.filter_map(|rest| rest.split_once('"')).map(|(name, _)| name.to_owned()).collect()
}

/// `Type::from_env(`, `Queue::steps(`, `store::Table::from_env(` in a line, without the parenthesis.
fn makers(line: &str) -> Vec<String> {
    let calls = line.match_indices("::").filter_map(|(at, _)| {
        let owner = line[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        let (method, _) = line[at + 2..].split_once('(')?;
        let plain = !method.is_empty() && method.chars().all(|c| c.is_alphanumeric() || c == '_');
        plain.then(|| format!("{owner}::{method}"))
    });
    calls.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_shows_which_variables_it_reads_and_which_clients_it_makes() {
        let needs = Needs::of_text(
            "let a = var(\"ONE\")?;\nlet b = var(\"TWO\").ok();\nlet Ok(c) = var(\"THREE\") else { x };\n\
             // var(\"NOT\")\nTasks::from_env(&sdk)?, var_or(\"FOUR\", \"x\") Queue::steps(sdk)",
        );
        let names =
            |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(needs.required, names(&["ONE"]));
        assert_eq!(needs.optional, names(&["TWO", "THREE", "FOUR"]));
        assert!(needs.makes.contains("Tasks::from_env") && needs.makes.contains("Queue::steps"));
    }
}
