//! Commands by an author who did not know the table of shapes: 260 that must ask, and 88 that may run without asking.
//!
//! On the first run, none of the hostile ones counted as reading. Of 120 harmless ones, 32 asked: processes with their
//! arguments, which may hold secrets, and programs that obey a configuration in the folder, such as git and terraform.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use domain::read_only::{Place, Reading};
use serde_json::Value;

const HOSTILE: &str = include_str!("hostile.jsonl");
const HARMLESS: &str = include_str!("reading.jsonl");

/// The commands that count as reading where they run, or those that do not.
fn judged(commands: &str, reading: bool) -> (usize, Vec<String>) {
    let lines = commands.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let wrong = |line: &Value| {
        let place = if line["target"] == "server" { Place::Server } else { Place::Sandbox };
        let command = line["command"].as_str().unwrap();
        (Reading::of(command, place).is_some() == reading).then(|| format!("{line}"))
    };
    (commands.lines().count(), lines.filter_map(|line| wrong(&line)).collect())
}

#[test]
fn no_hostile_command_counts_as_reading() {
    let (all, wrong) = judged(HOSTILE, true);
    assert!(all >= 260 && wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn commands_that_look_around_run_without_asking() {
    let (all, wrong) = judged(HARMLESS, false);
    assert!(all >= 88 && wrong.is_empty(), "{}", wrong.join("\n"));
}
