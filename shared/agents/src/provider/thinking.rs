//! Separates thoughts that a model writes into its reply.
//!
//! Some open models, or the servers in front of them, send their reasoning as text between `<think>` and `</think>` at
//! the beginning of a reply. It is not for the reader. A tag anywhere else is ordinary text, because people ask about
//! these tags.

/// The tags in use, opening and closing.
const TAGS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// The longest tag in bytes: the most text that is held back because it could become a tag.
const TAG_BYTES: usize = "</thinking>".len();

/// Splits a reply into thoughts and text as it arrives.
#[derive(Debug, Default)]
pub(crate) struct Thinking {
    /// Text that is not decided yet, because it may be the beginning of a tag.
    held: String,
    place: Place,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    #[default]
    Beginning,
    /// Between the tags, until this closing tag.
    Inside(&'static str),
    /// After the closing tag: the blank lines before the reply belong to the thoughts.
    Behind,
    Reply,
}

/// A piece of a reply, split.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    /// For the reader.
    pub(crate) text: String,
    /// Bytes of thoughts, which cost the same as text.
    pub(crate) thought_bytes: usize,
}

impl Thinking {
    /// Splits the next piece.
    pub(crate) fn push(&mut self, piece: &str) -> Parts {
        self.held.push_str(piece);
        let mut parts = Parts::default();
        if self.place == Place::Beginning {
            self.begin();
        }
        if let Place::Inside(closing) = self.place {
            self.skip(closing, &mut parts);
        }
        if self.place == Place::Behind {
            self.held = self.held.trim_start().to_owned();
            if !self.held.is_empty() {
                self.place = Place::Reply;
            }
        }
        if self.place == Place::Reply {
            parts.text = std::mem::take(&mut self.held);
        }
        parts
    }

    /// The text that was held back when the reply ended.
    pub(crate) fn end(&mut self) -> Parts {
        let held = std::mem::take(&mut self.held);
        match self.place {
            Place::Inside(_) => Parts { thought_bytes: held.len(), ..Parts::default() },
            Place::Beginning | Place::Behind | Place::Reply => {
                Parts { text: held, ..Parts::default() }
            }
        }
    }

    fn begin(&mut self) {
        let start = self.held.trim_start();
        if let Some((opening, closing)) =
            TAGS.iter().find(|(opening, _)| start.starts_with(opening))
        {
            self.held = start[opening.len()..].to_owned();
            self.place = Place::Inside(closing);
        } else if !TAGS.iter().any(|(opening, _)| opening.starts_with(start)) {
            self.place = Place::Reply;
        }
    }

    fn skip(&mut self, closing: &'static str, parts: &mut Parts) {
        if let Some(at) = self.held.find(closing) {
            parts.thought_bytes += at;
            self.held.drain(..at + closing.len());
            self.place = Place::Behind;
        } else {
            let mut keep = self.held.len().saturating_sub(TAG_BYTES);
            while !self.held.is_char_boundary(keep) {
                keep -= 1;
            }
            parts.thought_bytes += keep;
            self.held.drain(..keep);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reader's text and the bytes of thoughts, for a reply in pieces of this many characters.
    fn read(reply: &str, characters: usize) -> (String, usize) {
        let mut thinking = Thinking::default();
        let letters: Vec<char> = reply.chars().collect();
        let pieces = letters.chunks(characters).map(|piece| piece.iter().collect::<String>());
        let mut parts: Vec<Parts> = pieces.map(|piece| thinking.push(&piece)).collect();
        parts.push(thinking.end());
        let text = parts.iter().map(|part| part.text.as_str()).collect();
        (text, parts.iter().map(|part| part.thought_bytes).sum())
    }

    #[test]
    fn thoughts_at_the_beginning_are_not_shown_however_they_arrive() {
        for characters in 1..60 {
            assert_eq!(
                read("\n<think>Grüße, hm < 3</think>\n\nHello", characters),
                ("Hello".to_owned(), "Grüße, hm < 3".len())
            );
            assert_eq!(read("<thinking>a</thinking>b", characters), ("b".to_owned(), 1));
        }
    }

    #[test]
    fn other_text_arrives_whole() {
        for text in ["", "Hi", "<thin", "<b>bold</b>", "Use <think>x</think>.", "  <", "é<think>"]
        {
            for characters in 1..8 {
                assert_eq!(read(text, characters), (text.to_owned(), 0), "{text:?}");
            }
        }
    }

    #[test]
    fn unfinished_thoughts_are_not_shown() {
        assert_eq!(read("<think>on and on", 3), (String::new(), "on and on".len()));
    }
}
