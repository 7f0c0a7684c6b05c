//! Short credentials as words of their own.
//!
//! A value of four or five bytes is in ordinary words as well, so it counts only where no letter or digit is beside it
//! ([`protocol::hiding`] says which values, and why). Whether one follows is known a character later, and until then the
//! value is held back. Only the value itself is searched for, not its encoded forms, which are short as well.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use protocol::{EVERYWHERE_BYTES, Hiding, hiding};

/// How many bytes of the text are remembered: the longest value, and a character before it.
const TAIL_BYTES: usize = EVERYWHERE_BYTES + 4;

/// Searches a text for short values.
#[derive(Clone)]
pub struct Words {
    values: Arc<[Vec<u8>]>,
    /// The end of the text so far, without a character that is not complete.
    tail: VecDeque<u8>,
    /// The beginning of a character.
    partial: Vec<u8>,
    /// A value that ends where the text ends, or where `partial` begins.
    found: Option<Range<u64>>,
}

impl Words {
    /// Searches for those of these values that are hidden as words.
    pub fn of<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let short = values.into_iter().filter(|value| hiding(value) == Hiding::AsAWord);
        Self::new(short.map(|value| value.trim().as_bytes().to_vec()).collect())
    }

    fn new(values: Arc<[Vec<u8>]>) -> Self {
        Self { values, tail: VecDeque::new(), partial: Vec::new(), found: None }
    }

    /// The same search in another text.
    pub fn afresh(&self) -> Self {
        Self::new(self.values.clone())
    }

    /// Whether there is nothing to search for.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Whether a value begins with this byte.
    pub fn begins(&self, byte: u8) -> bool {
        self.values.iter().any(|value| value.first() == Some(&byte))
    }

    /// Takes a part of the text in which no value begins.
    pub fn skip(&mut self, text: &[u8]) {
        if self.is_empty() {
            return;
        }
        // Only the character before a value matters, and a character has four bytes at most.
        let known = text.len().min(TAIL_BYTES);
        for byte in &text[text.len() - known..] {
            self.take(*byte, 0);
        }
        self.found = None;
    }

    /// Reads the byte at a position; returns the value that it confirms.
    pub fn step(&mut self, byte: u8, place: u64) -> Option<Range<u64>> {
        if self.is_empty() {
            return None;
        }
        self.take(byte, place + 1)
    }

    /// Ends the text; returns the value at its end.
    pub fn end(&mut self) -> Option<Range<u64>> {
        let found = self.found.take();
        *self = self.afresh();
        found
    }

    /// The start of what may be a value, if the text so far ends at this position.
    pub fn start(&self, end: u64) -> Option<u64> {
        if self.is_empty() {
            return None;
        }
        if let Some(found) = &self.found {
            return Some(found.start);
        }
        // The longest beginning of a value with which the text ends.
        let begun = |value: &Vec<u8>| {
            let longest =
                (1..value.len()).rev().find(|length| self.ends_with(&value[..*length]))?;
            Some(end - (longest + self.partial.len()) as u64)
        };
        let begun = self.values.iter().filter_map(begun).min();
        // A character that may be the first of a value.
        let partial = (!self.partial.is_empty()
            && self.values.iter().any(|value| value.starts_with(&self.partial)))
        .then(|| end - self.partial.len() as u64);
        begun.into_iter().chain(partial).min()
    }

    /// Adds a byte, with which the text is this long. Returns the value that the byte's character confirms.
    fn take(&mut self, byte: u8, end: u64) -> Option<Range<u64>> {
        self.partial.push(byte);
        let character = match std::str::from_utf8(&self.partial) {
            Ok(text) => text.chars().next(),
            // A part of a character that was cut off before.
            Err(error) if error.error_len().is_some() => Some(char::REPLACEMENT_CHARACTER),
            Err(_) => return None,
        };
        let confirmed = self.found.take().filter(|_| !character.is_some_and(char::is_alphanumeric));
        self.tail.extend(self.partial.drain(..));
        while self.tail.len() > TAIL_BYTES {
            self.tail.pop_front();
        }
        let values = self.values.iter().filter(|value| self.ends_with(value));
        let longest = values.map(|value| value.len() as u64).max();
        self.found = longest.map(|length| end.saturating_sub(length)..end);
        confirmed
    }

    /// Whether the text ends with these bytes, with no letter or digit before them.
    fn ends_with(&self, bytes: &[u8]) -> bool {
        let Some(from) = self.tail.len().checked_sub(bytes.len()) else { return false };
        if !self.tail.iter().skip(from).eq(bytes) {
            return false;
        }
        let before: Vec<u8> = self.tail.iter().take(from).copied().collect();
        let last = String::from_utf8_lossy(&before).chars().next_back();
        !last.is_some_and(char::is_alphanumeric)
    }
}
