//! Decides where a value ends, and how much its text looks like a secret in its position.

use super::talk::{Says, says};
use super::things::is_stand_in;
use super::weight::{Weight, weigh};
use super::words::is_east_asian;
use std::ops::Range;

/// The longest value, in bytes. The form for credentials accepts no more.
const VALUE_BYTES: usize = 8 * 1024;
/// How many values may begin in one run of text without a separator, such as `a|b|c`, because each reaches to its end.
const TRIES: u32 = 16;
/// The longest quoted value that may contain spaces, in bytes.
const PHRASE_BYTES: usize = 128;
/// How far to look for signs that end or continue a value, in bytes.
const LOOK_AHEAD_BYTES: usize = 40;

/// Words of sentences. A quoted text with one of them is not a passphrase.
const SENTENCE: [&str; 34] = [
    "the", "at", "least", "must", "be", "your", "of", "to", "and", "is", "are", "not", "a", "an",
    "for", "in", "with", "or", "should", "can", "you", "this", "that", "it", "der", "die", "das",
    "und", "de", "la", "el", "le", "please", "enter",
];

/// Whether a word in lower case belongs to a sentence.
pub fn is_sentence(word: &str) -> bool {
    SENTENCE.contains(&word)
}

/// Whether a byte separates two words of a line.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A possible value and its place.
#[derive(Clone)]
pub struct Value {
    pub span: Range<usize>,
    pub quoted: bool,
    pub weight: Weight,
    /// Whether nothing follows on its line.
    pub last: bool,
}

/// Where a possible value ends, before it is weighed.
#[derive(Clone)]
pub struct Ending {
    pub span: Range<usize>,
    quoted: bool,
    last: bool,
    /// The weight, if the end depends on it.
    weight: Option<Weight>,
}

impl Ending {
    fn weighed(&self, text: &str) -> Value {
        let Self { span, quoted, last, weight } = self.clone();
        let value = &text[span.clone()];
        let weight = weight.unwrap_or_else(|| {
            if quoted && value.contains(' ') { phrase(value) } else { weigh(value) }
        });
        Value { span, quoted, weight, last }
    }
}

/// The latest value, and the text that it was read from.
struct Latest {
    start: usize,
    /// The end of the text.
    end: usize,
    ending: Option<Ending>,
    /// The same with its weight. To weigh it takes longer than to find its end, and many values need no weight.
    value: Option<Value>,
}

/// Reads values, and remembers where they end. Many values can begin in one run of text, and searching for the end each
/// time would take quadratic time.
#[derive(Default)]
pub struct Values {
    /// The last run of text without separators.
    run: Range<usize>,
    /// For each kind of quote, the text after an opening one, and whether a closing one follows it.
    quotes: [(Range<usize>, bool); QUOTES.len()],
    /// How many values began in the run or the quotes that end at this place.
    tries: (usize, u32),
    latest: Option<Latest>,
}

/// Signs that close a value or its sentence.
const ENDS: [char; 7] = ['.', ':', ',', ';', ')', ']', '}'];
const BRACKETS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];
const QUOTES: [char; 3] = ['"', '\'', '`'];

impl Values {
    /// The value that begins here, after a quote or without one.
    pub fn candidate(&mut self, text: &str, at: usize) -> Option<Value> {
        let latest = self.latest(text, at);
        if latest.value.is_none() {
            latest.value = latest.ending.as_ref().map(|ending| ending.weighed(text));
        }
        latest.value.clone()
    }

    /// The word that begins here or after the quote that is here, without its quotes.
    pub fn word(&mut self, text: &str, at: usize) -> Option<Value> {
        if text[at..].starts_with(QUOTES)
            && let Some(found) = self.candidate(text, at + 1).filter(|found| found.quoted)
        {
            return Some(found).filter(|found| !text[found.span.clone()].contains(' '));
        }
        self.candidate(text, at)
    }

