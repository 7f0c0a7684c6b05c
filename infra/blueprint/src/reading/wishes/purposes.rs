//! For whom or for what the deployment is: “a static site for the choir”, “MySQL für unser Warenwirtschaftssystem”, “un
//! serveur pour notre boutique”. That asks for nothing, so it needs no row.
//!
//! What stands before must be the deployment itself. After a feature, the same words may restrict it (“backups for the
//! uploads”, “a login for our clients”), so they stay a wish there.

use std::collections::BTreeSet;
use std::ops::Range;

use super::background::asks;
use super::context::Context;
use super::open::Open;
use crate::catalogue::{self, covers, spans};
use crate::words::language::Weight;
use crate::words::{Words, is_negation};

/// Words before a purpose.
const FOR: &str = "for für fürs para pour";
/// Words that begin the name of the purpose.
const OURS: &str = "a an the my our his her their its this der die das den dem mein meine meinen unser unsere unseren unserer \
    eine einen ein el la los las mi mis nuestro nuestra nuestros nuestras un una le les mon ma mes notre nos une l'appli";
/// Environments, which a purpose may name without such a word.
const ENVIRONMENTS: &str = "staging testing tests test development dev production prod pruebas producción desarrollo testen \
    tester recette préproduction développement";
/// Words that end a purpose.
const ENDS: &str = "with and but on in at to from by without using that which who where as or mit und aber auf bei ohne von \
    aus als oder con y pero en sin desde que donde o avec et mais sur chez sans depuis qui où ou à";
/// Words by which the purpose says who may reach something.
const REACHING: &str = "reachable accessible access open opened ssh login log port ports password visible only restricted";
/// The most words of a purpose.
const MOST: usize = 5;

/// Marks the purposes of the deployment as explained.
pub(super) fn take(words: &Words, context: &Context, open: &mut Open) {
    let Some(blueprint) = context.blueprint else { return };
    if !(0..words.count()).any(|at| words.is_in(at, FOR)) {
        return;
    }
    let values = |cue: &str| -> Vec<usize> {
        words.places(cue).iter().flat_map(|place| words.values_of(place)).collect()
    };
    let own: BTreeSet<usize> = blueprint.cues().flat_map(values).collect();
    let features = covers::features().flat_map(|feature| feature.cues());
    let features: BTreeSet<usize> =
        features.flat_map(values).filter(|at| !own.contains(at)).collect();
    let names = catalogue::names(words).into_iter().flat_map(|name| name.values);
    let facts = words.facts().into_iter().flat_map(|fact| fact.values);
    // “A VPS for a month”
    let spans = spans::all(words).into_iter().flat_map(|span| span.values);
    let stating: BTreeSet<usize> =
        names.chain(facts).chain(spans).chain(features.iter().copied()).collect();
    for clause in words.clauses() {
        let asks_for_more = |at: usize| {
            features.contains(&at)
                || words.is_in(at, REACHING)
                || open.is_open(at) && words.weighs(at) == Weight::Full
        };
        // “For our family, 1 TB of space”: a sentence that begins with it, and does not say who may reach something.
        let sentence = words.sentence(clause.start);
        let topic = clause.start == sentence.start && !words.any_in(sentence.clone(), REACHING);
        let topic = topic && !sentence.clone().any(|at| features.contains(&at));
        let is_purpose = |at: &usize| {
            let before = clause.start..*at;
            if before.is_empty() {
                return topic && words.is_in(*at, FOR);
            }
            words.is_in(*at, FOR)
                && before.clone().any(|at| own.contains(&at))
                && !before.clone().any(asks_for_more)
        };
        let Some(at) = clause.clone().find(is_purpose) else { continue };
        let purpose = purpose(words, at, clause.end);
        let states = purpose.clone().any(|at| {
            stating.contains(&at)
                || own.contains(&at)
                || is_negation(words.values().nth(at).unwrap_or_default())
        });
        let restricts = words.any_in(at..clause.end, REACHING) || asks(words, at..clause.end);
        let left = |at: usize| open.is_open(at) && words.weighs(at) == Weight::Full;
        if !states && !restricts && purpose.clone().any(left) {
            open.take_range(&purpose);
        }
    }
}

/// The words of a purpose; empty if they do not name one.
fn purpose(words: &Words, at: usize, end: usize) -> Range<usize> {
    let first = at + 1;
    let last = (first..end).find(|at| words.is_in(*at, ENDS)).unwrap_or(end);
    let named = first < last && words.is_in(first, OURS);
    let environment = first < last && words.any_in(first..last, ENVIRONMENTS);
    if (named || environment) && last - first <= MOST { first..last } else { at..at }
}
