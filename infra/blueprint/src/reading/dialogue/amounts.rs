//! Values that a later message gives by what they were: “retention: double”, “half of it”, “8080 no, I meant 8081”.

use std::collections::BTreeSet;

use super::Dialogue;
use super::recount::{MACHINES, is_bare};
use crate::catalogue::foreign::Foreign;
use crate::catalogue::parameters::{Found, Parameter, names};
use crate::catalogue::spans;
use crate::reading::wishes::DAYS;
use crate::words::language::Weight;
use crate::words::{Words, lists, numbers};

/// Words by which a value is multiplied, as a numerator and a denominator.
const TIMES: &[(&[&str], u32, u32)] = &[
    (
        &[
            "double",
            "doubled",
            "twice",
            "doble",
            "dobla",
            "doblar",
            "duplicar",
            "duplica",
            "duplicad",
            "doubler",
            "doublez",
            "doppelt",
            "doppelte",
            "doppelten",
            "verdoppeln",
            "verdopple",
            "verdoppelt",
        ],
        2,
        1,
    ),
    (
        &[
            "half",
            "halve",
            "halved",
            "halves",
            "mitad",
            "moitié",
            "hälfte",
            "halbieren",
            "halbiert",
            "halbe",
        ],
        1,
        2,
    ),
    (&["triple", "tripled", "triplicar", "tripler", "dreifache", "verdreifachen"], 3, 1),
];

/// The parameters whose values are amounts, with the nouns by which a message names them.
const AMOUNTS: &[(&str, &[&str])] = &[
    ("servers", &["servers", "nodes", "machines", "cluster"]),
    ("app-servers", &["servers", "backends", "machines"]),
    ("dump-days", &["dump", "dumps", "backup", "backups", "retention", "kept", "keep", "days"]),
    (
        "retention-days",
        &["retention", "kept", "keep", "logs", "metrics", "data", "history", "days"],
    ),
    ("redis-memory-mb", &["redis", "maxmemory", "memory", "cache"]),
    ("volume-gb", &["disk", "volume", "storage"]),
    ("heap-gb", &["heap"]),
];

/// What a number that no noun follows may be of instead, named in the same sentence: “version bump approved, make it 16”.
const COUNTED: &[&str] = &[
    "version",
    "release",
    "budget",
    "price",
    "cost",
    "costs",
    "limit",
    "port",
    "ports",
    "attempt",
    "attempts",
    "retry",
    "retries",
    "try",
    "tries",
    "worker",
    "workers",
    "user",
    "users",
    "people",
    "postgresql",
    "postgres",
    "pg",
    "mysql",
    "php",
    "versión",
    "presupuesto",
    "tope",
    "precio",
    "intentos",
    "reintentos",
    "échecs",
    "essais",
    "versuche",
    "versuchen",
    "leute",
    "gente",
    "personas",
    "personnes",
    "prix",
    "preis",
];

/// Words that make the number before them an hour, and how far behind it they are at most.
const HOURS: &str = "madrugada mañana tarde noche uhr o'clock heures heure matin soir morgens abends nachts früh morning \
    evening";
const HOUR_REACH: usize = 3;
/// The same of an hour if they come right behind it, and of a day of a month.
const HALVES: &str = "am pm a.m p.m";
const MONTHS: &str = "january february march april may june july august september october november december januar februar \
    märz mai juni juli oktober dezember enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre \
    diciembre janvier février mars avril juin juillet août septembre octobre novembre décembre";
const MONTH_REACH: usize = 2;

/// The digits of an hour, and of its minutes: “03:00”.
const HOUR_DIGITS: usize = 2;

/// Whether the sentence around a number names something else that has one. A number of machines is not a number of days.
pub(super) fn counts_another(words: &Words, at: usize, key: &str) -> bool {
    let values: Vec<&str> = words.values().collect();
    let machines = |word: &str| DAYS.contains(&key) && MACHINES.contains(&word);
    let sentence = &values[words.sentence(at)];
    let own = speaks_of(words, at, key);
    // “There will be three of them for the VPN”
    let foreign = || Foreign::is_named_in(&Words::of(&sentence.join(" ")));
    if is_of_a_clock(words, at) {
        return true;
    }
    let days = DAYS.contains(&key) && !own;
    sentence.iter().any(|word| COUNTED.contains(word) && !own || machines(word))
        || days && foreign()
}

