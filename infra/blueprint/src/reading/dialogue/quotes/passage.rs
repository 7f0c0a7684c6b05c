//! A message whose words are quoted, in parts.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{Blueprint, Dialogue, Key};
use crate::catalogue::parameters::names::is_blank;
use crate::catalogue::places;
use crate::reading::sentences;
use crate::words::language::Language;
use crate::words::{Words, is_negation, numbers};

/// A message, with what its parts give on one ground.
pub(super) struct Passage {
    pub(super) ground: Dialogue,
    pub(super) words: Vec<Range<usize>>,
    pub(super) clauses: Vec<Range<usize>>,
    pub(super) read: BTreeMap<(usize, usize), BTreeSet<Key>>,
}

/// A word in lower case, without the signs around it.
pub(super) fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// The most other words between two words of a deployment that are quoted in one piece.
pub(super) const GAP: usize = 2;
/// The most pieces of a quotation.
pub(super) const PIECES: usize = 3;
/// Words between two things, by which a quotation does not end.
const JOINING: &[&str] = &[
    "and", "or", "with", "without", "und", "oder", "mit", "ohne", "y", "o", "con", "sin", "et",
    "ou", "avec", "sans",
];
/// Words that join another wish to a value.
const AND: &[&str] = &["and", "or", "plus", "und", "oder", "sowie", "y", "e", "o", "et", "ou"];
/// How many words beside a value of a deployment are quoted with it.
const NEIGHBORS: usize = 4;
/// In a message of more words than this, a deployment is quoted by what chooses it alone.
const SHORT: usize = 60;

/// Signs at the ends of a quotation that belong to the text around it.
pub(super) const BESIDE: &str = ".,;:!?()¿¡\"“”„«»*";

impl Passage {
    pub(super) fn of(text: &str, ground: Dialogue) -> Passage {
        let mut words: Vec<Range<usize>> = Vec::new();
        let (mut clauses, mut from, mut at) = (Vec::new(), 0, 0);
        for piece in text.split_inclusive(char::is_whitespace) {
            let word = piece.trim_end();
            if !word.is_empty() {
                words.push(at..at + word.len());
            }
            at += piece.len();
            let ends = word.ends_with(['.', ',', ';', ':', '!', '?']) || piece.ends_with('\n');
            if ends && words.len() > from {
                clauses.push(from..words.len());
                from = words.len();
            }
        }
        if words.len() > from {
            clauses.push(from..words.len());
        }
        Passage { ground, words, clauses, read: BTreeMap::new() }
    }

    /// The words of a value with those beside them in their clause, which show what the user said the value of: “keep dumps
    /// 90 days”, and not only “90”.
    pub(super) fn with_its_neighbors(&self, message: &str, part: Range<usize>) -> Range<usize> {
        let within = |clause: &&Range<usize>| clause.start <= part.start && part.end <= clause.end;
        let Some(clause) = self.clauses.iter().find(within) else { return part };
        let mut from = part.start.saturating_sub(NEIGHBORS).max(clause.start);
        let mut end = (part.end + NEIGHBORS).min(clause.end);
        // “A contact form and https”: what is joined to the value is another wish.
        let word = |at: usize| bare(self.text(message, at..at + 1).unwrap_or_default());
        // “Ports 80 and 443” is one.
        let counts = |at: usize| numbers::read(&word(at)).is_some();
        let joins = |at: &usize| {
            let beside = counts(at.saturating_sub(1)) && counts(at + 1);
            AND.contains(&word(*at).as_str()) && !beside
        };
        from = (from..part.start).rev().find(joins).map_or(from, |at| at + 1);
        end = (part.end..end).find(joins).unwrap_or(end);
        // “… with TLS and without”: a word without a meaning of its own begins nothing and ends nothing.
        let empty = |at: usize| {
            let word = self.text(message, at..at + 1).unwrap_or_default().to_lowercase();
            is_blank(&word) || is_negation(&word) || JOINING.contains(&word.as_str())
        };
        while end < clause.end && end > part.end && empty(end - 1) {
            end -= 1;
        }
        while from > clause.start && from < part.start && empty(from) {
            from += 1;
        }
        from..end
    }

    /// The words that name the deployment or belong to it, but not its place.
    pub(super) fn hints(
        &self,
        message: &str,
        language: Language,
        blueprint: &Blueprint,
    ) -> Vec<usize> {
        if self.words.len() > SHORT {
            return Vec::new();
        }
        let town = |cue: &str| places::of(blueprint.place).iter().any(|(name, _)| *name == cue);
        let weak = blueprint.weak_cues.iter().copied().filter(|cue| !town(cue));
        let cues: Vec<&str> = blueprint.own_cues().chain(weak).collect();
        let hints = |part: Range<usize>| {
            let said = self.text(message, part).unwrap_or_default();
            let words = Words::translated(&sentences::to_english(said, language));
            cues.iter().any(|cue| words.means(cue))
        };
        let one = |word: usize| hints(word..word + 1);
        let pair = |word: usize| !one(word) && !one(word + 1) && hints(word..word + 2);
        (0..self.words.len())
            .filter(|word| one(*word) || pair(*word) || word.checked_sub(1).is_some_and(pair))
            .collect()
    }

    /// The user's text of these words.
    pub(super) fn text<'a>(&self, message: &'a str, part: Range<usize>) -> Option<&'a str> {
        let words = self.words.get(part)?;
        message.get(words.first()?.start..words.last()?.end)
    }
}
