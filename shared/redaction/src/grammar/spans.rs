//! Finds where words and chunks of a text begin and end, and secrets with a known shape.

use super::context::Tie;
use super::{Reader, is_word};
use crate::words::is_east_asian;
use crate::{Raw, bare, shapes};

/// The shortest text with a known shape, in bytes. Most words are shorter.
const SHORTEST_BYTES: usize = 8;
/// How far back a chunk is followed to its start, in bytes.
const CHUNK_BYTES: usize = 64;

impl Reader<'_> {
    /// Whether a plain lower-case word begins here. Far from its keyword, such a word is not a secret.
    pub(super) fn plain_word(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let letters = rest.iter().skip(1).take_while(|b| b.is_ascii_lowercase()).count() + 1;
        rest[0].is_ascii_alphabetic() && rest.get(letters).is_none_or(u8::is_ascii_whitespace)
    }

    /// Where the chunk of a word begins: after a space, a quote or a sign that separates. `None` for a long chunk.
    pub(super) fn chunk_start(&self, at: usize) -> Option<usize> {
        let least = self.found.last().map_or(0, |raw| raw.span.end.min(at));
        let least = if self.walled <= at { least.max(self.walled) } else { least };
        let before = self.text.as_bytes()[least..at].iter().rev().take(CHUNK_BYTES);
        let inside = |b: &&u8| b.is_ascii_alphanumeric() || b"@!#$%^*+-._~/?".contains(b);
        let length = before.take_while(inside).count();
        (length < CHUNK_BYTES).then_some(at - length)
    }

    pub(super) fn word_end(&self) -> usize {
        let bytes = self.text.as_bytes();
        let limit = self.wall();
        let mut end = self.at;
        while end < limit {
            let joint = matches!(bytes[end], b'-' | b'.')
                && end > self.at
                && bytes.get(end + 1).is_some_and(|b| is_word(*b));
            if !is_word(bytes[end]) && !joint {
                break;
            }
            // A word in a script without spaces ends where letters of another script follow.
            let turns = bytes[end].is_ascii() && end > self.at && !bytes[end - 1].is_ascii();
            if turns && self.text[self.at..end].ends_with(is_east_asian) {
                break;
            }
            end += 1;
        }
        end
    }

    pub(super) fn shape(&self, at: usize) -> Option<Raw> {
        let next = self.text.as_bytes()[at..].iter().take(SHORTEST_BYTES);
        if next.into_iter().any(u8::is_ascii_whitespace) {
            return None;
        }
        self.marked(at).or_else(|| {
            // Not the rest of something longer, and not a hash of a password.
            if self.byte_before(at).is_some_and(|b| b"+/~-$".contains(&b)) {
                return None;
            }
            let end = bare::run_end(self.text, at).min(self.wall());
            bare::random(self.text, at..end)
        })
    }

    /// A secret with its vendor's mark.
    pub(super) fn marked(&self, at: usize) -> Option<Raw> {
        shapes::marked(self.open(), at)
    }

    /// Takes a secret with a known shape, which counts in any position. A variable that it is assigned to names it.
    pub(super) fn take_shape(&mut self, mut raw: Raw) {
        if let Some(context) = &self.context
            && context.tie != Tie::Near
            && (!raw.sure || context.is_variable)
        {
            raw.name.clone_from(&context.name);
        }
        self.take(raw);
    }
}
