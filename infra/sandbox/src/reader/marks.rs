//! Marks of credentials, by which a reader recognizes them in files without having them.
//!
//! A reading that shows parts of lines (`cut -c1-4`, `jq -r .password`) escapes every mask of its output, because the
//! mask does not recognize a part of a credential. So such a reading may not see a file that holds one. Only the agent
//! has the credentials, and a command without an approval must not get them. Instead the reader gets digests of them
//! under a key made for this reading, cut to a few bytes: enough to recognize a text, too few to tell which of many
//! texts was meant.

use std::collections::HashMap;

use rand::Rng;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// How much of the start of a text is compared first, in bytes; shorter texts have no mark.
const START_BYTES: usize = 6;

/// Marks of some texts.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Marks {
    key: u64,
    marks: Vec<Mark>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Mark {
    /// A digest of the first [`START_BYTES`]: cheap to compare at each position in a file.
    start: u16,
    bytes: usize,
    whole: u32,
}

impl Marks {
    /// Computes the marks of these texts.
    pub fn of(texts: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let key = rand::rng().random::<u64>() | 1;
        let texts = texts.into_iter().filter(|text| text.len() >= START_BYTES);
        let mark = |text: Vec<u8>| {
            let mut start = Start::new(key);
            let start = text[..START_BYTES].iter().fold(None, |_, byte| start.next(*byte));
            Mark { start: start.unwrap_or_default(), bytes: text.len(), whole: whole(key, &text) }
        };
        Self { key, marks: texts.map(mark).collect() }
    }

    /// Whether `text` contains one of the marked texts.
    pub fn are_in(&self, text: &[u8]) -> bool {
        let mut known: HashMap<u16, Vec<Mark>> = HashMap::new();
        for mark in &self.marks {
            known.entry(mark.start).or_default().push(*mark);
        }
        let mut start = Start::new(self.key);
        text.iter().enumerate().any(|(at, byte)| {
            let Some(marks) = start.next(*byte).and_then(|start| known.get(&start)) else {
                return false;
            };
            let rest = &text[at + 1 - START_BYTES..];
            let is_here = |mark: &Mark| {
                rest.get(..mark.bytes).is_some_and(|found| whole(self.key, found) == mark.whole)
            };
            marks.iter().any(is_here)
        })
    }
}

fn whole(key: u64, text: &[u8]) -> u32 {
    let digest = Sha256::new().chain_update(key.to_be_bytes()).chain_update(text).finalize();
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
}

/// A rolling digest (Rabin-Karp) of the last [`START_BYTES`] of a text.
struct Start {
    base: u64,
    /// The weight of the byte that leaves next.
    oldest: u64,
    last: [u8; START_BYTES],
    read: usize,
    hash: u64,
}

impl Start {
    fn new(key: u64) -> Self {
        let oldest = (1..START_BYTES).fold(1_u64, |power, _| power.wrapping_mul(key));
        Self { base: key, oldest, last: [0; START_BYTES], read: 0, hash: 0 }
    }

    /// Adds a byte; returns the digest once there are enough bytes.
    fn next(&mut self, byte: u8) -> Option<u16> {
        let place = &mut self.last[self.read % START_BYTES];
        let left = u64::from(std::mem::replace(place, byte)).wrapping_mul(self.oldest);
        self.hash = self.hash.wrapping_sub(left).wrapping_mul(self.base).wrapping_add(byte.into());
        self.read += 1;
        // The upper bits depend on all bytes.
        let mixed = self.hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
        (self.read >= START_BYTES).then(|| u16::try_from(mixed).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_marked_text_is_found_in_any_position_and_no_other_is(
            texts in proptest::collection::vec("[a-c]{6,12}", 1..5),
            (before, after) in ("[a-d\n]{0,20}", "[a-d\n]{0,20}"),
            which in any::<prop::sample::Index>(),
        ) {
            let marks = Marks::of(texts.iter().map(|text| text.clone().into_bytes()));
            let holds = |text: &str| texts.iter().any(|marked| text.contains(marked));
            for text in [format!("{before}{}{after}", which.get(&texts)), format!("{before}{after}")] {
                prop_assert_eq!(marks.are_in(text.as_bytes()), holds(&text), "{}", text);
            }
        }
    }

    #[test]
    fn marks_show_nothing_of_the_texts_and_differ_each_time() {
        let marks = || Marks::of([b"hunter2!".to_vec(), b"short".to_vec()]);
        let (one, other) = (marks(), marks());
        assert_eq!(one.marks.len(), 1, "a short text occurs in ordinary words");
        assert_ne!(one.marks[0].whole, other.marks[0].whole);
        assert!(!Marks::default().are_in(b"anything"));
    }
}
