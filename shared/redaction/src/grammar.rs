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

use super::Raw;
use super::bare::{self, Hints};
use super::command::CommandLine;
use super::leet;
use super::lexicon::{corrected, is_misspelled};
use super::names;
use super::value::{Values, is_whole, paired};
use super::words::{self, Role, fold, is_east_asian, role};
use context::{Context, Tie};
use fields::{is_assignment, is_field};
use machines::{is_long_name, is_target};
pub(super) use plain::{is_plain, is_tool};
pub use quiet::Reading;
use signs::tag;
use std::borrow::Cow;
use std::ops::Range;

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

    /// Takes the value that begins here, if the context expects one and this one qualifies.
    fn value_here(&mut self) -> bool {
        if self.context.is_none() && !self.echo && !self.line.has_options() {
            return false;
        }
        let byte = self.text.as_bytes()[self.at];
        if b"\"'`([{<>|*=:,;])}".contains(&byte) || !self.begins() {
            return false;
        }
        if self.refers_here() {
            return false;
        }
        if matches!(byte, b'!' | b'E') && self.context.is_some() {
            let length = tag(&self.text[self.at..]);
            if length > 0 {
                (self.context, self.at) = (None, self.at + length);
                return true;
            }
        }
        if let Some(raw) = self.option() {
            self.take(raw);
            return true;
        }
        if self.echo {
            self.hear_echo();
        }
        let open = self.open();
        let Some(context) = &self.context else { return false };
        let owned = self.owned(context);
        if owned.is_none()
            && ((context.tie == Tie::Subject && !context.placed)
                || (context.tie == Tie::Near && self.plain_word()))
        {
            return false;
        }
        let found = owned.or_else(|| self.spoken(context));
        if let Some(span) = found.or_else(|| self.plain_after(context)) {
            let raw = Raw::likely(span, &context.name, context.kind());
            self.take(raw);
            return true;
        }
        let Some(context) = &self.context else { return false };
        let logs_in = context.role == Role::Login && context.values == 0;
        let Some(found) = self.values.candidate(open, self.at) else {
            return false;
        };
        if !found.quoted && self.is_joined_to_wall(found.span.end) {
            return false;
        }
        let value = &self.text[found.span.clone()];
        if logs_in && matches!(context.tie, Tie::Direct | Tie::Near) && is_target(value) {
            return false;
        }
        let after = &self.text[found.span.end..];
        let name_goes_on = match found.quoted {
            // A key of JSON.
            true => after.get(1..).is_some_and(|after| after.starts_with(':')),
            false => {
                after.starts_with(['=', ':'])
                    || is_field(value)
                    || ((context.tie != Tie::Sign || context.role == Role::Login)
                        && is_assignment(value))
            }
        };
        // `ssh -i ssh/shop_ed25519` names a file.
        let is_path = |pair: &Range<usize>| {
            context.role == Role::Login
                && self.byte_before(pair.start) == Some(b'/')
                && is_long_name(&open[pair.clone()])
        };
        let takes_pairs = context.takes_pairs();
        let whole = || {
            let set = matches!(context.tie, Tie::Sign | Tie::Copula) && context.words == 0;
            context.role != Role::Login && set && is_whole(value)
        };
        let both = || {
            let pair = paired(open, &found.span);
            pair.filter(|pair| takes_pairs && !is_path(pair) && !whole())
        };
        let listed = || self.is_listed(context, &found) || self.is_of_login(context, &found);
        let span = if !name_goes_on && (context.accepts(&found, value) || listed()) {
            both().unwrap_or_else(|| found.span.clone())
        } else {
            // `sftp backup:X@files.example.com`
            let near = context.tie == Tie::Near && context.role != Role::Program;
            let fits = |pair: &Range<usize>| !near || open[pair.end..].starts_with('@');
            match both().filter(fits) {
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

    /// The byte before a place; after a wall, the last byte of its present or future reference.
    fn byte_before(&self, at: usize) -> Option<u8> {
        if at == self.walled { Some(b'}') } else { self.text.as_bytes()[..at].last().copied() }
    }

    /// Reads a word: a secret with a known shape, a word for a secret, or a word that ties.
    fn word(&mut self) {
        let start = self.at;
        let fresh = self.byte_before(start).is_none_or(|b| !is_word(b));
        if fresh && let Some(raw) = self.shape(start) {
            return self.take_shape(raw);
        }
        let leet = if fresh { leet::spelled(&self.open()[start..]) } else { None };
        let end = leet.map_or_else(|| self.word_end(), |(_, length)| start + length);
        let word = &self.text[start..end];
        self.at = end;
        if word == "arn" && self.text[end..].starts_with(":aws") {
            // The name of a thing, even if it contains "secret".
            let ends = |c: char| c.is_whitespace() || "\"'`,;)<>".contains(c);
            let rest = &self.text[end..self.wall()];
            self.at = end + rest.find(ends).unwrap_or(rest.len());
            return;
        }
        // `PASSWORD = N'…'`: the `N` marks a string.
        let string = matches!(word, "N" | "E") && self.text[end..].starts_with('\'');
        if string || self.pair_of_user(start, end) {
            return;
        }
        let odd = word.starts_with(|c: char| c.is_ascii_uppercase()) && word.contains('_');
        if (odd || word.bytes().any(|b| b.is_ascii_digit()))
            && let Some(raw) = self.number_passed(start)
        {
            return self.take(raw);
        }
        let verb = names::verb(word);
        let tail_at = if leet.is_some() || verb.is_some() { 0 } else { names::last_part(word) };
        let plain = leet.map(|(plain, _)| plain).or(verb).unwrap_or(&word[tail_at..]);
        fold(plain, &mut self.folded);
        let folded = std::mem::take(&mut self.folded);
        let right = corrected(&folded, &self.text[..start]).map(str::to_owned);
        let folded = right.unwrap_or(folded);
        self.hints.hear(&folded);
        if tail_at > 0 {
            let first = &word[..word.find(['_', '-', '.']).unwrap_or(word.len())];
            self.hints.hear(&words::folded(first));
        }
        let lower = if tail_at == 0 { Cow::Borrowed(folded.as_str()) } else { names::lower(word) };
        let whole = lower.as_ref();
        if !self.text[end..].starts_with("://") {
            self.line.hear(whole, &self.text[..start]);
        }
        if self.form(whole, end) || self.call(whole, end) {
            self.folded = folded;
            return;
        }
        self.echo |= tail_at == 0 && matches!(folded.as_str(), "echo" | "printf");
        // `$DB_PASSWORD` refers to a secret; the text after it is not one.
        let referred = (self.text[..start].ends_with('$') && !self.is_string_set(end))
            || self.text[..start].ends_with("${");
        let known_as = self.known_role(word, &folded);
        let named = || match leet {
            Some(_) => Some(Role::Password),
            None if tail_at > 0 && bare::in_random_run(self.text, &(start..end)) => None,
            None if tail_at > 0 && role(whole) == Some(Role::Network) => Some(Role::Network),
            None if known_as.is_none() && is_misspelled(&folded) => Some(Role::Password),
            None => names::key_at(word, tail_at, (&folded, known_as), self.before)
                .or_else(|| self.codes(word, &folded, known_as).then_some(Role::Code))
                .or_else(|| self.noun_beside(word, &folded)),
        };
        let found = if referred { None } else { named() };
        if referred {
            self.reference_passed();
        }
        if known_as == Some(Role::Code) {
            self.codes = Some(end);
        }
        // "the passphrase of the key", "the password for the login": the first word describes the value.
        let led = self.context.as_ref().is_some_and(|context| {
            context.values == 0
                && matches!(context.role, Role::Password | Role::MaybePassword | Role::Token)
                && !matches!(context.tie, Tie::Sign)
        });
        let public = || tail_at == 0 && bare::ends_public(&self.text[..self.before_span.end]);
        let found = found.filter(|role| !(matches!(role, Role::Key) && public()));
        let known = self.context.is_some();
        let only_describes = |role: &Role| {
            (led && matches!(role, Role::Key | Role::Login)) || (known && *role == Role::Network)
        };
        // `/logs/_search?q=…`
        let in_path = |role: &Role| *role == Role::Login && self.byte_before(start) == Some(b'/');
        match found.filter(|role| !only_describes(role) && !in_path(role)) {
            Some(role) => {
                self.opens(role, start..end, &folded);
                self.follow();
            }
            None => {
                // The last part of an identifier only describes it.
                let names = |role: &Role| matches!(role, Role::Name | Role::Subject | Role::Value);
                let role = known_as.filter(|role| tail_at == 0 || names(role));
                self.ties(start..end, role, &folded);
            }
        }
        self.folded = folded;
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
