//! Commands that print or save what a server sends.

use crate::bash::tree::{Chain, List, Node, tree};
use crate::bash::{Command, Script, base};
use crate::files::known;
use std::collections::BTreeSet;

/// Addresses of the machine itself.
const OWN: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Programs that get something from an address.
const FETCHERS: [&str; 9] =
    ["aria2c", "axel", "curl", "http", "https", "lwp-request", "wget", "wget2", "xh"];

/// Whether a command asks another machine for something.
pub(in crate::policy) fn asks(argv: &[&str]) -> bool {
    let fetcher = match argv {
        ["busybox" | "toybox", program, ..] => *program == "wget",
        [program, ..] => FETCHERS.contains(program),
        [] => false,
    };
    fetcher && !argv.iter().any(|word| OWN.iter().any(|own| word.contains(&format!("//{own}"))))
}

/// Whether a command prints what a server sends.
pub(super) fn fetches(command: &Command) -> bool {
    let argv = command.argv();
    asks(&argv)
        && command.writes.iter().all(|(path, _)| path == "/dev/null")
        && output(&argv).is_none()
}

/// Whether a word is a group of single letters with `letter` at its end.
fn ends_with(word: &str, letter: char) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.ends_with(letter)
}

/// Where curl or wget saves what it gets; `None` if it prints that.
fn output<'a>(argv: &[&'a str]) -> Option<&'a str> {
    let program = *argv.first()?;
    let (letter, long) =
        if program == "wget" { ('O', "--output-document") } else { ('o', "--output") };
    let named = argv.iter().enumerate().skip(1).find_map(|(at, word)| {
        if *word == long || ends_with(word, letter) {
            return argv.get(at + 1).copied();
        }
        let joined = word.strip_prefix(long).and_then(|rest| rest.strip_prefix('='));
        // `-qO-`
        joined.or_else(|| (program == "wget" && ends_with(word, '-')).then_some("-"))
    });
    if let Some(path) = named {
        return (!["-", "/dev/stdout"].contains(&path)).then_some(path);
    }
    let remote = |word: &&str| {
        ["--remote-name", "--remote-name-all"].contains(word)
            || (word.starts_with('-') && !word.starts_with("--") && word.contains('O'))
    };
    let by_name = program != "curl" || argv.iter().any(remote);
    let address = argv.iter().skip(1).find(|word| word.contains("://"))?;
    let name = base(address.split(['?', '#']).next().unwrap_or(address));
    (by_name && !name.is_empty()).then_some(name)
}

/// The files in which a command keeps what it gets from a server, or from such a command before it in a pipe.
pub(in crate::policy) fn saved(command: &Command, script: &Script, fed: bool) -> Vec<String> {
    let argv = command.argv();
    let mut paths: Vec<&str> = Vec::new();
    if asks(&argv) {
        paths.extend(output(&argv));
    }
    if asks(&argv) || fed {
        paths.extend(command.writes.iter().map(|(path, _)| path.as_str()));
    }
    if fed && argv.first() == Some(&"tee") {
        paths.extend(argv.iter().skip(1).filter(|word| !word.starts_with('-')));
    }
    let paths = paths.into_iter().filter(|path| !path.starts_with("/dev/"));
    paths.map(|path| known(path, script)).collect()
}

/// Whether a command turns a text that no one can read into another.
pub(super) fn decodes(command: &Command) -> bool {
    let argv = command.argv();
    let has = |words: &[&str]| argv.iter().any(|word| words.contains(word));
    match argv.first() {
        Some(&("base64" | "base32")) => has(&["-d", "-D", "--decode", "-di"]),
        Some(&"openssl") => has(&["base64", "enc"]) && has(&["-d"]),
        Some(&"xxd") => argv.iter().any(|word| ends_with(word, 'r') || word.starts_with("-r")),
        _ => false,
    }
}

/// Whether a command makes such a text, so that what is decoded later stands in the script or in a file.
pub(super) fn encodes(command: &Command) -> bool {
    matches!(command.program(), Some("base64" | "base32")) && !decodes(command)
}

/// The functions of a script that print what a server sends.
pub(super) fn functions(script: &Script) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if let Some(list) = tree(script) {
        collect(&list, script, &mut found);
    }
    found
}

fn collect(list: &List, script: &Script, found: &mut BTreeSet<String>) {
    let pipelines = list.0.iter().flat_map(|Chain { first, rest, .. }| {
        std::iter::once(first).chain(rest.iter().map(|(_, pipeline)| pipeline))
    });
    for node in pipelines.flat_map(|pipeline| &pipeline.parts) {
        let Node::Function(name, body) = node else { continue };
        let (Node::Group(body) | Node::Subshell(body)) = body.as_ref() else { continue };
        // What it prints is the output of its commands that stand alone.
        let alone = body.0.iter().filter(|chain| chain.first.parts.len() == 1);
        let mut commands = alone.filter_map(|chain| match chain.first.parts.as_slice() {
            [Node::Simple(at)] => script.commands.get(*at),
            _ => None,
        });
        if commands.any(fetches) {
            found.insert(name.clone());
        }
    }
}

/// The commands in the substitutions of a text: `$(…)`, `<(…)` and backticks.
pub(super) fn substitutions(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for open in ["$(", "<("] {
        for (at, _) in text.match_indices(open) {
            let inner = &text[at + open.len()..];
            let mut depth = 1_usize;
            let end = inner.char_indices().find(|(_, c)| {
                match c {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            found.push(end.map_or(inner, |(end, _)| &inner[..end]));
        }
    }
    found.extend(text.split('`').skip(1).step_by(2));
    found
}