/// Whether a number is an hour or a day of a month: “a la 1 de la madrugada”, “before 6 am”, “by 15 January”.
pub(super) fn is_of_a_clock(words: &Words, at: usize) -> bool {
    let behind = |reach: usize, list: &str| {
        let next = (at + 1..words.values().count()).take(reach);
        next.map(|next| words.said(next).0).any(|word| lists(list, word))
    };
    // “Sunday 03:00-05:00”
    let value = words.values().nth(at).unwrap_or_default();
    let minutes = |rest: &str| rest.strip_prefix(':').is_some_and(begins_with_minutes);
    let timed = value.len() == HOUR_DIGITS
        && words
            .text()
            .match_indices(value)
            .any(|(start, _)| minutes(&words.text()[start + value.len()..]));
    timed
        || is_about_when(words, at)
        || behind(HOUR_REACH, HOURS)
        || behind(1, HALVES)
        || behind(MONTH_REACH, MONTHS)
}

/// Whether a number follows a word for about when, and nothing in its clause is kept: “a backup every night, around three”.
fn is_about_when(words: &Words, at: usize) -> bool {
    const ABOUT: &str = "around about gegen hacia vers sobre";
    const ARTICLES: &str = "the las la les";
    const KEEPING: &str =
        "keep keeps kept retain retention days behalten aufheben guardar guarda garder garde";
    const HOURS_A_DAY: u32 = 24;
    let clause = words.clause(at);
    let about = (clause.start..at).rev().find(|at| !words.is_in(*at, ARTICLES));
    let hour = words.values().nth(at).and_then(numbers::read);
    hour.is_some_and(|hour| hour <= HOURS_A_DAY)
        && (clause.end == at + 1 || words.weighs(at + 1) == Weight::Empty)
        && about.is_some_and(|about| words.is_in(about, ABOUT))
        && !words.any_in(clause, KEEPING)
}

/// Whether a text begins with two digits.
fn begins_with_minutes(text: &str) -> bool {
    text.len() >= HOUR_DIGITS && text.bytes().take(HOUR_DIGITS).all(|byte| byte.is_ascii_digit())
}

/// Whether the sentence around a value names a parameter whose value is an amount.
pub(super) fn speaks_of(words: &Words, at: usize, key: &str) -> bool {
    words.sentence(at).any(|at| is_noun_of(words, at, key))
}

/// Whether the word at this position names the parameter.
pub(super) fn is_noun_of(words: &Words, at: usize, key: &str) -> bool {
    let nouns = AMOUNTS.iter().find(|(one, _)| *one == key).map_or(&[][..], |(_, nouns)| *nouns);
    words.values().nth(at).is_some_and(|word| nouns.contains(&word))
}

/// The positions that say by what a value is multiplied: “cut the memory in half”.
fn spent_by(words: &Words, at: usize, key: &str) -> BTreeSet<usize> {
    let own = |place: &usize| *place == at || is_noun_of(words, *place, key);
    let full = |place: &usize| words.weighs(*place) == Weight::Full && !own(place);
    let clause = words.clause(at);
    match clause.clone().filter(full).count() {
        0 | 1 => clause.chain(words.sentence(at).filter(own)).collect(),
        _ => words.sentence(at).filter(own).collect(),
    }
}

