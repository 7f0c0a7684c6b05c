//! The words of a message that nothing has explained yet.

use super::context::{Context, is_access_key, looks_secret};
use crate::reading::language::{Language, Weight};
use crate::reading::words::Words;

/// Longest wish in one row, in characters. A longer one is divided.
const WISH_CHARS: usize = 60;

/// A row for a word that must not be repeated.
const SECRET: &str = "a word that may be a secret, so it is not repeated";

/// A word of the message, or a part of one.
pub(super) struct Token {
    pub(super) word: String,
    open: bool,
    /// The position of the value that it comes from.
    pub(super) value: usize,
}

/// The words of a message that nothing has explained yet.
pub(super) struct Open {
    pub(super) tokens: Vec<Token>,
    /// Whether a quotation was not taken as a name or a text.
    pub(super) lost_a_quotation: bool,
}

impl Open {
    pub(super) fn of(words: &Words, context: &Context) -> Open {
        let quoted: Vec<&str> = quotations(words.text()).collect();
        let lost_a_quotation = quoted.iter().any(|text| !context.holds(text));
        let inside: Vec<String> = quoted.iter().flat_map(|text| values(&Words::of(text))).collect();
        let values = values(words).into_iter().enumerate();
        let parts = values.flat_map(|(value, word)| {
            context.parts(word).into_iter().map(move |part| (value, part))
        });
        // A word that occurs both inside and outside quotation marks is explained by its use inside.
        let tokens =
            parts.map(|(value, word)| Token { open: !inside.contains(&word), word, value });
        Open { tokens: tokens.collect(), lost_a_quotation }
    }

    pub(super) fn take_at(&mut self, at: usize) {
        if let Some(token) = self.tokens.get_mut(at) {
            token.open = false;
        }
    }

    /// Marks every occurrence of a phrase as explained, including plurals.
    pub(super) fn take(&mut self, phrase: &str) {
        let phrase: Vec<&str> = phrase.split([' ', '-']).collect();
        for start in 0..self.tokens.len() {
            let end = (start + phrase.len()).min(self.tokens.len());
            let here: Vec<&str> =
                self.tokens[start..end].iter().map(|token| token.word.as_str()).collect();
            let joined = here.first().is_some_and(|word| same(word, &phrase.join("-")));
            let apart = here.len() == phrase.len()
                && here.iter().zip(&phrase).all(|(word, part)| same(word, part));
            if joined {
                self.take_at(start);
            }
            if apart {
                (start..end).for_each(|at| self.take_at(at));
            }
        }
    }

    /// Marks the values of parameters, and the words by which their readers find them, as explained.
    pub(super) fn take_values(&mut self, context: &Context, words: &Words) {
        let known = context.known(words);
        for at in 0..self.tokens.len() {
            let word = &self.tokens[at].word;
            if known.iter().any(|known| same(word, known)) || context.keeps(word) {
                self.take_at(at);
            }
        }
    }

    /// Marks the sentences as explained that only ask a question.
    pub(super) fn take_questions(&mut self, words: &Words) {
        for token in &mut self.tokens {
            token.open &= !words.only_asks(token.value);
        }
    }

    /// The words that are left, in the user's language, with neighbors joined.
    pub(super) fn left(&self, language: Language, words: &Words) -> Vec<String> {
        let mut left = Left { words, tokens: &self.tokens, group: Vec::new(), rows: Vec::new() };
        for (at, token) in self.tokens.iter().enumerate() {
            let word = token.word.as_str();
            let weight = if looks_secret(word) { Weight::Full } else { language.weight(word) };
            let weight = match at.checked_sub(1).and_then(|before| self.tokens.get(before)) {
                // “a user deploy”
                Some(user)
                    if !words.ends_clause(user.value)
                        && weight == Weight::Empty
                        && is_a_user(&user.word, word) =>
                {
                    Weight::Full
                }
                _ => weight,
            };
            let weight = match word.chars().any(char::is_alphanumeric) && !is_access_key(word) {
                true => weight,
                false => Weight::Empty,
            };
            left.hear(at, weight, token.open);
            let last = self.tokens.get(at + 1).is_none_or(|next| next.value != token.value);
            if last && words.ends_clause(token.value) {
                left.end();
            }
        }
        left.end();
        left.rows
    }
}

