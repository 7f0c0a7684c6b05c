//! Checks what tasks and plays say besides their modules' arguments: conditions, loops, hosts, and values of arguments.

use super::spelling::nearest;
use super::values::refused;
use super::{FILES, error};
use crate::tasks::{Task, documents, tasks};
use crate::yaml::{self, Node};
use crate::{Unit, Written};
use domain::gate::Finding;
use std::collections::BTreeSet;

const TOOL: &str = "ansible";

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for file in &unit.files {
        let Some(documents) = documents(file) else { continue };
        let found = tasks(&documents, file);
        let mistakes = found.iter().flat_map(|task| {
            let found =
                [conditions(task), loops(task), arguments(task), checks(task), contents(task)];
            found.into_iter().flatten()
        });
        for (line, message) in mistakes.chain(plays(unit, &documents)) {
            findings.push(error(TOOL, message).at(Some(&file.path), line));
        }
    }
    for file in unit.files.iter().filter(|file| is_inventory(file)) {
        for (line, message) in inventory(file) {
            findings.push(error(FILES, message).at(Some(&file.path), line));
        }
    }
}

type Mistakes = Vec<(usize, String)>;

/// A file in JSON that a task writes from the text in it.
fn contents(task: &Task) -> Mistakes {
    let Some((_, given)) = task.module() else { return Vec::new() };
    let text = |key: &str| given.get(key).and_then(Node::text);
    let (Some(place), Some(content)) = (text("dest"), text("content")) else { return Vec::new() };
    if !place.ends_with(".json") || content.contains("{{") || content.contains("{%") {
        return Vec::new();
    }
    let wrong = super::json(content);
    let from = given.get("content").map_or(task.node.line, |node| node.line);
    wrong.into_iter().map(|(line, message)| (from + line - 1, message)).collect()
}

/// Keywords whose values are expressions.
const CONDITIONS: [&str; 5] = ["changed_when", "failed_when", "that", "until", "when"];

/// The conditions of `assert`.
fn asserted<'a>(task: &Task<'a>, key: &str) -> Option<&'a Node> {
    task.module().filter(|(name, _)| *name == "assert")?.1.get(key)
}

/// An operator of another language, and Jinja's own. Inside brackets, `=` names an argument.
fn foreign(text: &str) -> Option<(&'static str, &'static str)> {
    let (mut bare, mut quote, mut depth) = (String::new(), None, 0_usize);
    for c in text.chars() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, '=') if depth > 0 && !bare.ends_with(['!', '<', '>']) => {}
            (None, c) => bare.push(c),
        }
    }
    let single = bare.replace("==", "").replace("!=", "").replace("<=", "").replace(">=", "");
    let no = bare.replace("!=", "");
    [
        (bare.contains("==="), ("===", "write `==`")),
        (single.contains('='), ("=", "write `==`")),
        (bare.contains("&&"), ("&&", "write `and`")),
        (bare.contains("||"), ("||", "write `or`")),
        (no.contains('!'), ("!", "write `not`")),
    ]
    .into_iter()
    .find_map(|(has, words)| has.then_some(words))
}

/// What a task registers.
const RESULTS: [&str; 34] = [
    "ansible_facts",
    "attempts",
    "backup_file",
    "changed",
    "checksum",
    "cmd",
    "content",
    "delta",
    "dest",
    "diff",
    "elapsed",
    "end",
    "examined",
    "exists",
    "failed",
    "files",
    "finished",
    "json",
    "matched",
    "mode",
    "path",
    "rc",
    "results",
    "size",
    "skipped",
    "start",
    "started",
    "stat",
    "state",
    "status",
    "stderr",
    "stderr_lines",
    "stdout",
    "stdout_lines",
];

/// Brackets without a partner, and parts of a result that are almost one.
fn conditions(task: &Task) -> Mistakes {
    let mut found = Vec::new();
    for key in CONDITIONS {
        let Some(node) = task.node.get(key).or_else(|| asserted(task, key)) else { continue };
        for part in std::iter::once(node).chain(node.list()) {
            let Some(text) = part.text() else { continue };
            if !balanced(text) {
                found.push((
                    part.line,
                    format!("A bracket in this condition is unmatched: `{text}`."),
                ));
            }
            if let Some((sign, word)) = foreign(text) {
                found.push((part.line, format!("Jinja has no `{sign}` in `{text}`: {word}.")));
            } else if balanced(text) {
                found.extend(super::jinja::condition(text).map(|said| (part.line, said)));
            }
            let names = text.split(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c)));
            for name in names.filter(|name| name.contains('.')) {
                let parts: Vec<&str> = name.split('.').skip(1).collect();
                for part in parts {
                    if let Some(near) = nearest(part, &RESULTS).filter(|_| !RESULTS.contains(&part))
                    {
                        found.push((
                            node.line,
                            format!("A result has no `{part}`, but it has `{near}`."),
                        ));
                    }
                }
            }
        }
    }
    found
}

