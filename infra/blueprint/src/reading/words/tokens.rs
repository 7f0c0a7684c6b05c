//! Splits a message into words, and remembers the user's own word for each translated one.

use super::{BREAK, Words};

/// A part of a message: what the user said, and the same in English.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    pub said: String,
    pub english: String,
}

/// What is known about a value apart from its text.
#[derive(Clone)]
pub(super) struct Token {
    /// The user's words, if they were translated: values of one phrase share them.
    said: Option<String>,
    /// The part of the message that it comes from.
    piece: usize,
    /// The sentence that it is in, counted from 0.
    pub(super) sentence: usize,
    /// Whether a clause ends after it.
    ends: bool,
}

impl Words {
    pub fn of(text: &str) -> Words {
        Words::translated(&[Piece { said: text.into(), english: text.into() }])
    }

    /// The words of a message that was translated part by part.
    pub fn translated(pieces: &[Piece]) -> Words {
        let mut words = Words {
            text: pieces.iter().map(|piece| piece.english.as_str()).collect(),
            values: Vec::new(),
            tokens: Vec::new(),
            plain: Vec::new(),
        };
        let mut sentence = 0;
        for (index, piece) in pieces.iter().enumerate() {
            words.add(index, piece, &mut sentence);
        }
        words
    }

    fn add(&mut self, piece: usize, added: &Piece, sentence: &mut usize) {
        let said = (added.said != added.english).then(|| bare(&added.said));
        let lower = added.english.to_lowercase().replace('’', "'");
        let lower = lower.replace(['(', ')', '–', '—', '+', '\n'], " , ").replace(" - ", " , ");
        let splits = |c: char| c.is_whitespace() || "\"“”„«»[]{}=`".contains(c);
        for word in lower.split(splits) {
            for part in word.split(':') {
                let ends = part.ends_with([',', '.', ';', '!', '?']) || part.len() < word.len();
                for value in part.split([',', ';']) {
                    let value = value.trim_matches(['.', '!', '?', '¿', '¡', '\'', '*', '<', '>']);
                    if value.is_empty() {
                        continue;
                    }
                    self.values.push(value.to_string());
                    let (said, sentence) = (said.clone(), *sentence);
                    let ends = part.contains([',', ';']);
                    self.tokens.push(Token { said, piece, sentence, ends });
                    let words = value.split(['-', '/', '_']).filter(|word| !word.is_empty());
                    self.plain.extend(words.map(str::to_string));
                }
                if ends {
                    self.plain.push(BREAK.to_string());
                    self.tokens
                        .iter_mut()
                        .next_back()
                        .into_iter()
                        .for_each(|last| last.ends = true);
                    *sentence += usize::from(part.ends_with(['.', '!', '?']));
                }
            }
        }
    }

    /// The user's own words for a value, and the part of the message that they come from.
    pub fn said(&self, at: usize) -> (&str, Option<usize>) {
        let value = self.values.get(at).map_or("", String::as_str);
        match self.tokens.get(at) {
            Some(Token { said: Some(said), piece, .. }) => (said, Some(*piece)),
            _ => (value, None),
        }
    }

    /// Whether a clause ends after the value.
    pub fn ends_clause(&self, at: usize) -> bool {
        at + 1 >= self.tokens.len() || self.tokens[at].ends
    }

    /// The clause around a value, as positions of values.
    pub fn clause(&self, at: usize) -> std::ops::Range<usize> {
        let first = (0..at).rev().find(|before| self.ends_clause(*before)).map_or(0, |at| at + 1);
        let last = (at..self.values.len()).find(|at| self.ends_clause(*at)).unwrap_or(at);
        first..last + 1
    }

    /// The sentence around a value, as positions of values.
    pub fn sentence(&self, at: usize) -> std::ops::Range<usize> {
        let of = |at: usize| self.tokens.get(at).map(|token| token.sentence);
        let first = (0..at).rev().take_while(|before| of(*before) == of(at)).last().unwrap_or(at);
        let last = (at..self.values.len()).take_while(|after| of(*after) == of(at)).last();
        first..last.unwrap_or(at) + 1
    }
}

/// A phrase in lower case, without the punctuation around it.
fn bare(said: &str) -> String {
    let mark = |c: char| c.is_whitespace() || ",.;:!?¿¡()„“”«»\"".contains(c);
    said.trim_matches(mark).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_translated_word_remembers_the_users_own() {
        let piece =
            |said: &str, english: &str| Piece { said: said.into(), english: english.into() };
        let words = Words::translated(&[piece("Festplatte, ", "disk, "), piece("groß", "groß")]);
        assert_eq!(words.values().collect::<Vec<_>>(), ["disk", "groß"]);
        assert_eq!(words.said(0), ("festplatte", Some(0)));
        assert_eq!(words.said(1), ("groß", None));
        assert!(words.ends_clause(0));
    }

    #[test]
    fn clauses_and_sentences_are_told_apart() {
        let words = Words::of("a server (with nginx) for b. Then more, please");
        assert_eq!(words.clause(3), 2..4);
        assert_eq!(words.sentence(3), 0..6);
        assert_eq!(words.sentence(7), 6..9);
        assert_eq!(words.clause(6), 6..8);
        let words = Words::of("s3+cloudfront");
        assert_eq!(words.values().collect::<Vec<_>>(), ["s3", "cloudfront"]);
    }
}
