//! Finds where a password of plain words ends: "is ⟦winter is coming⟧, please", "to ⟦seven lazy otters⟧ yesterday".
//!
//! The walk reads the words of a clause up to its end, and decides for each whether it speaks about a password
//! ([`talk`](crate::talk)) or may be part of one. A password begins with a word that may be part of one. It
//! reaches over words that join ("of", "the") if others follow, and ends before a word that begins another part of the
//! sentence. After a sign, the whole line is more likely to be the password than after "is".

mod reading;

use super::plain::ends_clause;
use crate::talk::says;
use crate::weight::{Weight, is_default, weigh};
use crate::words::{is_letter, lists};
use reading::{Reading, Step, Word};
use std::ops::Range;

/// The longest phrase that is read, in bytes.
const PHRASE_BYTES: usize = 160;
/// The most words of a phrase. A longer text is a sentence.
const WORDS: usize = 8;
/// The most words of a password that is called a phrase.
const PHRASE_WORDS: usize = 24;
/// Signs between the words of a passphrase.
const SIGNS: [&str; 2] = [" & ", " + "];

/// How certain it is that a value is here.
#[derive(Debug, Clone, Copy, Default)]
pub struct Manner {
    /// A sign comes before it, and not "is".
    pub signed: bool,
    /// Its word announces several words: "passphrase".
    pub phrase: bool,
    /// "changed to" comes before it, so a participle may follow.
    pub moved: bool,
    /// Its word may announce other things as well, so only several words are surely a secret.
    pub doubtful: bool,
    /// Nothing ties it to its word, so it ends before a word that joins.
    pub strict: bool,
    /// Its word is Polish.
    pub polish: bool,
}

/// What an adjective of two words ends with: "company-wide", "client-specific".
const ADJECTIVES: &str = "wide based only specific free proof aware scoped facing term lived bound like driven level \
     safe friendly date";

/// The words of a clause, the nearest first, up to a sign that is not part of a word.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let part = |c: char| is_letter(c) || c == '-' || c == '\'';
        let length = rest.find(|c: char| !part(c)).unwrap_or(rest.len());
        let word = rest[..length].trim_end_matches(['\'', '-']);
        if word.is_empty() || !word.starts_with(is_letter) {
            return None;
        }
        let start = at;
        let blank = word.len() == length && rest[length..].starts_with(' ');
        at = if blank { at + length + 1 } else { text.len() };
        Some((start..start + word.len(), word))
    })
}

/// Whether an adjective says that a password will change: "temporária", "provisoire".
pub(super) fn is_temporary(word: &str) -> bool {
    let lower = word.to_lowercase();
    ["tempor", "provis", "pendent"].iter().any(|stem| lower.starts_with(stem))
}

/// Whether one word may be a password where a clause announces one.
fn is_own(word: &str) -> bool {
    let parts = word.split('-');
    let told = |part: &str| says(part).is_some();
    let joined = parts.clone().count() > 1;
    // "is company-wide"
    let adjective = joined && parts.clone().next_back().is_some_and(|last| lists(ADJECTIVES, last));
    let letters = |part: &str| !part.is_empty() && part.chars().all(is_letter);
    parts.clone().all(letters)
        && !adjective
        && !is_temporary(word)
        && (weigh(word) >= Weight::Weak || is_default(word))
        && !(joined && 2 * parts.clone().filter(|part| told(part)).count() >= parts.count())
}

/// The length of the words at the start of a text, if they are a password.
pub fn phrase(text: &str, manner: Manner) -> Option<usize> {
    let line = &text[..text.floor_char_boundary(PHRASE_BYTES)];
    let most = if manner.phrase { PHRASE_WORDS } else { WORDS };
    let mut reading = Reading::of(text, manner);
    let mut all = words(line).peekable();
    while let Some((span, word)) = all.next() {
        if reading.passed() >= most {
            return None;
        }
        let next = all.peek().cloned();
        match reading.word(&Word { text: word, span, next, starts: reading.passed() == 0 }) {
            Step::Counts | Step::Joins => {}
            Step::Ends => break,
            Step::Fails => return None,
        }
    }
    reading.pass_joined();
    reading.leave_purpose();
    reading.is_password().then_some(reading.end)
}

/// The length of a sign that joins words of a passphrase and of those after it, and their number: " & juniper 36".
fn joined(text: &str) -> Option<(usize, usize)> {
    let sign =
        |text: &str| SIGNS.iter().find(|sign| text.starts_with(**sign)).map(|sign| sign.len());
    let start = sign(text)?;
    let words: Vec<_> = words(&text[start..]).take(WORDS).collect();
    let ((_, first), (last, _)) = words.first().zip(words.last())?;
    let rest = &text[start + last.end..];
    let ends = says(first).is_none() && (ends_clause(rest) || sign(rest).is_some());
    ends.then_some((text.len() - rest.len(), words.len()))
}

/// Whether a line ends here.
fn ends_line(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '.', ',', ';', '!', '\r']);
    rest.is_empty() || rest.starts_with('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: Manner = Manner {
        signed: false,
        phrase: false,
        moved: false,
        doubtful: false,
        strict: false,
        polish: false,
    };
    const SIGNED: Manner = Manner { signed: true, ..SAID };

    fn read(text: &str, manner: Manner) -> Option<&str> {
        phrase(text, manner).map(|end| &text[..end])
    }

    #[test]
    fn a_password_of_words_ends_with_its_clause() {
        for (text, secret) in [
            ("walnut for the staging host", "walnut"),
            ("winter is coming, please keep it", "winter is coming"),
            ("correct horse battery staple", "correct horse battery staple"),
            ("seven lazy otters.", "seven lazy otters"),
            ("walnut and it works", "walnut"),
            ("walnut or plum", "walnut"),
            ("banana-split on both", "banana-split"),
            ("walnut port 22", "walnut"),
            ("gato-perro-raton porfa", "gato-perro-raton"),
        ] {
            assert_eq!(read(text, SAID), Some(secret), "{text}");
        }
        assert_eq!(read("one ring to rule them all", SIGNED), None);
        assert_eq!(
            read("the cat sleeps on the roof", Manner { phrase: true, ..SAID }),
            Some("the cat sleeps on the roof")
        );
        assert_eq!(read("walnut geändert", Manner { moved: true, ..SAID }), Some("walnut"));
    }

    #[test]
    fn signs_join_the_words_of_a_phrase() {
        let called = Manner { phrase: true, ..SIGNED };
        for text in ["ginger & pebble", "marble & thyme 36", "ostrich + velvet + plum"] {
            assert_eq!(read(text, called), Some(text));
            assert_eq!(read(&format!("{text}, please keep it"), called), Some(text));
        }
        for (text, known) in [
            ("walnut spoon & ask Tom about it", Some("walnut spoon")),
            ("walnut spoon & (later) more", Some("walnut spoon")),
        ] {
            assert_eq!(read(text, called), known, "{text}");
        }
        assert_eq!(read("key & certificate", called), None);
    }

    #[test]
    fn talk_about_a_password_is_not_a_password() {
        for text in [
            "too short",
            "in the vault",
            "expired since monday",
            "case-sensitive",
            "company-wide",
            "up-to-date",
            "temporária",
            "the same",
            "leaking into the log",
            "Keycloak admin",
        ] {
            assert_eq!(read(text, SAID), None, "{text}");
        }
        assert_eq!(read("ask the team lead", SIGNED), None);
    }
}