    /// Where the value that begins here ends.
    pub fn ending(&mut self, text: &str, at: usize) -> Option<Ending> {
        self.latest(text, at).ending.clone()
    }

    /// The value that begins here; reads it unless it is the latest one.
    fn latest(&mut self, text: &str, at: usize) -> &mut Latest {
        let known =
            self.latest.take().filter(|latest| (latest.start, latest.end) == (at, text.len()));
        let latest = known.unwrap_or_else(|| Latest {
            start: at,
            end: text.len(),
            ending: self.read(text, at),
            value: None,
        });
        self.latest.insert(latest)
    }

    fn read(&mut self, text: &str, at: usize) -> Option<Ending> {
        let before = text[..at].chars().next_back();
        if let Some(end) = before.and_then(|quote| self.quoted(text, at, quote)) {
            if !self.tried(end) {
                return None;
            }
            let last = is_last(text, end + 1);
            return Some(Ending { span: at..end, quoted: true, last, weight: None });
        }
        let run = self.run(text, at);
        if run.is_empty() || !self.tried(run.end) {
            return None;
        }
        let mut end = at + closed(&text[run], before);
        let mut weight = None;
        // "on prod-2?": the sign is the question's, unless the text is a password without it too.
        if let Some(asked) = text[at..end].strip_suffix('?')
            && let own = weigh(asked)
            && own < Weight::Name
        {
            (weight, end) = (Some(own), at + asked.len());
        }
        // "Danke!"
        if let Some(said) = text[at..end].strip_suffix('!')
            && says(said).is_some()
        {
            weight = Some(weigh(said));
        }
        let last = is_last(text, end);
        (end > at).then_some(Ending { span: at..end, quoted: false, last, weight })
    }

    /// Counts a value; returns whether it may still be read.
    fn tried(&mut self, end: usize) -> bool {
        let before = if self.tries.0 == end { self.tries.1 } else { 0 };
        self.tries = (end, before + 1);
        before < TRIES
    }

    /// The text up to the next separator.
    fn run(&mut self, text: &str, at: usize) -> Range<usize> {
        let bounded =
            self.run.len() >= VALUE_BYTES && self.run.end - at.min(self.run.end) < VALUE_BYTES / 2;
        if !(self.run.start < at && at < self.run.end) || bounded {
            self.run = at..at + separator(&text[at..]);
        }
        at..self.run.end
    }

    /// Where a quoted text ends: before the closing quote, if its line has one.
    fn quoted(&mut self, text: &str, at: usize, quote: char) -> Option<usize> {
        let kind = QUOTES.iter().position(|known| *known == quote)?;
        let (known, closed) = &self.quotes[kind];
        if !(known.start < at && at <= known.end) {
            let (length, closed) = quoted(&text[at..], quote);
            self.quotes[kind] = (at..at + length, closed);
            return closed.then_some(at + length);
        }
        closed.then_some(known.end)
    }
}

/// The user's password in `user:password`, `user/password`, `user%password`.
pub fn paired(text: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let value = &text[span.clone()];
    let user = value.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.@".contains(c))?;
    if !value[user..].starts_with([':', '/', '%', '|', ',']) {
        return None;
    }
    let mut password = &value[user + 1..];
    // `backup@nas1:/data2`, `anna@nas1/data2`: a path on a server
    let sign = &value[user..user + 1];
    if value[..user].contains('@') && (sign == "/" || password.starts_with('/')) {
        return None;
    }
    // `user/password@host`
    if let Some((before, _host)) = password.rsplit_once('@')
        && (weigh(password) == Weight::None || (before.starts_with('$') && is_stand_in(before)))
    {
        password = before;
    }
    let digest = ["sha1", "sha256", "sha512", "md5"]
        .iter()
        .any(|name| value[..user].eq_ignore_ascii_case(name));
    let fits = (2..=32).contains(&user)
        && !digest
        && value.starts_with(|c: char| c.is_ascii_alphabetic())
        && weigh(password) >= Weight::Name;
    let start = span.start + user + 1;
    fits.then(|| start..start + password.len())
}

