//! Finds options that a program does not have, by the tables in `options/`.
//!
//! A table has a line for each program or subcommand: its path, a colon, its options as they are typed, each with `=`
//! after it if it takes a value. The tables come from the programs' own help. A subcommand without a line, a word with
//! an expansion, and words after `--`, are not checked. Many programs accept an option's first letters for the whole.

use super::error;
use crate::bash::Command;
use crate::{FILES, Unit};
use domain::gate::Finding;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

const TABLES: [&str; 8] = [
    include_str!("options/aws-a-k.txt"),
    include_str!("options/aws-ec2.txt"),
    include_str!("options/aws-l-z.txt"),
    include_str!("options/cluster.txt"),
    include_str!("options/cloud.txt"),
    include_str!("options/containers.txt"),
    include_str!("options/hcloud.txt"),
    include_str!("options/system.txt"),
];

/// The options of each program and subcommand.
static OPTIONS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = TABLES.iter().flat_map(|table| table.lines());
    lines.filter_map(|line| line.split_once(':')).collect()
});

/// The paths that have subcommands.
static GROUPS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let above = |path: &&'static str| {
        let path = *path;
        path.match_indices(' ').map(move |(at, _)| &path[..at])
    };
    OPTIONS.keys().flat_map(above).collect()
});

/// Commands that are complete without one of their subcommands.
const COMPLETE: [&str; 4] =
    ["kubectl apply", "kubectl cluster-info", "kubectl create", "terraform providers"];

/// Subcommands whose arguments after the first plain word belong to another program.
const RUNNING: [&str; 8] = [
    "docker compose exec",
    "docker compose run",
    "docker container exec",
    "docker container run",
    "docker exec",
    "docker run",
    "docker create",
    "systemd-run",
];

/// Programs that want the whole name of an option.
const EXACT: [&str; 10] = [
    "docker",
    "docker-compose",
    "find",
    "hcloud",
    "helm",
    "jq",
    "kubectl",
    "openssl",
    "restic",
    "terraform",
];

/// Programs whose options have one dash: a word with one dash is one option, not several letters.
const SINGLE: [&str; 3] = ["find", "openssl", "terraform"];

/// The beginnings of the digests and ciphers that openssl knows.
const METHODS: [&str; 11] =
    ["aes", "aria", "blake", "camellia", "chacha", "des", "md", "ripemd", "sha", "sm", "id-aes"];

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    for shell in unit.everywhere() {
        // A function of the script may have a program's name.
        let own = |command: &&Command| {
            command.program().is_some_and(|program| shell.script.functions.contains(program))
        };
        for command in shell.script.commands.iter().filter(|command| !own(command)) {
            if let Some(message) = unknown(command) {
                let line = command.line + shell.offset;
                findings.push(error(FILES, message).at(shell.file.as_deref(), line));
            }
        }
    }
}

/// The first option that the command's program does not have.
fn unknown(command: &Command) -> Option<String> {
    let argv = command.argv();
    let (program, rest) = argv.split_first()?;
    let program = if *program == "tofu" { "terraform" } else { program };
    let top = OPTIONS.get(program)?;
    let single = SINGLE.contains(&program);
    let (path, known) = subcommand(program, top, rest)?;
    let running = RUNNING.contains(&path.as_str());
    let mut words = rest.iter();
    let mut plain = path.split(' ').count() - 1;
    while let Some(word) = words.next() {
        if *word == "--" || word.contains("[@]") {
            return None;
        }
        // `-exec` of find runs another program to the next `;`.
        if program == "find" && ["-exec", "-execdir", "-ok", "-okdir"].contains(word) {
            words.by_ref().find(|word| [";", "+"].contains(word));
            continue;
        }
        let Some(name) = option(word, single) else {
            // `-` and what follows an unknown letter may be anything.
            if !word.starts_with('-') {
                if plain > 0 {
                    plain -= 1;
                } else if running {
                    return None;
                }
            }
            if takes_value(word, &known) {
                words.next();
            }
            continue;
        };
        let bare = |option: &str| option.trim_end_matches('=').trim_start_matches('-').to_owned();
        let wanted = name.trim_start_matches('-');
        // Of these, only terraform also takes two dashes.
        let dashes = |text: &str| text.chars().take_while(|c| *c == '-').count();
        let alike = |option: &str| program == "terraform" || dashes(option) == dashes(name);
        let known = known.iter().filter(|option| alike(option)).copied().collect::<Vec<_>>();
        let found = known.iter().find(|option| bare(option) == wanted);
        let begins = |option: &&&str| {
            wanted.len() > 1 && !EXACT.contains(&program) && bare(option).starts_with(wanted)
        };
        let negated = wanted.strip_prefix("no-");
        let negates = |option: &&&str| {
            !EXACT.contains(&program) && negated.is_some_and(|name| bare(option) == name)
        };
        match found.or_else(|| known.iter().find(begins)).or_else(|| known.iter().find(negates)) {
            Some(option) if option.ends_with('=') && !word.contains('=') => drop(words.next()),
            Some(_) => {}
            // The names of digests and ciphers are options.
            None if program == "openssl" && METHODS.iter().any(|name| wanted.starts_with(name)) => {
            }
            // Certbot gets them from plugins.
            None if program == "certbot" && wanted.starts_with("dns-") => {}
            None => return Some(format!("`{path}` has no option `{name}`.")),
        }
    }
    None
}

