//! Numbers without a noun, and where they stand.

use super::{EXCESS, THEN};
use crate::catalogue;
use crate::catalogue::foreign::Foreign;
use crate::words::language::Weight;
use crate::words::{Words, is_negation, numbers};

/// Words right before a number that is of something else.
const LABELS: &[&str] = &[
    "port", "ports", "version", "v", "at", "um", "#", "per", "by", "page", "since", "until", "in",
    "every", "each", "cada", "toutes", "alle", "chaque",
];

/// Words after a number that it counts.
const UNITS: &[&str] = &[
    "day", "days", "week", "weeks", "month", "months", "year", "years", "gb", "mb", "tb", "kb",
    "euro", "euros", "dollars", "€", "minutes", "hours", "seconds", "users", "people", "workers",
    "worker", "percent", "%", "times", "s", "sec", "ms", "min", "cores", "vcpu", "cpus",
    "visitors",
];

/// Words before a number that a value is raised or lowered to.
const TO: &[&str] = &["to", "auf", "à", "hasta"];

/// The most words of a sentence in which a number may count anything.
const SHORT: usize = 5;

/// Where a clause begins that follows one which only takes something back: “two nodes, scratch that, three”.
pub(super) fn after_a_correction(words: &Words) -> Option<usize> {
    const CORRECTING: &[&str] = &[
        "scratch",
        "no",
        "wait",
        "sorry",
        "rather",
        "quatsch",
        "nein",
        "halt",
        "perdón",
        "pardon",
        "non",
        "espera",
        "attends",
        "correction",
        "oops",
    ];
    let values: Vec<&str> = words.values().collect();
    let takes_back = |clause: &std::ops::Range<usize>| {
        let full =
            |at: usize| words.weighs(at) == Weight::Full || numbers::read(values[at]).is_some();
        let says = |at: usize| CORRECTING.contains(&values[at]);
        clause.clone().any(says) && !clause.clone().any(|at| full(at) && !says(at))
    };
    let last = words.clauses().into_iter().rfind(takes_back)?;
    Some(last.end).filter(|end| *end < values.len())
}

/// Whether nothing around a number says that it counts or labels something else.
pub(in crate::reading::dialogue) fn is_bare(words: &Words, at: usize) -> bool {
    let values: Vec<&str> = words.values().collect();
    let clause = words.clause(at);
    let weight = |at: usize| words.language(at).weight(values[at]);
    let next = Some(at + 1).filter(|next| *next < clause.end);
    let counts = next.is_some_and(|next| {
        matches!(weight(next), Weight::Full | Weight::Light) && !EXCESS.contains(&values[next])
    });
    let before = at.checked_sub(1).filter(|before| *before >= clause.start);
    let labeled = before.is_some_and(|before| {
        let word = Words::of(values[before]);
        let named = || catalogue::ALL.iter().flat_map(|blueprint| blueprint.cues());
        LABELS.contains(&values[before])
            || named().any(|cue| word.has(cue))
            || Foreign::is_named_in(&word)
    });
    // “un seul”
    let article = values[at].starts_with(char::is_alphabetic) && weight(at) == Weight::Empty;
    let then =
        (article && !is_raised(words, at)) || values[clause].iter().any(|word| THEN.contains(word));
    // “Zwei tun's auch”: in a short sentence, the next word may be a verb.
    let unit = next.is_some_and(|next| UNITS.contains(&values[next]));
    // “auf 90 rauf”: the translation of “auf” is “on”.
    let raised = is_raised(words, at) && !unit;
    let short = words.sentence(at).len() <= SHORT
        && !unit
        && next.is_some_and(|n| weight(n) == Weight::Full);
    (!counts || short || raised) && !labeled && !then && !words.ends_in_question(at)
}

/// Whether a value is raised or lowered to the number at this position.
fn is_raised(words: &Words, at: usize) -> bool {
    let before = at.checked_sub(1).filter(|before| *before >= words.clause(at).start);
    before.is_some_and(|before| {
        let said = words.said(before).0;
        let value = words.values().nth(before).unwrap_or_default();
        TO.contains(&value) || value == "on" && said == "auf" || value == "to" || said == "à"
    })
}

/// The number at this position; an article at the end of a clause is one: “back to einen”, and a pair is two.
pub(super) fn number_at(words: &Words, at: usize) -> Option<u32> {
    const PAIR: &[&str] = &["pair", "paire", "pareja"];
    const ONE: &[&str] = &["einen", "eine", "ein", "einem", "un", "uno", "una", "une"];
    let value = words.values().nth(at)?;
    let one = ONE.contains(&value) && words.ends_clause(at) && is_raised(words, at);
    let pair = PAIR.contains(&value) && words.ends_clause(at);
    numbers::read(value).or(one.then_some(1)).or(pair.then_some(2))
}

/// Whether a clause says a number and nothing else.
pub(super) fn is_alone(words: &Words, at: usize) -> bool {
    words.clause(at).zip(words.values().skip(words.clause(at).start)).all(|(place, word)| {
        let weight = words.language(place).weight(word);
        place == at || matches!(weight, Weight::Empty | Weight::Light) || is_negation(word)
    })
}