impl Dialogue {
    /// Multiplies the value of which a later message says so: “retention: double”. Without its noun, the row asks.
    pub(super) fn multiply(&mut self, words: &Words) {
        if self.said.is_empty() {
            return;
        }
        let values: Vec<&str> = words.values().collect();
        let factor = |at: &usize| TIMES.iter().find(|(names, ..)| names.contains(&values[*at]));
        let Some(at) = (0..values.len()).rfind(|at| factor(at).is_some()) else { return };
        // “Half a year” is a span, and “is double the price” a question.
        let span = values.get(at + 1).is_some_and(|next| ["a", "an"].contains(next));
        if span || words.ends_in_question(at) || !words.means_value(at) {
            return;
        }
        let Some((_, times, by)) = factor(&at) else { return };
        let changed = |key: &str| self.latest.changed.iter().any(|(one, _)| one.key == key);
        let amounts =
            self.parameters().filter(|one| AMOUNTS.iter().any(|(key, _)| *key == one.key));
        let amounts: Vec<&'static Parameter> = amounts.filter(|one| !changed(one.key)).collect();
        let mut own = amounts.iter().copied().filter(|one| speaks_of(words, at, one.key));
        let said = words.said_in(at..at + 1);
        if let (Some(parameter), None) = (own.next(), own.next()) {
            let present = self.values.get(parameter.key).map_or(parameter.default, String::as_str);
            let result = present.parse::<u32>().ok().and_then(|n| n.checked_mul(*times));
            let result = result.filter(|n| n % by == 0).map(|n| (n / by).to_string());
            return match result.and_then(|text| (parameter.accept)(&text)) {
                Some(value) => {
                    self.latest.spent = spent_by(words, at, parameter.key);
                    self.set(parameter, value)
                }
                None => self.doubt(parameter, &said),
            };
        }
        let full = |at: usize| at < values.len() && words.weighs(at) == Weight::Full;
        let other = words.sentence(at).any(|other| other != at && full(other));
        let given = amounts.into_iter().filter(|one| self.has_given(one.key) && !other);
        if let [parameter] = given.collect::<Vec<_>>().as_slice() {
            self.doubt(parameter, &said);
        }
    }

    /// Whether a later message gives another name to a thing with a name of its own: “olmo is now named fresno”.
    pub(super) fn renames_another(&self, parameter: &Parameter, words: &Words) -> bool {
        let Some(present) = self.values.get("name").filter(|_| parameter.key == "name") else {
            return false;
        };
        let values: Vec<&str> = words.values().collect();
        let subject = values.windows(3).position(|three| three == ["is", "now", "named"]);
        let subject = subject.and_then(|is| is.checked_sub(1)).filter(|_| !self.said.is_empty());
        subject.is_some_and(|at| {
            let bare = at == words.clause(at).start;
            let own = (parameter.accept)(values[at]).as_ref() == Some(present);
            bare && !own && names::can_be_a_name(values[at])
        })
    }

    /// The message without the spans of time that an earlier message said, if it has a new one: “ten years is silly, keep
    /// 35 days”.
    pub(super) fn without_old_spans(&self, parameter: &Parameter, words: &Words) -> Option<Words> {
        if !DAYS.contains(&parameter.key) || self.said.is_empty() {
            return None;
        }
        let said: BTreeSet<u32> =
            self.said.iter().flat_map(|words| spans::all(words)).map(|span| span.days).collect();
        let (old, new): (Vec<_>, Vec<_>) =
            spans::all(words).into_iter().partition(|span| said.contains(&span.days));
        let old: BTreeSet<usize> = old.into_iter().flat_map(|span| span.values).collect();
        let rest = (!old.is_empty() && !new.is_empty()).then(|| words.clone().without(&old))?;
        (parameter.found_in(&rest) != Found::Nothing).then_some(rest)
    }

    /// The port that a message names beside the open ports which it closes, and whether it can be nothing else: “8080 no,
    /// sorry, I meant 8081”.
    pub(super) fn port_instead(&self, words: &Words, closed: &[String]) -> Option<(String, bool)> {
        let values: Vec<&str> = words.values().collect();
        let other = |at: &usize| {
            let number = values[*at].parse::<u16>().is_ok_and(|port| port > 22);
            number && !closed.iter().any(|port| port == values[*at])
        };
        let mut others = (0..values.len()).filter(other);
        let (Some(at), None) = (others.next(), others.next()) else { return None };
        let bare = is_bare(words, at) && words.means_value(at);
        let clause = words.clause(at);
        let number = |at: usize| numbers::read(values[at]).is_some();
        let full = |at: &usize| words.weighs(*at) == Weight::Full && !number(*at);
        let words_beside = clause.filter(full).count();
        bare.then(|| (values[at].to_string(), words_beside <= 1))
    }
}