/// Collects rows from the words that are left.
struct Left<'a> {
    words: &'a Words,
    tokens: &'a [Token],
    /// The words of the row so far: their positions and weights.
    group: Vec<(usize, Weight)>,
    rows: Vec<String>,
}

impl Left<'_> {
    fn has(&self, weight: Weight) -> bool {
        self.group.iter().any(|(_, known)| *known == weight)
    }

    /// Words without weight are no wish, except with a negation: “don't create anything new”.
    fn is_a_wish(&self) -> bool {
        self.has(Weight::Full) || (self.has(Weight::Negation) && self.has(Weight::Light))
    }

    fn only_negates(&self) -> bool {
        let blank = |weight: &Weight| matches!(weight, Weight::Negation | Weight::Empty);
        !self.group.is_empty() && self.group.iter().all(|(_, weight)| blank(weight))
    }

    fn hear(&mut self, at: usize, weight: Weight, open: bool) {
        match weight {
            // A negation of something known is not a wish of its own.
            _ if !open && weight != Weight::Negation => {
                // “2 workers” and “basic server” need the word that they are about.
                let needs = self.group.last().is_some_and(|(last, weight)| {
                    let number = self.tokens[*last].word.parse::<f64>().is_ok();
                    number || *weight == Weight::Light
                });
                if needs && weight != Weight::Empty && self.is_a_wish() {
                    self.group.push((at, Weight::Empty));
                }
                self.end();
                self.group.clear();
            }
            Weight::Negation => {
                self.end();
                self.group.push((at, weight));
            }
            // “not a single frobnicator” stays together.
            Weight::Empty if self.only_negates() => {
                self.group.push((at, weight));
            }
            Weight::Empty => self.end(),
            Weight::Light | Weight::Full => self.group.push((at, weight)),
        }
    }

    /// Ends a row.
    fn end(&mut self) {
        let wish = self.is_a_wish();
        let group = std::mem::take(&mut self.group);
        if !wish {
            return;
        }
        let mut row = String::new();
        let mut before: Option<(usize, Option<usize>)> = None;
        for (at, _) in group {
            let token = &self.tokens[at];
            if looks_secret(&token.word) {
                self.rows.push(SECRET.into());
                continue;
            }
            let (said, piece) = self.words.said(token.value);
            let whole = self.parts(token.value) == 1 || piece.is_some();
            let (text, source) = match whole {
                true => (said, (token.value, piece)),
                false => (token.word.as_str(), (usize::MAX - at, None)),
            };
            let again = |(value, known): (usize, Option<usize>)| {
                value == source.0 || (known.is_some() && known == piece)
            };
            if before.is_some_and(again) {
                continue;
            }
            before = Some(source);
            if !row.is_empty() && row.chars().count() + text.chars().count() > WISH_CHARS {
                self.rows.push(std::mem::take(&mut row));
            }
            let separator = if row.is_empty() { "" } else { " " };
            row.push_str(separator);
            row.push_str(text);
        }
        self.rows.extend(Some(row).filter(|row| !row.is_empty()));
    }

    fn parts(&self, value: usize) -> usize {
        self.tokens.iter().filter(|token| token.value == value).count()
    }
}

/// Whether a common verb is the name of a user.
fn is_a_user(noun: &str, word: &str) -> bool {
    const USERS: &[&str] = &["user", "users", "role"];
    const VERBS: &[&str] = &["deploy", "build", "run", "host"];
    USERS.contains(&noun) && VERBS.contains(&word)
}

fn values(words: &Words) -> Vec<String> {
    words.values().map(str::to_string).collect()
}

/// The texts in double quotation marks, straight or curly.
fn quotations(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '“', '”', '„', '«', '»'])
        .skip(1)
        .step_by(2)
        .filter(|text| !text.trim().is_empty())
}

/// Whether a word is a known one, or its plural or genitive.
pub(super) fn same(word: &str, known: &str) -> bool {
    [Some(word), word.strip_suffix('s'), word.strip_suffix("'s")].contains(&Some(known))
}
