//! Reads a word: a secret with a known shape, a word for a secret, or a word that ties.

use super::context::Tie;
use super::{Reader, Role, is_word};
use crate::lexicon::{corrected, is_misspelled};
use crate::words::{self, fold, role};
use crate::{bare, leet, names};
use std::borrow::Cow;
use std::ops::Range;

/// A word, and how it is looked up.
struct ReadWord<'t> {
    text: &'t str,
    span: Range<usize>,
    /// Where the last part of an identifier begins in it.
    tail_at: usize,
    /// It is a word for a password in which digits and signs stand for letters.
    leet: bool,
}

impl Reader<'_> {
    /// Reads a word: a secret with a known shape, a word for a secret, or a word that ties.
    pub(super) fn word(&mut self) {
        let start = self.at;
        let fresh = self.byte_before(start).is_none_or(|b| !is_word(b));
        if fresh && let Some(raw) = self.shape(start) {
            return self.take_shape(raw);
        }
        let leet = if fresh { leet::spelled(&self.open()[start..]) } else { None };
        let end = leet.map_or_else(|| self.word_end(), |(_, length)| start + length);
        let text = &self.text[start..end];
        self.at = end;
        if self.is_passed(start, text) {
            return;
        }
        let odd = text.starts_with(|c: char| c.is_ascii_uppercase()) && text.contains('_');
        if (odd || text.bytes().any(|b| b.is_ascii_digit()))
            && let Some(raw) = self.number_passed(start)
        {
            return self.take(raw);
        }
        let verb = names::verb(text);
        let tail_at = if leet.is_some() || verb.is_some() { 0 } else { names::last_part(text) };
        let plain = leet.map(|(plain, _)| plain).or(verb).unwrap_or(&text[tail_at..]);
        fold(plain, &mut self.folded);
        let folded = std::mem::take(&mut self.folded);
        let right = corrected(&folded, &self.text[..start]).map(str::to_owned);
        let folded = right.unwrap_or(folded);
        self.look_up(&ReadWord { text, span: start..end, tail_at, leet: leet.is_some() }, &folded);
        self.folded = folded;
    }

    /// Whether a word is only part of something: of the name of a thing, of a string's mark, of a user's pair.
    fn is_passed(&mut self, start: usize, word: &str) -> bool {
        let end = self.at;
        if word == "arn" && self.text[end..].starts_with(":aws") {
            // The name of a thing, even if it contains "secret".
            let ends = |c: char| c.is_whitespace() || "\"'`,;)<>".contains(c);
            let rest = &self.text[end..self.wall()];
            self.at = end + rest.find(ends).unwrap_or(rest.len());
            return true;
        }
        // `PASSWORD = N'…'`: the `N` marks a string.
        let string = matches!(word, "N" | "E") && self.text[end..].starts_with('\'');
        string || self.pair_of_user(start, end)
    }

    /// Looks up a word, whose last part is `folded`, and notes what it says.
    fn look_up(&mut self, word: &ReadWord<'_>, folded: &str) {
        let Range { start, end } = word.span;
        self.hints.hear(folded);
        if word.tail_at > 0 {
            let first = &word.text[..word.text.find(['_', '-', '.']).unwrap_or(word.text.len())];
            self.hints.hear(&words::folded(first));
        }
        let lower = if word.tail_at == 0 { Cow::Borrowed(folded) } else { names::lower(word.text) };
        let whole = lower.as_ref();
        if !self.text[end..].starts_with("://") {
            self.line.hear(whole, &self.text[..start]);
        }
        if self.form(whole, end) || self.call(whole, end) {
            return;
        }
        self.echo |= word.tail_at == 0 && matches!(folded, "echo" | "printf");
        // `$DB_PASSWORD` refers to a secret; the text after it is not one.
        let referred = (self.text[..start].ends_with('$') && !self.is_string_set(end))
            || self.text[..start].ends_with("${");
        let known_as = self.known_role(word.text, folded);
        let found = if referred { None } else { self.named(word, (folded, whole), known_as) };
        if referred {
            self.reference_passed();
        }
        if known_as == Some(Role::Code) {
            self.codes = Some(end);
        }
        match found.filter(|role| self.is_opened_by(word, *role)) {
            Some(role) => {
                self.opens(role, word.span.clone(), folded);
                self.follow();
            }
            None => {
                // The last part of an identifier only describes it.
                let names = |role: &Role| matches!(role, Role::Name | Role::Subject | Role::Value);
                let role = known_as.filter(|role| word.tail_at == 0 || names(role));
                self.ties(word.span.clone(), role, folded);
            }
        }
    }

    /// The kind of secret that a word names, by its last part and as a whole.
    fn named(
        &self,
        word: &ReadWord<'_>,
        (folded, whole): (&str, &str),
        known_as: Option<Role>,
    ) -> Option<Role> {
        let compound = word.tail_at > 0;
        if word.leet {
            return Some(Role::Password);
        }
        if compound && bare::in_random_run(self.text, &word.span) {
            return None;
        }
        if compound && role(whole) == Some(Role::Network) {
            return Some(Role::Network);
        }
        if known_as.is_none() && is_misspelled(folded) {
            return Some(Role::Password);
        }
        names::key_at(word.text, word.tail_at, (folded, known_as), self.before)
            .or_else(|| self.codes(word.text, folded, known_as).then_some(Role::Code))
            .or_else(|| self.noun_beside(word.text, folded))
    }

    /// Whether a word with the role of a word for a secret opens a context here.
    fn is_opened_by(&self, word: &ReadWord<'_>, role: Role) -> bool {
        // "the passphrase of the key", "the password for the login": the first word describes the value.
        let led = self.context.as_ref().is_some_and(|context| {
            context.values == 0
                && matches!(context.role, Role::Password | Role::MaybePassword | Role::Token)
                && !matches!(context.tie, Tie::Sign)
        });
        let public = || word.tail_at == 0 && bare::ends_public(&self.text[..self.before_span.end]);
        let only_describes = (led && matches!(role, Role::Key | Role::Login))
            || (self.context.is_some() && role == Role::Network);
        // `/logs/_search?q=…`
        let in_path = || role == Role::Login && self.byte_before(word.span.start) == Some(b'/');
        !(only_describes || in_path() || (role == Role::Key && public()))
    }
}
