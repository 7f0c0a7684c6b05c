//! Choosing a deployment by its number in the catalogue.

use super::Dialogue;
use crate::catalogue::{self, Blueprint, STRONG};
use crate::words::Words;
use crate::words::language::Weight;

/// A number selects a deployment only in a message of at most this many words: “the first one, with defaults”.
const ORDINAL_WORDS: usize = 6;

impl Dialogue {
    /// Reads “2” or “the second one” as an answer to the numbered catalogue.
    pub(super) fn by_number(&self, words: &Words) -> Option<(&'static Blueprint, usize)> {
        const ORDINALS: &[&[&str]] = &[
            &["1", "first", "erste", "primero", "primera", "premier", "première"],
            &["2", "second", "zweite", "segundo", "segunda", "deuxième"],
            &["3", "third", "dritte", "tercero", "tercera", "troisième"],
            &["4", "fourth", "vierte", "cuarto", "cuarta", "quatrième"],
            &["5", "fifth", "fünfte", "quinto", "quinta", "cinquième"],
            &["6", "sixth", "sechste", "sexto", "sexta", "sixième"],
            &["7", "seventh", "siebte", "séptimo", "séptima", "septième"],
        ];
        if self.blueprint.is_some() || words.count() > ORDINAL_WORDS {
            return None;
        }
        // “Retries: 6” is about something else.
        let labelled = words.text().trim_end().contains(": ");
        if labelled && (0..words.count()).any(|at| words.weighs(at) == Weight::Full) {
            return None;
        }
        let said = |ordinal: &&str| {
            let mut words = words.text().split_whitespace();
            words.any(|word| {
                word.trim_matches(['.', ',', '!', '#', ')']).eq_ignore_ascii_case(ordinal)
            })
        };
        let number = ORDINALS.iter().position(|ordinal| ordinal.iter().any(said))?;
        catalogue::ALL.get(number).map(|blueprint| (*blueprint, STRONG))
    }
}
