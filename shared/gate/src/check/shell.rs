//! Finds variables that get no value anywhere: with `set -u` they end a script in the middle of its work.

mod exported;

pub(super) use exported::is_exported;

use super::error;
use super::jinja::without;
use crate::bash::{Command, Heredoc};
use crate::places::{is_shell, is_template};
use crate::{FILES, Shell, Unit, Written};
use domain::gate::Finding;
use std::collections::BTreeSet;

/// Variables that a script finds in its environment, or that bash sets.
const KNOWN: [&str; 47] = [
    "BASH",
    "BASHPID",
    "BASH_ARGV",
    "BASH_COMMAND",
    "BASH_ENV",
    "BASH_LINENO",
    "BASH_REMATCH",
    "BASH_SOURCE",
    "BASH_SUBSHELL",
    "BASH_VERSINFO",
    "BASH_VERSION",
    "COLUMNS",
    "COMP_WORDS",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HISTFILE",
    "HOME",
    "HOSTNAME",
    "HOSTTYPE",
    "IFS",
    "LANG",
    "LC_ALL",
    "LINENO",
    "LINES",
    "LOGNAME",
    "MACHTYPE",
    "MAPFILE",
    "OLDPWD",
    "OPTARG",
    "OPTIND",
    "OSTYPE",
    "PATH",
    "PIPESTATUS",
    "PPID",
    "PWD",
    "RANDOM",
    "REPLY",
    "SECONDS",
    "SHELL",
    "SHLVL",
    "TERM",
    "UID",
    "USER",
];

/// Whether a shell has this variable without a script that sets it.
pub(super) fn is_known(name: &str) -> bool {
    KNOWN.contains(&name)
}

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    own(unit, findings);
    handed(unit, findings);
    for shell in unit.shells.iter().filter(|shell| shell.file.is_some()) {
        // Scripts on servers have their own environment.
        let Some(whole) = home(unit, shell) else { continue };
        undefined(unit, whole, shell, findings);
    }
    for file in unit.files.iter().filter(|file| !file.expands) {
        let Some(text) = filled_in(unit, file) else { continue };
        let script = crate::bash::read(&text);
        let shell = Shell { script, file: Some(file.path.clone()), offset: 0 };
        undefined(unit, &text, &shell, findings);
    }
}

/// The shell script of a template with `x` for what Ansible or Terraform fills in; `None` for other files, and where this may
/// set variables itself.
fn filled_in(unit: &Unit, file: &Written) -> Option<String> {
    let (inner, end) = file.path.rsplit_once('.')?;
    if !(is_template(&file.path) && (is_shell(file) || inner.ends_with(".sh"))) {
        return None;
    }
    let text = if end == "j2" {
        without(&file.text)
    } else {
        // Terraform's values are `${name}` and those of the shell `$${name}` or `$name`.
        let terraform = unit.texts().any(|text| text.contains("templatefile("));
        terraform_filled(&file.text).filter(|_| terraform)?
    };
    let sets = |line: &str| {
        line.trim() == "x" || line.trim_start().starts_with("x=") || line.contains("export x")
    };
    (!text.lines().any(sets)).then_some(text)
}

/// A template of Terraform with `x` for its values; `None` if it has conditions.
fn terraform_filled(text: &str) -> Option<String> {
    if text.contains("%{") {
        return None;
    }
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        if let Some(before) = before.strip_suffix('$') {
            filled.push_str(before);
            filled.push_str("${");
            rest = after;
        } else {
            filled.push_str(before);
            filled.push('x');
            rest = after.split_once('}')?.1;
        }
    }
    Some(filled + rest)
}

/// The script and its proof, each in its own bash.
fn own(unit: &Unit, findings: &mut Vec<Finding>) {
    let (script, proof) = domain::script::parts(unit.text);
    let mut offset = 0;
    for part in [Some(script), proof].into_iter().flatten() {
        let shell = Shell { script: crate::bash::read(part), file: None, offset };
        undefined(unit, part, &shell, findings);
        offset += part.matches('\n').count() + 1;
    }
}

