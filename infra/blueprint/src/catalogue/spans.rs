//! Spans of time for which something is kept: “30 days”, “two years”, “kept a month”.
//!
//! A span belongs to the nearest noun: “dumps kept five weeks” is about dumps, and “a certificate for 90 days” is not.
//! The list of wishes reports any span that no parameter takes.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::catalogue::parameters::names::is_blank;
use crate::catalogue::{self, sizes};
use crate::words::Words;
use crate::words::language::{Language, Weight};
use crate::words::numbers;

/// A span of time in a message.
pub struct Span {
    /// Positions of its values.
    pub values: Range<usize>,
    pub days: u32,
}

/// Units with their length in days. A month counts as 30 days and a year as 365.
const UNITS: &[(&str, u32)] = &[
    ("day", 1),
    ("days", 1),
    ("d", 1),
    ("j", 1),
    ("jrs", 1),
    ("week", 7),
    ("weeks", 7),
    ("month", 30),
    ("months", 30),
    ("year", 365),
    ("years", 365),
];

/// Words before a span that is not a time to keep something: “within three days”, “every 2 days”, “once a day”.
const OTHER_SPANS: &[&str] = &[
    "within",
    "in",
    "every",
    "each",
    "per",
    "all",
    "after",
    "last",
    "past",
    "first",
    "next",
    "once",
    "twice",
    "times",
    "alle",
    "innerhalb",
    "cada",
    "mal",
    "vez",
    "fois",
];

/// Verbs for what happens to data at the end of such a span: “deleted after 45 days”.
const DELETING: &[&str] = &[
    "delete",
    "deleted",
    "deletes",
    "remove",
    "removed",
    "lösche",
    "löscht",
    "borra",
    "borre",
    "elimina",
    "elimine",
    "efface",
    "effacer",
    "effacez",
    "supprime",
    "supprimez",
    "purge",
    "purged",
    "löschen",
    "gelöscht",
    "borrar",
    "borrado",
    "borren",
    "eliminar",
    "purgar",
    "purga",
    "purger",
    "purgé",
    "supprimer",
    "supprimés",
    "effacez",
    "effacés",
    "vide",
    "jette",
    "jetez",
    "jeter",
    "wegwerfen",
    "verwerfen",
    "lösch",
    "bórralos",
    "bórralas",
    "elimínalos",
    "descarta",
    "descartar",
    "drop",
    "discard",
    "discarded",
    "expire",
];

/// Words before a span at whose end something is deleted: “after 14 days”, “a los 14 días”.
const AT_THE_END: &[&str] = &["after", "après", "a", "los", "las", "at", "once"];

/// Words for all that is built: “after three months, delete everything” is about no copies.
const EVERYTHING: &[&str] = &[
    "everything",
    "all",
    "whole",
    "server",
    "alles",
    "ganze",
    "todo",
    "servidor",
    "tout",
    "serveur",
];

/// Words before a unit that mean one of it: “for a year”.
const ARTICLES: &[&str] = &["a", "an", "ein", "eine", "einen", "einem", "un", "une", "una"];

/// Things that are kept, and that no deployment here keeps for a time of the user's choice.
const ARCHIVES: &[&str] = &["wal", "snapshot", "pitr", "versions", "binlog"];

/// Words with which something else begins after a span: “28 days because of the audit”, “60 days are enough, I think”.
const ENDING: &[&str] = &[
    "and",
    "or",
    "but",
    "because",
    "due",
    "since",
    "enough",
    "suffice",
    "suffices",
    "plenty",
    "ample",
    "reichen",
    "genügen",
    "bastan",
    "sobran",
    "suffisent",
    "suffiront",
    "wegen",
    "weil",
    "porque",
    "parce",
    "car",
];

/// Nouns of any deployment, which a span may follow: “a server, 30 days”.
const GENERAL: &[&str] = &["server", "vps", "stack"];

/// All spans of time in a message for which something may be kept.
pub fn all(words: &Words) -> Vec<Span> {
    let values: Vec<&str> = words.values().collect();
    (0..values.len()).filter_map(|at| starting(words, &values, at)).collect()
}

/// The words by which a message deletes things at the end of a span: “delete … after” in “delete the logs after 14 days”.
pub fn deletions(words: &Words, span: &Range<usize>) -> BTreeSet<usize> {
    let values: Vec<&str> = words.values().collect();
    let clause = words.clause(span.start);
    let deleting: BTreeSet<usize> =
        clause.clone().filter(|at| DELETING.contains(&values[*at])).collect();
    if deleting.is_empty() {
        return deleting;
    }
    let before = (clause.start..span.start).rev();
    let end = before.take_while(|at| AT_THE_END.contains(&values[*at]));
    deleting.iter().copied().chain(end).collect()
}

