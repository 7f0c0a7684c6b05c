//! Finds text that bash would take for commands: line numbers, signs of a prompt, a diff, sentences, another language.
//!
//! `bash -n` accepts most of it, because any word may name a program. Such a script fails at its first line at best,
//! after a person has approved it.

use super::error;
use crate::Unit;
use crate::bash::tree::tree;
use crate::bash::{self, Command, Script};
use crate::{FILES, inner_shells};
use domain::gate::Finding;
use domain::left_out;

pub(super) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    clouds(unit, findings);
    let (script, _) = domain::script::parts(unit.text);
    if bash::read(script).commands.is_empty() {
        findings.push(error(FILES, "This script has no command.").at(None, 1));
    }
    commands(&unit.script, 0, unit.text, findings);
    for inner in inner_shells(unit.text).iter().filter(|inner| inner.file.is_none()) {
        commands(&bash::read(&inner.text), inner.offset, unit.text, findings);
    }
    if let Some((line, text)) = left_out::in_script(unit.text) {
        let message = format!(
            "`{}` stands for something that is left out: write it out in full.",
            text.trim()
        );
        findings.push(error(FILES, message).at(None, line));
    }
}

fn commands(script: &Script, offset: usize, text: &str, findings: &mut Vec<Finding>) {
    let Some(list) = tree(script) else { return };
    for command in list.simple().iter().filter_map(|at| script.commands.get(*at)) {
        let line = command.line + offset;
        let raw = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        let Some(what) = foreign(command, raw, script) else { continue };
        let message = match what {
            What::Text(what) => format!(
                "This line has {what}, which bash takes for a command: write only the commands."
            ),
            What::Sign(sign, plain) => format!("`{sign}` is {plain}"),
            What::LeftOut => {
                "The dots stand for commands that are left out: write them out in full.".to_owned()
            }
        };
        findings.push(error(FILES, message).at(None, line));
        return;
    }
}

enum What {
    /// Something in place of a command.
    Text(&'static str),
    /// A sign that looks like one of bash's, and what it is.
    Sign(char, &'static str),
    LeftOut,
}

const QUOTES: [char; 6] = ['“', '”', '„', '‘', '’', '«'];
const DASHES: [char; 3] = ['–', '—', '−'];
const SPACES: [char; 4] = ['\u{a0}', '\u{2007}', '\u{202f}', '\u{3000}'];

fn foreign(command: &Command, raw: &str, script: &Script) -> Option<What> {
    let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
    let first = *words.first()?;
    let plain = !command.words.first().is_some_and(|word| word.quoted);
    let digits = first.trim_end_matches(['.', ')', ':']);
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    let rest = &words[1..];
    let text = match first {
        "$" | "%" if !rest.is_empty() => Some("a shell prompt"),
        "..." | "…" => return Some(What::LeftOut),
        "*" | "•" | "·" | "‣" if plain => Some("a list marker"),
        _ if is_prompt(raw) => Some("a shell prompt"),
        _ if plain && LANGUAGES.contains(&first) && !rest.is_empty() => {
            Some("code in another language")
        }
        _ if is_number && plain => Some("a line number"),
        "---" | "+++" | "@@" => Some("a diff marker"),
        _ if plain && first.starts_with('+') => Some("a diff marker"),
        _ if plain && first.starts_with('-') => Some("a list or diff marker"),
        _ if is_cmdlet(first) || raw.trim_start().starts_with("$env:") => {
            Some("a PowerShell command")
        }
        _ if raw.trim_start().starts_with("{\"") || raw.trim_start().starts_with("[\"") => {
            Some("JSON")
        }
        _ if plain && is_sentence(&words, raw) && !script.functions.contains(first) => {
            Some("a sentence")
        }
        _ => None,
    };
    if let Some(text) = text {
        return Some(What::Text(text));
    }
    let bare = |signs: &[char]| command.words.iter().find_map(|word| bare(&word.text, signs, raw));
    if let Some(sign) = bare(&QUOTES) {
        return Some(What::Sign(
            sign,
            "a typographic quotation mark, which bash takes for a letter: use ' or \".",
        ));
    }
    let dash = words.iter().find_map(|word| word.chars().next().filter(|c| DASHES.contains(c)));
    if let Some(sign) = dash.filter(|sign| bare(&[*sign]).is_some()) {
        return Some(What::Sign(
            sign,
            "a typographic dash, which begins no option: use a hyphen (`-`).",
        ));
    }
    bare(&SPACES)
        .map(|sign| What::Sign(sign, "a space that does not separate words: use a plain space."))
}

/// A sign in a word, outside quotation marks in the line.
fn bare(word: &str, signs: &[char], raw: &str) -> Option<char> {
    let sign = word.chars().find(|c| signs.contains(c))?;
    raw.match_indices(sign)
        .any(|(at, _)| {
            let before = &raw[..at];
            ['\'', '"'].iter().all(|quote| before.matches(*quote).count() % 2 == 0)
        })
        .then_some(sign)
}

/// Words that begin a line of a Dockerfile or of SQL.
const LANGUAGES: [&str; 12] = [
    "ALTER",
    "CMD",
    "COPY",
    "CREATE",
    "ENTRYPOINT",
    "EXPOSE",
    "FROM",
    "GRANT",
    "INSERT",
    "RUN",
    "SELECT",
    "WORKDIR",
];

/// `deploy@shop:~$`, `PS C:\>`.
fn is_prompt(raw: &str) -> bool {
    let mut words = raw.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let unix = first.contains('@') && first.ends_with(['$', '#']);
    let windows = |word: &str| word.ends_with('>') && word.contains(":\\");
    unix || windows(first) || (first == "PS" && windows(second))
}

/// `New-Item`.
fn is_cmdlet(word: &str) -> bool {
    let begins = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase())
            && part.len() > 1
            && part.chars().all(|c| c.is_ascii_alphabetic())
    };
    word.split_once('-').is_some_and(|(verb, noun)| begins(verb) && begins(noun))
}

/// Whether words read as a sentence: a capital at the beginning, a full stop or a comma, and nothing of a command.
fn is_sentence(words: &[&str], raw: &str) -> bool {
    let mut letters = words[0].trim_end_matches([',', ':']).chars();
    let capital = letters.next().is_some_and(char::is_uppercase);
    let lower = letters.clone().next().is_some() && letters.all(char::is_lowercase);
    let ends = raw.trim_end().ends_with(['.', ':', '!']) || words[0].ends_with([',', ':']);
    let technical =
        words.iter().any(|word| word.starts_with('-') || word.contains(['/', '$', '=']));
    capital && lower && ends && words.len() >= 3 && !technical
}

/// The first line of cloud-init's files has no space: with one, it is a comment, and cloud-init ignores the file.
fn clouds(unit: &Unit, findings: &mut Vec<Finding>) {
    let lines: Vec<&str> = unit.text.lines().map(str::trim).collect();
    for (at, pair) in lines.windows(2).enumerate() {
        let key = pair[1].split_once(':').is_some_and(|(key, _)| {
            !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        });
        if pair[0] == "# cloud-config" && key {
            let message =
                "cloud-init reads only what begins with `#cloud-config`, without a space.";
            findings.push(error(FILES, message).at(None, at + 1));
        }
    }
}
