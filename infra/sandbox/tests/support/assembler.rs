//! Puts a terminal's stream together from pieces that carry their offsets.

use std::collections::BTreeMap;

use protocol::Piece;

/// Puts pieces in order by offset and drops those that it has already returned.
#[derive(Debug, Default)]
pub struct Assembler {
    next: u64,
    early: BTreeMap<u64, Piece>,
}

/// How many pieces may wait for a missing one; with 32 KB frames this is 8 MiB.
const WAITING_PIECES: usize = 256;

impl Assembler {
    /// Continues a stream whose content before `next` is known.
    pub fn resume(next: u64) -> Self {
        Self { next, early: BTreeMap::new() }
    }

    /// The end of the known part of the stream, from which the receiver continues after a reconnect.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Takes a piece and returns the text that is now in order.
    ///
    /// A piece that does not fit the buffer is dropped; the receiver asks again from [`Assembler::next`].
    pub fn push(&mut self, piece: Piece) -> String {
        let fits = piece.offset <= self.next || self.early.len() < WAITING_PIECES;
        if piece.next > self.next && fits {
            let known = self.early.get(&piece.offset);
            if known.is_none_or(|known| known.next < piece.next) {
                self.early.insert(piece.offset, piece);
            }
        }
        let mut text = String::new();
        while let Some(entry) = self.early.first_entry()
            && *entry.key() <= self.next
        {
            let piece = entry.remove();
            if piece.next > self.next {
                text.push_str(unseen(&piece, self.next));
                self.next = piece.next;
            }
        }
        text
    }
}

/// The part of a piece that begins at `from`; the whole piece if `from` is not a character boundary of its text.
fn unseen(piece: &Piece, from: u64) -> &str {
    let seen = usize::try_from(from - piece.offset).unwrap_or(usize::MAX);
    piece.data.get(seen..).unwrap_or(&piece.data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pieces(count: u64) -> Vec<Piece> {
        (0..count)
            .map(|i| Piece { offset: i * 3, next: i * 3 + 3, data: format!("{i:03}") })
            .collect()
    }

    proptest! {
        #[test]
        fn overtaking_and_repeated_pieces_give_the_stream_once(
            order in Just((0..50usize).chain(0..50).collect::<Vec<_>>()).prop_shuffle()
        ) {
            let all = pieces(50);
            let mut assembler = Assembler::resume(0);
            let text: String = order.iter().map(|i| assembler.push(all[*i].clone())).collect();
            prop_assert_eq!(text, all.iter().map(|p| p.data.as_str()).collect::<String>());
            prop_assert_eq!(assembler.next(), 150);
        }
    }

    #[test]
    fn only_the_new_part_of_an_overlapping_piece_is_returned() {
        let mut assembler = Assembler::resume(4);
        let piece = Piece { offset: 2, next: 8, data: "cdefgh".into() };
        assert_eq!(assembler.push(piece), "efgh");
    }

    proptest! {
        #[test]
        fn pieces_of_terminal_output_are_put_in_order_or_dropped(
            pieces in prop::collection::vec((any::<u64>(), any::<u64>(), 0..40_u64, "\\PC{0,8}", any::<bool>()), 0..20),
        ) {
            let mut assembler = Assembler::default();
            for (offset, next, near, data, is_near) in pieces {
                let (offset, next) = match is_near {
                    true => (near, near + data.len() as u64),
                    false => (offset, next),
                };
                assembler.push(Piece { offset, next, data });
                prop_assert!(assembler.early.len() <= WAITING_PIECES);
            }
        }
    }

    #[test]
    fn a_gap_piece_marks_a_lost_beginning_even_when_it_arrives_second() {
        let mut assembler = Assembler::default();
        let output = Piece { offset: 1000, next: 1002, data: "ok".into() };
        let gap = Piece { offset: 0, next: 1000, data: String::new() };
        assert_eq!(assembler.push(output), "");
        assert_eq!(assembler.push(gap), "ok");
        assert_eq!(assembler.next(), 1002);
    }
}
