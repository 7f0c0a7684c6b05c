//! The part of a command's output that is stored: its head and its tail.

use redaction::mask;
use serde::{Deserialize, Serialize};

/// A view of a command's output so far. The highest `seq` is the newest view.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputView {
    /// Number of this view within its run, from 1; 0 before the first.
    pub seq: u64,
    /// The first bytes, as text.
    pub head: String,
    /// The last bytes after the head, as text; empty while the head holds all of it.
    pub tail: String,
    /// Bytes of the whole output.
    pub bytes: u64,
}

impl OutputView {
    /// A view from a head and a tail that may overlap, as a sandbox reports them.
    ///
    /// Text that looks like a secret becomes stars, one for each byte, so that offsets into the output stay valid and
    /// no secret enters the table. The sandbox has already masked the known credentials.
    pub fn from_overlapping(seq: u64, head: &str, tail: &str, bytes: u64) -> Self {
        let beyond = bytes.saturating_sub(head.len() as u64).min(tail.len() as u64);
        let mut start = tail.len() - usize::try_from(beyond).unwrap_or(tail.len());
        while !tail.is_char_boundary(start) {
            start += 1;
        }
        let tail = &tail[start..];
        if bytes > (head.len() + tail.len()) as u64 {
            return Self { seq, head: mask(head), tail: mask(tail), bytes };
        }
        // Head and tail join here: a secret may span both.
        let length = head.len();
        let mut head = mask(&format!("{head}{tail}"));
        let tail = head.split_off(length);
        Self { seq, head, tail, bytes }
    }

    /// Bytes of output that neither head nor tail shows.
    pub fn omitted(&self) -> u64 {
        self.bytes.saturating_sub((self.head.len() + self.tail.len()) as u64)
    }

    /// Head and tail as one text, with a line between them that names the omitted bytes.
    pub fn text(&self) -> String {
        match self.omitted() {
            0 => format!("{}{}", self.head, self.tail),
            n => format!("{}\n[… {n} bytes left out …]\n{}", self.head, self.tail),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_output_is_shown_once() {
        let view = OutputView::from_overlapping(1, "hello", "hello", 5);
        assert_eq!(view.text(), "hello");
    }

    #[test]
    fn an_overlapping_tail_is_joined_without_repeating() {
        let view = OutputView::from_overlapping(1, "abcd", "cdef", 6);
        assert_eq!(view.text(), "abcdef");
    }

    #[test]
    fn a_text_like_a_secret_is_masked_and_places_stay() {
        let output = "password: Tr0ub4dor&3\ndone";
        let view = OutputView::from_overlapping(1, &output[..14], &output[10..], 26);
        assert_eq!(view.text(), "password: ***********\ndone");
        assert_eq!(view.head.len(), 14);
        let view = OutputView::from_overlapping(
            1,
            output,
            "token ghp_q7Zx2Lm9Kp4Vt8Rb3Nc6Wd1Hf5Js0GyAeTuX",
            9999,
        );
        assert!(!view.text().contains("Tr0") && !view.text().contains("ghp_"), "{}", view.text());
    }

    #[test]
    fn a_long_output_names_its_omitted_bytes() {
        let view = OutputView::from_overlapping(1, "ab", "yz", 26);
        assert_eq!(view.text(), "ab\n[… 22 bytes left out …]\nyz");
    }
}
