//! Finds helpers that a script calls as if it had defined them: no program has these names.

use super::error;
use super::spelling::nearest;
use crate::bash::Script;
use crate::bash::tree::{Node, tree};
use crate::places::is_template;
use crate::{FILES, Shell, Unit};
use domain::gate::Finding;

/// Names that people give to their functions.
const HELPERS: [&str; 60] = [
    "abort",
    "bail",
    "banner",
    "bold",
    "check_command",
    "check_deps",
    "check_root",
    "cleanup",
    "confirm",
    "debug",
    "die",
    "echo_err",
    "echo_error",
    "echo_info",
    "ensure",
    "err",
    "error",
    "error_exit",
    "exists",
    "fail",
    "fatal",
    "finish",
    "green",
    "have",
    "header",
    "info_msg",
    "log",
    "log_debug",
    "log_error",
    "log_fatal",
    "log_info",
    "log_ok",
    "log_success",
    "log_warn",
    "log_warning",
    "main",
    "msg",
    "note",
    "notice",
    "ok",
    "ok_msg",
    "panic",
    "print_error",
    "print_info",
    "print_success",
    "print_warning",
    "red",
    "require",
    "retry",
    "say",
    "section",
    "step",
    "success",
    "title",
    "trace",
    "usage",
    "wait_for",
    "warn",
    "warning",
    "yellow",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        let commands = &shell.script.commands;
        // What a script hands to another shell has its own functions.
        let around = unit.shells.iter().filter(|other| other.file == shell.file);
        let around: Vec<&str> =
            around.flat_map(|other| &other.script.functions).map(String::as_str).collect();
        // What it sources may define them.
        let sources = commands.iter().any(|command| {
            matches!(command.argv().first(), Some(&("source" | "." | "eval" | "alias")))
        });
        if sources || is_library(&shell.script) {
            continue;
        }
        for command in commands {
            let argv = command.argv();
            let Some(first) = argv.first() else { continue };
            let quoted = command.words.first().is_some_and(|word| word.quoted);
            let says = command.words.len() == 2
                && command.words[1].quoted
                && !shell.script.functions.is_empty();
            let own = HELPERS.contains(first)
                || (SHARED.contains(first) && says)
                || is_function(unit, shell, first);
            if own && !quoted && !around.contains(first) {
                let message = format!("The function `{first}` is defined nowhere in this script.");
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// Whether a script only defines functions: those that it calls may be in the script that sources it.
fn is_library(script: &Script) -> bool {
    let Some(list) = tree(script).filter(|_| !script.functions.is_empty()) else { return false };
    let nodes = list.0.iter().map(|chain| chain.first.parts.as_slice());
    nodes.into_iter().all(|parts| match parts {
        [Node::Function(..)] => true,
        [Node::Simple(at)] => script.commands.get(*at).is_some_and(|it| {
            it.program().is_none_or(|name| ["declare", "export", "readonly"].contains(&name))
        }),
        _ => false,
    })
}

/// Names of functions that are also names of programs; those take no sentence.
const SHARED: [&str; 3] = ["info", "status", "progress"];

/// Words that begin the names of functions and not those of programs.
const VERBS: [&str; 32] = [
    "apply",
    "ask",
    "assert",
    "backup",
    "build",
    "check",
    "cleanup",
    "configure",
    "create",
    "deploy",
    "download",
    "ensure",
    "fail",
    "fetch",
    "get",
    "install",
    "is",
    "load",
    "log",
    "notify",
    "print",
    "require",
    "restore",
    "run",
    "send",
    "setup",
    "show",
    "start",
    "stop",
    "verify",
    "wait",
    "write",
];

/// Whether a word can only be the name of a function: a script with functions calls it, programs have no such name, and
/// nothing else in the script mentions it.
fn is_function(unit: &Unit, shell: &Shell, name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let functions: Vec<&str> = shell.script.functions.iter().map(String::as_str).collect();
    let plain =
        name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-');
    let words: Vec<&str> = name.split('_').collect();
    let shared = functions.iter().any(|function| {
        function.split('_').any(|word| {
            word.len() > 2 && (words.first() == Some(&word) || words.last() == Some(&word))
        })
    });
    let joined =
        words.len() > 1 && (shared || words.first().is_some_and(|word| VERBS.contains(word)));
    let template = shell.file.as_deref().is_some_and(is_template);
    let near = name.contains(['_', '-']) && nearest(name, &functions).is_some();
    if functions.is_empty() || template || !plain || !(joined || near) {
        return false;
    }
    let everywhere = unit.everywhere().flat_map(|shell| &shell.script.commands);
    let called = everywhere.filter(|command| command.program() == Some(name)).count();
    let mentioned = unit.texts().map(|text| {
        let found = text.match_indices(name).filter(|(at, _)| {
            !text[..*at].ends_with(word) && !text[at + name.len()..].starts_with(word)
        });
        found.count()
    });
    // Only its calls mention it, and it is not a `case` pattern.
    mentioned.sum::<usize>() <= called && !unit.text.contains(&format!("{name})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_of_no_function_is_found_beside_functions() {
        let said = |text: &str| crate::testing::said(examine, text).len();
        for (text, count) in [
            ("log() { :; }\nlog_step a\nlog b\n", 1),
            ("wait_ready() { :; }\nwait_redy\n", 1),
            ("log() { :; }\ninfo \"the proof\"\n", 1),
            ("info \"bash\"\nstatus a\n", 0),
            ("log() { :; }\npg_dump a\nnode_exporter --version\n", 0),
            ("log() { :; }\ncp my_tool /usr/local/bin/\nmy_tool run\n", 0),
            ("log() { :; }\nsource lib.sh\nlog_step a\n", 0),
            ("my_tool run\n", 0),
        ] {
            assert_eq!(said(text), count, "{text}");
        }
    }
}
