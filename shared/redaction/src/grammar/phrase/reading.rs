//! Reads the words of a clause one by one: which of them may be part of a password, and where it ends.

use super::{Manner, ends_line, is_own, joined};
use crate::grammar::plain::{ends_clause, is_port};
use crate::lexicon::{is_to, part};
use crate::talk::{Says, is_called_done, is_listed, says, says_in_polish};
use crate::things::is_hyphenated_secret;
use crate::weight::{MIN_BYTES, is_default};
use crate::words::{Role, folded, is_letter, role};
use std::ops::Range;

/// The least words of a password that begins like a description: "correct horse battery staple".
const ODD_WORDS: usize = 4;

/// A word of the clause.
pub struct Word<'t> {
    pub text: &'t str,
    pub span: Range<usize>,
    /// The word after it.
    pub next: Option<(Range<usize>, &'t str)>,
    /// It is the first word.
    pub starts: bool,
}

/// Where a word leads.
pub enum Step {
    /// The word may be part of the password.
    Counts,
    /// The word joins: it is part of the password only if another one follows.
    Joins,
    /// The password ends before the word.
    Ends,
    /// The clause has no password.
    Fails,
}

/// What was read of a clause.
pub struct Reading<'t> {
    text: &'t str,
    manner: Manner,
    /// Where the password ends so far.
    pub end: usize,
    /// How many words it has.
    count: usize,
    /// Where its words before a joining word end, and how many these are.
    first: Option<(usize, usize)>,
    /// How many joining words were read since.
    joins: usize,
    /// How many words say nothing about passwords.
    own: usize,
    /// How many words describe.
    described: usize,
    /// It begins with a word that may also speak about passwords: "every good boy".
    told: bool,
    /// It begins like a description.
    odd: bool,
    /// It begins with a joining word.
    article: bool,
}

impl<'t> Reading<'t> {
    pub fn of(text: &'t str, manner: Manner) -> Self {
        Self {
            text,
            manner,
            end: 0,
            count: 0,
            first: None,
            joins: 0,
            own: 0,
            described: 0,
            told: false,
            odd: false,
            article: false,
        }
    }

    /// How many words were read.
    pub fn passed(&self) -> usize {
        self.count + self.joins
    }

    /// Reads the next word.
    pub fn word(&mut self, word: &Word<'_>) -> Step {
        if !word.starts && self.is_left_by(word) {
            return if self.joins == 0 { Step::Ends } else { Step::Fails };
        }
        let step = self.step(word);
        if let Step::Counts = step {
            (self.end, self.count, self.joins) = (word.span.end, self.passed() + 1, 0);
        }
        step
    }

    /// Whether a word begins something else: "noisette port 22", "walnut redis pw …", "gato-perro-raton porfa": a port,
    /// another password, or more after words that hyphens join.
    fn is_left_by(&self, word: &Word<'_>) -> bool {
        let next = word.next.as_ref().map_or("", |(_, next)| *next);
        is_port(word.text, next)
            || role(&folded(next)) == Some(Role::Password)
            || (self.count == 1 && is_hyphenated_secret(&self.text[..self.end]))
    }

    /// What a word says about passwords.
    fn said(&self, word: &Word<'_>) -> Option<Says> {
        let said = if self.manner.polish { says_in_polish(word.text) } else { says(word.text) };
        // "es limonada"
        let said = said.filter(|_| !is_called_done(word.text));
        said.or_else(|| {
            // "is leaking into the log"
            (word.starts
                && word.text.ends_with("ing")
                && !self.manner.signed
                && word.next.is_some())
            .then_some(Says::Describes)
        })
    }

    /// Decides by what a word says where it leads.
    fn step(&mut self, word: &Word<'_>) -> Step {
        let moved = self.manner.moved;
        match self.said(word) {
            Some(_) if word.starts && is_default(word.text) => self.own += 1,
            // "mude a senha para trovoada": a change is never to a participle.
            Some(Says::Describes) if word.starts && moved && !is_listed(word.text) => self.own += 1,
            None => self.own += 1,
            Some(Says::About) => return self.about(word),
            Some(Says::Parts) => return self.parts(word),
            Some(said @ (Says::Links | Says::Joins)) => return self.links(word, said),
            Some(Says::Describes) if moved && !word.starts => return Step::Ends,
            Some(Says::Describes) => {
                self.odd |= word.starts;
                self.described += 1;
            }
        }
        Step::Counts
    }

    /// Reads a word about passwords.
    fn about(&mut self, word: &Word<'_>) -> Step {
        if word.starts {
            return Step::Fails;
        }
        if matches!(role(&word.text.to_lowercase()), Some(Role::Subject)) || self.own == 0 {
            return if self.joins > 0 || self.own > 1 { Step::Ends } else { Step::Fails };
        }
        if self.own < 2 && !self.manner.signed && self.joins == 0 {
            return Step::Fails;
        }
        if self.joins > 0 || !self.manner.signed {
            return Step::Ends;
        }
        self.described += 1;
        Step::Counts
    }

