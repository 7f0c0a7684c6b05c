//! The user's own words: whether a quotation is theirs, and what they said that no quotation covers.
//!
//! A line of the list quotes the words that it was read from, so that the user can compare both. A quotation counts as
//! the user's if it occurs in what they said, apart from case, white space, quotation marks and the kind of dash. It may
//! join a few pieces of one message with “…”.

mod clauses;
mod small_talk;

use std::ops::Range;

/// The longest quotation, in bytes: the cell of a table.
pub const MAX_QUOTE_BYTES: usize = 120;
/// The most pieces of a quotation that are joined with “…”.
const PIECES: usize = 4;
/// Stands for a secret in the text that is compared, whatever its name.
const SECRET: char = '\u{1}';
/// From here on, scripts write words without spaces between them.
const UNSPACED: char = '\u{2e80}';

/// Everything that the user said.
#[derive(Debug, Clone, Default)]
pub struct Said {
    /// Their messages, in order.
    messages: Vec<Text>,
    /// What they wrote elsewhere: it can be quoted, but not every word of it needs a line.
    beside: Vec<Text>,
}

impl Said {
    /// The user's messages, in order.
    pub fn of<T: AsRef<str>>(messages: impl IntoIterator<Item = T>) -> Self {
        let messages = messages.into_iter().map(|message| Text::of(message.as_ref())).collect();
        Self { messages, beside: Vec::new() }
    }

    /// The same with texts that the user wrote elsewhere, such as the project's name.
    pub fn beside<T: AsRef<str>>(mut self, texts: impl IntoIterator<Item = T>) -> Self {
        self.beside.extend(texts.into_iter().map(|text| Text::of(text.as_ref())));
        self
    }

    /// Whether the user said this.
    pub fn contains(&self, quotation: &str) -> bool {
        let pieces = pieces(quotation);
        let mut texts = self.messages.iter().chain(&self.beside);
        !pieces.is_empty() && texts.any(|text| text.joined(&pieces).is_some())
    }

    /// The parts of the user's messages that none of these quotations covers and that may ask for something.
    pub fn unread<T: AsRef<str>>(&self, quotations: impl IntoIterator<Item = T>) -> Vec<String> {
        let quotations = quotations.into_iter();
        let quotations: Vec<_> = quotations.map(|quotation| pieces(quotation.as_ref())).collect();
        let mut unread: Vec<String> = Vec::new();
        for message in &self.messages {
            let covered: Vec<_> =
                quotations.iter().flat_map(|pieces| message.covered_by(pieces)).collect();
            for part in clauses::unread(&message.original, &covered) {
                let part = shortened(part);
                if !unread.contains(&part) {
                    unread.push(part);
                }
            }
        }
        unread
    }
}

/// The quotation on one line, without the marks around it, and cut to its limit.
pub fn shortened(quotation: &str) -> String {
    let line = quotation.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_matches(is_mark);
    if line.len() <= MAX_QUOTE_BYTES {
        return line.to_owned();
    }
    let end = line.floor_char_boundary(MAX_QUOTE_BYTES - '…'.len_utf8());
    let cut = line.get(..end).unwrap_or_default();
    // A cut inside a word would show a word that the user did not say.
    let whole = cut.rsplit_once(' ').filter(|_| cut.is_ascii()).map_or(cut, |(whole, _)| whole);
    format!("{}…", whole.trim_end())
}

/// A text, and the same as it is compared.
#[derive(Debug, Clone)]
struct Text {
    original: String,
    signs: Vec<Sign>,
}

/// A character as it is compared, and where it comes from.
#[derive(Debug, Clone, Copy)]
struct Sign {
    c: char,
    start: usize,
    end: usize,
}

impl Text {
    fn of(text: &str) -> Self {
        Self { original: text.to_owned(), signs: signs(text) }
    }

    /// Where the pieces occur, one after the other, in bytes of the original.
    fn joined(&self, pieces: &[Vec<char>]) -> Option<Vec<Range<usize>>> {
        let mut from = 0;
        let places = pieces.iter().map(|piece| {
            let place = self.find(piece, from)?;
            from = place.end;
            self.bytes(place)
        });
        places.collect()
    }

