//! Values that a message corrects without naming them: “not 8000, 8001”, “rather 203.0.113.50”, “not in Germany”.

use std::collections::BTreeSet;

use super::Dialogue;
use crate::catalogue::parameters::Parameter;
use crate::catalogue::{networks, places};
use crate::reading::wishes::{Asked, Fate};
use crate::words::language::Weight;
use crate::words::{Words, is_negation, lists};

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

/// The positions of the percentages in a message.
fn percentages(words: &Words) -> Vec<usize> {
    const PERCENT: &str = "percent % prozent pourcent porcentaje";
    let values: Vec<&str> = words.values().collect();
    let follows = |at: usize| {
        values.get(at + 1).is_some_and(|next| lists(PERCENT, next))
            || words.text().contains(&format!("{} %", values[at]))
            || words.text().contains(&format!("{}%", values[at]))
    };
    let is = |at: &usize| {
        let number = values[*at].trim_end_matches('%');
        !number.is_empty()
            && is_number(&number)
            && (number.len() < values[*at].len() || follows(*at))
    };
    (0..values.len()).filter(is).collect()
}

/// Whether a word only says that a percentage is to be another one.
fn is_of_a_change(words: &Words, at: usize) -> bool {
    const CHANGING: &str = "make set rather better instead percent % prozent pourcent porcentaje mach macht machen lieber besser doch draus \
        daraus statt pon ponga poned mejor plutôt mettez mets met finalement";
    let value = words.values().nth(at).unwrap_or_default();
    words.is_in(at, CHANGING) || words.weighs(at) == Weight::Empty || is_negation(value)
}

impl Dialogue {
    /// The number that takes the place of a parameter's present one, which the message denies: “14 days is wrong, legal
    /// says 7”.
    pub(super) fn corrected(&self, parameter: &Parameter, words: &Words) -> Option<String> {
        let present = self.values.get(parameter.key)?;
        let values: Vec<&str> = words.values().collect();
        // “Retention 20 -> 25 days”
        if ["->", "→", "=>"].iter().any(|arrow| words.text().contains(arrow))
            && let Some(old) = values.iter().position(|value| value == present)
            && let Some(new) = values.get(old + 1).and_then(|new| (parameter.accept)(new))
        {
            return Some(new);
        }
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

    /// Replaces the percentage of an earlier row by the one that the message gives in its place: “make it 90 percent”.
    /// Returns the positions of the values that say so.
    pub(super) fn correct_percentage(&mut self, words: &Words) -> BTreeSet<usize> {
        let new: Vec<usize> =
            percentages(words).into_iter().filter(|at| words.means_value(*at)).collect();
        let &[new] = new.as_slice() else { return BTreeSet::new() };
        let changes = |at: usize| at == new || is_of_a_change(words, at);
        if !words.clause(new).all(changes) {
            return BTreeSet::new();
        }
        let number = |at: usize, words: &Words| {
            words.values().nth(at).map(|value| value.trim_end_matches('%').to_string())
        };
        let said = self.said.iter();
        let old: Vec<String> = said
            .flat_map(|said| percentages(said).into_iter().filter_map(|at| number(at, said)))
            .collect();
        let rows = self.asked.iter_mut().filter(|row| row.fate == Fate::NotUnderstood);
        let has = |row: &Asked| row.what.split(' ').any(|word| old.iter().any(|old| old == word));
        let mut rows: Vec<&mut Asked> = rows.filter(|row| has(row)).collect();
        let ([row], Some(number)) = (rows.as_mut_slice(), number(new, words)) else {
            return BTreeSet::new();
        };
        let replaced =
            |word| if old.iter().any(|old| old == word) { number.as_str() } else { word };
        row.what = row.what.split(' ').map(replaced).collect::<Vec<_>>().join(" ");
        let denied = words.clauses().into_iter().filter(|clause| {
            clause.clone().all(|at| is_of_a_change(words, at) || is_denied(words, at))
        });
        words.clause(new).chain(denied.flatten()).collect()
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
