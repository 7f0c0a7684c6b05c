//! The words of a message that nothing has explained yet.

use super::context::{Context, looks_secret};
use crate::reading::language::Language;
use crate::reading::words::Words;

/// Longest wish that an answer repeats, in characters.
const WISH_CHARS: usize = 60;

/// The words of a message that nothing has explained yet.
pub(super) struct Open {
    pub(super) words: Vec<(String, bool)>,
    /// Whether a quotation was not taken as a name or a text.
    pub(super) lost_a_quotation: bool,
}

impl Open {
    pub(super) fn of(words: &Words, context: &Context) -> Open {
        let quoted: Vec<&str> = quotations(words.text()).collect();
        let lost_a_quotation = quoted.iter().any(|text| !context.holds(text));
        let inside: Vec<String> = quoted.iter().flat_map(|text| values(&Words::of(text))).collect();
        let parts = values(words).into_iter().flat_map(|word| context.parts(word));
        // A word that occurs both inside and outside quotation marks is explained by its use inside.
        let words = parts.map(|word| (word.clone(), !inside.contains(&word))).collect();
        Open { words, lost_a_quotation }
    }

    pub(super) fn take_at(&mut self, at: usize) {
        if let Some((_, open)) = self.words.get_mut(at) {
            *open = false;
        }
    }

    /// Marks every occurrence of a phrase as explained, including plurals.
    pub(super) fn take(&mut self, phrase: &str) {
        let phrase: Vec<&str> = phrase.split([' ', '-']).collect();
        for start in 0..self.words.len() {
            let end = (start + phrase.len()).min(self.words.len());
            let here: Vec<&str> =
                self.words[start..end].iter().map(|(word, _)| word.as_str()).collect();
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
        for at in 0..self.words.len() {
            let word = &self.words[at].0;
            let explained = known.iter().any(|known| same(word, known))
                || context.keeps(word)
                || looks_secret(word);
            if explained {
                self.take_at(at);
            }
        }
    }

    /// The words that are left, with neighbors joined.
    pub(super) fn left(&self, language: Language) -> Vec<String> {
        let mut groups: Vec<String> = Vec::new();
        let mut before = false;
        for (word, open) in &self.words {
            let told = *open
                && !language.is_filler(word)
                && word.chars().any(char::is_alphanumeric)
                && word.chars().count() > 1;
            match (told, before) {
                (true, true) => {
                    if let Some(group) = groups.last_mut() {
                        group.push(' ');
                        group.push_str(word);
                    }
                }
                (true, false) => groups.push(word.clone()),
                (false, _) => {}
            }
            before = told;
        }
        groups.into_iter().map(|group| group.chars().take(WISH_CHARS).collect()).collect()
    }
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
