//! Puts messages numbered from 0 back in order.

use std::collections::BTreeMap;

use thiserror::Error;

/// A bounded buffer that returns messages numbered from 0 in order, each of them once.
///
/// The limit says how far a number may be ahead of the missing message, so neither a lost message nor a sender who
/// invents numbers can make the buffer grow.
#[derive(Debug)]
pub struct Reorder<T> {
    next: u64,
    early: BTreeMap<u64, T>,
}

/// The message is further ahead than the buffer holds, so an earlier message is permanently lost.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("message {seq} is too far ahead of {next}")]
pub struct GapTooWide {
    /// The number of the message.
    pub seq: u64,
    /// The number of the missing one.
    pub next: u64,
}

/// How many messages may wait for a missing one.
const WAITING_MESSAGES: u64 = 1024;

impl<T> Default for Reorder<T> {
    fn default() -> Self {
        Self { next: 0, early: BTreeMap::new() }
    }
}

impl<T> Reorder<T> {
    /// Takes message `seq` and returns all messages that are now in order; none for a duplicate or an early one.
    pub fn push(&mut self, seq: u64, message: T) -> Result<Vec<T>, GapTooWide> {
        if seq < self.next {
            return Ok(Vec::new());
        }
        if seq - self.next >= WAITING_MESSAGES {
            return Err(GapTooWide { seq, next: self.next });
        }
        self.early.entry(seq).or_insert(message);
        Ok(self.in_order())
    }

    /// Takes a message without a number as the next one.
    pub fn push_next(&mut self, message: T) -> Vec<T> {
        self.early.entry(self.next).or_insert(message);
        self.in_order()
    }

    /// Whether messages wait for one that has not arrived.
    pub fn is_waiting(&self) -> bool {
        !self.early.is_empty()
    }

    /// Skips the missing messages and returns those after the gap.
    pub fn skip_gap(&mut self) -> Vec<T> {
        if let Some(first) = self.early.keys().next() {
            self.next = *first;
        }
        self.in_order()
    }

    fn in_order(&mut self) -> Vec<T> {
        let mut ready = Vec::new();
        while let Some(message) = self.early.remove(&self.next) {
            ready.push(message);
            self.next += 1;
        }
        ready
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every number below a small count, each of them one to three times, shuffled.
    fn deliveries() -> impl Strategy<Value = (u64, Vec<u64>)> {
        (1u64..200).prop_flat_map(|count| {
            proptest::collection::vec(1usize..=3, count as usize)
                .prop_map(move |copies| {
                    (0..count)
                        .zip(copies)
                        .flat_map(|(seq, n)| std::iter::repeat_n(seq, n))
                        .collect::<Vec<_>>()
                })
                .prop_shuffle()
                .prop_map(move |seqs| (count, seqs))
        })
    }

    proptest! {
        #[test]
        fn any_interleaving_with_duplicates_gives_each_once_in_order((count, seqs) in deliveries()) {
            let mut reorder = Reorder::default();
            let mut got = Vec::new();
            for seq in seqs {
                got.extend(reorder.push(seq, seq).unwrap());
            }
            prop_assert_eq!(got, (0..count).collect::<Vec<_>>());
            prop_assert!(!reorder.is_waiting());
        }

        #[test]
        fn the_buffer_never_grows_past_its_bound(seqs in proptest::collection::vec(any::<u64>(), 0..2000)) {
            let mut reorder = Reorder::default();
            for seq in seqs {
                let _ = reorder.push(seq % 1000, ());
                prop_assert!(reorder.early.len() as u64 <= WAITING_MESSAGES);
            }
        }
    }

    #[test]
    fn a_message_too_far_ahead_is_refused() {
        let mut reorder = Reorder::default();
        assert_eq!(
            reorder.push(WAITING_MESSAGES, ()),
            Err(GapTooWide { seq: WAITING_MESSAGES, next: 0 })
        );
    }

    #[test]
    fn skipping_a_gap_releases_the_messages_after_it() {
        let mut reorder = Reorder::default();
        assert!(reorder.push(2, 'c').unwrap().is_empty());
        assert!(reorder.push(3, 'd').unwrap().is_empty());
        assert_eq!(reorder.skip_gap(), ['c', 'd']);
        assert!(
            reorder.push(0, 'a').unwrap().is_empty(),
            "a skipped message that arrives late is dropped"
        );
        assert_eq!(reorder.push_next('e'), ['e']);
    }
}
