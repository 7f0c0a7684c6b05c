//! Finds secrets by the words around them, in one pass.
//!
//! A word for a secret ("password", `DB_PASSWORD`, "Kennwort", "log in") opens a *context*. The text between it and a
//! later word is the *tie*: a sign, "is", nothing, other words. The surer the context and the closer the tie, the
//! less a word itself has to look like a secret ([`Weight`]): after `password=` almost anything is one, ten words
//! after "log in" only a text that cannot be a word. A context ends with its sentence.

mod context;
mod opening;
mod quiet;
mod signs;

use super::bare::{self, Hints};
use super::command::{Line, Takes};
use super::names;
use super::value::{Candidate, candidate, paired};
use super::weight::{Weight, weigh};
use super::words::{Role, fold, role};
use super::{Raw, SecretKind, blocks, shapes};
use context::{Context, Tie};
pub use quiet::Reading;
use std::ops::Range;

/// Users that every system has: `root:…` needs no other word.
const USERS: [&str; 14] = [
    "root",
    "admin",
    "administrator",
    "postgres",
    "ubuntu",
    "debian",
    "deploy",
    "user",
    "ec2-user",
    "mysql",
    "sa",
    "test",
    "guest",
    "pi",
];

/// How many finds may follow the output of `echo` in its line.
const LAST_FINDS: usize = 8;

