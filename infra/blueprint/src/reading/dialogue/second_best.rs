//! What the user takes if the first wish is not possible: “MariaDB, or if that's not possible MySQL”.

use std::collections::BTreeSet;

use super::Dialogue;
use crate::catalogue::{Place, places};
use crate::reading::wishes::{Asked, Fate};
use crate::words::Words;
use crate::words::fallbacks::Fallback;
use crate::words::language::Weight;

impl Dialogue {
    /// The message without the part that does not count: the second best if the first wish is built, and otherwise what
    /// is not built of the first wish, with its row.
    pub(super) fn settle(&self, words: Words) -> (Words, Option<Asked>) {
        let Some(fallback) = words.fallback() else { return (words, None) };
        let spare = fallback.marker.iter().copied().chain(fallback.instead.clone()).collect();
        let first = words.clone().without(&spare);
        let lacking = replaced(&words, &fallback, self.lacking_of(&words, &fallback, &first));
        if lacking.is_empty() {
            return (if fallback.clear { first } else { words }, None);
        }
        let same = |at: usize| {
            let word = words.values().nth(at);
            lacking.iter().any(|lacking| words.values().nth(*lacking) == word)
        };
        let gone: BTreeSet<usize> = (0..words.count()).filter(|at| same(*at)).collect();
        let gone: BTreeSet<usize> =
            gone.difference(&fallback.instead.clone().collect()).copied().collect();
        // “Or else” stays, because it says which of two numbers counts.
        let marker = if fallback.clear { fallback.marker } else { BTreeSet::new() };
        let second = words.clone().without(&gone.union(&marker).copied().collect());
        // If the second best is not built either, the list has both.
        let instead = |row: &Asked| fallback.instead.clone().any(|at| names(&row.what, &words, at));
        if self.rows_of(&second).iter().any(instead) {
            return (words.without(&marker), None);
        }
        // The rest of the message gave it up, so that it has no row: “no Docker but Podman if you can, otherwise Docker”.
        let rest = (0..words.count()).filter(|at| !fallback.instead.contains(at)).collect();
        let alone = words.clone().without(&rest);
        let given_up = fallback.instead.clone().any(|at| {
            let named = |earlier: &usize| words.values().nth(*earlier) == words.values().nth(at);
            words.weighs(at) == Weight::Full
                && (0..fallback.preferred.start).filter(named).any(|at| !words.means_value(at))
        });
        if given_up && self.rows_of(&alone).iter().any(instead) {
            let both = fallback.preferred.start..fallback.instead.end;
            let row = Asked { what: words.said_in(both), fate: Fate::Not };
            return (second, Some(row));
        }
        let said = |range: std::ops::Range<usize>| words.said_in(range);
        let (Some(from), Some(to)) = (lacking.first(), lacking.last()) else {
            return (words, None);
        };
        // “MySQL with a database …”: the rest has rows of its own.
        let with = |at: &usize| words.values().nth(*at) == Some("with");
        let end = fallback.instead.clone().skip(1).find(with).unwrap_or(fallback.instead.end);
        let empty = |at: &usize| words.weighs(*at) == Weight::Empty;
        let end =
            (fallback.instead.start + 1..=end).rev().find(|end| !empty(&(end - 1))).unwrap_or(end);
        let fate = Fate::Differently(said(fallback.instead.start..end));
        let row = Asked { what: said(*from..to + 1), fate };
        (second, Some(row))
    }

    /// What is not built of the preferred wish, as positions of values.
    fn lacking_of(&self, words: &Words, fallback: &Fallback, first: &Words) -> BTreeSet<usize> {
        let rows = self.rows_of(first);
        let lacking = |known: bool| {
            let rows: Vec<&Asked> =
                rows.iter().filter(|row| !known || row.fate == Fate::Not).collect();
            let lacks = |at: &usize| {
                let value = words.values().nth(*at).unwrap_or_default();
                let full = words.language(*at).weight(value) == Weight::Full;
                full && rows.iter().any(|row| names(&row.what, words, *at))
            };
            fallback.preferred.clone().filter(lacks).collect::<BTreeSet<usize>>()
        };
        // In a message that chooses no deployment, nothing is understood but what is known not to be built.
        let known = lacking(true);
        if !known.is_empty() {
            return known;
        }
        // Of “the clerk asks for Nuremberg, failing that Helsinki”, the town is the wish, and it is planned.
        let all = lacking(false);
        let town = |at: &usize| {
            let all = [Place::Hetzner, Place::Aws].into_iter().flat_map(places::of);
            let value = words.values().nth(*at);
            all.into_iter().any(|(name, _)| Some(*name) == value)
        };
        let towns = fallback.preferred.clone().any(|at| town(&at))
            && fallback.instead.clone().any(|at| town(&at));
        if towns { all.into_iter().filter(town).collect() } else { all }
    }

    /// What would not be built of a message at all.
    fn rows_of(&self, words: &Words) -> Vec<Asked> {
        let mut trial = self.clone();
        trial.take(words, Vec::new());
        let lacks = |row: &Asked| match &row.fate {
            Fate::Not | Fate::NotUnderstood => true,
            // “In Canada, or if that's not possible in Ashburn”
            Fate::Differently(how) => how.starts_with("in "),
            Fate::Later => false,
        };
        trial.asked.into_iter().filter(lacks).collect()
    }
}

/// What the second best replaces: of “TLS and MariaDB, or else MySQL”, only the database.
fn replaced(words: &Words, fallback: &Fallback, mut lacking: BTreeSet<usize>) -> BTreeSet<usize> {
    let joins = |at: &usize| words.values().nth(*at) == Some("and");
    let (Some(from), Some(to)) = (lacking.first().copied(), lacking.last().copied()) else {
        return lacking;
    };
    match (from..to).rfind(joins) {
        Some(and) if !fallback.instead.clone().any(|at| joins(&at)) => lacking.split_off(&and),
        _ => lacking,
    }
}

/// Whether a row names the value at this position, in English or in the user's words.
fn names(row: &str, words: &Words, at: usize) -> bool {
    let value = words.values().nth(at).unwrap_or_default();
    let (said, _) = words.said(at);
    let mut parts = row.split([' ', '-', '/']);
    parts.clone().any(|part| part == value || part.strip_suffix('s') == Some(value))
        || said.split([' ', '-', '/']).all(|word| parts.any(|part| part == word))
}