    /// Every part of the original that a quotation covers.
    fn covered_by(&self, pieces: &[Vec<char>]) -> Vec<Range<usize>> {
        let [piece] = pieces else { return self.joined(pieces).unwrap_or_default() };
        let mut from = 0;
        let places = std::iter::from_fn(|| {
            let place = self.find(piece, from)?;
            from = place.end;
            self.bytes(place)
        });
        places.collect()
    }

    /// The next place of a piece that begins and ends with whole words.
    fn find(&self, piece: &[char], from: usize) -> Option<Range<usize>> {
        let (first, last) = (piece.first()?, piece.last()?);
        let rest = self.signs.get(from..)?;
        let places = rest.windows(piece.len()).enumerate();
        let mut found = places.filter(|(_, window)| {
            window.first().is_some_and(|sign| sign.c == *first)
                && window.iter().zip(piece).all(|(sign, c)| sign.c == *c)
        });
        let (at, _) = found.find(|(at, window)| {
            let at = from + at;
            let before = at.checked_sub(1).and_then(|before| self.signs.get(before));
            let after = self.signs.get(at + window.len());
            let splits = |beside: Option<&Sign>, edge: char| {
                beside.is_some_and(|sign| is_inside_a_word(sign.c, edge))
            };
            !splits(before, *first) && !splits(after, *last)
        })?;
        Some(from + at..from + at + piece.len())
    }

    fn bytes(&self, place: Range<usize>) -> Option<Range<usize>> {
        let signs = self.signs.get(place)?;
        Some(signs.first()?.start..signs.last()?.end)
    }
}

/// The pieces of a quotation, as they are compared; none if they are too many or one of them has no words.
fn pieces(quotation: &str) -> Vec<Vec<char>> {
    let joined = quotation.replace("[…]", "…").replace("[...]", "…").replace("...", "…");
    let parts = joined.split('…').map(|part| {
        let plain: Vec<char> = signs(part).iter().map(|sign| sign.c).collect();
        let start = plain.iter().position(|c| is_word(*c));
        let end = plain.iter().rposition(|c| is_word(*c));
        let within = start.zip(end).and_then(|(start, end)| plain.get(start..=end));
        within.map(<[char]>::to_vec).unwrap_or_default()
    });
    let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    if parts.len() > PIECES { Vec::new() } else { parts }
}

/// The text as it is compared: in lower case, without marks, with single spaces and one kind of dash.
fn signs(text: &str) -> Vec<Sign> {
    let mut signs: Vec<Sign> = Vec::with_capacity(text.len());
    let mut after_secret = 0;
    for (start, c) in text.char_indices() {
        if start < after_secret {
            continue;
        }
        if let Some(end) = end_of_secret(text, start) {
            after_secret = end;
            signs.push(Sign { c: SECRET, start, end });
            continue;
        }
        let end = start + c.len_utf8();
        match c {
            _ if is_mark(c) || is_unseen(c) => {}
            _ if c.is_whitespace() => {
                if signs.last().is_some_and(|sign| sign.c != ' ') {
                    signs.push(Sign { c: ' ', start, end });
                }
            }
            '‐' | '‑' | '‒' | '–' | '—' | '−' => {
                signs.push(Sign { c: '-', start, end })
            }
            _ => signs.extend(c.to_lowercase().map(|c| Sign { c, start, end })),
        }
    }
    signs
}

/// The end of the reference to a secret that begins here.
fn end_of_secret(text: &str, start: usize) -> Option<usize> {
    const OPEN: &str = "{{secret:";
    const CLOSE: &str = "}}";
    let rest = text.get(start..)?.strip_prefix(OPEN)?;
    Some(start + OPEN.len() + rest.find(CLOSE)? + CLOSE.len())
}

/// Marks around words, which people and models put in different ways.
fn is_mark(c: char) -> bool {
    "\"'`´*“”„‟«»‘’‚‹›".contains(c)
}

fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == SECRET
}

/// Whether no word ends between these two characters.
fn is_inside_a_word(one: char, other: char) -> bool {
    let spaced = |c: char| c.is_alphanumeric() && c < UNSPACED;
    spaced(one) && spaced(other)
}

#[cfg(test)]
mod tests;