/// Here-documents that another shell reads as they are. A name in capitals may come from that shell's environment.
fn handed(unit: &Unit, findings: &mut Vec<Finding>) {
    for command in &unit.script.commands {
        let parsed = unit.script.parsed_of(command);
        let heredocs = command.heredocs.iter().filter_map(|at| unit.script.heredocs.get(*at));
        for heredoc in heredocs.filter(|heredoc| !heredoc.expands) {
            let piped = is_piped(unit, command, heredoc);
            if !piped && !parsed.iter().any(|(line, _)| *line == heredoc.line) {
                continue;
            }
            let script = crate::bash::read(&heredoc.text);
            let words: String =
                command.words.iter().map(|word| format!(" {}", word.text)).collect();
            let mut reported = BTreeSet::new();
            for read in &script.reads {
                let name = read.name.as_str();
                // A server does not have the variables of this environment.
                let own = command.program() == Some("ssh") && is_here(unit, name);
                let sent = ["SendEnv", "SetEnv"].iter().any(|it| words.contains(it));
                let given = name.chars().any(|c| c.is_ascii_uppercase()) && (!own || sent)
                    || script.assigned.contains_key(name)
                    || script.assigned.contains_key("*")
                    || words.contains(&format!(" {name}="))
                    || piped && unit.text.contains(&format!("{name}="))
                    || is_tested(&heredoc.text, name);
                if !given && reported.insert(name) {
                    let message = format!(
                        "`${name}` has no value in the shell that reads this: nothing here sets it."
                    );
                    findings.push(error(FILES, message).at(None, read.line + heredoc.line - 1));
                }
            }
        }
    }
}

/// Whether a variable has a value here: it is one of the credentials, or the script sets it.
fn is_here(unit: &Unit, name: &str) -> bool {
    let given = unit.context.environment.iter().any(|given| given == name);
    (given || unit.script.assigned.contains_key(name)) && !KNOWN.contains(&name)
}

/// Whether a shell reads a here-document of `cat` through a pipe: `cat <<E | ssh host bash -s`, `{ …; cat <<E } | ssh …`.
fn is_piped(unit: &Unit, command: &Command, heredoc: &Heredoc) -> bool {
    if command.program() != Some("cat") || !command.writes.is_empty() || command.words.len() > 1 {
        return false;
    }
    let mut lines = unit.text.lines().skip(heredoc.line.saturating_sub(2));
    let head = lines.next().unwrap_or_default();
    let behind = lines.nth(heredoc.text.matches('\n').count() + 1).unwrap_or_default();
    let shell = |text: &str| {
        let words: Vec<&str> =
            text.split(|c: char| c.is_whitespace() || "'\"".contains(c)).collect();
        words.windows(2).any(|two| {
            ["bash", "sh"].contains(&two[0]) && two[1].starts_with('-') && two[1].contains('s')
        })
    };
    let own =
        head.split_once('|').is_some_and(|(before, after)| before.contains("<<") && shell(after));
    own || behind
        .trim()
        .strip_prefix('}')
        .is_some_and(|rest| rest.trim_start().starts_with('|') && shell(rest))
}

/// Whether a script tests that a variable is set, and so handles the case in which it is not.
fn is_tested(text: &str, name: &str) -> bool {
    ["+", ":-", "-", ":?", "?", ":+"].iter().any(|sign| text.contains(&format!("${{{name}{sign}")))
        || ["-v ", "declare -p "].iter().any(|test| text.contains(&format!("{test}{name}")))
}

/// The text of a written script, unless another shell gets it.
fn home<'a>(unit: &'a Unit, shell: &'a Shell) -> Option<&'a str> {
    let path = shell.file.as_ref()?;
    let file = unit.files.iter().find(|file| &file.path == path)?;
    // Terraform and Ansible fill in their templates before a shell reads them.
    (!file.expands && !is_template(path) && shell.offset == 0).then_some(file.text.as_str())
}

