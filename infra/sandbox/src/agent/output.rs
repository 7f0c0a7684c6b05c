//! The output of one run: all of it in a file, its head and tail in memory, always as UTF-8 text.
//!
//! Credentials are masked before anything is stored, so neither the file nor the messages contain one.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use protocol::{OUTPUT_HEAD_BYTES, OUTPUT_TAIL_BYTES};

use super::mask::Mask;
use crate::OUTPUT_BYTES;

/// The output of a run so far.
pub struct Output {
    file: File,
    head: String,
    head_is_full: bool,
    /// The text after the head, trimmed from the front now and then.
    recent: String,
    bytes: u64,
    /// The first bytes of a character whose rest has not arrived.
    unfinished: Vec<u8>,
    mask: Mask,
}

/// How far `recent` may grow before it is trimmed to the tail.
const RECENT_BYTES: usize = 16 * OUTPUT_TAIL_BYTES;

/// The note at the end of a truncated output's file.
const NOTE: &str = "\n[The rest of the output is not kept: the limit is 64 MiB.]\n";

impl Output {
    /// Begins an output whose file is `path`.
    pub fn create(path: &Path, mask: Mask) -> io::Result<Self> {
        Ok(Self {
            file: File::create(path)?,
            head: String::new(),
            head_is_full: false,
            recent: String::new(),
            bytes: 0,
            unfinished: Vec::new(),
            mask,
        })
    }

    /// Head, tail and size of the masked output that an earlier agent left in the file `path`.
    pub fn recall(path: &Path) -> io::Result<Self> {
        let mut output = Self::create(Path::new("/dev/null"), Mask::none())?;
        let mut file = File::open(path)?;
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                n => output.push(&buffer[..n])?,
            }
        }
        output.end()?;
        Ok(output)
    }

    /// Appends a piece of the run's output.
    pub fn push(&mut self, data: &[u8]) -> io::Result<()> {
        let mut bytes = std::mem::take(&mut self.unfinished);
        bytes.extend_from_slice(data);
        let mut text = String::with_capacity(bytes.len());
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            let invalid = chunk.invalid();
            let may_go_on = std::str::from_utf8(invalid).is_err_and(|e| e.error_len().is_none());
            if may_go_on && chunks.peek().is_none() {
                self.unfinished = invalid.to_vec();
            } else if !invalid.is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        let said = self.mask.push(&text);
        self.add(&said)
    }

    /// Closes the output, with a replacement mark for an incomplete character.
    pub fn end(&mut self) -> io::Result<()> {
        let mut said = String::new();
        if !std::mem::take(&mut self.unfinished).is_empty() {
            said = self.mask.push("\u{fffd}");
        }
        said.push_str(&self.mask.end());
        self.add(&said)
    }

    /// Masks a text that accompanies the output in the same way.
    pub fn masked(&self, text: &str) -> String {
        self.mask.whole(text)
    }

    /// Masks the beginning of a text whose rest is unknown.
    pub fn masked_beginning(&self, text: &str) -> String {
        self.mask.beginning(text)
    }

    fn add(&mut self, text: &str) -> io::Result<()> {
        let kept = usize::try_from(OUTPUT_BYTES.saturating_sub(self.bytes)).unwrap_or(usize::MAX);
        let was_kept = self.bytes <= OUTPUT_BYTES;
        self.bytes += text.len() as u64;
        if self.head_is_full {
            self.recent.push_str(text);
        } else {
            let cut = text.floor_char_boundary(OUTPUT_HEAD_BYTES - self.head.len());
            self.head.push_str(&text[..cut]);
            self.head_is_full = cut < text.len();
            self.recent.push_str(&text[cut..]);
        }
        if self.recent.len() > RECENT_BYTES {
            self.recent = self.tail().to_owned();
        }
        if text.len() <= kept {
            return self.file.write_all(text.as_bytes());
        }
        if was_kept {
            self.file.write_all(&text.as_bytes()[..text.floor_char_boundary(kept)])?;
            self.file.write_all(NOTE.as_bytes())?;
        }
        Ok(())
    }

    /// The first [`OUTPUT_HEAD_BYTES`].
    pub fn head(&self) -> &str {
        &self.head
    }

    /// The last [`OUTPUT_TAIL_BYTES`] after the head.
    pub fn tail(&self) -> &str {
        let from = self.recent.len().saturating_sub(OUTPUT_TAIL_BYTES);
        &self.recent[self.recent.ceil_char_boundary(from)..]
    }

    /// Size of the whole output in bytes, including the part beyond the limit.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fed(chunks: &[&[u8]]) -> (Output, String) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut output = Output::create(file.path(), Mask::of(["hunter2!"])).unwrap();
        for chunk in chunks {
            output.push(chunk).unwrap();
        }
        output.end().unwrap();
        let kept = std::fs::read_to_string(file.path()).unwrap();
        (output, kept)
    }

    proptest! {
        #[test]
        fn head_and_tail_are_the_ends_of_the_text_however_it_arrives(
            text in "[aé€😀\n]{0,9000}", size in 1usize..5000
        ) {
            let chunks: Vec<_> = text.as_bytes().chunks(size).collect();
            let (output, kept) = fed(&chunks);
            prop_assert_eq!(&kept, &text);
            prop_assert_eq!(output.bytes(), text.len() as u64);
            prop_assert!(text.starts_with(output.head()) && text.ends_with(output.tail()));
            prop_assert!(output.head().len() <= OUTPUT_HEAD_BYTES && output.tail().len() <= OUTPUT_TAIL_BYTES);
            if text.len() <= OUTPUT_HEAD_BYTES + OUTPUT_TAIL_BYTES - 6 {
                prop_assert_eq!(format!("{}{}", output.head(), output.tail()), text);
            }
        }
    }

    #[test]
    fn bytes_that_are_not_text_become_marks() {
        let (output, kept) = fed(&[b"a\xff", b"b\xe2\x82"]);
        assert_eq!(kept, "a\u{fffd}b\u{fffd}");
        assert_eq!(output.bytes(), kept.len() as u64);
    }

    #[test]
    fn neither_the_file_nor_the_messages_contain_a_credential() {
        let (output, kept) = fed(&[b"a hun", b"ter2! b hunt"]);
        assert_eq!((output.head(), kept.as_str()), ("a *** b hunt", "a *** b hunt"));
        assert_eq!(output.bytes(), kept.len() as u64);
        assert_eq!(output.masked("hunter2!.pem"), "***.pem");
    }

    #[test]
    fn the_output_of_an_earlier_agent_is_recalled() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "x".repeat(10_000)).unwrap();
        let output = Output::recall(file.path()).unwrap();
        assert_eq!((output.bytes(), output.tail().len()), (10_000, 4096));
    }
}
