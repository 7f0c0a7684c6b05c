//! The clauses of a message, with each list of ports in one piece.

use std::ops::Range;

use super::lists::{OPENING, PORTS};
use super::number_of;
use crate::words::Words;
use crate::words::language::{Language, Weight};

/// The most words of a label for ports: “ports open:”.
const LABEL: usize = 3;

/// The clauses, with each list of ports in one piece: “ports 80, 443 open”.
pub(super) fn clauses(words: &Words) -> Vec<Range<usize>> {
    let values: Vec<&str> = words.values().collect();
    let number = |at: usize| values.get(at).is_some_and(|value| number_of(value).is_some());
    // “Open: 443, 8080”
    let labels = |clause: &Range<usize>| {
        let last = values[clause.end - 1];
        let verb = OPENING.contains(&last) || PORTS.contains(&last);
        let brief = clause.len() <= LABEL || last == "ports";
        let signed = || {
            let text = words.text().to_lowercase();
            let blanks = ["", " ", "\u{a0}", "\u{202f}"];
            blanks.iter().any(|blank| text.contains(&format!("{last}{blank}:")))
        };
        verb && brief && signed()
    };
    let mut joined: Vec<Range<usize>> = Vec::new();
    for clause in words.clauses() {
        let first = clause.clone().find(|at| !["and", "or"].contains(&values[*at]));
        match joined.last_mut() {
            // “Open 25, and also 587”
            Some(last)
                if is_more(words, &clause)
                    && last.clone().any(number)
                    && last.clone().any(|at| OPENING.contains(&values[at])) =>
            {
                last.end = clause.end
            }
            Some(last) if first.is_some_and(number) && labels(last) => last.end = clause.end,
            // “Open 80 and 8443, 8443 only for the office”: a port that occurs again does not continue the list.
            Some(last)
                if number(last.end - 1)
                    && first.is_some_and(|first| {
                        number(first) && !values[last.clone()].contains(&values[first])
                    }) =>
            {
                last.end = clause.end
            }
            _ => joined.push(clause),
        }
    }
    joined
}

/// Whether a clause names ports in addition to those before it and says nothing else: “and also 587”.
fn is_more(words: &Words, clause: &Range<usize>) -> bool {
    const MORE: &[&str] = &["also", "too", "plus", "additionally"];
    const AND: &[&str] = &["and", "y", "et", "und"];
    let values: Vec<&str> = words.values().skip(clause.start).take(clause.len()).collect();
    let number = |value: &str| value.parse::<u16>().is_ok();
    let blank = |at: usize, value: &str| {
        MORE.contains(&value)
            || PORTS.contains(&value)
            || AND.contains(&value)
            || Language::English.weight(value) == Weight::Empty
            || words.language(at).weight(value) == Weight::Empty
    };
    let more = values.iter().any(|value| MORE.contains(value))
        || values.first().is_some_and(|value| AND.contains(value));
    more && values.iter().any(|value| number(value))
        && values
            .iter()
            .enumerate()
            .all(|(n, value)| number(value) || blank(clause.start + n, value))
}
