//! Things that a user rules out and that nothing here knows: “no telnet”. The deployment cannot have them, if none of its
//! files names them.

use std::ops::Range;

use super::context::Context;
use super::open::Open;
use crate::catalogue::foreign::{Foreign, Kind};
use crate::catalogue::{self, covers};
use crate::words::language::Weight;
use crate::words::{Words, is_negation};

/// Words that rule out the noun after them.
const NO: &[&str] = &[
    "no",
    "without",
    "kein",
    "keine",
    "keinen",
    "keinerlei",
    "ohne",
    "sin",
    "ningún",
    "ninguna",
    "ni",
    "sans",
    "pas",
    "aucun",
    "aucune",
    "neither",
    "nor",
    "weder",
];

/// Words around the noun that say nothing of it.
const AROUND: &str = "a an any the des la les le el los las un une una eine einen want need quiero queremos \
    necesito necesitamos will brauche brauchen veux voulons besoin please thanks thank you por favor gracias svp merci bitte danke \
    and or und oder y o et ou but aber pero mais also too";

/// Words within the name of a thing, which is never a single word then.
const WITHIN: &[&str] = &["of", "de", "d'", "du", "von"];

/// Nouns with which “no” rules nothing out that could be built, or says how something is to be.
const IDLE: &str = "opinion preference meinung opinión preferencia avis préférence idea rush hurry problem problems matter doubt worries relation pressure fuss surprises clue must joke shame \
    loss downtime interruption interruptions failure failures limit limits cost costs delay delays spam registration signup \
    ahnung eile stress problem sorge frage muss scherz idee verlust ausfall kosten verzögerung anmeldung registrierung unterbrechung \
    prisa problema problemas apuro duda idea broma pérdida límite costes costos demora registro registros interrupciones \
    souci problème urgence pression question idée blague perte limite coût délai inscription coupure interruption";

/// Deployments of products with functions of their own, of which no file may speak.
const PRODUCTS: &[&str] = &["wordpress", "django", "k3s", "elk", "monitoring-stack"];

/// The most words of a thing that is ruled out, without a deployment and with one.
const WORDS: usize = 3;
const ONE: usize = 1;

/// Finds the clauses that only rule something out, and marks them as explained.
pub(super) fn denied(words: &Words, context: &Context, open: &mut Open) -> Vec<String> {
    let product = context.blueprint.is_some_and(|own| PRODUCTS.contains(&own.id));
    if product || context.answers {
        return Vec::new();
    }
    let mut things = Vec::new();
    for clause in words.clauses() {
        let Some(start) = only_denies(words, &clause) else { continue };
        // “Neither Docker nor Snap”: another rule may know one of them.
        let known = |thing: &Range<usize>| thing.clone().all(|at| open.is_ruled_out(at));
        let mut said = things_of(words, start..clause.end);
        said.retain(|thing| !known(thing));
        let unknown = |thing: &Range<usize>| {
            let known = |at: usize| {
                let value = words.values().nth(at).unwrap_or_default();
                let mut parts = value.split('-').chain([words.said(at).0]);
                context.blueprint.is_some_and(|own| {
                    parts.any(|part| catalogue::speaks_of(own.id, part.trim_end_matches('s')))
                })
            };
            // Without a deployment, “no root login” stays a wish.
            let text =
                words.values().skip(thing.start).take(thing.len()).collect::<Vec<_>>().join(" ");
            let wish = context.blueprint.is_none() && is_a_feature(&Words::of(&text));
            !wish
                && thing.len() <= if context.blueprint.is_some() { ONE } else { WORDS }
                && thing.clone().all(|at| is_noun(words, at) && !known(at))
        };
        let left = |thing: &Range<usize>| thing.clone().all(|at| open.is_open(at));
        if said.is_empty() || !said.iter().all(|thing| unknown(thing) && left(thing)) {
            continue;
        }
        things.extend(said.into_iter().map(|thing| words.said_in(thing)));
        open.rule_out_range(&(start..clause.end));
    }
    things
}

/// Whether a feature or a part of a deployment is named.
fn is_a_feature(thing: &Words) -> bool {
    let parts = Foreign::all().filter(|foreign| foreign.kind == Kind::Part);
    parts.flat_map(|foreign| foreign.cues.iter()).any(|cue| thing.has(cue))
        || covers::features().any(|feature| feature.cues().any(|cue| thing.has(cue)))
}

/// Where a clause begins to rule something out, if it says nothing else.
fn only_denies(words: &Words, clause: &Range<usize>) -> Option<usize> {
    let value = |at: usize| words.values().nth(at).unwrap_or_default();
    let start = clause.clone().find(|at| is_negation(value(*at)))?;
    let full = |at: usize| words.language(at).weight(value(at)) == Weight::Full;
    let de = words.said(start + 1).0.starts_with("d'") || value(start + 1) == "de";
    let noun = NO.contains(&value(start)) && (value(start) != "pas" || de);
    (noun && !(clause.start..start).any(full)).then_some(start)
}

/// The things between the words of a clause that say nothing of them.
fn things_of(words: &Words, clause: Range<usize>) -> Vec<Range<usize>> {
    let values: Vec<&str> = words.values().collect();
    let between = |at: &usize| {
        NO.contains(&values[*at]) || AROUND.split_ascii_whitespace().any(|word| word == values[*at])
    };
    let mut things: Vec<Range<usize>> = Vec::new();
    let first = |at: &usize| NO.contains(&values[at.saturating_sub(1)]);
    let within = |at: &usize| WITHIN.contains(&values[*at]) && first(at);
    for at in clause.filter(|at| !between(at) && !within(at)) {
        match things.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => things.push(at..at + 1),
        }
    }
    things
}

/// Whether a word may be the name of a thing.
fn is_noun(words: &Words, at: usize) -> bool {
    let value = words.values().nth(at).unwrap_or_default();
    let idle = IDLE.split_ascii_whitespace().any(|idle| idle == value);
    let weight = words.language(at).weight(value);
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    !idle
        && weight == Weight::Full
        && letters > 2
        && !value.contains(|c: char| c.is_ascii_digit() || ".@/".contains(c))
}
