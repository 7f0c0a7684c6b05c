//! The most recent part of a terminal's stream, addressed by absolute offset.

use std::collections::VecDeque;

/// How much of a terminal's output is kept for browsers that reconnect, in bytes.
pub const SCROLLBACK_BYTES: usize = 2 * 1024 * 1024;

/// Bytes `start..end` of a stream.
pub struct Scrollback {
    end: u64,
    kept: VecDeque<u8>,
}

impl Scrollback {
    /// An empty stream that begins at `offset`.
    pub fn begin(offset: u64) -> Self {
        Self { end: offset, kept: VecDeque::new() }
    }

    /// The offset at which the kept part begins.
    pub fn start(&self) -> u64 {
        self.end - self.kept.len() as u64
    }

    /// The offset at which the stream ends so far.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Appends a piece of output and drops the oldest.
    pub fn push(&mut self, data: &[u8]) {
        self.end += data.len() as u64;
        self.kept.extend(data);
        self.kept.drain(..self.kept.len().saturating_sub(SCROLLBACK_BYTES));
    }

    /// Renumbers the kept part, beginning at `offset`.
    pub fn renumber(&mut self, offset: u64) {
        self.end = offset + self.kept.len() as u64;
    }

    /// At most `most` bytes from `offset` on; `offset` must be within the kept part.
    pub fn read(&self, offset: u64, most: usize) -> Vec<u8> {
        let from = usize::try_from(offset.saturating_sub(self.start())).unwrap_or(usize::MAX);
        self.kept.iter().skip(from).take(most).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_output_is_dropped_and_offsets_stay() {
        let mut scrollback = Scrollback::begin(100);
        scrollback.push(b"abc");
        assert_eq!(scrollback.read(101, 10), b"bc");
        scrollback.push(&vec![b'x'; SCROLLBACK_BYTES]);
        scrollback.push(b"yz");
        assert_eq!(scrollback.start(), 105);
        assert_eq!(scrollback.end() - scrollback.start(), SCROLLBACK_BYTES as u64);
        assert_eq!(scrollback.read(scrollback.end() - 3, 10), b"xyz");
    }
}
