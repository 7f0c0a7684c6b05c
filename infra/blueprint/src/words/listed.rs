//! Whether a word of a message is in a list that has words of all languages.

use super::{Words, lists};

impl Words {
    /// Whether a value, in English or as the user said it, is in the list of words that are separated by spaces. A word that
    /// was translated as a part of a phrase counts by the phrase's first word.
    pub fn is_in(&self, at: usize, list: &str) -> bool {
        let value = self.values().nth(at).unwrap_or_default();
        let said = self.said(at).0.split(' ').next().unwrap_or_default();
        lists(list, value) || lists(list, said)
    }

    /// Whether any of these values is in the list.
    pub fn any_in(&self, range: std::ops::Range<usize>, list: &str) -> bool {
        range.into_iter().any(|at| self.is_in(at, list))
    }
}
