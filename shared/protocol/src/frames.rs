//! Cuts terminal bytes into frames.
//!
//! A terminal's stream is bytes, but a frame is text. A cut inside a character would turn it into two replacement
//! characters, so an incomplete character waits for its rest. A control byte takes six bytes of JSON, so pieces are
//! measured in their JSON form.

use crate::FRAME_BYTES;

/// A piece of a terminal's stream: bytes `offset..next`, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The first byte.
    pub offset: u64,
    /// The byte after the last.
    pub next: u64,
    /// The text of these bytes.
    pub data: String,
}

/// The size of a frame without its data: field names, two 20-digit offsets, a connection id and a terminal name.
const ENVELOPE_BYTES: usize = 1024;

/// Cuts `bytes`, which begin at `offset` of the stream, into pieces whose frames fit [`FRAME_BYTES`].
///
/// An unfinished character at the end is left out, unless this is the `end` of the stream; the caller passes it again
/// with its rest. Invalid UTF-8 becomes U+FFFD.
pub fn terminal_frames(bytes: &[u8], offset: u64, end: bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut piece = Piece { offset, next: offset, data: String::new() };
    let mut written = 0;
    let mut add = |text: &str, raw: usize| {
        let size = written_bytes(text);
        if written + size > FRAME_BYTES - ENVELOPE_BYTES {
            let next = piece.next;
            let full =
                std::mem::replace(&mut piece, Piece { offset: next, next, data: String::new() });
            pieces.push(full);
            written = 0;
        }
        written += size;
        piece.data.push_str(text);
        piece.next += raw as u64;
    };
    let mut rest = bytes;
    for chunk in bytes.utf8_chunks() {
        let mut buffer = [0; 4];
        for character in chunk.valid().chars() {
            add(character.encode_utf8(&mut buffer), character.len_utf8());
        }
        rest = &rest[chunk.valid().len()..];
        let invalid = chunk.invalid();
        let unfinished = invalid.len() == rest.len()
            && std::str::from_utf8(invalid).is_err_and(|e| e.error_len().is_none());
        if !invalid.is_empty() && (end || !unfinished) {
            add("\u{fffd}", invalid.len());
        }
        rest = &rest[invalid.len()..];
    }
    if piece.next > piece.offset {
        pieces.push(piece);
    }
    pieces
}

/// The size of a character in JSON, in bytes: control characters are escaped.
pub(crate) fn written_bytes(text: &str) -> usize {
    match text {
        "\"" | "\\" | "\n" | "\r" | "\t" | "\u{8}" | "\u{c}" => 2,
        control if control < "\u{20}" => 6,
        other => other.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FromAgent;
    use proptest::prelude::*;

    fn frame(piece: &Piece) -> String {
        serde_json::to_string(&FromAgent::TerminalOutput {
            connection: "c".repeat(64),
            terminal: "t".repeat(64),
            offset: u64::MAX,
            next: u64::MAX,
            data: piece.data.clone(),
        })
        .unwrap()
    }

    proptest! {
        #[test]
        fn text_survives_any_chunking(text in "\\PC{0,300}", cuts in proptest::collection::vec(1usize..9, 1..40)) {
            let bytes = text.as_bytes();
            let (mut got, mut sent, mut seen) = (String::new(), 0, 0);
            let mut sizes = cuts.iter().cycle();
            while seen < bytes.len() {
                seen = (seen + sizes.next().unwrap()).min(bytes.len());
                for piece in terminal_frames(&bytes[sent..seen], sent as u64, seen == bytes.len()) {
                    prop_assert_eq!(piece.offset, sent as u64);
                    sent = piece.next as usize;
                    got.push_str(&piece.data);
                }
            }
            prop_assert_eq!(got, text);
        }

        #[test]
        fn every_byte_is_in_exactly_one_frame(bytes in proptest::collection::vec(any::<u8>(), 0..3000)) {
            let pieces = terminal_frames(&bytes, 10, true);
            let mut next = 10;
            for piece in &pieces {
                prop_assert_eq!(piece.offset, next);
                next = piece.next;
            }
            prop_assert_eq!(next, 10 + bytes.len() as u64);
            let text: String = pieces.into_iter().map(|p| p.data).collect();
            prop_assert_eq!(text, String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn no_frame_exceeds_the_bound_even_when_every_byte_is_escaped() {
        for byte in [0x1b, b'a', 0xff, b'"'] {
            let pieces = terminal_frames(&vec![byte; 200_000], 0, true);
            assert!(pieces.iter().all(|piece| frame(piece).len() <= FRAME_BYTES));
        }
    }
}
