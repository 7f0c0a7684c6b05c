//! Finds secrets by the words around them, in one pass.
//!
//! A word for a secret ("password", `DB_PASSWORD`, "Kennwort", "log in") opens a *context*. The text between it and a
//! later word is the *tie*: a sign, "is", nothing, other words. The surer the context and the closer the tie, the less
//! the later word has to look like a secret ([`Weight`](super::weight::Weight)): after `password=` almost anything is
//! one, but ten words after "log in" only a text that cannot be a word. A context ends with its sentence.
//!
//! Plain words are a secret where a clause says so. From the word for a secret, walks look ahead ([`clause`], [`pair`])
//! and back ([`mirror`]) for the value that the clause ties to it. The context weighs only what the walks leave.

mod before;
mod calls;
mod candidates;
mod clause;
mod codes;
mod context;
mod copula;
mod cues;
mod direct;
mod fields;
mod forms;
mod login;
mod machines;
mod mirror;
mod nouns;
mod numbers;
mod opening;
mod owned;
mod pair;
mod passwords;
mod phrase;
mod piped;
mod plain;
mod quiet;
mod second;
mod several_words;
mod signs;
mod spans;
mod tie;
mod tokens;
mod tying;
mod walk;
mod word;

use super::Raw;
use super::bare::Hints;
use super::command::CommandLine;
use super::value::Values;
use super::words::{Role, is_east_asian};
use context::Context;
pub(super) use plain::{is_article, is_plain, is_tool};
pub use quiet::Reading;
use std::ops::Range;

/// Whether the words of a text would be a password behind a sign, as a whole.
pub(super) fn is_worded(text: &str) -> bool {
    let manner = phrase::Manner { signed: true, ..phrase::Manner::default() };
    phrase::phrase(text, manner) == Some(text.len())
}

/// How the last word with a digit is tied to a word for a secret that comes later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Called {
    No,
    /// "use" comes before it: "use X for the password".
    Used,
    /// "as" or "is" comes after it: "X is the password".
    Yes,
}

/// Reads a text word by word.
pub struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Places to skip, in order: references, keys, certificates.
    walls: &'t [Range<usize>],
    /// Where the last wall ended.
    walled: usize,
    found: Vec<Raw>,
    context: Option<Context>,
    line: CommandLine,
    /// The argument of the last `echo` on this line.
    echoed: Option<Range<usize>>,
    echo: bool,
    /// The previous word, and its role.
    before: Option<Role>,
    before_span: Range<usize>,
    /// The last word with a digit, which may turn out to be a password: "… is the password".
    digits: Option<Range<usize>>,
    called: Called,
    /// Whether an earlier word of the line sets something: "setze", "ändere".
    sets: bool,
    /// Where the last word that reports a change ended: "cambiato".
    changed: Option<usize>,
    /// Whether the word for a password is Polish, where "to" means "is".
    is_polish: bool,
    /// Where the last word for codes ended.
    codes: Option<usize>,
    folded: String,
    values: Values,
    pub hints: Hints,
    /// Starts of lines that do not depend on earlier lines.
    quiet: Vec<usize>,
    /// Ranges between such lines in which an earlier reading found nothing.
    skips: &'t [Range<usize>],
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str, walls: &'t [Range<usize>]) -> Self {
        Self {
            text,
            at: 0,
            walls,
            walled: usize::MAX,
            found: Vec::new(),
            context: None,
            line: CommandLine::default(),
            echoed: None,
            echo: false,
            before: None,
            before_span: 0..0,
            digits: None,
            called: Called::No,
            sets: false,
            changed: None,
            is_polish: false,
            codes: None,
            folded: String::new(),
            values: Values::default(),
            hints: Hints::default(),
            quiet: Vec::new(),
            skips: &[],
        }
    }

    /// Reads to the end.
    pub fn read(mut self) -> Reading {
        while self.at < self.text.len() {
            if let Some(wall) = self.walls.first().filter(|wall| wall.start <= self.at).cloned() {
                self.walls = &self.walls[1..];
                self.at = self.at.max(wall.end);
                self.walled = self.at;
                self.wall_passed(wall);
                continue;
            }
            let byte = self.text.as_bytes()[self.at];
            if byte == b'\n' {
                self.line_ends();
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if !(self.value_here() || byte == b'<' && self.here_string()) {
                if is_word(byte) {
                    self.word();
                } else {
                    self.sign(byte);
                }
            }
        }
        Reading { found: self.found, hints: self.hints, quiet: self.quiet }
    }

    /// Where the next wall begins.
    fn wall(&self) -> usize {
        self.walls.first().map_or(self.text.len(), |wall| wall.start)
    }

    /// The text up to the next wall. No match crosses a wall.
    fn open(&self) -> &'t str {
        &self.text[..self.wall()]
    }

    fn take(&mut self, raw: Raw) {
        self.at = raw.span.end;
        self.found.push(raw);
        self.value_passed();
    }

    /// A value or its reference was read. Another may follow after "and".
    fn value_passed(&mut self) {
        if let Some(context) = &mut self.context {
            context.value_passed();
        }
        self.before = None;
        self.digits = None;
    }

    /// Whether a chunk of the text begins here: a word of a sentence, a quoted text, a field.
    fn begins(&self) -> bool {
        let before = self.byte_before(self.at);
        before.is_none_or(|b| b.is_ascii_whitespace() || b"\"'`([{<>|=:,;*/&".contains(&b))
            || self.text[..self.at].ends_with(is_east_asian)
    }

    /// The byte before a place; after a wall, the last byte of its present or future reference.
    fn byte_before(&self, at: usize) -> Option<u8> {
        if at == self.walled { Some(b'}') } else { self.text.as_bytes()[..at].last().copied() }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
