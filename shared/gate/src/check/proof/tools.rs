//! What is there before any work, so that a proof that asks for it proves nothing: programs, places, and the variables of
//! a shell.

use crate::bash::{Command, Script};

/// Programs that every machine has, so that their presence and their version say nothing.
pub(super) const PRESENT: [&str; 19] = [
    "awk", "bash", "cat", "chmod", "cp", "date", "echo", "find", "grep", "head", "id", "ls",
    "mkdir", "mv", "rm", "sed", "sh", "sort", "tail",
];

/// The same for programs that every sandbox has. On a server, the step may have installed them.
pub(super) const HERE: [&str; 10] = [
    "ansible",
    "ansible-playbook",
    "curl",
    "docker",
    "git",
    "jq",
    "openssl",
    "python3",
    "ssh",
    "terraform",
];

/// How programs are asked for their version.
const VERSIONS: [&str; 4] = ["--version", "-V", "-v", "version"];

/// `command -v curl`, `curl --version`. Here, `command` is the program and no carrier of another.
pub(super) fn is_a_tool(command: &Command, known: &[&str]) -> bool {
    let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
    let operands = |words: &[&str]| {
        let mut names = words.iter().filter(|word| !word.starts_with('-')).peekable();
        names.peek().is_some() && names.all(|name| known.contains(name))
    };
    match words.as_slice() {
        ["command", "-v" | "-V", rest @ ..] | ["which" | "type" | "hash", rest @ ..] => {
            operands(rest)
        }
        // `terraform -chdir=app version`
        [name, options @ .., version] => {
            let options = options.iter().all(|option| option.starts_with('-'));
            options && known.contains(name) && VERSIONS.contains(version)
        }
        _ => false,
    }
}

/// Commands that only pass on or search what they read.
pub(super) const FILTERS: [&str; 12] =
    ["awk", "cat", "cut", "grep", "head", "jq", "sed", "sort", "tail", "tr", "uniq", "wc"];

/// Places that are there before any work.
const PLACES: [&str; 34] = [
    ".",
    "..",
    "/",
    "/bin",
    "/bin/bash",
    "/bin/sh",
    "/boot",
    "/dev",
    "/dev/null",
    "/etc",
    "/etc/group",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/resolv.conf",
    "/etc/shadow",
    "/etc/ssl",
    "/home",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/sys",
    "/tmp",
    "/usr",
    "/usr/bin",
    "/usr/local/bin",
    "/var",
    "/var/lib",
    "/var/log",
    "~",
    "~/workspace",
];

/// The same by their variables.
const VARIABLES: [&str; 8] =
    ["$0", "${0}", "$HOME", "${HOME}", "$PWD", "${PWD}", "$HOME/workspace", "${HOME}/workspace"];

/// Variables that any shell has; `$?` is 0 until a command fails, which ends the proof.
pub(super) const ANY_SHELL: [&str; 8] =
    ["", "HOME", "HOSTNAME", "PATH", "PWD", "SHELL", "UID", "USER"];

/// Whether a word contains what another command prints, or a variable without a fixed value.
pub(super) fn asks(word: &str, script: &Script) -> bool {
    let mut names = word.split('$').skip(1);
    names.any(|rest| {
        let rest = rest.strip_prefix('{').unwrap_or(rest);
        let name: String =
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let status = name.is_empty() && !rest.starts_with('?');
        status
            || !(ANY_SHELL.contains(&name.as_str())
                || matches!(script.assigned.get(&name), Some(Some(_))))
    }) || word.contains('`')
}

pub(super) fn is_place(word: &str) -> bool {
    let trimmed = word.trim_end_matches('/');
    PLACES.contains(&word) || PLACES.contains(&trimmed) || VARIABLES.contains(&trimmed)
}
