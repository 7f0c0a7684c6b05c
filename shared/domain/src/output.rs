//! What is kept of a command's output in the table: its head and its tail.

use serde::{Deserialize, Serialize};

/// A view of a command's output so far. Highest `seq` is the newest view.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputView {
    /// Number of this view within its run, from 1; 0 before there is any.
    pub seq: u64,
    /// The first bytes, as text.
    pub head: String,
    /// The last bytes after the head, as text; empty while the head holds everything.
    pub tail: String,
    /// Bytes of the whole output.
    pub bytes: u64,
}

impl OutputView {
    /// A view from a head and a tail that may overlap, as a sandbox reports them.
    pub fn from_overlapping(seq: u64, head: &str, tail: &str, bytes: u64) -> Self {
        let beyond = bytes.saturating_sub(head.len() as u64).min(tail.len() as u64);
        let mut start = tail.len() - usize::try_from(beyond).unwrap_or(tail.len());
        while !tail.is_char_boundary(start) {
            start += 1;
        }
        Self { seq, head: head.to_owned(), tail: tail[start..].to_owned(), bytes }
    }

    /// Bytes of output that neither head nor tail shows.
    pub fn omitted(&self) -> u64 {
        self.bytes.saturating_sub((self.head.len() + self.tail.len()) as u64)
    }

    /// Head and tail as one text, with a line that says how much lies between them.
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
    fn a_long_output_says_how_much_is_left_out() {
        let view = OutputView::from_overlapping(1, "ab", "yz", 26);
        assert_eq!(view.text(), "ab\n[… 22 bytes left out …]\nyz");
    }
}
