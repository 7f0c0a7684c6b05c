//! Whether a later message replaces the deployment, adds to it, or only mentions another one, and what then still counts of
//! the earlier messages.

use super::Dialogue;
use super::phrases::ADDING;
use crate::catalogue::{self, Blueprint, DATABASES, OWNING, OWNING_REACH};
use crate::reading::wishes::{self, Asked, Fate};
use crate::words::Words;

/// Words by which a later message replaces the deployment.
pub(super) const REPLACING: &[&str] = &[
    "instead",
    "rather",
    "prefer",
    "better",
    "replace",
    "switch",
    "change to",
    "no",
    "nope",
    "not",
    "actually",
    "make that",
    "make it",
    "doch",
    "stattdessen",
    "finalmente",
    "finalement",
    "plutôt",
    "forget",
    "skip",
    "drop",
    "then",
];

/// Words by which a later message replaces the deployment by one of its parts: “just PostgreSQL”.
const REPLACING_A_PART: &[&str] = &[
    "rather",
    "prefer",
    "replace",
    "switch",
    "change to",
    "forget",
    "only",
    "just",
    "alone",
    "stattdessen",
    "plutôt",
];

/// Those of them by which a part of what is planned may be exchanged.
const SWITCHING: &[&str] = &["switch", "change to"];

/// Words by which a server with nothing on it is the size of one that is planned: “a simple server is enough”.
const ENOUGH: &[&str] = &["enough", "suffices", "reicht", "genügt", "basta", "suffit"];

/// Words by which a user is content with a part of what is planned: “shared Postgres is fine”.
const ACCEPTING: &[&str] =
    &["fine", "ok", "okay", "vale", "passt", "in ordnung", "está bien", "convient", "me va"];

/// Whether the latest message gives up the former deployment, or names one that does the same.
fn takes_its_place(former: &Blueprint, now: &Blueprint, latest: &Words) -> bool {
    catalogue::are_alternatives(former, now)
        || latest.means_any(REPLACING)
        || latest.has("instead")
        || latest.changes_the_mind()
        || former.own_cues().any(|cue| latest.excludes(cue))
        || former.is_part_of(now)
}

impl Dialogue {
    /// Reads the earlier messages again after a deployment was chosen or replaced, because their requests still count.
    pub(super) fn reread_earlier(&mut self, changed_their_mind: bool, latest: &Words) {
        let mut replaced = if changed_their_mind { self.replaced.clone() } else { Vec::new() };
        // What the user has not given up keeps a row.
        if let Some(now) = self.blueprint {
            let considered = |former: &Blueprint| self.was_only_considered(former);
            replaced.retain(|former| considered(former) || takes_its_place(former, now, latest));
        }
        // Who names the new provider does not ask for the former one anymore.
        let place = self.blueprint.map(|blueprint| blueprint.place).filter(|_| changed_their_mind);
        let moved = place.filter(|place| place.provider().iter().any(|name| latest.means(name)));
        let moved = moved.map(|place| Fate::Differently(place.words().into()));
        let later = self.asked.extract_if(.., |asked| asked.fate == Fate::Later).collect();
        self.asked = [later, self.limits(), self.second_best.clone(), self.stated.clone()].concat();
        self.covered.clear();
        self.left_out.clear();
        for words in std::mem::take(&mut self.said) {
            self.reread_values(&words, changed_their_mind);
            let account = wishes::account(&words, &self.context(replaced.clone(), true));
            self.otherwise.extend(account.otherwise);
            self.cover(account.covered);
            self.leave_out(account.left_out, &words);
            let new = account.asked.into_iter().filter(|asked| !self.asked.contains(asked));
            // The user no longer asks for these deployments, so their names do not count as wishes.
            let given_up =
                |what: &str| replaced.iter().any(|b| b.own_cues().any(|cue| cue == what));
            let new = new.filter(|asked| !given_up(&asked.what));
            let new = new.filter(|asked| Some(&asked.fate) != moved.as_ref());
            let new: Vec<Asked> = new.collect();
            self.asked.extend(new);
            self.said.push(words);
        }
        self.latest.asked.clone_from(&self.asked);
        self.unagreed = !self.asked.is_empty();
    }
}

/// Whether the message takes a server with nothing on it in place of the deployment.
pub(super) fn takes_a_plain_server(current: &Blueprint, words: &Words, named: bool) -> bool {
    let only_a_server = catalogue::asks_for_only_a_server(words);
    if !named {
        return only_a_server;
    }
    let replaces = words.changes_the_mind() || words.means_any(REPLACING);
    only_a_server && replaces && !words.means_any(ENOUGH) && current.clear_score(words) == 0
}

/// Whether the message rules out what names the deployment, and nothing else that names it.
pub(super) fn is_given_up(current: &Blueprint, words: &Words) -> bool {
    current.own_cues().any(|cue| words.excludes(cue)) && current.clear_score(words) == 0
}

/// Whether the message does not name the other deployment more clearly than the current one. A message that names both
/// keeps the current one, unless that is a part of the other: “no, rather WordPress behind nginx”.
pub(super) fn is_clearer(current: &Blueprint, words: &Words, other: &Blueprint) -> bool {
    let (now, new) = (current.clear_score(words), other.clear_score(words));
    let part = current.is_part_of(other);
    // “Kubernetes is too much, no k3s. A server with PostgreSQL”
    if new > 0 && current.is_refused_by_name(words) {
        return false;
    }
    new == 0 || (now > 0 && !part) || new < now
}

