//! How much the words of a clause say about what the user wants.

use std::ops::Range;

use super::{Token, Words};
use crate::catalogue::spans;
use crate::reading::wishes::context::{is_access_key, looks_secret};
use crate::words::language::Weight;
use crate::words::{lists, numbers};

/// How much each token says about what the user wants. A span of time and a share that nothing explains are wishes: “for a
/// month”, “above eighty percent”.
pub(super) fn weights(tokens: &[Token], words: &Words) -> Vec<Weight> {
    let spans: Vec<Range<usize>> = spans::all(words).into_iter().map(|span| span.values).collect();
    let of = |at: usize| {
        let value = tokens[at].value;
        let timed = spans.iter().any(|span| span.contains(&value)) || is_a_share(words, value);
        if tokens[at].open && timed { Weight::Full } else { weight(tokens, at, words) }
    };
    (0..tokens.len()).map(of).collect()
}

/// Whether a value is a number of percent.
fn is_a_share(words: &Words, at: usize) -> bool {
    const PERCENT: &str = "percent prozent porcentaje pourcent";
    let next = words.values().nth(at + 1).filter(|_| !words.ends_clause(at));
    next.is_some_and(|next| lists(PERCENT, next))
        && words.values().nth(at).and_then(numbers::read).is_some()
}

/// How much a token says about what the user wants.
fn weight(tokens: &[Token], at: usize, words: &Words) -> Weight {
    let word = tokens[at].word.as_str();
    if !word.chars().any(char::is_alphanumeric) || is_access_key(word) {
        return Weight::Empty;
    }
    if looks_secret(word) {
        return Weight::Full;
    }
    let weight = words.language(tokens[at].value).weight(word);
    let before = at.checked_sub(1).map(|at| &tokens[at]);
    let before = before.filter(|token| !words.ends_clause(token.value));
    let before = before.map_or("", |token| token.word.as_str());
    let next = tokens.get(at + 1).filter(|_| !words.ends_clause(tokens[at].value));
    let next = next.map_or("", |token| token.word.as_str());
    // “A user called deploy”
    let noun = at.checked_sub(2).map_or("", |at| tokens[at].word.as_str());
    let noun = if ["called", "named"].contains(&before) { noun } else { before };
    let full = weight == Weight::Empty && (is_a_user(noun, word) || is_go(before, word, next))
        || is_elsewhere(tokens, at, words)
        || (before == "the" && word == "us")
        || weight == Weight::Light && is_a_time_of_day(before, word)
        || ["am", "pm"].contains(&word) && before.starts_with(|c: char| c.is_ascii_digit());
    if full { Weight::Full } else { weight }
}

/// Whether the words put something on another machine than the rest: “on another server”, “on its own small machine”.
fn is_elsewhere(tokens: &[Token], at: usize, words: &Words) -> bool {
    const OTHER: &[&str] = &["another", "other", "different", "separate", "second"];
    const OWN: &[&str] = &["own", "eigene", "eigener", "eigenen"];
    const MACHINES: &[&str] = &[
        "machine", "machines", "server", "servers", "host", "hosts", "box", "vps", "vm", "instance",
    ];
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let light = |at: usize| {
        let language = tokens.get(at).map(|token| words.language(token.value));
        language.is_some_and(|language| language.weight(word(at)) == Weight::Light)
    };
    let before = at.checked_sub(1).map_or("", word);
    let own =
        OWN.contains(&word(at)) && ["a", "an", "its", "eine", "einer", "einen"].contains(&before);
    let machine = |at: usize| MACHINES.contains(&word(at));
    (own || OTHER.contains(&word(at))) && (machine(at + 1) || (light(at + 1) && machine(at + 2)))
}

/// Whether the words restrict something to a time of the day: “alerts by day”.
fn is_a_time_of_day(before: &str, word: &str) -> bool {
    ["by", "during", "at"].contains(&before) && ["day", "days", "night", "nights"].contains(&word)
}

/// Whether a word that is usually a verb is the name of a user.
fn is_a_user(noun: &str, word: &str) -> bool {
    const USERS: &[&str] = &["user", "users", "role"];
    const VERBS: &[&str] = &["deploy", "build", "run", "host"];
    USERS.contains(&noun) && VERBS.contains(&word)
}

/// Whether the word is the programming language: “written in go”, “a go app”.
fn is_go(before: &str, word: &str, next: &str) -> bool {
    const PROGRAMS: &[&str] = &[
        "app",
        "service",
        "microservice",
        "program",
        "binary",
        "backend",
        "api",
        "server",
        "code",
    ];
    word == "go"
        && (["in", "using", "a", "our", "my"].contains(&before) || PROGRAMS.contains(&next))
}
