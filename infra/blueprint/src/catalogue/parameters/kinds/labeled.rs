//! Numbers beside their label: “app servers | 4 |”, “servers: 2 → 5”, “app servers 4”.

use std::ops::Range;

use crate::words::Words;
use crate::words::language::{Language, Weight};
use crate::words::numbers;

/// Nouns of which a label gives the number.
const MACHINES: &[&str] = &["servers", "nodes", "machines", "backends", "instances"];

/// Words beside such a noun in a label.
const BESIDE: &[&str] = &[
    "app",
    "apps",
    "application",
    "applications",
    "web",
    "backend",
    "number",
    "count",
    "anzahl",
    "número",
    "cantidad",
    "nombre",
    "quantité",
    "d'appli",
    "of",
    "|",
    "=",
];

/// Words between an old number and the one that takes its place.
const BECOMES: &[&str] =
    &["→", "-", "⇒", "=>", "becomes", "devient", "wird", "werden", "pasa", "pasan", "to", "a", "à"];

/// A larger number in a table counts something other than servers.
const MOST: u32 = 20;

/// The number of servers that a label gives, and its position. Of “2 → 5”, the last one counts.
pub fn servers(words: &Words) -> Option<(usize, u32)> {
    let values: Vec<&str> = words.values().collect();
    let number = |at: usize| numbers::read(values[at]).filter(|number| *number <= MOST);
    let first = (0..values.len()).find(|at| number(*at).is_some() && is_labeled(words, *at))?;
    let last = chain(words, first).rfind(|at| number(*at).is_some())?;
    let next = Some(last + 1).filter(|next| *next < words.clause(last).end);
    let ends = next.is_none_or(|next| values[next].starts_with(['|', '/']));
    number(last).filter(|_| ends).map(|number| (last, number))
}

/// The positions of a number and of those that replace it.
fn chain(words: &Words, first: usize) -> Range<usize> {
    let values: Vec<&str> = words.values().collect();
    let end = words.clause(first).end;
    let goes_on =
        |at: &usize| numbers::read(values[*at]).is_some() || BECOMES.contains(&values[*at]);
    first..(first..end).find(|at| !goes_on(at)).unwrap_or(end)
}

/// Whether the words before a number are a label for a number of servers.
fn is_labeled(words: &Words, at: usize) -> bool {
    let values: Vec<&str> = words.values().collect();
    let clause = words.clause(at);
    let label = |word: &str| MACHINES.contains(&word) || BESIDE.contains(&word);
    // “Servers: 4” has its label in the clause before.
    let start = match clause.start == at && words.sentence(at).start < at {
        false => clause.start,
        true => words.clause(at - 1).start,
    };
    let near = (start..at).rev().take_while(|at| label(values[*at])).last();
    let Some(near) = near else { return false };
    let blank = |at: usize| {
        words.weighs(at) == Weight::Empty || Language::English.weight(values[at]) == Weight::Empty
    };
    let cell = |at: usize| values[at].starts_with(['|', '/']);
    let whole = near == start || values[near] == "|" || cell(near - 1) || (start..near).all(blank);
    let one_clause = start == clause.start;
    let named = values[near..at].iter().any(|word| MACHINES.contains(word));
    named && whole && (one_clause || values[near..at].iter().all(|word| label(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_beside_its_label_counts() {
        for (text, number) in [
            ("app servers | 4 | port 8080", Some(4)),
            ("app servers: 4 -> 6; health path is /ready", Some(6)),
            ("application servers: 2 → 5", Some(5)),
            ("put it back: app servers 4", Some(4)),
            ("concept | number // application servers | 2 | port 3000", Some(2)),
            ("servers of the office, 4 GB", None),
            ("we have servers, 4 of them", None),
            ("servers 8080", None),
        ] {
            assert_eq!(servers(&Words::of(text)).map(|(_, number)| number), number, "{text}");
        }
    }
}
