//! Machines that a message tells of, and servers that are only the place of something else.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::catalogue::foreign::Foreign;
use crate::catalogue::{ALL, Blueprint, DATABASES};
use crate::words::{Words, lists};

/// The server at AWS.
const EC2: &str = "ec2-ssh";

/// The sentences that tell of a machine that the user has: “it's a VPS at Contabo, IP 203.0.113.77”.
pub fn told_machines(words: &Words) -> BTreeSet<usize> {
    const BEING: &[&[&str]] = &[
        &["it's"],
        &["its"],
        &["it", "is"],
        &["es"],
        &["es", "ist"],
        &["das", "ist"],
        &["is"],
        &["ist"],
        &["c'est"],
        &["there", "is"],
    ];
    const ONE: &str = "a an one ein eine un una une";
    const MACHINES: &str =
        "server vps vm box machine host servidor serveur máquina maschine rechner instance";
    const REACH: usize = 4;
    let values: Vec<&str> = words.values().collect();
    let tells = |clause: &Range<usize>| {
        let clause = &values[clause.clone()];
        BEING.iter().any(|phrase| {
            let rest = clause.strip_prefix(*phrase).filter(|rest| !rest.is_empty());
            rest.is_some_and(|rest| {
                lists(ONE, rest[0]) && rest.iter().take(REACH).any(|word| lists(MACHINES, word))
            })
        })
    };
    let clauses = words.clauses().into_iter().filter(tells);
    clauses.flat_map(|clause| words.sentence(clause.start)).collect()
}

/// Whether the message names the server at AWS only as the place of something else: “PostgreSQL on a separate EC2”.
pub fn is_only_where(blueprint: &Blueprint, words: &Words) -> bool {
    const ON: &str = "on in at auf in sur dans en an onto";
    const BETWEEN: &str = "a an the one separate own another second ein eine einer einem eigenen eigener un una une otra otro autre \
        propre separated";
    let values: Vec<&str> = words.values().collect();
    let placed = |place: &Range<usize>| {
        let at = words.origin(place.start);
        let start = words.clause(at).start;
        let on = (start..at).rev().find(|at| !lists(BETWEEN, values[*at]));
        on.is_some_and(|on| lists(ON, values[on]) && names_something(words, start..on))
    };
    let places = words.meant_at("ec2");
    blueprint.id == EC2 && !places.is_empty() && places.iter().all(placed)
}

/// Whether a part of the message names software.
fn names_something(words: &Words, part: Range<usize>) -> bool {
    let inside = |cue: &str| {
        words.meant_at(cue).iter().any(|place| part.contains(&words.origin(place.start)))
    };
    let own = ALL.iter().flat_map(|blueprint| blueprint.own_cues()).any(inside);
    own || Foreign::all().flat_map(|foreign| foreign.cues.iter()).any(|cue| inside(cue))
}

/// Whether one of both does what the other does, so that a message that names it means it instead: another database, or a
/// website in place of a server.
pub fn are_alternatives(one: &Blueprint, other: &Blueprint) -> bool {
    const WEBSITES: &[&str] = &["nginx-site", "static-site", "wordpress", super::TOY];
    let both = |list: &[&str]| list.contains(&one.id) && list.contains(&other.id);
    let plain = |blueprint: &Blueprint| super::PLAIN_SERVERS.contains(&blueprint.id);
    both(&DATABASES) || both(WEBSITES) || plain(one) || plain(other)
}
