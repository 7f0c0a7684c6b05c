//! What to look for in values before reading them closely.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use std::sync::OnceLock;

/// Texts to look for in values: in either case, and all at once.
pub(super) struct Marks(OnceLock<Option<AhoCorasick>>);

impl Marks {
    pub(super) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Whether a text contains one of the marks, which are separated by spaces.
    pub(super) fn are_in(&self, text: &str, marks: &'static str) -> bool {
        let build = || {
            let mut builder = AhoCorasick::builder();
            let builder = builder.kind(Some(AhoCorasickKind::ContiguousNFA));
            builder.ascii_case_insensitive(true).build(marks.split(' ')).ok()
        };
        match self.0.get_or_init(build) {
            Some(automaton) => automaton.is_match(text),
            None => marks.split(' ').any(|mark| text.to_lowercase().contains(mark)),
        }
    }
}

/// Which ASCII characters a value has. Most values have few signs, and most forms need a certain one.
#[derive(Clone, Copy)]
pub(super) struct CharSet(u128);

impl CharSet {
    pub(super) fn of(value: &str) -> Self {
        let bit = |byte: u8| if byte.is_ascii() { 1 << byte } else { 0 };
        Self(value.bytes().fold(0, |signs, byte| signs | bit(byte)))
    }

    pub(super) fn has(self, sign: u8) -> bool {
        self.0 >> sign & 1 == 1
    }

    pub(super) fn has_any(self, signs: &[u8]) -> bool {
        signs.iter().any(|sign| self.has(*sign))
    }
}
