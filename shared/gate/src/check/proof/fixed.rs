//! Commands whose status is the same before and after any work: what they judge stands in the proof itself, or they
//! accept whatever they find. Others only start something, and do not ask it whether it works.

use super::commands::only_tells;
use super::tools::{FILTERS, asks, is_place};
use crate::bash::{self, Command, Script};

/// Patterns that every line matches, even an empty one.
const ANYTHING: [&str; 6] = ["", "$", ".*", "^", "^.*$", "^.*"];

/// Options of grep that take a value.
const VALUED: [&str; 5] = ["-A", "-B", "-C", "-m", "--max-count"];

/// Whether a command ends the same way whatever the work did.
pub(super) fn is_fixed(command: &Command, script: &Script) -> bool {
    let argv = command.argv();
    let fed = is_fed(command, script);
    match argv.as_slice() {
        ["((", text] => is_number(text),
        ["let", words @ ..] => words.iter().all(|word| is_number(word)),
        ["test" | "[", _, "-ge", "0", ..] | ["test" | "[", _, "-gt", "-1", ..] => true,
        ["grep" | "egrep", rest @ ..] => {
            let operands = operands(rest);
            let any = operands.first().is_some_and(|pattern| ANYTHING.contains(pattern));
            // The system's own files have lines.
            let there = operands
                .get(1..)
                .is_some_and(|files| !files.is_empty() && files.iter().all(|file| is_place(file)));
            let lines =
                operands.first().is_some_and(|first| ANYTHING.contains(first) || *first == ".");
            let inverted = rest
                .iter()
                .any(|word| word.starts_with('-') && word.contains(['v', 'c', 'f', 'e']));
            (lines && there) || (any && !inverted) || (fed && operands.len() < 2)
        }
        ["awk", program] => {
            let begins = program.trim_start().starts_with("BEGIN");
            begins && program.matches('{').count() == 1 && !program.contains(['(', '|', '<'])
        }
        ["awk" | "sed" | "jq", rest @ ..] => fed && operands(rest).len() < 2,
        ["python3" | "python", "-c", code] => !code.contains('(') && !code.contains("import "),
        _ => false,
    }
}

fn operands<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        if VALUED.contains(word) {
            words.next();
        } else if !word.starts_with('-') || *word == "-" {
            found.push(*word);
        }
    }
    found
}

/// Whether a calculation has only numbers.
fn is_number(text: &str) -> bool {
    !text.contains(|c: char| c.is_ascii_alphabetic() || "_$`".contains(c))
}

/// Whether all that a command reads stands in the script.
fn is_fed(command: &Command, script: &Script) -> bool {
    let fixed = |text: &str| !text.contains('`') && (!asks(text, script) || is_said(text, script));
    let documents = || command.heredocs.iter().filter_map(|at| script.heredocs.get(*at));
    let strings = command.strings.iter().all(|text| fixed(text));
    let documented = documents().all(|document| !document.expands || fixed(&document.text));
    let any = !command.strings.is_empty() || documents().next().is_some();
    any && strings && documented && command.reads.len() == command.strings.len()
}

/// Whether a word is `$(…)` around commands that only print fixed words: `$(echo one | wc -l)`.
pub(super) fn is_said(word: &str, script: &Script) -> bool {
    let inner = word.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')'));
    let Some(inner) = inner.map(bash::read) else { return false };
    let Some((first, rest)) = inner.commands.split_first() else { return false };
    let filters = |command: &Command| command.program().is_some_and(|it| FILTERS.contains(&it));
    let fixed = |command: &Command| command.words.iter().all(|word| !asks(&word.text, script));
    only_tells(first) && rest.iter().all(filters) && inner.commands.iter().all(fixed)
}

/// Whether a command only starts something.
pub(super) fn only_starts(command: &Command) -> bool {
    const VERBS: [&str; 7] = [
        "enable",
        "reload",
        "reload-or-restart",
        "restart",
        "start",
        "try-restart",
        "daemon-reload",
    ];
    let argv = command.argv();
    match argv.as_slice() {
        ["systemctl", rest @ ..] => {
            rest.iter().find(|word| !word.starts_with('-')).is_some_and(|verb| VERBS.contains(verb))
        }
        ["service", _, verb] => VERBS.contains(verb),
        ["docker" | "podman", "start" | "restart", ..] => true,
        ["docker" | "podman", "compose", rest @ ..] | ["docker-compose", rest @ ..] => {
            let starts = ["restart", "start", "up"].iter().any(|verb| rest.contains(verb));
            // These wait until the services are healthy, or end with the status of one.
            let judges = ["--wait", "--exit-code-from", "--abort-on-container-exit"];
            starts && !rest.iter().any(|word| judges.iter().any(|judge| word.starts_with(judge)))
        }
        _ => false,
    }
}

/// `systemctl status`, whose text is for people, before a command that cuts it.
pub(super) fn is_status(command: &Command) -> bool {
    let argv = command.argv();
    argv.first() == Some(&"systemctl") && argv.contains(&"status")
        || matches!(argv.as_slice(), ["service", _, "status"])
}
