//! Commands that show the state of something to a reader, and judge nothing.
//!
//! Their exit status is the same whatever they show, so a proof that consists of them proves nothing.

use crate::bash::{self, Command, Script};

const TABLE: &str = include_str!("shows.txt");

/// How many arguments may precede the words of the table: options with values, a context, a file.
const AMONG: usize = 6;

/// What the status of a command that shows something depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// Nothing.
    Anything,
    /// Whether the thing that it names exists.
    Named,
}

/// Whether a command only shows something.
pub(super) fn shown(command: &Command) -> Option<Shown> {
    let argv = command.argv();
    // A version says that the program is installed, which the step may be about.
    if argv.iter().any(|word| word.starts_with("--version")) {
        return None;
    }
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let mut fitting = lines.filter(|line| fits(line.trim_start_matches("? "), &argv));
    let line = fitting.next()?;
    let named = line.starts_with('?') && argv.iter().skip(1).any(|word| !word.starts_with('-'));
    Some(if named { Shown::Named } else { Shown::Anything })
}

fn fits(line: &str, argv: &[&str]) -> bool {
    let mut words = line.split(' ');
    let (Some(program), Some((first, given))) = (words.next(), argv.split_first()) else {
        return false;
    };
    if program != *first {
        return false;
    }
    let mut among = given.iter().take(AMONG);
    words.all(|word| match word.strip_prefix('!') {
        Some(judge) => !given.contains(&judge),
        None => among.any(|one| match word.strip_suffix('*') {
            Some(begin) => one.starts_with(begin),
            None => *one == word,
        }),
    })
}

/// Programs that pass on what they read, and whose status says nothing about it.
const PASSING: [&str; 14] = [
    "awk", "cat", "column", "cut", "head", "jq", "nl", "sed", "sort", "tail", "tee", "tr", "uniq",
    "wc",
];

/// Whether a command in a pipeline passes on what it reads.
pub(super) fn passes_on(command: &Command) -> bool {
    let argv = command.argv();
    let judges = |word: &&str| {
        word.contains("exit") || (argv[0] == "jq" && word.starts_with('-') && word.contains('e'))
    };
    argv.first().is_some_and(|program| PASSING.contains(program)) && !argv.iter().any(judges)
}

/// The scripts that a command runs elsewhere: on a server, in a container, in another shell, on the hosts of an inventory.
pub(super) fn carried(command: &Command, script: &Script) -> Vec<String> {
    let argv = command.argv();
    let inside = match argv.as_slice() {
        ["docker" | "podman" | "docker-compose", rest @ ..] => in_container(rest),
        ["kubectl", rest @ ..] if rest.contains(&"exec") => {
            rest.iter().position(|word| *word == "--").map(|at| joined(&rest[at + 1..]))
        }
        ["ansible", rest @ ..] => {
            let at = rest.iter().position(|word| ["-a", "--args"].contains(word));
            at.and_then(|at| rest.get(at + 1)).map(ToString::to_string)
        }
        _ => None,
    };
    let scripts = script.inner_of(command).into_iter().map(|(_, text)| text);
    let scripts: Vec<String> = inside.into_iter().chain(scripts).collect();
    // `ssh server bash -s <<'EOF'`: the script is the here-document.
    let is_shell = |text: &String| {
        let read = bash::read(text);
        matches!(read.commands.as_slice(), [only] if ["bash", "sh"].contains(&only.program().unwrap_or_default()))
    };
    match scripts.as_slice() {
        [first, rest @ ..] if !rest.is_empty() && is_shell(first) => rest.to_vec(),
        _ => scripts,
    }
}

/// Options of `docker exec` that take a value.
const VALUED: [&str; 8] =
    ["-e", "-u", "-w", "--env", "--env-file", "--index", "--user", "--workdir"];

/// The command after `exec` and the container's name.
fn in_container(rest: &[&str]) -> Option<String> {
    let mut at = rest.iter().position(|word| *word == "exec")? + 1;
    while let Some(word) = rest.get(at).filter(|word| word.starts_with('-')) {
        at += 1 + usize::from(VALUED.contains(word));
    }
    rest.get(at + 1..).map(joined)
}

/// Words as a shell would read them again.
fn joined(words: &[&str]) -> String {
    let quoted = |word: &&str| match word.contains([' ', ';', '|', '&', '<', '>', '(', '\n']) {
        true => format!("'{}'", word.replace('\'', "'\\''")),
        false => (*word).to_owned(),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}