fn undefined(unit: &Unit, text: &str, shell: &Shell, findings: &mut Vec<Finding>) {
    let script = &shell.script;
    // A sourced file may set anything, and a written script may be run with anything in its environment.
    let strict = shell.file.is_none() || text.contains("set -u") || text.contains("set -eu");
    if script.assigned.contains_key("*") || !strict {
        return;
    }
    let exported = |name: &str| {
        let capitals = name.chars().all(|c| !c.is_lowercase());
        // What starts a container sets variables for it.
        shell.file.as_ref().is_some_and(|path| {
            let given = path.contains("entrypoint") || exported::is_given(unit, name);
            is_exported(unit, name) || (capitals && given)
        })
    };
    let mut reported = BTreeSet::new();
    for read in &script.reads {
        let name = read.name.as_str();
        let known = script.assigned.contains_key(name)
            || KNOWN.contains(&name)
            || unit.context.environment.iter().any(|given| given == name)
            || ["TF_VAR_", "GROUNDCREW_", "XDG_", "BASH_"]
                .iter()
                .any(|start| name.starts_with(start))
            || exported(name)
            || is_tested(text, name);
        if !known && reported.insert(name) {
            let message = format!(
                "`${name}` has no value: nothing in the script sets it, and it is not one of the credentials."
            );
            findings
                .push(error(FILES, message).at(shell.file.as_deref(), read.line + shell.offset));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    fn said(script: &str) -> Vec<String> {
        let context = Context::default();
        let mut findings = Vec::new();
        examine(&Unit::new(script, &context), &mut findings);
        findings.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn a_server_gets_the_variables_that_its_script_reads() {
        let remote = |head: &str, name: &str| {
            format!("PORT_RANGE=1\n{head} <<'R'\nset -u\nufw allow \"${name}\"\nR\n")
        };
        assert_eq!(said(&remote("ssh web sudo bash -s", "PORT_RANGE")).len(), 1);
        for text in [
            remote("ssh web \"sudo env PORT_RANGE=$PORT_RANGE bash -s\"", "PORT_RANGE"),
            remote("ssh -o SendEnv=PORT_RANGE web bash -s", "PORT_RANGE"),
            remote("ssh web bash -s", "SSH_CLIENT"),
        ] {
            assert!(said(&text).is_empty(), "{text}: {:?}", said(&text));
        }
    }

    #[test]
    fn written_scripts_set_what_they_read() {
        let written = |path: &str, text: &str| {
            format!("cat >{path} <<'E'\n#!/bin/bash\nset -euo pipefail\n{text}E\n")
        };
        for script in [
            written("a.sh.j2", "name={{ a }}\n{# it's #}\necho \"$nmae\"\n"),
            written("t/user_data.sh.tftpl", "host=${name}\necho $${hots}\n")
                + "echo 'templatefile(\"t/user_data.sh.tftpl\", {})'\n",
            written("/usr/local/bin/a", "echo \"$BACKUP_DIR\"\n"),
            "dir=/srv\necho $dir\n".to_owned() + &written("a.sh", "ls \"$dir\"\n"),
        ] {
            assert_eq!(said(&script).len(), 1, "{script}");
        }
        for script in [
            written("a.sh.j2", "{{ settings }}\necho \"$name\"\n"),
            written("a.sh.j2", "{% for x in y %}\n{{ x }}=1\n{% endfor %}\necho $z\n"),
            written("t/a.sh.tftpl", "host=${name}\necho $host $${host}\n")
                + "echo 'templatefile(\"t/a.sh.tftpl\", {})'\n",
            written("/usr/local/bin/a", "echo \"$BACKUP_DIR\" $RENEWED_LINEAGE\n")
                + "cat >/etc/systemd/system/a.service <<'E'\nEnvironment=BACKUP_DIR=/b\nE\n",
            written("/usr/local/bin/a", "echo \"$BACKUP_DIR\"\n")
                + "cat >/etc/systemd/system/a.service <<'E'\nEnvironmentFile=/etc/a\nE\n",
            "export dir=/srv\n".to_owned() + &written("a.sh", "ls \"$dir\"\n"),
        ] {
            assert!(said(&script).is_empty(), "{script}: {:?}", said(&script));
        }
    }
}
