//! Programs that are there before any work, so that a proof that asks for one proves nothing.

use crate::bash::Command;

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
