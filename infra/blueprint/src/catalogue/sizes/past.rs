//! Sizes of the past, and sizes that are too small: a message names them beside the one that it needs. “It was 4 GB, I need
//! 16” asks for 16, and “the old one had 4 GB” asks for nothing.

use std::ops::Range;

use super::{Kind, is_a_memory};
use crate::words::language::{Language, Weight};
use crate::words::{Words, lists, numbers};

/// Verbs of the past.
const WAS: &str = "was were had war waren hatte hatten era eran fue tenía tenían teníamos tenia había était c'était étaient \
    avait avaient avions avais j'avais";

/// Words for a thing or a time that is over, and those that say so only with a verb of the past.
const OLD: &str = "old alte alter altes alten antiguo antigua viejo vieja ancien ancienne vieux vieille bisher bisherige \
    bisheriger bisherigen bislang previously formerly";
const BEFORE: &str = "before früher vorher antes auparavant avant previous last";

/// Words with which a clause about the past or about an old thing is a wish: “I had 8 GB in mind”, “as much as the old one”.
const WISHING: &str = "if wenn falls si gedacht dachte dachten thought thinking mind hoping planned pensado pensé pensaba pensamos \
    imaginé prévu vorgesehen geplant vorgestellt would like same as wie como comme igual gleich gleiche même mismo again wieder";

/// Phrases that call a size too small, in the user's words or in English.
const TOO_SMALL: &[&str] = &[
    "too little",
    "too small",
    "too tight",
    "too few",
    "is tight",
    "not enough",
    "isn't enough",
    "zu wenig",
    "zu klein",
    "zu knapp",
    "zu eng",
    "knapp",
    "reicht nicht",
    "reichen nicht",
    "demasiado poco",
    "muy poco",
    "queda corto",
    "quedan cortos",
    "no basta",
    "no bastan",
    "no llega",
    "no llegan",
    "no me llega",
    "no nos llega",
    "trop peu",
    "trop petit",
    "trop juste",
    "ne suffit",
    "ne suffisent",
    "pas assez",
];

/// Words beside the number that is needed.
const NEEDING: &str = "need needs want take make give mach macht nehmen nimm ponme pon poned mettez mets least this time now rather better brauche brauchen bräuchte bräuchten sollen soll müssen \
    muss sein werden mindestens lieber besser diesmal jetzt necesito necesitamos quiero queremos hacen hace falta mejor ahora mínimo \
    menos m'en nous faut faudrait veux voulons passer passons maintenant plutôt moins";

/// The values by which a message tells of a size and asks for the one in its place.
pub(super) fn telling(words: &Words, size: &Range<usize>, needed: usize) -> Vec<usize> {
    let clauses = words.clause(size.start).chain(words.clause(needed));
    let said = |at: &usize| {
        size.contains(at) || [WAS, OLD, BEFORE, NEEDING].iter().any(|list| is(words, *at, list))
    };
    clauses.chain(words.sentence(size.start)).filter(said).collect()
}

/// The values by which a message only tells of a size of the past.
pub fn told(words: &Words) -> Vec<usize> {
    let values: Vec<&str> = words.values().collect();
    let size = |at: usize| super::measured(words, &values, at).map(|(.., end)| at..end);
    let sizes = (0..values.len()).filter_map(size).filter(|size| is_of_the_past(words, size.start));
    sizes.flat_map(|size| telling(words, &size, size.start)).collect()
}

/// Whether the clause of a size only tells of the past, or of an old thing.
pub fn is_of_the_past(words: &Words, at: usize) -> bool {
    let clause = words.clause(at);
    let old = has(words, clause.clone(), OLD);
    let was = has(words, clause.clone(), WAS);
    let over = old
        || follows_an_old_thing(words, at)
        || was && (has(words, clause.clone(), BEFORE) || is_given_elsewhere(words, at));
    over && !has(words, clause, WISHING)
}

/// Whether the sentence begins with an old thing and a colon: “the old one: 2 cores, 4 GB”.
fn follows_an_old_thing(words: &Words, at: usize) -> bool {
    const THINGS: &str =
        "one server machine box host vps vm maschine rechner servidor máquina serveur";
    let first = words.clause(words.sentence(at).start);
    let said = words.said_in(first.clone());
    let only = |at: usize| {
        is(words, at, OLD) || is(words, at, THINGS) || words.weighs(at) == Weight::Empty
    };
    !first.contains(&at)
        && has(words, first.clone(), OLD)
        && first.clone().all(only)
        && words.text().to_lowercase().contains(&format!("{}:", said.trim_end_matches(':')))
}

/// Whether a value is a word for a thing that is over: “the old server”.
pub fn is_old(words: &Words, at: usize) -> bool {
    is(words, at, OLD)
}