/// Whether a sign of a pair belongs to the value itself: `Coral%21Reef` of a form or an address, and base64 with a slash.
pub fn is_whole(value: &str) -> bool {
    const RANDOM_BYTES: usize = 10;
    let hex = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let encoded = || {
        let mut rest = value.split('%').skip(1).peekable();
        rest.peek().is_some() && rest.all(|part| part.get(..2).is_some_and(hex))
    };
    let random = |part: &str| {
        part.len() >= RANDOM_BYTES
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'+')
            && weigh(part) == Weight::Strong
    };
    encoded() || value.split_once('/').is_some_and(|(part, _)| random(part))
}

fn is_last(text: &str, from: usize) -> bool {
    let rest = text.get(from..).unwrap_or_default();
    rest.trim_start_matches([' ', '\t', '\r', '"', '\'', '`', ',', ';', '.', ')', '*', '|'])
        .chars()
        .next()
        .is_none_or(|c| c == '\n')
}

/// The length of the text before the closing quote, or of what was read, and whether the line has a closing quote.
fn quoted(text: &str, quote: char) -> (usize, bool) {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().take(VALUE_BYTES) {
        match byte {
            b'\n' => return (at, false),
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
    (text.len().min(VALUE_BYTES), false)
}

/// The length of the text up to a separator.
fn separator(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len().min(VALUE_BYTES) {
        let byte = bytes[end];
        let stop = byte.is_ascii_whitespace()
            || match byte {
                b'"' | b'\'' | b'`' | b'>' => closes(&text[end + 1..]),
                b'<' => bytes.get(end + 1).is_none_or(|b| *b == b'/' || b.is_ascii_alphabetic()),
                b',' | b';' | b'&' | b'|' => separates(&text[end + 1..], byte),
                b'\\' => text[end + 1..].starts_with(['"', 'n', 'r']) && end > 0,
                // "Xです"
                0xe3..=0xed => bytes[0].is_ascii() && text[end..].starts_with(is_east_asian),
                _ => false,
            };
        if stop {
            break;
        }
        end += 1;
    }
    text.ceil_char_boundary(end)
}

/// The length of a value without the signs that close it or its sentence.
fn closed(run: &str, before: Option<char>) -> usize {
    let mut value = run;
    if before == Some('*') {
        value = value.trim_end_matches('*');
    }
    if !value.ends_with(ENDS) {
        return value.len();
    }
    // The signs that are cut off never open a bracket, so one check for an open bracket is enough.
    let open = |close: char| BRACKETS.iter().any(|(o, c)| *c == close && value.contains(*o));
    let kept = [')', ']', '}'].map(|close| if open(close) { None } else { Some(close) });
    value.trim_end_matches(|c: char| ".:,;".contains(c) || kept.contains(&Some(c))).len()
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
    let colon = || bytes[name] == b':' && separator != b'&' && !rest[name..].starts_with("://");
    let sign = bytes.get(name).is_some_and(|b| *b == b'=' || colon());
    name > 0 && sign
}

/// The weight of a quoted text with spaces: a passphrase, or words about something.
fn phrase(value: &str) -> Weight {
    let words = value.split(' ');
    let last = words.clone().count() - 1;
    let speaks = |(at, word): (usize, &str)| match says(word) {
        // "halle c": a letter alone names something.
        Some(Says::Parts) => word.len() > 1,
        Some(Says::About) => at == 0 || at == last,
        Some(Says::Links | Says::Joins | Says::Describes) => at == 0,
        None => false,
    };
    let sentence = value.len() > PHRASE_BYTES
        || value.contains(['{', '$', '<'])
        || words.clone().enumerate().any(speaks);
    match (sentence, words.count()) {
        (true, _) | (_, 9..) => Weight::None,
        (false, 3..) => Weight::Name,
        (false, _) => Weight::Weak,
    }
}
