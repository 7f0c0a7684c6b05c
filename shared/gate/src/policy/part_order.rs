//! Finds commands whose parts come in an order that does something else, and programs that a script writes and then
//! forbids to run.

use crate::bash::Command;
use crate::check::error;
use crate::{POLICY, Unit};
use domain::gate::Finding;

/// Tests of `find`, which count only before the action.
const TESTS: [&str; 14] = [
    "-amin", "-atime", "-cmin", "-ctime", "-iname", "-mmin", "-mtime", "-name", "-newer", "-path",
    "-perm", "-size", "-type", "-user",
];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        for command in &shell.script.commands {
            let argv = command.argv();
            let message = deletes_first(&argv)
                .or_else(|| forbids(unit, &argv))
                .or_else(|| exposes(unit, command))
                .or_else(|| restores(unit, &argv));
            if let Some(message) = message {
                let line = command.line + shell.offset;
                findings.push(error(POLICY, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// A private key in a file that everyone on the server may read.
fn exposes(unit: &Unit, command: &Command) -> Option<String> {
    let argv = command.argv();
    let key = matches!(argv.as_slice(), ["wg", "genkey" | "genpsk", ..] | ["age-keygen", ..]);
    let (path, _) = command.writes.first().filter(|_| key)?;
    let closed = ["umask 077", "umask 0077", "umask 177", "umask 0177"]
        .iter()
        .any(|mask| unit.text.contains(mask));
    let later = unit.script.commands.iter().any(|other| {
        let argv = other.argv();
        ["chmod", "install"].iter().any(|program| argv.first() == Some(program))
            && argv.iter().any(|word| word == path)
    });
    (!closed && !later && !path.starts_with("/dev/")).then(|| format!("Everyone on the server may read this key: run `umask 077` before, or `chmod 600 {path}`."))
}

/// `pg_restore` reads every format of `pg_dump` but the plain one.
fn restores(unit: &Unit, argv: &[&str]) -> Option<String> {
    let plain = argv.iter().any(|word| ["--format=plain", "-Fp", "--format=p"].contains(word));
    (argv.first() == Some(&"pg_dump") && plain && unit.text.contains("pg_restore"))
        .then(|| "`pg_restore` cannot read a plain dump: use `--format=custom`.".to_owned())
}

fn deletes_first(argv: &[&str]) -> Option<String> {
    let deletes = argv
        .iter()
        .position(|word| *word == "-delete")
        .filter(|_| argv.first() == Some(&"find"))?;
    let late = argv.iter().skip(deletes).find(|word| TESTS.contains(word))?;
    Some(format!("`find` deletes before it tests `{late}`: put `-delete` last."))
}

/// A program that the script writes and gives a mode without the right to execute it.
fn forbids(unit: &Unit, argv: &[&str]) -> Option<String> {
    let ["chmod", mode, path] = argv else { return None };
    let digits = mode.len() >= 3 && mode.chars().all(|c| c.is_digit(8));
    let runs = mode.chars().rev().take(3).any(|c| c.to_digit(8).is_some_and(|bits| bits % 2 == 1));
    let program =
        unit.files.iter().find(|file| file.path == *path && file.text.starts_with("#!"))?;
    let placed = ["/bin/", "/sbin/"].iter().any(|folder| program.path.contains(folder));
    (digits && !runs && placed).then(|| format!("With the mode {mode}, {path} cannot be run."))
}
