//! What to look for in values before reading them closely.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use std::sync::OnceLock;

/// Texts to look for in values: in either case, and all at once.
pub struct Marks(OnceLock<Option<AhoCorasick>>);

impl Marks {
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Whether a text contains one of the marks, which are separated by spaces.
    pub fn are_in(&self, text: &str, marks: &'static str) -> bool {
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
pub struct CharSet(u128);

impl CharSet {
    pub fn of(value: &str) -> Self {
        let (mut low, mut high) = (0_u64, 0_u64);
        for byte in value.bytes() {
            let bit = 1 << (byte % 64);
            match byte / 64 {
                0 => low |= bit,
                1 => high |= bit,
                _ => {}
            }
        }
        Self(u128::from(high) << 64 | u128::from(low))
    }

    pub fn has(self, sign: u8) -> bool {
        self.0 >> sign & 1 == 1
    }

    pub fn has_any(self, signs: &[u8]) -> bool {
        signs.iter().any(|sign| self.has(*sign))
    }
}
