//! Finds calls of scripts that nothing writes, if nothing calls another script in the same folder, and functions that
//! `trap` names and nothing defines.

use super::{FILES, error};
use crate::bash::{Command, base};
use crate::{Shell, Unit};
use domain::gate::Finding;

/// Programs that take a script as their first operand.
const RUNNERS: [&str; 7] = ["bash", "dash", "node", "python", "python3", "sh", "source"];

/// The ends of the names of scripts.
const SCRIPTS: [&str; 4] = [".sh", ".py", ".js", ".rb"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    trapped(unit, findings);
    let shells: Vec<&Shell> = unit.everywhere().collect();
    let calls = |shell: &&Shell| -> Vec<(usize, String)> {
        let line = |command: &Command| command.line + shell.offset;
        let commands = shell.script.commands.iter();
        commands.filter_map(|command| Some((line(command), called(command)?))).collect()
    };
    let all: Vec<String> = shells.iter().flat_map(calls).map(|(_, path)| path).collect();
    let written = |path: &str| unit.tree.iter().any(|file| plain(&file.path).ends_with(path));
    for shell in shells.iter().filter(|shell| shell.file.is_some()) {
        for (line, path) in calls(shell) {
            let Some((folder, _)) = path.rsplit_once('/').filter(|_| !written(&path)) else {
                continue;
            };
            let idle = unit.files.iter().map(|file| plain(&file.path)).find(|own| {
                let beside = own.rsplit_once('/').is_some_and(|(above, _)| above == folder);
                let end = |path: &str| path.rsplit_once('.').map(|(_, end)| end.to_owned());
                beside && end(own) == end(&path) && !all.iter().any(|call| call == own)
            });
            if let Some(idle) = idle {
                let message =
                    format!("Nothing writes `{path}`, and nothing calls `{idle}` beside it.");
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// Functions that `trap` names and that the script does not define; another script that is read might define them.
fn trapped(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        let commands = &shell.script.commands;
        if commands.iter().any(|it| matches!(it.program(), Some("." | "source" | "eval"))) {
            continue;
        }
        for command in commands {
            let argv = command.argv();
            let ["trap", name, _, ..] = argv.as_slice() else { continue };
            // No program has such a name with an underline.
            let own = name.contains('_')
                && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            if own && !shell.script.functions.contains(*name) && !shell.script.functions.is_empty()
            {
                let message = format!("No function is named `{name}` here.");
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

fn plain(path: &str) -> String {
    path.trim_start_matches("./").to_owned()
}

/// The script of the workspace that a command runs.
fn called(command: &Command) -> Option<String> {
    let argv = command.argv();
    let (program, rest) = argv.split_first()?;
    let path = if RUNNERS.contains(program) {
        // `bash -n` only parses.
        rest.first().filter(|word| !word.starts_with('-'))?.to_string()
    } else {
        let words = command.words.iter().map(|word| word.text.as_str());
        words.into_iter().find(|word| base(word) == *program)?.to_owned()
    };
    let path = plain(&path);
    let own = path.contains('/') && !path.starts_with(['/', '~', '$', '.']);
    (own && !path.contains('$') && SCRIPTS.iter().any(|end| path.ends_with(end))).then_some(path)
}

#[cfg(test)]
mod tests {
    #[test]
    fn functions_of_traps_are_defined() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let script = "clean_up() { rm -f a; }\ntrap NAME EXIT\n";
        assert_eq!(said(&script.replace("NAME", "cleanup_all")), 1);
        assert_eq!(said(&script.replace("NAME", "clean_up")), 0);
        assert_eq!(said(&format!("source lib.sh\n{}", script.replace("NAME", "end_all"))), 0);
        assert_eq!(said(&script.replace("NAME", "'rm -f my_file'")), 0);
    }

    #[test]
    fn scripts_that_are_called_are_written() {
        let said = |text: &str| crate::testing::said(super::examine, text).len();
        let script = "cat >scripts/build.sh <<'E'\n#!/bin/sh\nE\n";
        let job = |call: &str| {
            format!(
                "{script}cat >.github/workflows/a.yaml <<'E'\non: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: {call}\nE\n"
            )
        };
        for call in ["scripts/make.sh a", "bash scripts/image.sh", "./scripts/builds.sh"] {
            assert_eq!(said(&job(call)), 1, "{call}");
        }
        for call in ["scripts/build.sh a", "scripts/make.py", "scripts/build.sh && scripts/b.sh"] {
            assert_eq!(said(&job(call)), 0, "{call}");
        }
    }
}
