//! The language of a conversation.

use super::Dialogue;
use crate::reading::sentences;
use crate::words::language::Language;

impl Dialogue {
    /// Detects the language of a message. In a conversation in another language than English, one to three words, such as
    /// “ok” or “da igual”, do not change it.
    pub(super) fn read_language(&mut self, message: &str) {
        const FEW: usize = 3;
        let few = message.split_whitespace().count() <= FEW;
        match self.language_of(message) {
            Some(_) if few && self.language != Language::English => {}
            Some(language) => self.language = language,
            None => {}
        }
    }

    fn language_of(&self, message: &str) -> Option<Language> {
        match self.said.is_empty() {
            true => Language::of(message, self.language),
            false => sentences::language(message, self.language),
        }
    }
}
