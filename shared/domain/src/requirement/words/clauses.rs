//! The clauses of a message, and those that no quotation covers.

use super::small_talk::{asks, is_small_talk, joins};
use std::ops::Range;

/// A word of a message, with the signs beside it.
struct Word<'a> {
    start: usize,
    end: usize,
    /// In lower case, without the signs beside it.
    plain: String,
    text: &'a str,
    /// Whether a line ends after it.
    ends_line: bool,
}

impl Word<'_> {
    fn ends_sentence(&self) -> bool {
        self.ends_line || self.closes(&['.', '!', '?', '…'])
    }

    fn ends_clause(&self) -> bool {
        self.ends_sentence() || self.closes(&[',', ';', ':', ')', '–', '—']) || self.text == "-"
    }

    fn closes(&self, signs: &[char]) -> bool {
        let end = self.text.trim_end_matches(['"', '”', '“', '»', '\'', '’', '*']);
        end.ends_with(signs)
    }

    fn begins_clause(&self) -> bool {
        self.text.starts_with('(') || joins(&self.plain)
    }

    /// Whether the word can be a part of a request.
    fn says_something(&self) -> bool {
        !self.plain.is_empty() && !is_small_talk(&self.plain)
    }
}

/// The clauses that none of the covered parts touches. Neighbors in a sentence are one part of the message.
pub(super) fn unread<'a>(message: &'a str, covered: &[Range<usize>]) -> Vec<&'a str> {
    let words = words(message);
    let mut unread = Vec::new();
    for sentence in words.split_inclusive(Word::ends_sentence) {
        if only_asks(sentence) {
            continue;
        }
        let mut open: Option<Range<usize>> = None;
        for clause in clauses(sentence) {
            let telling = clause.iter().filter(|word| word.says_something());
            let (mut says, mut read) = (false, false);
            for word in telling {
                says = true;
                read |= covered.iter().any(|part| part.start < word.end && word.start < part.end);
            }
            let ends = clause.last().map_or(0, |word| word.end);
            match (read, says, &mut open) {
                (true, ..) => unread.extend(open.take()),
                (false, true, Some(open)) => open.end = ends,
                (false, true, None) => open = Some(start(clause)..ends),
                (false, false, _) => {}
            }
        }
        unread.extend(open);
    }
    let shown = |part: Range<usize>| message.get(part).map(bare);
    unread.into_iter().filter_map(shown).collect()
}

/// Where a clause begins, without the word that joins it to the one before.
fn start(clause: &[Word<'_>]) -> usize {
    let first = clause.iter().find(|word| !joins(&word.plain)).or(clause.first());
    first.map_or(0, |word| word.start)
}

fn bare(part: &str) -> &str {
    part.trim_matches(|c: char| c.is_whitespace() || ".,;:!…–—-()".contains(c))
}

fn clauses<'a, 'b>(sentence: &'a [Word<'b>]) -> Vec<&'a [Word<'b>]> {
    let mut clauses = Vec::new();
    let mut from = 0;
    for (at, word) in sentence.iter().enumerate() {
        if word.begins_clause() && at > from {
            clauses.extend(sentence.get(from..at));
            from = at;
        }
        if word.ends_clause() {
            clauses.extend(sentence.get(from..=at));
            from = at + 1;
        }
    }
    clauses.extend(sentence.get(from..).filter(|rest| !rest.is_empty()));
    clauses
}

/// Whether a sentence wants to know something and asks for nothing: “can you add TLS?” asks for TLS.
fn only_asks(sentence: &[Word<'_>]) -> bool {
    let is_question = sentence.last().is_some_and(|word| word.closes(&['?']));
    let mut telling = sentence.iter().filter(|word| !word.plain.is_empty());
    is_question && telling.next().is_some_and(|word| asks(&word.plain))
}

fn words(message: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut at = 0;
    for text in message.split_inclusive(char::is_whitespace) {
        let start = at;
        at += text.len();
        let word = text.trim_end();
        let ends_line = text.ends_with('\n');
        if word.is_empty() {
            if let Some(last) = words.last_mut() {
                last.ends_line |= ends_line;
            }
            continue;
        }
        let plain = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let plain = plain.replace('’', "'");
        words.push(Word { start, end: start + word.len(), plain, text: word, ends_line });
    }
    words
}