/// The subcommand's path and its options, with those of the commands above it; `None` if no table has it.
fn subcommand(
    program: &str,
    top: &'static str,
    rest: &[&str],
) -> Option<(String, Vec<&'static str>)> {
    let mut path = program.to_owned();
    let mut known: Vec<&str> = top.split_whitespace().collect();
    let mut words = rest.iter();
    while GROUPS.contains(path.as_str()) {
        let complete = COMPLETE.contains(&path.as_str());
        let mut next = words.next();
        while let Some(option) = next.filter(|word| word.starts_with('-')) {
            if takes_value(option, &known) {
                words.next();
            }
            next = words.next();
        }
        let deeper = next.map(|word| format!("{path} {word}"));
        match deeper.and_then(|deeper| Some((OPTIONS.get(deeper.as_str())?, deeper))) {
            Some((options, deeper)) => {
                known.extend(options.split_whitespace());
                path = deeper;
            }
            None if complete => break,
            None => return None,
        }
    }
    Some((path, known))
}

/// The words that may follow a path, by the tables.
pub(super) fn subcommands(path: &str) -> Vec<&'static str> {
    let below = |entry: &&'static str| entry.strip_prefix(path)?.strip_prefix(' ');
    OPTIONS.keys().filter_map(below).filter(|rest| !rest.contains(' ')).collect()
}

/// The path of a command and its words that are neither options nor values of options; `None` if that is not certain.
/// `more` has for each path that matters the options with a value that the tables lack.
pub(super) fn operands(
    command: &Command,
    more: impl Fn(&str) -> Option<&'static str>,
) -> Option<(String, Vec<&str>)> {
    let argv = command.argv();
    let (program, rest) = argv.split_first()?;
    let (path, known) = subcommand(program, OPTIONS.get(program)?, rest)?;
    let more: Vec<String> =
        more(&path)?.split_whitespace().map(|option| format!("{option}=")).collect();
    let known: Vec<&str> = more.iter().map(String::as_str).chain(known).collect();
    let quoted = &command.words[command.words.len() - rest.len()..];
    let mut skipped = path.split(' ').count() - 1;
    let (mut found, mut plain, mut at) = (Vec::new(), false, 0);
    while let Some(word) = quoted.get(at) {
        at += 1;
        let text = word.text.as_str();
        // These may be several words, or none.
        let several =
            text.contains("[@]") || text == "$@" || text.starts_with("${") && text.contains(":+");
        if several || (!word.quoted && text.contains(['$', '*', '?', '{', '}', '[', '`', '<'])) {
            return None;
        }
        // `chmod -x file` has a mode that begins like an option.
        let mode = program == &"chmod"
            && text.len() > 1
            && text[1..].bytes().all(|b| b"rwxXst".contains(&b));
        if text == "--" {
            plain = true;
        } else if plain || mode || !text.starts_with('-') || text == "-" {
            if skipped > 0 { skipped -= 1 } else { found.push(text) }
        } else if !text.contains('=') {
            at += usize::from(valued(text, &known, program)?);
        }
    }
    Some((path, found))
}

