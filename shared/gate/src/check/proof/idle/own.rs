//! Proofs that only look for a file which the script makes itself, although the script starts something, with that file or
//! without it.

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
    if pipeline.negated || !starts {
        return false;
    }
    let bare = |path: &str, script: &Script| {
        let path = known(path, script);
        let path = path.strip_prefix("~/workspace/").unwrap_or(&path);
        path.strip_prefix("./").unwrap_or(path).to_owned()
    };
    let makes = |path: &str| {
        let wanted = bare(path, script);
        written(&before).iter().any(|file| bare(&file.path, &before) == wanted)
    };
    let marks = |path: &str| {
        let wanted = bare(path, script);
        marks(&before).into_iter().any(|mark| bare(mark, &before) == wanted)
    };
    place(&argv).is_some_and(|path| makes(path) || marks(path)) || content(&argv).is_some_and(marks)
}

/// The files with which a script marks that it came this far: it creates them, or writes words into them that say nothing
/// about the work.
fn marks(script: &Script) -> Vec<&str> {
    let mut marks = Vec::new();
    for command in &script.commands {
        let argv = command.argv();
        match argv.as_slice() {
            ["touch" | "mkdir", paths @ ..] => {
                marks.extend(paths.iter().filter(|path| !path.starts_with('-')));
            }
            ["date" | "echo" | "printf" | "true" | ":", words @ ..] => {
                let fixed = |word: &&str| !word.replace("$(date", "").contains(['$', '`']);
                if words.iter().all(fixed) {
                    marks.extend(command.writes.iter().map(|(path, _)| path.as_str()));
                }
            }
            [] => marks.extend(command.writes.iter().map(|(path, _)| path.as_str())),
            _ => {}
        }
    }
    marks
}

/// The file in which a command looks for words.
fn content<'a>(argv: &[&'a str]) -> Option<&'a str> {
    match argv {
        ["grep" | "cat", .., path] if argv.len() > 1 => Some(*path),
        ["[" | "[[" | "test", value, _, _, ..] => {
            let inner = value.strip_prefix("$(")?.strip_suffix(')')?;
            inner.strip_prefix("cat ").or_else(|| inner.strip_prefix('<')).map(str::trim)
        }
        _ => None,
    }
}

/// The file for which a command only looks.
fn place<'a>(argv: &[&'a str]) -> Option<&'a str> {
    // More words would be another condition.
    if argv.contains(&"-a") || argv.contains(&"&&") {
        return None;
    }
    match argv {
        ["[" | "[[" | "test", "-d" | "-e" | "-f" | "-r" | "-s" | "-x", path, ..] => Some(*path),
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

#[cfg(test)]
mod tests {
    use crate::testing::said;

    fn proves_nothing(script: &str, proof: &str) -> bool {
        let text = format!("{script}\n{}\n{proof}\n", domain::script::PROOF_LINE);
        !said(super::super::super::examine, &text).is_empty()
    }

    #[test]
    fn a_mark_of_the_script_is_not_a_proof_of_what_it_started() {
        let play = "ansible-playbook site.yml";
        for (mark, proof) in [
            ("touch app/.installed", "test -f app/.installed"),
            ("mkdir -p app/done", "test -d app/done"),
            ("printf 'done\\n' >app/state", "grep -qx done app/state"),
            ("echo done > app/state", "[ \"$(cat app/state)\" = done ]"),
            ("date -Is >app/deployed", "test -s app/deployed"),
            ("echo \"$(date)\" >./app/deployed", "test -s app/deployed"),
            ("> app/ok", "ls app/ok"),
        ] {
            assert!(proves_nothing(&format!("{play}\n{mark}"), proof), "{mark}: {proof}");
        }
    }

    #[test]
    fn what_the_work_wrote_is_a_proof() {
        let script = "terraform apply -auto-approve\nmkdir -p out";
        for (written, proof) in [
            ("terraform output -raw address >app/address", "test -s app/address"),
            (
                "address=$(terraform output -raw address)\necho \"$address\" >app/address",
                "test -s app/address",
            ),
            ("curl -fsS https://example.org >app/page", "grep -q Welcome app/page"),
            ("touch app/done", "grep -q Welcome app/page"),
        ] {
            assert!(!proves_nothing(&format!("{script}\n{written}"), proof), "{written}: {proof}");
        }
        let only = "mkdir -p app\necho hello >app/greeting";
        assert!(!proves_nothing(only, "grep -qx hello app/greeting"), "the file is the work");
    }
}
