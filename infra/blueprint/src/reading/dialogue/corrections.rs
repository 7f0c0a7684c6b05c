//! Values that a message corrects without naming them: “not 8000, 8001”, “rather 203.0.113.50”, “not in Germany”.

use std::collections::BTreeSet;

use super::Dialogue;
use crate::catalogue::parameters::Parameter;
use crate::catalogue::{networks, places};
use crate::words::language::Weight;
use crate::words::{Words, is_negation};

/// Words by which a user calls a number wrong.
const WRONG: &[&str] =
    &["wrong", "mistake", "mistaken", "error", "falsch", "incorrecto", "faux", "fausse"];

/// Units beside a number that is wrong.
const UNITS: &[&str] = &["day", "days", "gb", "mb", "percent", "%"];

/// Maximum distance, in words, between a number and the one that takes its place.
const REACH: usize = 6;

/// Whether a value is a number in digits.
fn is_number(value: &&str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a message denies a number: “not 8000”, “14 days is wrong”.
fn is_denied(words: &Words, at: usize) -> bool {
    let clause = words.clause(at);
    let mut around = words.values().skip(clause.start).take(clause.len());
    !words.means_value(at) || around.any(|word| WRONG.contains(&word))
}

impl Dialogue {
    /// The number that takes the place of a parameter's present one, which the message denies: “14 days is wrong, legal
    /// says 7”.
    pub(super) fn corrected(&self, parameter: &Parameter, words: &Words) -> Option<String> {
        let present = self.values.get(parameter.key)?;
        let values: Vec<&str> = words.values().collect();
        let number = |at: &usize| is_number(&values[*at]);
        let (old, new): (Vec<usize>, Vec<usize>) =
            (0..values.len()).filter(number).partition(|at| is_denied(words, *at));
        // “Retention is 30, not 14. Also open 5432”: another sentence is about something else.
        let old = old.into_iter().find(|at| values[*at] == present);
        let here = |at: &&usize| old.is_some_and(|old| words.sentence(old).contains(*at));
        let new: Vec<&usize> = match new.len() {
            1 => new.iter().collect(),
            _ => new.iter().filter(here).collect(),
        };
        let ([new], old) = (new.as_slice(), old.is_some()) else { return None };
        // The number may be of another value as well.
        let one = self.values.values().filter(|value| *value == present).count() == 1;
        (parameter.accept)(values[**new]).filter(|_| old && one)
    }

    /// The positions of the numbers that the message corrects, with the words beside them that say so.
    pub(super) fn correct_number(&mut self, words: &Words) -> BTreeSet<usize> {
        let values: Vec<&str> = words.values().collect();
        let changed: Vec<&str> =
            self.latest.changed.iter().map(|(_, value)| value.as_str()).filter(is_number).collect();
        let new: Vec<usize> =
            (0..values.len()).filter(|at| changed.contains(&values[*at])).collect();
        let corrected = |at: &usize| {
            let near = new.iter().any(|new| new.abs_diff(*at) <= REACH);
            is_number(&values[*at]) && near && !new.contains(at) && is_denied(words, *at)
        };
        let mut spent = std::mem::take(&mut self.latest.spent);
        for at in (0..values.len()).filter(corrected) {
            let clause = words.clause(at);
            let blank = |other: usize| {
                let value = values[other];
                other == at
                    || WRONG.contains(&value)
                    || UNITS.contains(&value)
                    || is_negation(value)
                    || words.language(other).weight(value) == Weight::Empty
            };
            let whole = !new.iter().any(|new| clause.contains(new)) && clause.clone().all(blank);
            let negation = at.checked_sub(1).filter(|before| is_negation(values[*before]));
            match whole {
                true => spent.extend(clause),
                false => spent.extend(negation.into_iter().chain([at])),
            }
        }
        spent
    }

    /// The value that a message implies although the parameter's reader does not find one.
    pub(super) fn amended(&self, parameter: &Parameter, words: &Words) -> Option<String> {
        match parameter.key {
            key if key == networks::SSH_FROM.key && self.named.contains(key) => {
                let new = networks::corrected(words)?;
                let present = self.values.get(key).filter(|list| networks::has_address(list));
                match (present, networks::adds(words)) {
                    (Some(list), true) => (parameter.accept)(&format!("{list},{new}")),
                    _ => Some(new),
                }
            }
            "location" | "region" => {
                let present = self.values.get(parameter.key);
                let present = present.map_or(parameter.default, String::as_str);
                places::instead_of(words, places::of(self.blueprint?.place), present)
            }
            _ => None,
        }
    }
}
