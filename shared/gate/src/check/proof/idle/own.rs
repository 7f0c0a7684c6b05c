//! Proofs that only look for a file which the script writes itself, although the script starts something with it.

use crate::bash::tree::{Node, Pipeline};
use crate::bash::{self, Command, Script};
use crate::files::{known, written};

/// Programs, and the words with which they start something or change a server.
const STARTS: [(&str, &[&str]); 12] = [
    ("ansible-playbook", &[]),
    ("apt-get", &["install"]),
    ("aws", &["create", "deploy", "put", "run"]),
    ("docker", &["run", "start", "up"]),
    ("docker-compose", &["run", "start", "up"]),
    ("helm", &["install", "upgrade"]),
    ("kubectl", &["apply", "create", "replace"]),
    ("podman", &["run", "start", "up"]),
    ("scp", &[]),
    ("ssh", &[]),
    ("systemctl", &["enable", "reload", "restart", "start"]),
    ("terraform", &["apply"]),
];

/// Whether a pipeline asks only for a file that the script before the proof always writes.
pub(super) fn asks(pipeline: &Pipeline, script: &Script, before: &str) -> bool {
    let [Node::Simple(at)] = pipeline.parts.as_slice() else { return false };
    let argv = script.commands[*at].argv();
    let path = match argv.as_slice() {
        ["[" | "[[" | "test", "-e" | "-f" | "-r" | "-s", path, ..] => *path,
        ["ls" | "stat", .., path] => *path,
        _ => return false,
    };
    // More words would be another condition.
    if argv.contains(&"-a") || argv.contains(&"&&") || pipeline.negated {
        return false;
    }
    let before = bash::read(before);
    let bare = |path: &str, script: &Script| {
        let path = known(path, script);
        let path = path.strip_prefix("~/workspace/").unwrap_or(&path);
        path.strip_prefix("./").unwrap_or(path).to_owned()
    };
    let wanted = bare(path, script);
    let starts = before.commands.iter().any(is_start);
    starts && written(&before).iter().any(|file| bare(&file.path, &before) == wanted)
}

fn is_start(command: &Command) -> bool {
    let argv = command.argv();
    let Some((program, rest)) = argv.split_first() else { return false };
    let known = STARTS.iter().find(|(name, _)| name == program);
    known.is_some_and(|(_, words)| {
        let fits = |word: &&str| words.iter().any(|start| word.starts_with(start));
        words.is_empty() || rest.iter().take(6).any(fits)
    })
}
