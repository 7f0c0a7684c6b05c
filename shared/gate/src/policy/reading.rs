//! Finds commands in a check that change something, which a check must not do.
//!
//! A check runs again later, on a schedule and unattended, to report what is no longer as described. If it repairs what
//! it finds, it hides the drift: the first report is right, and the next one finds nothing. If it restarts a service,
//! it does so every night. So a check only reads. What must be tried (a restart, a second run, a first dump) is tried
//! by the step that builds it.
//!
//! These count as writing: running a playbook without `--check`, changing Terraform's state or what it describes,
//! starting and stopping services, containers and machines, installing packages, changing the firewall, users, kernel
//! parameters, objects of a cluster or a cloud, SQL statements that change data, and writing files other than scratch
//! files. These do not:
//!
//! - a dry run (`--dry-run`, `--simulate`, `--check`, `certbot renew --dry-run`);
//! - scratch files below a folder of `mktemp`, which a trap removes;
//! - a database, schema or table of the check's own, into which it restores a backup and which it drops again: its name
//!   says so (`restore_check`, `…_copy`, `scratch…`), or it is a temporary table, which ends with its session;
//! - the trace that each query leaves in logs.

mod containers;
mod programs;

use super::destroy::names_a_copy;
use crate::bash::{self, Command, Script};
use crate::check::error;
use crate::files::{in_folders, known};
use crate::{POLICY, Unit};
use domain::gate::Finding;
use programs::acts;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    if unit.context.check {
        changes(unit, findings);
    }
    proof(unit, findings);
}

/// A proof that makes what it looks for passes whatever the script did.
fn proof(unit: &Unit, findings: &mut Vec<Finding>) {
    let (script, Some(proof)) = domain::script::parts(unit.text) else { return };
    let offset = script.matches('\n').count() + 1;
    let script = bash::read(proof);
    for (command, folder) in in_folders(&script) {
        let Some(what) = files(command, &script, folder.is_some()) else { continue };
        let message =
            format!("{what}, so this proof changes what it should look at. A proof only reads.");
        findings.push(error(POLICY, message).at(None, command.line + offset));
    }
}

/// Everything that a script changes, whether or not it is a check.
pub(super) fn changes(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in &unit.shells {
        for (command, folder) in in_folders(&shell.script) {
            let what = acts(command).or_else(|| files(command, &shell.script, folder.is_some()));
            if let Some(what) = what {
                let line = command.line + shell.offset;
                findings.push(writes(&what).at(shell.file.as_deref(), line));
            }
        }
    }
    statements(unit, findings);
}

fn writes(what: &str) -> Finding {
    let why = "and a check only reads: it runs again later, and must report what is there without \
    repairing it";
    error(POLICY, format!("{what}, {why}."))
}

/// A file that a command changes or leaves behind. If its folder is not known, a relative path may be scratch.
fn files(command: &Command, script: &Script, folder_known: bool) -> Option<String> {
    let lasting = |path: &&str| lasts(&known(path, script), folder_known);
    if let Some((path, _)) = command.writes.iter().find(|(path, _)| lasting(&path.as_str())) {
        return Some(format!(
            "`>{path}` writes a file (a scratch file comes from `mktemp`, and a trap removes it)"
        ));
    }
    let argv = command.argv();
    let (program, rest) = argv.split_first()?;
    let plain: Vec<&str> = rest.iter().filter(|word| !word.starts_with('-')).copied().collect();
    let in_place =
        || rest.iter().any(|word| word.starts_with("-i") || word.starts_with("--in-place"));
    let path = match *program {
        "rm" | "rmdir" | "mkdir" | "touch" | "truncate" | "tee" | "shred" | "unlink" => {
            plain.iter().copied().find(lasting)
        }
        "mv" | "cp" | "ln" | "install" | "rsync" => plain.last().copied().filter(lasting),
        "chmod" | "chown" | "chgrp" | "setfacl" => plain.iter().skip(1).copied().find(lasting),
        "sed" | "perl" if in_place() => plain.last().copied().filter(lasting),
        "dd" => rest.iter().find_map(|word| word.strip_prefix("of=")).filter(lasting),
        "curl" => {
            let mut words = rest.iter();
            let output = words.find(|word| ["-o", "--output"].contains(*word));
            output.and_then(|_| words.next()).copied().filter(lasting)
        }
        "find" => rest.contains(&"-delete").then(|| plain.first().copied()).flatten(),
        _ => None,
    };
    path.filter(|path| *path != "-").map(|path| format!("`{program}` changes the file `{path}`"))
}

/// Whether a file with this path still exists when the script has ended.
fn lasts(path: &str, folder_known: bool) -> bool {
    let device = path.starts_with("/dev/") || path.starts_with("/proc/self/");
    let unnamed = path.is_empty() || path.starts_with('&') || path.contains(['$', '`']);
    let relative = !path.starts_with(['/', '~']);
    !device && !unnamed && (folder_known || !relative)
}

/// SQL statements that change something, and how far after them the name is.
const STATEMENTS: [&str; 8] = [
    "INSERT INTO",
    "REPLACE INTO",
    "DELETE FROM",
    "ALTER",
    "CREATE DATABASE",
    "CREATE SCHEMA",
    "CREATE TABLE",
    "TRUNCATE TABLE",
];

/// The words after `ALTER` in SQL.
const ALTERED: [&str; 6] = ["DATABASE", "ROLE", "SCHEMA", "SYSTEM", "TABLE", "USER"];

fn statements(unit: &Unit, findings: &mut Vec<Finding>) {
    let whole = unit.text.to_uppercase();
    for (at, line) in whole.lines().enumerate() {
        let bare = line.trim_start();
        if bare.starts_with('#') || bare.starts_with("--") {
            continue;
        }
        let changing = |words: &&&str| {
            let places = line.match_indices(**words);
            places.into_iter().any(|(from, _)| changes_data(line, from, words, &whole))
        };
        if let Some(words) = STATEMENTS.iter().find(changing) {
            findings.push(writes(&format!("`{words}` changes data")).at(None, at + 1));
        }
    }
}

fn changes_data(line: &str, from: usize, words: &str, whole: &str) -> bool {
    let before = line[..from].chars().next_back();
    let after = &line[from + words.len()..];
    if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-')
        || !after.starts_with(' ')
    {
        return false;
    }
    let after = after.trim_start();
    if words == "ALTER" && !ALTERED.iter().any(|what| after.starts_with(what)) {
        return false;
    }
    // What a variable names is not known.
    !after.trim_start_matches(['"', '\'', '\\', '`']).starts_with('$')
        && !names_a_copy(after)
        && !is_temporary(after, whole)
}

/// Whether the same script creates the table that is named here, as a temporary table.
fn is_temporary(after: &str, whole: &str) -> bool {
    let name = after.split([' ', ';', '"', '\'', ')', '(']).next().unwrap_or_default();
    let made = ["TEMPORARY TABLE", "TEMP TABLE"];
    !name.is_empty() && made.iter().any(|made| whole.contains(&format!("{made} {name}")))
}
