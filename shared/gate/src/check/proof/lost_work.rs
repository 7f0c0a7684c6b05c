//! Finds work whose failure a script loses, so that the step would succeed although its work failed.
//!
//! A proof may not reveal such a failure: it may look at something that another step made, or that this script makes
//! anyway. So for each command that does work, [`Follower`] assumes that it fails and that everything else succeeds, and
//! follows what bash does with the failure. If the script ends successfully, and nothing that runs on the way could
//! notice, then the failure is lost.

mod fate;
mod follow;
mod programs;

use super::commands::{only_tells, starts_strict};
use super::{idle, says};
use crate::bash::tree::{List, tree};
use crate::bash::{self, Command, Script};
use crate::files::known;
use crate::work::{is_fed, is_work};
use crate::{NESTING, Unit, is_shell};
use fate::{Fate, Shell};
use follow::Follower;

/// A line, and what to say about it.
type Told = (usize, &'static str);

/// The lines of a script, before its proof, in which the failure of work is lost.
pub(super) fn lines(text: &str, unit: &Unit) -> Vec<Told> {
    let mut reader = Reader { unit, told: Vec::new() };
    reader.script(text, Shell::strict(), 0, 0);
    reader.told.sort_unstable();
    reader.told.dedup_by_key(|(line, _)| *line);
    reader.told
}

struct Reader<'a> {
    unit: &'a Unit<'a>,
    told: Vec<Told>,
}

impl Reader<'_> {
    /// Reads a script, and those that it hands to other shells. Returns whether work is in it.
    fn script(&mut self, text: &str, shell: Shell, offset: usize, depth: usize) -> bool {
        let script = bash::read(text);
        let Some(list) = tree(&script) else { return false };
        let working: Vec<usize> = list
            .simple()
            .into_iter()
            .filter(|at| {
                let command = &script.commands[*at];
                let works = is_work(command, is_fed(&script, *at));
                let inner = self.inner(&script, command, offset, depth);
                works || inner
            })
            .collect();
        let mut found: Vec<Told> = Vec::new();
        for at in &working {
            let command = &script.commands[*at];
            let follower = Follower::new(&script, text, &list, *at);
            match programs::forks(command).unwrap_or_else(|| follower.list(&list, shell, 0)) {
                Fate::Lost { because, .. } => found.push((command.line, because)),
                Fate::Absent | Fate::Fails { .. } | Fate::Noticed => {}
            }
        }
        for command in &script.commands {
            found.extend(programs::loses(&script, command).map(|because| (command.line, because)));
        }
        if !working.is_empty() {
            found.extend(idle::trapped(&script).map(|line| (line, says::TRAPPED)));
        }
        if let Some(line) = leaves_before_work(&list, &script) {
            found.push((line, says::LEAVES));
        }
        self.told.extend(found.into_iter().map(|(line, because)| (line + offset, because)));
        !working.is_empty() || script.commands.iter().any(|command| is_work(command, false))
    }

    /// Reads the scripts that a command hands to other shells. Returns whether work is in one.
    fn inner(&mut self, script: &Script, command: &Command, offset: usize, depth: usize) -> bool {
        if depth >= NESTING {
            return false;
        }
        let shell = Shell::child(starts_strict(command));
        let mut works = false;
        if command.program() != Some("trap") {
            for (line, text) in script.parsed_of(command) {
                works |= self.script(&text, shell, offset + line - 1, depth + 1);
            }
        }
        if let Some((line, text, strict)) = self.started_file(script, command) {
            let shell = Shell::child(strict || starts_strict(command));
            works |= self.script(&text, shell, line, depth + 1);
        }
        works
    }

    /// A script that this one writes and then starts: where its text begins, that text, and whether its first line asks
    /// the shell to end at a failure.
    fn started_file(&self, script: &Script, command: &Command) -> Option<(usize, String, bool)> {
        let argv = command.argv();
        let path = match argv.as_slice() {
            ["bash" | "sh" | "dash", rest @ ..] => {
                *rest.iter().find(|word| !word.starts_with('-'))?
            }
            [program, ..] => {
                let mut words = command.words.iter().map(|word| word.text.as_str());
                words.find(|word| word.contains('/') && bash::base(word) == *program)?
            }
            [] => return None,
        };
        let bare = |path: &str| path.strip_prefix("./").unwrap_or(path).to_owned();
        let path = bare(&known(path, script));
        let file = self.unit.files.iter().find(|file| bare(&file.path) == path)?;
        let first = file.text.lines().next()?;
        let strict = first.starts_with("#!") && first.ends_with("-e");
        is_shell(file).then(|| (file.line.saturating_sub(1), file.text.clone(), strict))
    }
}

/// The line of an `exit 0` with work behind it.
fn leaves_before_work(list: &List, script: &Script) -> Option<usize> {
    let line = idle::leaves_early(list, script)?;
    let behind = |at: &usize| script.commands[*at].line > line;
    list.simple()
        .into_iter()
        .filter(behind)
        .any(|at| is_work(&script.commands[at], is_fed(script, at)))
        .then_some(line)
}

/// Programs that neither do work nor look at it.
const MARKS: [&str; 26] = [
    "cat", "cd", "chmod", "chown", "cp", "date", "disown", "head", "hostname", "install", "ln",
    "logger", "ls", "mkdir", "mktemp", "mv", "rm", "rmdir", "sed", "shopt", "sync", "tail", "tee",
    "touch", "unset", "wait",
];

/// Whether a command would succeed, whether or not the work before it did.
fn passes(command: &Command) -> bool {
    let program = command.program();
    only_tells(command)
        || program.is_none_or(|program| MARKS.contains(&program))
        || super::commands::ends_well(command)
        || program.is_some_and(|program| ["break", "continue"].contains(&program))
}

#[cfg(test)]
mod tests;