/// Reads a text.
pub struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Places that hold no text of their own: references, keys, certificates; in order.
    walls: &'t [Range<usize>],
    /// Where the last wall ended.
    walled: usize,
    found: Vec<Raw>,
    context: Option<Context>,
    line: Line,
    /// The argument of the last `echo` of this line.
    echoed: Option<Range<usize>>,
    echo: bool,
    /// The previous word, and its role.
    before: Option<Role>,
    before_span: Range<usize>,
    /// The last word with a digit, which may turn out to be a password: "… is the password".
    digits: Option<Range<usize>>,
    /// "as" or "is" came after it.
    called: bool,
    folded: String,
    pub hints: Hints,
    /// Starts of lines that do not depend on earlier lines.
    quiet: Vec<usize>,
    /// Ranges between such lines that an earlier reading found empty.
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
            line: Line::default(),
            echoed: None,
            echo: false,
            before: None,
            before_span: 0..0,
            digits: None,
            called: false,
            folded: String::new(),
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
                self.value_passed();
                continue;
            }
            let byte = self.text.as_bytes()[self.at];
            if byte == b'\n' {
                self.line_ends();
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if !self.value_here() {
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

    /// The text up to the next wall: no find crosses one.
    fn open(&self) -> &'t str {
        &self.text[..self.wall()]
    }

    fn take(&mut self, raw: Raw) {
        self.at = raw.span.end;
        self.found.push(raw);
        self.value_passed();
    }

    /// A value, or its reference, was read: another may follow after "and".
    fn value_passed(&mut self) {
        if let Some(context) = &mut self.context {
            context.values += 1;
            context.tie = Tie::Near;
        }
        self.before = None;
        self.digits = None;
    }

    /// Whether a chunk of the text begins here: a word of a sentence, a quoted text, a field.
    fn begins(&self) -> bool {
        let before = self.byte_before(self.at);
        before.is_none_or(|b| b.is_ascii_whitespace() || b"\"'`([{<>|=:,;*/&".contains(&b))
    }

    /// Takes the value that begins here, if the context expects one and this qualifies.
    fn value_here(&mut self) -> bool {
        let byte = self.text.as_bytes()[self.at];
        if !self.begins() || b"\"'`([{<>|*=:,;".contains(&byte) {
            return false;
        }
        if let Some(raw) = self.option() {
            self.take(raw);
            return true;
        }
        if self.echo {
            self.echo = false;
            self.echoed = candidate(self.open(), self.at).map(|c| c.span);
        }
        let Some(context) = &self.context else { return false };
        if context.tie == Tie::Subject || (context.tie == Tie::Near && self.plain_word()) {
            return false;
        }
        let Some(found) = candidate(self.open(), self.at) else {
            return false;
        };
        if !found.quoted && self.is_joined_to_wall(found.span.end) {
            return false;
        }
        let value = &self.text[found.span.clone()];
        let after = &self.text[found.span.end..];
        let name_goes_on = match found.quoted {
            // A key of JSON.
            true => after.get(1..).is_some_and(|after| after.starts_with(':')),
            false => {
                after.starts_with(['=', ':'])
                    || ((context.tie != Tie::Sign || context.role == Role::Login)
                        && is_assignment(value))
            }
        };
        let both = || paired(self.open(), &found.span).filter(|_| context.takes_pairs());
        let span = if !name_goes_on && context.accepts(&found, value) {
            both().unwrap_or_else(|| found.span.clone())
        } else {
            match both().filter(|_| context.tie != Tie::Near) {
                Some(span) => span,
                None => return false,
            }
        };
        if is_word(byte) && self.marked(self.at).is_some() {
            // Its vendor's mark says more about it.
            return false;
        }
        let raw = Raw::likely(span, &context.name, context.kind());
        self.take(raw);
        true
    }

    /// Whether a reference follows at once, or after `:`: what stands before it is a name, or the rest of a value.
    fn is_joined_to_wall(&self, end: usize) -> bool {
        let rest = &self.open()[end..];
        self.wall() < self.text.len() && matches!(rest, "" | ":" | "/" | "%" | "|" | ",")
    }

    /// The byte before a place; behind a wall, the end of its present or future reference.
    fn byte_before(&self, at: usize) -> Option<u8> {
        if at == self.walled { Some(b'}') } else { self.text.as_bytes()[..at].last().copied() }
    }

    /// Whether a plain lower-case word begins here: far from its keyword such a word is not a secret.
    fn plain_word(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let letters = rest.iter().skip(1).take_while(|b| b.is_ascii_lowercase()).count() + 1;
        rest[0].is_ascii_alphabetic() && rest.get(letters).is_none_or(u8::is_ascii_whitespace)
    }

    /// The password that a program's option takes.
    fn option(&self) -> Option<Raw> {
        if !self.line.has_program() || !self.text[self.at..].starts_with(['-', '/']) {
            return None;
        }
        let rest = &self.text[self.at..self.wall()];
        let word = &rest[..rest.find([' ', '\t', '\n']).unwrap_or(rest.len())];
        let (takes, skipped) = self.line.option(word)?;
        let mut start = self.at + skipped;
        if word.len() == skipped {
            if takes == Takes::Attached {
                return None;
            }
            let blank = self.text[start..].bytes().take_while(|b| *b == b' ').count();
            start += blank;
        }
        if self.text[start..].starts_with(['"', '\'']) {
            start += 1;
        }
        let found = candidate(self.open(), start)?;
        let span = match takes {
            Takes::Pair => {
                let value = &self.text[found.span.clone()];
                let user = value.find([':', '%', ','])?;
                found.span.start + user + 1..found.span.end
            }
            Takes::Attached | Takes::Either => found.span,
        };
        let value = &self.text[span.clone()];
        (weigh(value) >= Weight::Weak && blocks::is_password(value))
            .then(|| Raw::likely(span, "PASSWORD", SecretKind::Password))
    }

    /// A word: a secret by its own shape, a word for a secret, or one that ties.
    fn word(&mut self) {
        let start = self.at;
        let fresh = self.byte_before(start).is_none_or(|b| !is_word(b));
        if fresh && let Some(raw) = self.shape(start) {
            return self.take_shape(raw);
        }
        let end = self.word_end();
        let word = &self.text[start..end];
        self.at = end;
        if word == "arn" && self.text[end..].starts_with(":aws") {
            // The name of a thing, even if it contains "secret".
            let ends = |c: char| c.is_whitespace() || "\"'`,;)<>".contains(c);
            let rest = &self.text[end..self.wall()];
            self.at = end + rest.find(ends).unwrap_or(rest.len());
            return;
        }
        if self.pair_of_user(start, end) {
            return;
        }
        if word.bytes().any(|b| b.is_ascii_digit()) {
            let chunk = if self.digits.as_ref().is_some_and(|d| d.end > start) {
                None
            } else {
                candidate(self.open(), start)
            };
            if let Some(chunk) = chunk.filter(|c| c.span.len() <= 64) {
                self.digits = Some(chunk.span);
                self.called = false;
            }
        }
        let tail_at = names::last_part(word);
        fold(&word[tail_at..], &mut self.folded);
        let folded = std::mem::take(&mut self.folded);
        self.hints.hear(&folded);
        if tail_at > 0 {
            let mut first = String::new();
            fold(&word[..word.find(['_', '-', '.']).unwrap_or(word.len())], &mut first);
            self.hints.hear(&first);
        }
        self.line.hear(if tail_at == 0 { &folded } else { word });
        self.echo |= tail_at == 0 && matches!(folded.as_str(), "echo" | "printf");
        // `$DB_PASSWORD` refers to a secret; the text after it is not one.
        let referred = self.text[..start].ends_with(['$']) || self.text[..start].ends_with("${");
        let found = names::key(word, &folded, self.before).filter(|_| !referred);
        // "the passphrase of the key", "the password for the login": the first word describes the value.
        let led = self.context.as_ref().is_some_and(|context| {
            context.values == 0
                && matches!(context.role, Role::Password | Role::MaybePassword | Role::Token)
                && !matches!(context.tie, Tie::Sign)
        });
        match found.filter(|role| !(led && matches!(role, Role::Key | Role::Login))) {
            Some(role) => self.opens(role, start..end, &folded),
            None => {
                // The last part of an identifier only describes it.
                let names = |role: &Role| matches!(role, Role::Name | Role::Subject);
                let role = role(&folded).filter(|role| tail_at == 0 || names(role));
                self.ties(start..end, role, &folded);
            }
        }
        self.folded = folded;
    }

    fn word_end(&self) -> usize {
        let bytes = self.text.as_bytes();
        let limit = self.wall();
        let mut end = self.at;
        while end < limit {
            let joint = matches!(bytes[end], b'-' | b'.')
                && end > self.at
                && bytes.get(end + 1).is_some_and(|b| is_word(*b));
            if !is_word(bytes[end]) && !joint {
                break;
            }
            end += 1;
        }
        end
    }

    fn shape(&self, at: usize) -> Option<Raw> {
        self.marked(at).or_else(|| {
            let end = bare::run_end(self.text, at).min(self.wall());
            // Not the rest of something longer, and not a hash of a password.
            let fresh = self.byte_before(at).is_none_or(|b| !b"+/~-$".contains(&b));
            bare::random(self.text, at..end).filter(|_| fresh)
        })
    }

    /// A secret that bears its vendor's mark.
    fn marked(&self, at: usize) -> Option<Raw> {
        shapes::marked(self.open(), at)
    }

    /// A shape is a secret in any position; a variable that it is assigned to names it.
    fn take_shape(&mut self, mut raw: Raw) {
        if let Some(context) = &self.context
            && context.tie != Tie::Near
            && (!raw.sure || context.is_variable)
        {
            raw.name.clone_from(&context.name);
        }
        self.take(raw);
    }

    /// `root:S3cret!pw`, in no context at all.
    fn pair_of_user(&mut self, start: usize, end: usize) -> bool {
        let follows = self.text[end..].starts_with([':', '/', '%'])
            && end - start <= 16
            && !self.text[..start].ends_with("//");
        if !follows || !USERS.contains(&&self.text[start..end]) {
            return false;
        }
        let Some(found) = candidate(self.open(), start) else { return false };
        let Some(span) = paired(self.open(), &found.span) else {
            return false;
        };
        if weigh(&self.text[span.clone()]) < Weight::Strong {
            return false;
        }
        self.take(Raw::likely(span, "PASSWORD", SecretKind::Password));
        true
    }
}

/// `name=…`, another field.
fn is_assignment(value: &str) -> bool {
    let name = value.find('=').map_or("", |at| &value[..at]);
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

impl Context {
    /// Whether a value fits here.
    fn accepts(&self, found: &Candidate, value: &str) -> bool {
        context::fits(self, found, value)
    }
}
