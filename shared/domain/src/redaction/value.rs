//! The end of a value, and its weight in its position.

use super::weight::{Weight, weigh};
use std::ops::Range;

/// Longest value, in bytes; the credential form takes no more.
const VALUE_BYTES: usize = 8 * 1024;
/// The part to look at first, in bytes.
const FIRST_BYTES: usize = 200;
/// Longest quoted value that may hold spaces, in bytes.
const PHRASE_BYTES: usize = 128;
/// How far to look for signs that end a value or continue it, in bytes.
const LOOK_AHEAD_BYTES: usize = 40;

/// Words of sentences: a quoted text that has one is no passphrase.
const SENTENCE: [&str; 34] = [
    "the", "at", "least", "must", "be", "your", "of", "to", "and", "is", "are", "not", "a", "an",
    "for", "in", "with", "or", "should", "can", "you", "this", "that", "it", "der", "die", "das",
    "und", "de", "la", "el", "le", "please", "enter",
];

/// A possible value in its place.
pub struct Candidate {
    pub span: Range<usize>,
    pub quoted: bool,
    pub weight: Weight,
    /// Nothing follows on its line.
    pub last: bool,
}

/// The value that begins here, after a quote or not.
pub fn candidate(text: &str, at: usize) -> Option<Candidate> {
    let before = text[..at].chars().next_back();
    if let Some(quote) = before.filter(|c| "\"'`".contains(*c)) {
        let (length, closed) = quoted(&text[at..], quote);
        if closed {
            let value = &text[at..at + length];
            let weight = if value.contains(' ') { phrase(value) } else { weigh(value) };
            let last = is_last(text, at + length + 1);
            return Some(Candidate { span: at..at + length, quoted: true, weight, last });
        }
    }
    let rest = &text[at..];
    // The beginning gives the weight; only possible secrets need their end.
    let mut length = word(rest, before, FIRST_BYTES);
    let weight = weigh(&rest[..length]);
    if weight > Weight::None && length + 4 >= FIRST_BYTES {
        length = word(rest, before, VALUE_BYTES);
    }
    let span = at..at + length;
    (length > 0).then(|| Candidate { last: is_last(text, span.end), span, quoted: false, weight })
}

/// The user's password in `user:password`, `user/password`, `user%password`.
pub fn paired(text: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let value = &text[span.clone()];
    let user = value.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.@".contains(c))?;
    if !value[user..].starts_with([':', '/', '%', '|', ',']) {
        return None;
    }
    let password = &value[user + 1..];
    let fits = (2..=32).contains(&user)
        && value.starts_with(|c: char| c.is_ascii_alphabetic())
        && weigh(password) >= Weight::Name;
    fits.then(|| span.start + user + 1..span.end)
}

fn is_last(text: &str, from: usize) -> bool {
    let rest = text.get(from..).unwrap_or_default();
    rest.trim_start_matches([' ', '\t', '\r', '"', '\'', '`', ',', ';', '.', ')', '*', '|'])
        .chars()
        .next()
        .is_none_or(|c| c == '\n')
}

/// The length of the text before the closing quote, and whether there is one on this line.
fn quoted(text: &str, quote: char) -> (usize, bool) {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().take(VALUE_BYTES) {
        match byte {
            b'\n' => break,
            // A JSON text in a shell's quotes ends at `\"`.
            b'\\' if text[at + 1..].starts_with(quote) && !escaped && at > 0 => {
                let ends = text[at + 2..].starts_with([',', '}', ' ', '\n', ']']);
                if ends {
                    return (at, true);
                }
                escaped = true;
            }
            b'\\' => escaped = !escaped,
            _ if char::from(byte) == quote && !escaped => return (at, true),
            _ => escaped = false,
        }
    }
    (0, false)
}

/// The length of the word without the signs that close it or its sentence.
fn word(text: &str, before: Option<char>, most: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len().min(most) {
        let byte = bytes[end];
        let stop = byte.is_ascii_whitespace()
            || match byte {
                b'"' | b'\'' | b'`' => closes(&text[end + 1..]),
                b'>' => closes(&text[end + 1..]),
                b'<' => bytes.get(end + 1).is_none_or(|b| *b == b'/' || b.is_ascii_alphabetic()),
                b',' | b';' | b'&' | b'|' => separates(&text[end + 1..], byte),
                b'\\' => text[end + 1..].starts_with(['"', 'n', 'r']) && end > 0,
                _ => false,
            };
        if stop {
            break;
        }
        end += 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let mut value = &text[..end];
    if before == Some('*') {
        value = value.trim_end_matches('*');
    }
    loop {
        let shorter = value.trim_end_matches(['.', ':', ',', ';']);
        let shorter = unbalanced(shorter, '(', ')');
        let shorter = unbalanced(unbalanced(shorter, '[', ']'), '{', '}');
        if shorter.len() == value.len() {
            return value.len();
        }
        value = shorter;
    }
}

fn unbalanced(value: &str, open: char, close: char) -> &str {
    match value.strip_suffix(close) {
        Some(shorter) if !value.contains(open) => shorter,
        _ => value,
    }
}

/// Whether a quote before this text closes something.
fn closes(rest: &str) -> bool {
    rest.chars().next().is_none_or(|c| c.is_whitespace() || ",;:)}]>|\\\"'`/.".contains(c))
}

/// Whether a separator before this text begins another field, or ends the text.
fn separates(rest: &str, separator: u8) -> bool {
    let bytes = rest.as_bytes();
    let Some(first) = bytes.first() else { return separator != b'&' };
    if separator != b'&' && (first.is_ascii_whitespace() || b"\"'}])`|".contains(first)) {
        return true;
    }
    let name = bytes.iter().take(LOOK_AHEAD_BYTES);
    let name = name.take_while(|b| b.is_ascii_alphanumeric() || b"_-. ".contains(b)).count();
    let sign = bytes.get(name).is_some_and(|b| *b == b'=' || (*b == b':' && separator != b'&'));
    name > 0 && sign
}

/// A quoted text with spaces: a passphrase, or words about something.
fn phrase(value: &str) -> Weight {
    let words = value.split(' ');
    let sentence = value.len() > PHRASE_BYTES
        || value.contains(['{', '$', '<'])
        || words.clone().any(|word| SENTENCE.contains(&word.to_lowercase().as_str()));
    match (sentence, words.count()) {
        (true, _) | (_, 9..) => Weight::None,
        (false, 3..) => Weight::Name,
        (false, _) => Weight::Weak,
    }
}
