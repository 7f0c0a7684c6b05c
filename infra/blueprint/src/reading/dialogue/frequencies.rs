//! How often something happens, as a later message corrects it: “weekly is wrong, daily”.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Dialogue;
use crate::reading::sentences;
use crate::reading::wishes::{self, Asked, Fate};
use crate::words::language::Weight;
use crate::words::{Words, is_negation};

/// Words beside a frequency that ask for nothing.
const BESIDE: &[&str] = &[
    "wrong",
    "better",
    "besser",
    "mejor",
    "mieux",
    "enough",
    "mistake",
    "way",
    "falsch",
    "genügt",
    "basta",
    "bastan",
    "mal",
    "suffit",
    "suffisent",
    "ira",
    "instead",
    "rather",
    "than",
    "prefer",
    "week",
    "day",
    "hour",
    "plenty",
    "sufficient",
];

/// The feature that is built at a fixed time, with a word for it.
const NIGHTLY: (&str, &str) = ("Nightly backups", "backup");

impl Dialogue {
    /// Replaces how often something happens in a row, if the message says only that. Returns the positions of the values
    /// that say it.
    pub(super) fn correct_frequency(&mut self, words: &Words) -> BTreeSet<usize> {
        let values = |place: &Range<usize>| words.values_of(place);
        let said = words.frequencies();
        let clauses: Vec<Range<usize>> = words
            .clauses()
            .into_iter()
            .filter(|clause| is_only_about(words, clause, &said))
            .collect();
        let here = |place: &&Range<usize>| {
            let place = values(place);
            clauses.iter().any(|clause| clause.contains(&place.start))
        };
        let meant = |place: &&Range<usize>| words.means_value(words.origin(place.start));
        let Some(new) = said.iter().filter(here).find(meant) else { return BTreeSet::new() };
        let rows =
            self.asked.iter().filter(|row| matches!(row.fate, Fate::Differently(_) | Fate::Not));
        let old = rows.filter_map(|asked| {
            let row = Words::of(&asked.what);
            let place = row.frequencies().into_iter().next()?;
            let (before, after) = (row.phrase(0..place.start), row.phrase(place.end..usize::MAX));
            // “Only on Mondays”
            let mut before: Vec<&str> = before.split(' ').collect();
            before.pop_if(|word| ["only", "just", "nur", "solo", "seulement"].contains(word));
            let before = before.join(" ");
            let corrected = format!("{before} {} {after}", words.phrase(new.clone()));
            let corrected = sentences::to_english(&corrected, self.language);
            Some((asked.clone(), Words::translated(&corrected)))
        });
        let Some((row, corrected)) = old.into_iter().next() else {
            let all = said.iter().filter(here).filter(meant);
            let said: Vec<String> = all.map(|place| words.said_in(values(place))).collect();
            return match self.reschedule(&words.phrase(new.clone()), &said.join(", ")) {
                true => clauses.into_iter().flatten().collect(),
                false => BTreeSet::new(),
            };
        };
        self.asked.retain(|asked| *asked != row);
        self.withdrawn.push(row.what);
        let account: wishes::Account = self.account(&corrected, false);
        self.cover(account.covered);
        self.lack(account.asked);
        clauses.into_iter().flatten().collect()
    }

    /// Takes back that the nightly backups are built as asked, if the message wants them at another time: “no, only on
    /// Sundays”. Returns whether it does.
    fn reschedule(&mut self, new: &str, said: &str) -> bool {
        let (wish, thing) = NIGHTLY;
        let account = self.account(&Words::of(&format!("{thing} {new}")), false);
        let differs =
            account.asked.into_iter().find(|row| matches!(row.fate, Fate::Differently(_)));
        let Some(row) = differs.filter(|_| self.covered.contains(&wish)) else { return false };
        let what = format!("{thing} {said}");
        self.covered.retain(|covered| *covered != wish);
        self.latest.rescheduled = Some(wish);
        self.lack(vec![Asked { what, fate: row.fate }]);
        true
    }
}

/// Words by which a user takes a feature as it is built.
const SETTLING: &[&str] = &[
    "enough",
    "suffices",
    "genügt",
    "basta",
    "bastan",
    "suffit",
    "suffisent",
    "always",
    "immer",
    "siempre",
    "toujours",
];

impl Dialogue {
    /// Removes the rows of features that the message takes as they are built: “a backup a day is enough”.
    pub(super) fn settle_for(&mut self, words: &Words, covered: &[&'static str]) {
        if !words.means_any(SETTLING) {
            return;
        }
        let otherwise = &self.otherwise;
        let settled = |what: &str| otherwise.get(what).is_some_and(|wish| covered.contains(wish));
        self.asked.retain(|asked| !settled(&asked.what));
    }
}

/// Whether a clause says only how often something happens.
fn is_only_about(words: &Words, clause: &Range<usize>, said: &[Range<usize>]) -> bool {
    let values: Vec<&str> = words.values().collect();
    let inside = |at: usize| said.iter().any(|place| words.values_of(place).contains(&at));
    let blank = |at: usize| {
        let value = values[at];
        inside(at)
            || BESIDE.contains(&value)
            || is_negation(value)
            || matches!(words.language(at).weight(value), Weight::Empty | Weight::Light)
    };
    clause.clone().any(inside) && clause.clone().all(blank)
}