/// Whether the message names the other deployment only as a part of the current one: “PostgreSQL 17 then” to Django.
pub(super) fn is_a_part_of(current: &Blueprint, words: &Words, other: &Blueprint) -> bool {
    let named = || other.own_cues().filter(|cue| words.means(cue));
    // “We switch to PostgreSQL” after a Django application on MySQL is about its database.
    let stored = DATABASES.contains(&other.id);
    let replacing = REPLACING_A_PART.iter().filter(|word| !stored || !SWITCHING.contains(word));
    let replaced = replacing.copied().any(|word| words.means(word))
        || words.has("instead")
        || words.changes_the_mind();
    !replaced && named().all(|named| current.cues().any(|cue| cue == named))
}

/// Whether the message asks for the other deployment on what is planned: “Grafana on the cluster instead”.
fn is_on_the_current(words: &Words, other: &Blueprint) -> bool {
    const ON: &[&str] = &[
        "on",
        "in",
        "inside",
        "auf",
        "im",
        "sur",
        "dans",
        "en",
        "outside",
        "außerhalb",
        "ausserhalb",
        "fuera",
        "hors",
    ];
    const PLANNED: &[&str] = &["cluster", "same", "separate", "another", "aparte", "séparée"];
    const REACH: usize = 3;
    let values: Vec<&str> = words.values().collect();
    let placed = |at: usize| {
        let clause = &values[at..words.clause(at).end];
        let on = clause.iter().position(|word| ON.contains(word));
        on.is_some_and(|on| clause[on + 1..].iter().take(REACH).any(|word| PLANNED.contains(word)))
    };
    let places = other.own_cues().flat_map(|cue| words.meant_at(cue));
    places.map(|place| words.origin(place.start)).any(placed)
}

/// Whether the message names the other deployment only as what it would take under a condition, or as what something else is
/// better than: “monitoring only if it comes anyway, rather Checkmk than Prometheus”.
pub(super) fn is_only_spoken_of(words: &Words, other: &Blueprint) -> bool {
    const IF: &[&str] = &["if", "falls", "wenn", "sofern", "si"];
    const ANYWAY: &[&str] = &[
        "anyway", "anyways", "included", "already", "eh", "ohnehin", "sowieso", "dabei",
        "incluido", "incluida", "compris", "inclus", "incluse",
    ];
    const THAN: &[&str] = &["als", "than", "que"];
    const BETTER: &[&str] =
        &["rather", "prefer", "better", "lieber", "besser", "mejor", "plutôt", "mieux"];
    let values: Vec<&str> = words.values().collect();
    let spoken = |at: usize| {
        let clause = words.clause(at);
        let said = words.said_in(clause.clone());
        let has = |list: &[&str]| {
            values[clause.clone()].iter().any(|word| list.contains(word))
                || said.split(' ').any(|word| list.contains(&word))
        };
        let before = at.checked_sub(1).filter(|before| clause.contains(before));
        let than = before.is_some_and(|before| {
            THAN.contains(&values[before]) || THAN.contains(&words.said(before).0)
        });
        has(IF) && has(ANYWAY) || than && has(BETTER)
    };
    let places: Vec<usize> = other
        .own_cues()
        .flat_map(|cue| words.meant_at(cue))
        .map(|place| words.origin(place.start))
        .collect();
    !places.is_empty() && places.into_iter().all(spoken)
}

/// Whether the message names the other deployment for a point of a list: “for 3.4: Prometheus instead”.
fn is_for_a_point(words: &Words, other: &Blueprint) -> bool {
    let values: Vec<&str> = words.values().collect();
    let numbered = |at: usize| {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        values[at].contains('.') && values[at].split('.').all(digits)
    };
    let places = other.own_cues().flat_map(|cue| words.meant_at(cue));
    let mut places = places.map(|place| words.sentence(words.origin(place.start)));
    places.any(|sentence| sentence.take(2).any(numbered))
}

/// Whether the message asks for the other deployment in addition to the current one, or only mentions it. A remark such as
/// “shared Postgres is fine” is about a part of the current one only if the user named that.
pub(super) fn adds_to_the_current(words: &Words, other: &Blueprint, named: bool) -> bool {
    if is_on_the_current(words, other) || is_for_a_point(words, other) {
        return true;
    }
    let values: Vec<&str> = words.values().collect();
    let names = |at: &usize| other.own_cues().any(|cue| Words::of(values[*at]).has(cue));
    let cues: Vec<usize> = (0..values.len()).filter(names).collect();
    let cue = cues.first().copied();
    // “Can you also add Elasticsearch? If not, don't bother”: only its own sentences say what it is to the current one.
    let said = |at: &usize| Words::of(&values[words.sentence(*at)].join(" "));
    let adds = |said: Words| {
        let accepts = named && ACCEPTING.iter().any(|word| said.has(word));
        (said.means_any(ADDING) || accepts) && !said.means_any(REPLACING)
    };
    if !cues.is_empty() && cues.iter().map(said).all(adds) {
        return true;
    }
    if words.means_any(REPLACING) || words.has("instead") || words.changes_the_mind() {
        return false;
    }
    let owned = cue.is_some_and(|at| {
        let before = &values[at.saturating_sub(OWNING_REACH)..at];
        before.iter().any(|word| OWNING.contains(word))
    });
    words.means_any(ADDING) || owned || begins_with_and(words)
}

/// Whether a message goes on from the one before it: “and `https://b.example.org`”.
pub(super) fn begins_with_and(words: &Words) -> bool {
    words.values().next().is_some_and(|word| ["and", "y", "et"].contains(&word))
}
