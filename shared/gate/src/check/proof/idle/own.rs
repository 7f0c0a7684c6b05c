//! Proofs that only look for a file which the script writes itself, although the script starts something with it.

use crate::bash::tree::{Node, Pipeline};
use crate::bash::{self, Command, Script};
use crate::files::{Written, known, written};

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
    let command = &script.commands[*at];
    let before = bash::read(before);
    let starts = before.commands.iter().any(is_start);
    let inner = script.inner_of(command);
    if let [(_, text)] = inner.as_slice() {
        // A server is asked for a file that the script writes there.
        let there = bash::read(text);
        let scripts = before.inner().into_iter().map(|(_, text)| bash::read(&text));
        let files: Vec<Written> = scripts.flat_map(|script| written(&script)).collect();
        let (mut looks, mut other) = (false, pipeline.negated);
        for command in &there.commands {
            let looked = place(&command.argv()).map(|path| known(path, &there));
            let own = looked.is_some_and(|path| files.iter().any(|file| file.path == path));
            looks |= own;
            other |= !own && !["echo", "printf", "true"].contains(&command.program().unwrap_or(""));
        }
        return starts && looks && !other;
    }
    let argv = command.argv();
    let Some(path) = place(&argv).filter(|_| !pipeline.negated) else { return false };
    let bare = |path: &str, script: &Script| {
        let path = known(path, script);
        let path = path.strip_prefix("~/workspace/").unwrap_or(&path);
        path.strip_prefix("./").unwrap_or(path).to_owned()
    };
    let wanted = bare(path, script);
    starts && written(&before).iter().any(|file| bare(&file.path, &before) == wanted)
}

/// The file for which a command only looks.
fn place<'a>(argv: &[&'a str]) -> Option<&'a str> {
    // More words would be another condition.
    if argv.contains(&"-a") || argv.contains(&"&&") {
        return None;
    }
    match argv {
        ["[" | "[[" | "test", "-e" | "-f" | "-r" | "-s" | "-x", path, ..] => Some(*path),
        ["ls" | "stat", .., path] => Some(*path),
        _ => None,
    }
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
