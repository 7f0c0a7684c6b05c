//! Finds helpers that a script calls as if it had defined them: no program has these names.

use super::error;
use crate::{FILES, Unit};
use domain::gate::Finding;

/// Names that people give to their functions.
const HELPERS: [&str; 34] = [
    "abort",
    "bail",
    "check_command",
    "check_deps",
    "check_root",
    "cleanup",
    "confirm",
    "debug",
    "die",
    "ensure",
    "err",
    "error",
    "error_exit",
    "exists",
    "fail",
    "fatal",
    "finish",
    "have",
    "header",
    "log",
    "log_error",
    "log_info",
    "log_warn",
    "main",
    "notice",
    "ok",
    "print_error",
    "require",
    "retry",
    "say",
    "step",
    "success",
    "wait_for",
    "warn",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        let commands = &shell.script.commands;
        // What it sources may define them.
        let sources = commands.iter().any(|command| {
            matches!(command.argv().first(), Some(&("source" | "." | "eval" | "alias")))
        });
        for command in commands.iter().filter(|_| !sources) {
            let argv = command.argv();
            let Some(first) = argv.first() else { continue };
            let quoted = command.words.first().is_some_and(|word| word.quoted);
            if HELPERS.contains(first) && !quoted && !shell.script.functions.contains(*first) {
                let message = format!("The function `{first}` is defined nowhere in this script.");
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}