    /// Reads a word that begins another part of a sentence.
    fn parts(&mut self, word: &Word<'_>) -> Step {
        let Manner { signed, phrase, .. } = self.manner;
        if word.starts {
            // "every good boy deserves fudge"
            self.told = signed && phrase;
            return if self.told { Step::Counts } else { Step::Fails };
        }
        // "le chat dort sur le toit": a word about passwords in one language may mean something else in another.
        if phrase && part(word.text).is_none() && self.own > 0 {
            self.described += 1;
            return Step::Counts;
        }
        let follows = |(span, next): &(Range<usize>, &str)| {
            says(next).is_none() && next.len() > 2 && ends_clause(&self.text[span.end..])
        };
        let last = word.next.as_ref().is_some_and(follows);
        if is_verb(word.text) && !self.article && self.joins == 0 && last {
            self.joins += 1;
            return Step::Joins;
        }
        if self.own < 2 || !(signed || ends_clause(&self.text[word.span.end..])) {
            return Step::Ends;
        }
        self.described += 1;
        Step::Counts
    }

    /// Reads a word that joins, or that links to another clause.
    fn links(&mut self, word: &Word<'_>, said: Says) -> Step {
        let Manner { signed, phrase, .. } = self.manner;
        // "was walnut or plum"
        if self.count == 1 && !phrase && matches!(word.text, "or" | "oder" | "ou" | "oppure") {
            return Step::Ends;
        }
        self.article |= word.starts;
        if word.starts && !signed && (!phrase || is_place(word.text)) {
            return Step::Fails;
        }
        // "is dragon for the staging host", but "is rain in the north wind"
        let last = || {
            let next = word.next.as_ref().filter(|(_, next)| says(next).is_none());
            next.is_some_and(|(next, _)| ends_clause(self.after_number(next.end)))
        };
        // "is rain in spain"
        let near = self.own < 2 && said == Says::Joins && !(self.count == 1 && last());
        if self.manner.strict
            || (self.manner.moved && is_to(word.text))
            || (!signed && !phrase && (near || is_purpose(word.text)))
        {
            return Step::Ends;
        }
        self.first = self.first.or((self.count > 0).then_some((self.end, self.count)));
        self.joins += 1;
        Step::Joins
    }

    /// The text after a place, without a number: "is rain in spain 12".
    fn after_number(&self, at: usize) -> &'t str {
        let digit = |c: char| c.is_ascii_digit();
        match self.text[at..].strip_prefix(' ') {
            Some(number) if number.starts_with(digit) => number.trim_start_matches(digit),
            _ => &self.text[at..],
        }
    }

    /// Moves over the words that signs join to a password that is called a phrase.
    pub fn pass_joined(&mut self) {
        while self.manner.phrase
            && let Some((length, words)) = joined(&self.text[self.end..])
        {
            self.end += length;
            self.count += 1 + words;
            self.own += words;
            self.first = None;
        }
    }

    /// Moves back before a joining word that may also begin what the password is for.
    pub fn leave_purpose(&mut self) {
        let rest = &self.text[self.end..];
        if let Some((before, words)) = self.first
            && !ends_line(rest)
            && !rest.starts_with(" (")
            && (words == 1 || !ends_clause(rest))
            && !self.manner.phrase
        {
            (self.end, self.count) = (before, words);
        }
    }

    /// Whether the words are a password.
    pub fn is_password(&self) -> bool {
        let (value, rest) = self.text.split_at(self.end);
        let letters = value.starts_with(|c| is_letter(c) && !c.is_ascii_digit());
        let least = if self.told { 2 } else { 0 };
        self.has_words()
            && self.own > least
            && letters
            && is_closed(rest)
            && value.len() >= MIN_BYTES
    }

    /// Whether enough of the words may be a password.
    fn has_words(&self) -> bool {
        let Manner { signed, phrase, doubtful, .. } = self.manner;
        let Self { own, described, odd, article, .. } = *self;
        let (value, rest) = self.text.split_at(self.end);
        match self.count {
            0 => false,
            1 if doubtful && !(signed && value.matches('-').count() > 1) => false,
            1 => is_own(value) && !odd && (!signed || ends_clause(rest)),
            _ if doubtful && (article || own < self.count.min(3)) => false,
            2 => described == 0 && !odd && !article,
            _ => {
                (!article || (own > 1 && (described == 0 || phrase)))
                    && (!odd || own + 1 >= ODD_WORDS || (signed && phrase && own > 1))
            }
        }
    }
}

/// Whether the text after some words does not go on in the same word or sign.
fn is_closed(rest: &str) -> bool {
    !rest.trim_start_matches(' ').starts_with(['=', ':', '/', '|', '<', '{', '"'])
        && !rest.starts_with('(')
        && rest
            .trim_start_matches(['.', ',', ';', '!', '?', ')', '"', '\'', '`', '*'])
            .chars()
            .next()
            .is_none_or(char::is_whitespace)
}

/// Words that introduce what a password is for.
fn is_purpose(word: &str) -> bool {
    matches!(
        word,
        "for" | "on" | "für" | "auf" | "para" | "pour" | "per" | "voor" | "op" | "dla" | "na"
    )
}

/// Words that say where a passphrase is, rather than begin one: "is sous enveloppe", "is behind the monitor".
fn is_place(word: &str) -> bool {
    matches!(
        word,
        "in" | "under"
            | "behind"
            | "at"
            | "im"
            | "unter"
            | "hinter"
            | "bei"
            | "beim"
            | "en"
            | "bajo"
            | "tras"
            | "sous"
            | "dans"
            | "chez"
            | "derrière"
            | "nel"
            | "nella"
            | "sotto"
    )
}

/// Verbs that occur in phrases: "winter is coming".
fn is_verb(word: &str) -> bool {
    matches!(
        word,
        "is" | "are"
            | "was"
            | "has"
            | "never"
            | "not"
            | "will"
            | "my"
            | "your"
            | "all"
            | "me"
            | "ist"
            | "es"
            | "est"
    )
}
