//! Choosing a deployment by its number in the list that the model showed.

use super::Dialogue;
use crate::catalogue::{self, Blueprint};
use crate::words::Words;
use crate::words::language::Weight;

/// A number selects a deployment only in a message of at most this many words: “the first one, with defaults”.
const ORDINAL_WORDS: usize = 6;

/// Words for the numbers of a list.
const ORDINALS: &[&[&str]] = &[
    &["first", "erste", "ersten", "erstes", "primero", "primera", "premier", "première"],
    &["second", "zweite", "zweiten", "segundo", "segunda", "deuxième"],
    &["third", "dritte", "dritten", "tercero", "tercera", "troisième"],
    &["fourth", "vierte", "vierten", "cuarto", "cuarta", "quatrième"],
    &["fifth", "fünfte", "fünften", "quinto", "quinta", "cinquième"],
    &["sixth", "sechste", "sechsten", "sexto", "sexta", "sixième"],
    &["seventh", "siebte", "siebten", "séptimo", "séptima", "septième"],
];

impl Dialogue {
    /// Reads “2” or “the second one” as an answer to the latest list: the whole catalogue, or the few suggestions. Returns
    /// the deployment and the position of the number.
    pub(super) fn by_number(&self, words: &Words) -> Option<(&'static Blueprint, usize)> {
        if self.blueprint.is_some() || words.count() > ORDINAL_WORDS {
            return None;
        }
        let number = |at: usize| {
            let value = words.values().nth(at)?.trim_matches(['.', '#', ')']);
            let ordinal = ORDINALS.iter().position(|ordinal| {
                ordinal.iter().any(|word| [value, words.said(at).0].contains(word))
            });
            ordinal.or_else(|| value.parse::<usize>().ok()?.checked_sub(1))
        };
        // “Retries: 6” and “WireGuard for 5 people” are about something else.
        let other = |at: usize| words.weighs(at) == Weight::Full && number(at).is_none();
        if (0..words.count()).any(other) {
            return None;
        }
        let (number, at) = (0..words.count()).find_map(|at| Some((number(at)?, at)))?;
        let suggested = match self.said.is_empty() || self.listed {
            true => catalogue::ALL.clone(),
            false => self.suggestions(),
        };
        Some((*suggested.get(number)?, at))
    }
}
