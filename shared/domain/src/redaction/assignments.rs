//! Secrets that are known by the word before them: `password=…`, `"apiKey": "…"`, `--token …`.

use super::Found;
use super::strength::{is_secret, is_surely_secret};
use crate::credential::MAX_NAME_CHARS;

/// Words for something that people choose themselves; it may be short.
const PASSWORDS: [&str; 5] = ["password", "passwd", "pwd", "passphrase", "pass"];
/// Words for something that a machine made.
const TOKENS: [&str; 12] = [
    "secret",
    "token",
    "apikey",
    "api_key",
    "access_key",
    "secret_key",
    "private_key",
    "auth_key",
    "signing_key",
    "encryption_key",
    "master_key",
    "bearer",
];
/// Shortest password that is taken for one, in bytes.
const PASSWORD_BYTES: usize = super::MIN_SECRET_BYTES;
/// Shortest made secret that is taken for one, in bytes.
const TOKEN_BYTES: usize = 12;

/// How a word is tied to what follows it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    /// `=` or `:`.
    Sign,
    /// A command's option, or `Bearer`: a space.
    Space,
    /// "is", in a sentence.
    Is,
}

/// Secrets that are assigned to a word for a secret.
pub fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(key_char).map(|at| from + at) {
        let end = text[start..].find(|c| !key_char(c)).map_or(text.len(), |n| start + n);
        from = end;
        let key = &text[start..end];
        let Some(min) = shortest(key) else { continue };
        let Some((tie, rest)) = tie(key, &text[end..]) else { continue };
        let value = value(tie, rest);
        let at = text.len() - rest.len() + offset(rest);
        let fits = if tie == Tie::Is { is_surely_secret } else { is_secret };
        if fits(value, min) {
            found.push(Found { span: at..at + value.len(), name: variable(key) });
            from = at + value.len();
        }
    }
    found
}

fn key_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// How long a value of this key must be; none when the key does not end in a word for a secret.
fn shortest(key: &str) -> Option<usize> {
    let name = variable(key).to_lowercase();
    let ends_in = |words: &[&str]| {
        words.iter().any(|word| {
            name.strip_suffix(word).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
        })
    };
    if ends_in(&PASSWORDS) {
        return Some(PASSWORD_BYTES);
    }
    ends_in(&TOKENS).then_some(TOKEN_BYTES)
}

/// What ties the key to the rest of its line, and that rest.
fn tie<'a>(key: &str, after: &'a str) -> Option<(Tie, &'a str)> {
    let blank = |c: char| c == ' ' || c == '\t';
    // A JSON key's or a Markdown word's closing mark.
    let signed = after.trim_start_matches(['"', '\'', '`', '*', ']']).trim_start_matches(blank);
    for sign in [":=", "=>", "==", "=", ":"] {
        if let Some(rest) = signed.strip_prefix(sign) {
            return Some((
                Tie::Sign,
                rest.trim_start_matches(blank).trim_start_matches('*').trim_start_matches(blank),
            ));
        }
    }
    let spaced = after.trim_start_matches(blank);
    if spaced.len() == after.len() {
        return None;
    }
    if key.starts_with("--") || key.eq_ignore_ascii_case("bearer") {
        return Some((Tie::Space, spaced));
    }
    let said = spaced.strip_prefix("is ")?;
    Some((Tie::Is, said.trim_start_matches(blank)))
}

/// Where the value begins in the rest of the line: after a quote.
fn offset(rest: &str) -> usize {
    usize::from(rest.starts_with(['"', '\'', '`']))
}

/// The quoted text, or the word without what closes it or its sentence.
fn value(tie: Tie, rest: &str) -> &str {
    if let Some(quote) = rest.chars().next().filter(|c| "\"'`".contains(*c)) {
        let inner = &rest[1..];
        return &inner[..inner.find([quote, '\n']).unwrap_or(inner.len())];
    }
    let word = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
    let word = &word[..word.find(['"', '\'', '`', '<', '>', ',', ';']).unwrap_or(word.len())];
    let word = word.trim_end_matches(['.', ':', ')', ']', '}']);
    // In a sentence these end it; after a sign they are as likely the password's own.
    if tie == Tie::Is { word.trim_end_matches(['!', '?', '*']) } else { word }
}

/// The key as the name of a variable: `db-password`, `apiKey` become `DB_PASSWORD`, `API_KEY`.
fn variable(key: &str) -> String {
    let mut name = String::new();
    let mut before = ' ';
    for c in key.trim_matches(['-', '_']).chars() {
        if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            name.push('_');
        }
        name.push(if c == '-' { '_' } else { c.to_ascii_uppercase() });
        before = c;
    }
    if name == "BEARER" {
        name.push_str("_TOKEN");
    }
    if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
        name.insert_str(0, "SECRET_");
    }
    name.truncate(MAX_NAME_CHARS);
    name
}
