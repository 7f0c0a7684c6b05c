//! Reads BIND's configuration: statements that end with `;`, with lists and further statements in braces.

use super::entries::{Entry, Read};

/// The blocks that contain statements; all other braces are lists.
const BLOCKS: [&str; 15] = [
    "channel",
    "controls",
    "dnssec-policy",
    "http",
    "key",
    "logging",
    "options",
    "rate-limit",
    "server",
    "statistics-channels",
    "template",
    "tls",
    "view",
    "zone",
    "rrl",
];

/// Statements without a hyphen, which never stand inside another one.
const STATEMENTS: [&str; 12] = [
    "acl",
    "directory",
    "file",
    "forwarders",
    "include",
    "logging",
    "notify",
    "options",
    "recursion",
    "version",
    "view",
    "zone",
];

struct Token {
    line: usize,
    text: String,
    /// Whether it is the first one of its line.
    first: bool,
}

pub(super) fn read(text: &str, known: &[&str]) -> Read {
    let tokens = tokens(text);
    let mut found = Read::default();
    let mut at = 0;
    statements(&tokens, &mut at, &[], known, &mut found);
    if let Some(token) = tokens.get(at) {
        found.mistakes.push((token.line, "This closes nothing.".to_owned()));
    }
    found
}

/// The statements up to the end of a block.
fn statements(
    tokens: &[Token],
    at: &mut usize,
    sections: &[String],
    known: &[&str],
    found: &mut Read,
) {
    while let Some(first) = tokens.get(*at).filter(|token| token.text != "}") {
        if first.text == ";" {
            *at += 1;
            continue;
        }
        let begin = *at;
        let slot = found.entries.len();
        found.entries.push(Entry::new(first.line, sections, &first.text, None));
        let mut value = Vec::new();
        *at += 1;
        while let Some(token) = tokens.get(*at) {
            let text = token.text.as_str();
            let begins = token.first
                && known.contains(&text)
                && (text.contains('-') || STATEMENTS.contains(&text));
            if text == ";" {
                *at += 1;
                break;
            }
            if text == "}" || begins {
                let before = &tokens[*at - 1];
                let message = format!("A `;` is missing after `{}`.", before.text);
                found.mistakes.push((before.line, message));
                break;
            }
            *at += 1;
            if text != "{" {
                value.push(text.to_owned());
                continue;
            }
            if BLOCKS.contains(&first.text.as_str()) {
                let mut inside = sections.to_vec();
                inside.push(first.text.clone());
                statements(tokens, at, &inside, known, found);
            } else {
                list(tokens, at, &mut value, found);
            }
            if tokens.get(*at).is_some() {
                *at += 1;
            } else {
                let message = format!("Nothing closes `{}`.", first.text);
                found.mistakes.push((tokens[begin].line, message));
            }
        }
        if let Some(entry) = found.entries.get_mut(slot) {
            entry.value = Some(value.join(" ").replace('"', ""));
        }
    }
}

/// The elements of a list up to its end, each of which ends with `;`.
fn list(tokens: &[Token], at: &mut usize, value: &mut Vec<String>, found: &mut Read) {
    while let Some(token) = tokens.get(*at).filter(|token| token.text != "}") {
        *at += 1;
        match token.text.as_str() {
            "{" => {
                list(tokens, at, value, found);
                *at += 1;
            }
            ";" => {}
            text => value.push(text.to_owned()),
        }
    }
    let last = at.checked_sub(1).and_then(|last| tokens.get(last));
    if let Some(last) = last.filter(|it| ![";", "{", "}"].contains(&it.text.as_str())) {
        let message = format!("A `;` is missing after `{}`.", last.text);
        found.mistakes.push((last.line, message));
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut block = false;
    for (at, line) in text.lines().enumerate() {
        let mut rest = line;
        let mut first = true;
        while !rest.is_empty() {
            if block {
                let end = rest.find("*/");
                block = end.is_none();
                rest = end.map_or("", |end| &rest[end + 2..]);
            } else if rest.starts_with("/*") {
                block = true;
                rest = &rest[2..];
            } else if rest.starts_with("//") || rest.starts_with('#') {
                break;
            } else if rest.starts_with(char::is_whitespace) {
                rest = rest.trim_start();
            } else {
                let end = match rest.strip_prefix('"') {
                    Some(inner) => inner.find('"').map_or(rest.len(), |end| end + 2),
                    None if rest.starts_with(['{', '}', ';']) => 1,
                    None => {
                        let sign = |c: char| c.is_whitespace() || "{};\"".contains(c);
                        rest.find(sign).unwrap_or(rest.len())
                    }
                };
                found.push(Token { line: at + 1, text: rest[..end].to_owned(), first });
                first = false;
                rest = &rest[end..];
            }
        }
    }
    found
}