/// Whether another clause has a size as well.
fn is_given_elsewhere(words: &Words, at: usize) -> bool {
    let values: Vec<&str> = words.values().collect();
    let clause = words.clause(at);
    let measured = |at: usize| super::measured(words, &values, at).is_some();
    (0..values.len()).any(|other| !clause.contains(&other) && measured(other))
}

/// The position of the number that is needed in place of a size of the past, or of one that is too small.
pub(super) fn needed_instead(
    words: &Words,
    size: &Range<usize>,
    kind: Kind,
    old: u32,
) -> Option<usize> {
    let sentence = words.sentence(size.start);
    let past =
        has(words, sentence.start..size.end, WAS) || has(words, sentence.start..size.end, OLD);
    let past = past && !has(words, words.clause(size.start), WISHING);
    if !past && !is_too_small(words, sentence.clone()) {
        return None;
    }
    let values: Vec<&str> = words.values().collect();
    let next = Some(sentence.end).filter(|next| *next < values.len());
    let end = next.map_or(sentence.end, |next| words.sentence(next).end);
    let number = |at: &usize| numbers::read(values[*at]).is_some();
    let after = (size.end..end).find(number);
    let told = has(words, words.clause(size.start), WAS);
    let before = (sentence.start..size.start).rev().find(number).filter(|_| told);
    let fits = |at: &usize| {
        let number = numbers::read(values[*at]).unwrap_or_default();
        let usual = kind == Kind::Memory && is_a_memory(number) || number > old;
        number > 1 && usual && is_only_needed(words, *at)
    };
    after.filter(fits).or_else(|| before.filter(fits))
}

/// Whether one of the phrases that call a size too small is among these values.
fn is_too_small(words: &Words, sentence: Range<usize>) -> bool {
    let english: Vec<&str> = words.values().skip(sentence.start).take(sentence.len()).collect();
    let texts = [words.said_in(sentence), english.join(" ")];
    TOO_SMALL.iter().any(|phrase| texts.iter().any(|text| text.contains(phrase)))
}

/// Whether a clause says of a number only that it is needed: “I need 16”, “il m'en faut 16”.
fn is_only_needed(words: &Words, number: usize) -> bool {
    words.clause(number).all(|at| {
        let value = words.values().nth(at).unwrap_or_default();
        let blank = |word: &str| lists(NEEDING, word);
        at == number
            || blank(value)
            || blank(words.said(at).0)
            || Language::English.weight(value) == Weight::Empty
            || words.language(at).weight(value) == Weight::Empty
    })
}

/// Whether one of the words is among these values, in the user's words or in English.
fn has(words: &Words, range: Range<usize>, list: &str) -> bool {
    range.into_iter().any(|at| is(words, at, list))
}

/// Whether a value is one of the words, in the user's words or in English.
pub(super) fn is(words: &Words, at: usize, list: &str) -> bool {
    words.values().nth(at).is_some_and(|value| lists(list, value))
        || lists(list, &words.said(at).0.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::asked;
    use super::*;

    #[test]
    fn a_size_of_the_past_gives_way_to_the_one_that_is_needed() {
        for (text, sizes) in [
            ("it was 4 GB of RAM before, I need 16", "16 GB of memory"),
            ("it was PostgreSQL with Redis, 4 GB of RAM; I need 16 now", "16 GB of memory"),
            ("4 GB of RAM is not enough, make it 8", "8 GB of memory"),
            ("the old server has 4 GB of RAM. I need 16", "16 GB of memory"),
            ("I need 16, it was 4 GB of RAM", "16 GB of memory"),
            ("we had 2 cores, now 4", "4 cores"),
            ("the old one had 4 GB of RAM", ""),
            ("the old one: 2 cores, 4 GB of RAM", ""),
            ("a new one: 2 cores, 4 GB of RAM", "2 cores, 4 GB of memory"),
            ("I need 16 GB of RAM, it was 4 GB of RAM", "16 GB of memory"),
            ("I had 8 GB of RAM in mind", "8 GB of memory"),
            ("8 GB of RAM like the old one", "8 GB of memory"),
            ("4 GB of RAM, I need 2", "4 GB of memory"),
            ("it was 8 GB of RAM, I need 3 servers", "8 GB of memory"),
            (
                "it was Redis, 4 GB of RAM; I need 16, and a disk of 200 GB",
                "16 GB of memory, 200 GB of disk",
            ),
            ("it was 2 cores and 4 GB of RAM, I need 16", "2 cores, 16 GB of memory"),
        ] {
            let read = asked(&Words::of(text)).into_iter();
            let read: Vec<String> = read.map(|size| size.kind.of(size.number)).collect();
            assert_eq!(read.join(", "), sizes, "{text}");
        }
    }
}