/// Whether each bracket outside quotes has a partner.
pub(super) fn balanced(text: &str) -> bool {
    let mut open = Vec::new();
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => open.push(c),
            (None, ')' | ']' | '}') => {
                let partner = open.pop();
                if !matches!((partner, c), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}')) {
                    return false;
                }
            }
            _ => {}
        }
    }
    // An apostrophe in a text is not a quote.
    open.is_empty() || quote.is_some()
}

fn loops(task: &Task) -> Mistakes {
    let is_loop = |key: &str| key == "loop" || key.starts_with("with_");
    let mut loops = task.node.map().iter().filter(|entry| is_loop(&entry.key));
    let (first, second) = (loops.next(), loops.next());
    let both = first.zip(second).map(|(first, second)| {
        (second.line, format!("A task takes one loop: `{}` or `{}`.", first.key, second.key))
    });
    both.into_iter().collect()
}

/// Values that an argument does not take.
fn arguments(task: &Task) -> Mistakes {
    let Some((name, given)) = task.module() else { return Vec::new() };
    let kind = format!("module.{name}");
    let refused = given.map().iter().filter_map(|entry| {
        let value = entry.value.text()?;
        let words = refused(&kind, &entry.key, value)?;
        Some((entry.line, format!("`{}` of `{name}` does not take `{value}`: {words}.", entry.key)))
    });
    refused.collect()
}

/// `validate` runs a command over the new file, which is at `%s`.
fn checks(task: &Task) -> Mistakes {
    let validate = task.module().and_then(|(_, given)| given.get("validate"));
    let text = validate.and_then(|node| Some((node.line, node.text()?)));
    let blind = text.filter(|(_, text)| !text.contains("%s") && text.contains(' '));
    let message = "`validate` does not check the new file: write `%s` for its path.";
    blind.map(|(line, _)| (line, message.to_owned())).into_iter().collect()
}

/// Plays for hosts that no inventory here has, where the inventory is written here.
fn plays(unit: &Unit, documents: &[Node]) -> Mistakes {
    let inventories: Vec<&Written> = unit.tree.iter().filter(|file| is_inventory(file)).collect();
    let used = |file: &Written| unit.text.contains(file.name());
    let external = unit.text.contains("add_host")
        || unit.text.contains("group_by")
        || unit.text.contains("--inventory ./");
    if inventories.is_empty() || external || !inventories.iter().all(|file| used(file)) {
        return Vec::new();
    }
    let names: BTreeSet<String> = inventories.iter().flat_map(|file| hosts(file)).collect();
    let mut found = Vec::new();
    for play in documents.iter().flat_map(Node::list) {
        let Some(node) = play.get("hosts") else { continue };
        for item in std::iter::once(node).chain(node.list()) {
            let Some(text) = item.text() else { continue };
            let known = |name: &str| {
                names.contains(name)
                    || ["all", "localhost", "ungrouped", "127.0.0.1", "*"].contains(&name)
            };
            let parts = text.split([',', ':']).map(str::trim);
            for name in parts.map(|name| name.trim_start_matches(['!', '&'])) {
                let open =
                    name.is_empty() || name.contains(['{', '}', '*', '~', '[', ' ', '$', '|']);
                if !open && !known(name) {
                    found
                        .push((item.line, format!("The inventory has no host or group `{name}`.")));
                }
            }
        }
    }
    found
}

fn is_inventory(file: &Written) -> bool {
    let named = ["inventory", "hosts"].iter().any(|name| file.name().starts_with(name));
    let kind = ["ini", "yml", "yaml", ""].contains(&file.extension().as_str())
        || !file.name().contains('.');
    let hosts = file.text.contains("ansible_")
        || file.text.contains("hosts:")
        || file.text.starts_with('[');
    named && kind && hosts && !file.expands && !file.path.starts_with("/etc")
}

/// The names of hosts and groups in an inventory.
fn hosts(file: &Written) -> Vec<String> {
    if crate::places::is_yaml(file) {
        let documents = yaml::documents(&file.filled()).unwrap_or_default();
        let nodes = documents.iter().flat_map(Node::all).flat_map(Node::map);
        return nodes.map(|entry| entry.key.clone()).collect();
    }
    let lines = file.text.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';']));
    let mut names = Vec::new();
    for line in lines {
        let name = line.trim_start_matches('[').split([' ', '\t', ']', ':', '=']).next();
        names.extend(name.map(str::to_owned));
    }
    names
}

/// Hosts as a list: an inventory wants a mapping.
fn inventory(file: &Written) -> Mistakes {
    if !crate::places::is_yaml(file) {
        return Vec::new();
    }
    let documents = yaml::documents(&file.filled()).unwrap_or_default();
    let groups = documents.iter().flat_map(Node::all);
    let listed = groups.flat_map(|group| {
        ["hosts", "children"].into_iter().filter_map(|key| group.get(key).map(|node| (key, node)))
    });
    let listed = listed.filter(|(_, node)| !node.list().is_empty());
    listed
        .map(|(key, node)| {
            (node.line, format!("In an inventory `{key}` is a mapping: `name:`, without a hyphen."))
        })
        .collect()
}