/// The first span that says how long to keep one of these things, or names nothing else.
pub fn kept(words: &Words, nouns: &[&str]) -> Option<Span> {
    all(words).into_iter().find(|span| belongs(words, &span.values, nouns))
}

/// The spans of a message that keeps several of these things for different times, each in a clause with its noun: “debug logs
/// 3 days, error logs 90 days”. A message that corrects itself keeps one thing.
pub fn by_kind(words: &Words, nouns: &[&str]) -> Vec<Span> {
    const CORRECTING: &[&str] =
        &["no", "nope", "not", "rather", "instead", "actually", "sorry", "wait", "better", "then"];
    let named = |span: &Span| {
        let clause = words.clause(span.values.start);
        let noun = |word: &str| nouns.iter().any(|noun| word.trim_end_matches('s').ends_with(noun));
        words.values().skip(clause.start).take(clause.len()).any(noun)
    };
    let all: Vec<Span> = all(words).into_iter().filter(named).collect();
    let clauses: BTreeSet<usize> =
        all.iter().map(|span| words.clause(span.values.start).start).collect();
    let days: BTreeSet<u32> = all.iter().map(|span| span.days).collect();
    let corrects = words.values().any(|word| CORRECTING.contains(&word));
    if days.len() > 1 && clauses.len() == all.len() && !corrects { all } else { Vec::new() }
}

fn starting(words: &Words, values: &[&str], at: usize) -> Option<Span> {
    let before = at.checked_sub(1).filter(|before| !words.ends_clause(*before));
    let before = before.map(|before| values[before]);
    let clause = &values[words.clause(at)];
    let has = |list: &[&str]| clause.iter().any(|word| list.contains(word));
    // “Deleted after 45 days”
    let deletes = has(DELETING);
    if deletes && has(EVERYTHING) {
        return None;
    }
    let kept_until = before == Some("after") && deletes;
    if before.is_some_and(|before| OTHER_SPANS.contains(&before)) && !kept_until {
        return None;
    }
    if before == Some("half") && ARTICLES.contains(&values[at]) {
        return None;
    }
    if let Some(days) = joined(values[at]) {
        return Some(Span { values: at..at + 1, days });
    }
    let next = values.get(at + 1).filter(|_| !words.ends_clause(at))?;
    let days = |word: &str| UNITS.iter().find(|(unit, _)| *unit == word).map(|(_, days)| *days);
    if values[at] == "half" && ARTICLES.contains(next) {
        let unit = values.get(at + 2).filter(|_| !words.ends_clause(at + 1))?;
        return days(unit).map(|days| Span { values: at..at + 3, days: days / 2 });
    }
    let unit = days(next)?;
    let (start, number) = match numbers::read(values[at]) {
        // In Spanish, “cuarenta y cinco días” is translated word by word.
        Some(ones) if ones < 10 => match numbers::tens_before(values, at) {
            Some(tens) => (at - 2, tens + ones),
            None => (at, ones),
        },
        Some(number) => (at, number),
        // “8 euros a month” and “logs a day” are not spans.
        None if ARTICLES.contains(&values[at])
            && (before.is_none_or(is_blank)
                || keeps(words, values, at)
                || replaces(words, values, at)) =>
        {
            (at, 1)
        }
        None => return None,
    };
    Some(Span { values: start..at + 2, days: number.checked_mul(unit)? })
}

/// Whether the clause keeps something: “keep the logs a year”, but not “30 GB of logs a day”.
fn keeps(words: &Words, values: &[&str], at: usize) -> bool {
    let kept = ["keep", "keeps", "kept", "retain", "retained", "retention", "stored"];
    values[words.clause(at)].iter().any(|word| kept.contains(word))
}

/// Whether the span takes the place of another one: “instead of 14 days a month”.
fn replaces(words: &Words, values: &[&str], at: usize) -> bool {
    let start = words.clause(at).start;
    let unit = at.checked_sub(1).filter(|before| *before > start);
    let unit = unit.is_some_and(|unit| UNITS.iter().any(|(name, _)| *name == values[unit]));
    let instead = ["instead of", "rather than", "statt", "anstatt"];
    let before = format!(" {} ", values[start..at].join(" "));
    unit && instead.iter().any(|phrase| before.contains(&format!(" {phrase} ")))
}

