//! Commands by authors who did not know the table of shapes: 260 that must ask, and 127 that may run without asking.
//!
//! On the first run, none of the hostile ones counted as reading. Of 120 harmless ones, 32 asked. The 26 that still do
//! show processes with their arguments or a service's settings, which may hold secrets, call programs that obey a
//! configuration in the folder, such as git and terraform, or go through a whole disk.
//!
//! A second list of hostile commands comes from an author who knew the table, so it looks for what the table misses, and a
//! third from another who looked for what passes on a server. Of 150 everyday readings of a server by yet another author, 57
//! asked at first; the classes of the 42 that run now are among the harmless ones.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use read_only::{Place, Reading};
use serde_json::Value;

const HOSTILE: &str = include_str!("hostile.jsonl");
const INFORMED: &str = include_str!("informed.txt");
const SERVER: &str = include_str!("server.txt");
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

/// The commands of a list with headings.
fn listed(commands: &str) -> impl Iterator<Item = &str> {
    commands.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[test]
fn no_command_that_harms_a_server_counts_as_reading_there() {
    assert!(listed(SERVER).count() >= 350, "{}", listed(SERVER).count());
    let passed = listed(SERVER).filter(|line| Reading::of(line, Place::Server).is_some());
    let passed: Vec<_> = passed.collect();
    assert!(passed.is_empty(), "{}", passed.join("\n"));
}

#[test]
fn no_command_of_an_author_who_knew_the_table_counts_as_reading() {
    let commands = || listed(INFORMED);
    assert!(commands().count() >= 700, "{}", commands().count());
    for place in [Place::Sandbox, Place::Server, Place::Terminal] {
        let lines = commands()
            .flat_map(|it| [it.to_owned(), format!("true && {it}"), format!("uptime | {it}")]);
        let passed: Vec<_> = lines.filter(|line| Reading::of(line, place).is_some()).collect();
        assert!(passed.is_empty(), "{place:?}: {}", passed.join("\n"));
    }
}

#[test]
fn commands_that_look_around_run_without_asking() {
    let (all, wrong) = judged(HARMLESS, false);
    assert!(all >= 127 && wrong.is_empty(), "{}", wrong.join("\n"));
}
