//! What a single command of a proof is evidence of.

use super::commands::{only_sets, only_tells};
use super::shows::{Shown, shown};
use super::strength::ranks;
use crate::NESTING;
use crate::bash::{self, Command};

/// What a claim is evidence of, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// Something is there.
    Present,
    /// A file has some content, or can be parsed.
    Reads,
    /// Something that runs answers.
    Asks,
}

/// How much a comparison leaves open: one value, an order or a pattern, all values but one.
pub(super) fn strictness(operator: &str, right: &str) -> Option<u8> {
    match operator {
        "==" | "=" if right.contains(['*', '?', '[']) => Some(1),
        "==" | "=" | "-eq" => Some(2),
        "=~" | "-ge" | "-gt" | "-le" | "-lt" => Some(1),
        "!=" | "-ne" => Some(0),
        _ => None,
    }
}

/// Programs that only say whether something is there.
const PRESENCE: [&str; 6] = ["command", "getent", "hash", "id", "type", "which"];

/// Programs that look at files.
const READERS: [&str; 24] = [
    "[",
    "[[",
    "awk",
    "cmp",
    "diff",
    "egrep",
    "grep",
    "jq",
    "python3",
    "rg",
    "sed",
    "sha256sum",
    "test",
    "yq",
    "bash",
    "sshd",
    "visudo",
    "promtool",
    "xmllint",
    "openssl",
    "tar",
    "gzip",
    "unzip",
    "head",
];

/// Words by which other programs only look at files.
const PARSES: [&str; 7] =
    ["config", "validate", "fmt", "verify", "-t", "--syntax-check", "--check"];

/// What a command claims; nothing if it cannot fail, or only prepares what follows.
pub(super) fn rank(command: &Command, depth: usize) -> Option<Rank> {
    let argv = command.argv();
    let inner = command.words.iter().filter_map(|word| substituted(&word.text));
    let inner = inner.filter_map(|text| within(&text, depth)).max();
    let Some((program, rest)) = argv.split_first() else { return inner };
    if only_tells(command) || only_sets(command) {
        return None;
    }
    match shown(command) {
        Some(Shown::Anything) => return None,
        Some(Shown::Named) => return Some(Rank::Present),
        None => {}
    }
    let looks = rest.iter().any(|word| {
        matches!(*word, "-e" | "-f" | "-d" | "-s" | "-r" | "-x" | "-L" | "-h" | "-S" | "-w")
            || (*word == "-n" && inner.is_none())
    });
    let compares = rest.windows(3).any(|three| strictness(three[1], three[2]).is_some());
    match *program {
        "[" | "[[" | "test" if looks && !compares => Some(Rank::Present),
        name if PRESENCE.contains(&name) || rest == ["--version"] => Some(Rank::Present),
        name if READERS.contains(&name) => Some(inner.unwrap_or(Rank::Reads).max(Rank::Reads)),
        _ if rest.iter().any(|word| PARSES.contains(word)) => Some(Rank::Reads),
        _ => Some(Rank::Asks),
    }
}

/// The command in `$(…)`.
fn substituted(word: &str) -> Option<String> {
    let (_, rest) = word.split_once("$(").filter(|(_, rest)| !rest.starts_with('('))?;
    Some(rest.rsplit_once(')').map_or(rest, |(inner, _)| inner).to_owned())
}

/// Programs that show files, so what they show says nothing about what runs.
const OF_FILES: [&str; 12] =
    ["bat", "cat", "du", "file", "find", "git", "head", "ls", "readlink", "stat", "tail", "tree"];

/// Whether a command shows the state of something that runs.
pub(super) fn is_live(command: &Command) -> bool {
    shown(command).is_some() && command.program().is_some_and(|name| !OF_FILES.contains(&name))
}

/// The highest rank of what a substitution runs.
fn within(text: &str, depth: usize) -> Option<Rank> {
    if bash::read(text).commands.iter().any(is_live) {
        return Some(Rank::Asks);
    }
    if depth >= NESTING {
        return None;
    }
    ranks(text, depth + 1).into_iter().max()
}