/// “14d”, “2w” and “7-day”.
fn joined(value: &str) -> Option<u32> {
    if let Some((number, unit)) = value.split_once('-') {
        let days = UNITS.iter().find(|(name, _)| *name == unit && unit.len() > 1)?.1;
        return number.parse::<u32>().ok()?.checked_mul(days);
    }
    let unit = value.chars().last()?;
    let days =
        [('d', 1), ('j', 1), ('w', 7), ('y', 365)].iter().find(|(short, _)| *short == unit)?.1;
    value.strip_suffix(unit)?.parse::<u32>().ok()?.checked_mul(days)
}

/// Words that are not a thing, but say for how long things are kept.
const TIMES: &str = "hour hours minute minutes toutes todas todos alle lang h hot keep keeps kept retained \
    retention long max maximum min minimum máximo mínimo après";

/// Whether the noun nearest to a span, the one before it if there is one, is one of these things.
fn belongs(words: &Words, span: &Range<usize>, nouns: &[&str]) -> bool {
    let values: Vec<&str> = words.values().collect();
    let clause = words.clause(span.start);
    let is_noun = |at: &usize| {
        let word = values[*at];
        let number = !word.starts_with(char::is_alphabetic);
        let time = TIMES.split_whitespace().any(|time| time == word);
        Language::English.weight(word) == Weight::Full && !is_blank(word) && !number && !time
    };
    let within = |at: &usize| !ENDING.contains(&values[*at]);
    let before = (clause.start..span.start).rev().take_while(within).find(is_noun);
    let nearest = before.or_else(|| (span.end..clause.end).take_while(within).find(is_noun));
    // “Leave the old server running for two weeks” is about that server.
    if (clause.start..span.start).any(|at| sizes::is_old(words, at)) {
        return false;
    }
    // “a WAL archive in a bucket, kept 30 days” does not say how long to keep dumps.
    if nearest.is_none() && clause.start > words.sentence(span.start).start {
        let previous = words.clause(clause.start - 1);
        let previous = Words::of(&values[previous].join(" "));
        return !previous.means_any(ARCHIVES) || previous.means_any(&["dump", "backup"]);
    }
    nearest.is_none_or(|at| {
        let word = Words::of(values[at]);
        let own = nouns.iter().chain(GENERAL).chain(DELETING).any(|noun| word.has(noun));
        let named = || catalogue::ALL.iter().flat_map(|blueprint| blueprint.own_cues());
        own || named().any(|cue| word.has(cue))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_read_in_any_unit() {
        for (text, found) in [
            ("keep them thirty days", Some(30)),
            ("for 2 weeks", Some(14)),
            ("only 7 days", Some(7)),
            ("quarante-cinq days", Some(45)),
            ("fünfundvierzig days", Some(45)),
            ("40 and five days", Some(45)),
            ("for 3 months", Some(90)),
            ("two years, please", Some(730)),
            ("keep them for a year", Some(365)),
            ("ein month", Some(30)),
            ("logs ein year keep", Some(365)),
            ("for half a year", Some(182)),
            ("keep the logs for half a year", Some(182)),
            ("kept 14d", Some(14)),
            ("7-day retention", Some(7)),
            ("logs deleted after 45 days", Some(45)),
            ("after 3 months delete everything", None),
            ("after 3 months soll alles gelöscht", None),
            ("a los 3 months borrar todo", None),
            ("after 3 months tout supprimer", None),
            ("ready within 5 days", None),
            ("every 2 days", None),
            ("once a month", None),
            ("8 euros a month", None),
            ("logs a day", None),
        ] {
            let span = kept(&Words::of(text), &["log"]).map(|span| span.days);
            assert_eq!(span, found, "{text}");
        }
    }

    #[test]
    fn a_span_belongs_to_the_nearest_noun() {
        for text in [
            "dumps kept 5 days in Ashburn",
            "5 days of dumps",
            "mysql, 5 days",
            "mysql 5 days",
            "dumps at most 5 days",
            "5 days are enough i looked at the prices",
            "5 days because of the audit",
            "dumps, maximum 5 days",
            "nightly dumps, and keep them 5 days",
            "nightly dumps and keep them 5 days and a cache",
        ] {
            assert!(kept(&Words::of(text), &["dump"]).is_some(), "{text}");
        }
        for text in [
            "a certificate for 90 days",
            "audit records kept 2 years",
            "a 30 days guarantee",
            "visitors are forgotten for 5 days",
        ] {
            assert!(kept(&Words::of(text), &["dump"]).is_none(), "{text}");
        }
    }
}