/// Whether an option, or the last of several letters after one dash, takes the next word; `None` if it is not known.
fn valued(text: &str, known: &[&str], program: &str) -> Option<bool> {
    let has = |name: &str| {
        known.iter().find(|option| option.trim_end_matches('=') == name).map(|it| it.ends_with('='))
    };
    if let Some(takes) = has(text) {
        return Some(takes);
    }
    if text.starts_with("--") || SINGLE.contains(&program) {
        let mut begun = known.iter().filter(|option| option.starts_with(text));
        let first = begun.next()?;
        let same = begun.all(|option| option.ends_with('=') == first.ends_with('='));
        return same.then(|| first.ends_with('='));
    }
    // The tables have the letters that take a value; the rest of the word is the value of such a letter.
    let letters: Vec<char> = text.chars().skip(1).collect();
    let first = letters.iter().position(|letter| has(&format!("-{letter}")) == Some(true));
    Some(first.is_some_and(|at| at + 1 == letters.len()))
}

/// Whether the next word is this option's value.
fn takes_value(word: &str, known: &[&str]) -> bool {
    !word.contains('=')
        && known.iter().any(|option| option.strip_suffix('=').is_some_and(|option| option == word))
}

/// The name of an option that can be judged.
fn option(word: &str, single: bool) -> Option<&str> {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    let bare = match (name.strip_prefix("--"), single) {
        (Some(bare), _) => bare,
        (None, true) => name.strip_prefix('-')?,
        (None, false) => return None,
    };
    let plain = bare.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.');
    (plain && bare.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        crate::bash::read(text).commands.iter().filter_map(unknown).collect()
    }

    #[test]
    fn an_option_that_no_table_has_is_found() {
        for (text, name) in [
            ("terraform plan -save=a", "-save"),
            (
                "aws --region a s3api put-bucket-versioning --versioning-state b",
                "--versioning-state",
            ),
            ("docker compose -f a.yml up --detached", "--detached"),
            ("docker build --pull-always .", "--pull-always"),
            ("curl --fail-fast https://a", "--fail-fast"),
            ("find . --type f", "--type"),
            ("ssh-keygen --type ed25519", "--type"),
            ("kubectl -n a rollout status deployment/b --wait=1s", "--wait"),
            ("ansible-playbook site.yml --check-syntax", "--check-syntax"),
            ("certbot certonly --webroot -w a -d b --accept-tos", "--accept-tos"),
            ("nft --validate -f a.nft", "--validate"),
        ] {
            assert!(said(text).iter().any(|said| said.ends_with(&format!("`{name}`."))), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_judged_is_left_alone() {
        for text in [
            "docker run --rm alpine:3 ls --anything",
            // Older names that no help shows
            "docker run --net host --net-alias a b:1.0.0",
            "docker exec a psql --anything",
            "kubectl exec a -- b --anything",
            "git commit --message '--anything'",
            "curl --data '--anything here' https://a",
            "find . -mtime -3 -exec chmod --anything {} ; -print",
            "terraform -chdir=a plan -out=b -var c=d",
            "aws s3api put-bucket-versioning --bucket a --versioning b",
            "curl() { :; }",
            "openssl dgst -sha256 -verify a b",
            "docker unknown --anything",
            "curl --sil https://a",
            "docker --context a compose --file b up --detach --wait",
            "grep -- --anything a",
            "certbot certonly --dns-a-credentials b --dns-a-propagation-seconds 9 -d c -m d",
        ] {
            assert_eq!(said(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn every_line_of_the_tables_is_an_entry() {
        for line in TABLES.iter().flat_map(|table| table.lines()) {
            let (path, options) = line.split_once(':').unwrap();
            assert!(!path.is_empty() && OPTIONS.contains_key(path), "{line}");
            let typed = |option: &str| option.starts_with('-') && option.len() > 1;
            assert!(options.split_whitespace().all(typed), "{line}");
        }
    }
}
