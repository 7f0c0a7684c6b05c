//! Components that a later message exchanges for others, and things that it puts on what is planned: “with MySQL instead of
//! PostgreSQL” after “Django”, “with PostgreSQL on it” after “an EC2 server”.
//!
//! Such a message asks for something within the chosen deployment. The deployment stays, and a row says what is not built.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::Dialogue;
use super::replacing::REPLACING;
use crate::catalogue::foreign::Foreign;
use crate::catalogue::{self, Blueprint, additions};
use crate::reading::wishes::{Asked, Fate};
use crate::words::Words;

/// Phrases between what is wanted and what it takes the place of.
const PAIRS: &[&str] = &["instead of", "rather than"];

/// Names of a deployment that are only those of one of its components.
const COMPONENTS: &[(&str, &[&str])] = &[
    ("elk", &["elasticsearch", "logstash", "kibana"]),
    ("monitoring-stack", &["prometheus", "grafana", "alertmanager"]),
    ("django", &["celery"]),
    ("haproxy", &["haproxy"]),
    ("static-site", &["cloudfront", "cloud front", "cdn"]),
];

/// Databases, of which each deployment has one kind at most.
const DATABASES: &[&str] = &["mysql", "mariadb", "postgresql", "postgres"];

/// Other names of a deployment that is more than those components.
const WHOLES: &[(&str, &[&str])] =
    &[("static-site", &["static site", "static website", "s3", "bucket", "website"])];

/// How many words after “instead of” the name of what is given up may begin: “instead of the usual PostgreSQL”.
const REACH: usize = 3;

/// Words for the deployment that is planned, after one of [`TOWARD`]: “in front of it”, “as its database”.
const PRONOUNS: &[&str] = &["it", "its", "él", "ella", "ello", "lui", "sa", "su", "seine"];
const TOWARD: &[&str] = &[
    "on",
    "in",
    "for",
    "before",
    "behind",
    "of",
    "as",
    "at",
    "auf",
    "als",
    "en",
    "sobre",
    "como",
    "para",
    "sur",
    "comme",
    "pour",
    "devant",
    "derrière",
];

/// Words that place something on, at or before what is planned.
const THERE: &[&str] = &[
    "there",
    "darauf",
    "drauf",
    "darin",
    "davor",
    "dahinter",
    "dafür",
    "dort",
    "encima",
    "delante",
    "detrás",
    "dentro",
    "allí",
    "dessus",
    "dedans",
    "devant",
    "derrière",
    "là-dessus",
];

/// Words by which a message says what a server is to run.
const RUNNING: &[&str] = &[
    "install",
    "installed",
    "run",
    "runs",
    "running",
    "host",
    "hosts",
    "installiere",
    "laufen",
    "läuft",
    "instala",
    "instalar",
    "ejecute",
    "correr",
    "installe",
    "installer",
    "tourner",
    "tourne",
];

/// A product that a message wants in place of another one, as positions of values.
struct Exchange {
    wanted: &'static str,
    given_up: &'static str,
    /// The words for both.
    said: Range<usize>,
    /// The words for what is wanted, if the message only refuses the other product.
    instead: Option<Range<usize>>,
}

impl Dialogue {
    /// Whether a later message asks for the other deployment only as a part of the current one.
    pub(super) fn stays_within(
        &self,
        current: &Blueprint,
        words: &Words,
        other: &Blueprint,
    ) -> bool {
        // A plain server becomes the server with what the message names, at the same place.
        let grows = catalogue::is_a_bare_server(current) && current.place == other.place;
        !grows
            && (exchanges_a_component(current, words, &self.said)
                || is_put_on(current, words, other))
    }

    /// Adds a row for each component that the message wants exchanged. Returns the positions of the values that say so.
    pub(super) fn keep_components(&mut self, words: &Words) -> BTreeSet<usize> {
        let current = self.blueprint.filter(|_| !self.latest.chosen && !self.latest.question);
        let Some(current) = current.filter(|now| !catalogue::is_a_bare_server(now)) else {
            return BTreeSet::new();
        };
        // “Telegram instead of mail”: other things have rows of their own, and “PostgreSQL instead of MySQL” may be built.
        let whole = |cue: &str| {
            let named = |blueprint: &&'static Blueprint| blueprint.own_cues().any(|own| own == cue);
            catalogue::ALL.iter().any(named) && !current.cues().any(|own| own == cue)
        };
        let mut own = exchanges(words);
        own.extend(refusals(current, words));
        let own = own.into_iter().filter(|one| whole(one.wanted));
        let own: Vec<Exchange> =
            own.filter(|one| is_a_component(current, one.given_up, &self.said)).collect();
        let row = |one: &Exchange| match &one.instead {
            Some(wanted) => Asked {
                what: words.said_in(wanted.clone()),
                fate: Fate::Differently(format!("with {}", one.given_up)),
            },
            None => Asked { what: words.said_in(one.said.clone()), fate: Fate::Not },
        };
        self.lack(own.iter().map(row).collect());
        self.latest.exchanged = own.iter().any(|one| one.instead.is_some());
        // “The database should be MySQL, not MariaDB”
        let database = |at: &usize| words.is_in(*at, "database db") && self.latest.exchanged;
        let sentences = own.iter().flat_map(|one| words.sentence(one.said.start));
        let noun: Vec<usize> = sentences.filter(database).collect();
        own.into_iter().flat_map(|one| one.said).chain(noun).collect()
    }
}

/// Whether all that the message exchanges are components of the deployment.
fn exchanges_a_component(current: &Blueprint, words: &Words, earlier: &[Arc<Words>]) -> bool {
    let all = exchanges(words);
    let all = if all.is_empty() { refusals(current, words) } else { all };
    !all.is_empty() && all.iter().all(|one| is_a_component(current, one.given_up, earlier))
}

/// The exchanges of a component that a message refuses beside what it wants: “the database should be MySQL, not
/// MariaDB”, “no HAProxy, we prefer nginx”.
fn refusals(current: &Blueprint, words: &Words) -> Vec<Exchange> {
    let products = products(words);
    let meant = |at: &Range<usize>| at.clone().all(|at| words.means_value(at));
    let (wanted, refused): (Vec<_>, Vec<_>) = products.into_iter().partition(|(_, at)| meant(at));
    let listed = COMPONENTS.iter().find(|(id, _)| *id == current.id);
    let exchange = |(given_up, place): (&'static str, Range<usize>)| {
        let database = DATABASES.contains(&given_up) && current.cues().any(|cue| cue == given_up);
        let component = listed.is_some_and(|(_, components)| components.contains(&given_up));
        let sentence = words.sentence(place.start);
        let same = |one: &&(&'static str, Range<usize>)| {
            sentence.contains(&one.1.start)
                && (!database || DATABASES.contains(&one.0))
                && !current.cues().any(|own| own == one.0)
        };
        let &(wanted, ref at) = wanted.iter().find(same).filter(|_| database || component)?;
        let said = at.start.min(place.start)..at.end.max(place.end);
        Some(Exchange { wanted, given_up, said, instead: Some(at.clone()) })
    };
    refused.into_iter().filter_map(exchange).collect()
}

/// Whether a product is only a part of the deployment. A name of the deployment is one if earlier messages gave another.
fn is_a_component(current: &Blueprint, cue: &str, earlier: &[Arc<Words>]) -> bool {
    if !current.own_cues().any(|own| own == cue) {
        return true;
    }
    let listed = COMPONENTS.iter().find(|(id, _)| *id == current.id);
    let listed = listed.is_some_and(|(_, components)| components.contains(&cue));
    let whole = WHOLES.iter().find(|(id, _)| *id == current.id);
    let whole = whole.into_iter().flat_map(|(_, names)| names.iter().copied());
    let mut others = current.own_cues().chain(whole).filter(|other| *other != cue);
    listed && others.any(|other| earlier.iter().any(|said| said.means(other)))
}

/// Whether the message puts the other deployment on the current one, or beside it.
fn is_put_on(current: &Blueprint, words: &Words, other: &Blueprint) -> bool {
    let values: Vec<&str> = words.values().collect();
    let replaces = words.means_any(REPLACING) || words.has("instead") || words.changes_the_mind();
    let places = other.own_cues().flat_map(|cue| words.meant_at(cue));
    let mut clauses = places.map(|place| words.clause_of(&place));
    let near = |clause: Range<usize>| {
        let clause = &values[clause];
        let refers = |pair: &[&str]| TOWARD.contains(&pair[0]) && PRONOUNS.contains(&pair[1]);
        let runs = || clause.iter().any(|word| RUNNING.contains(word));
        clause.iter().any(|word| THERE.contains(word))
            || clause.windows(2).any(refers)
            || catalogue::is_a_bare_server(current) && runs()
    };
    !replaces && (values.first() == Some(&"with") || clauses.any(near))
}

/// The exchanges in a message: “MySQL instead of PostgreSQL”, “instead of PostgreSQL rather MySQL”.
fn exchanges(words: &Words) -> Vec<Exchange> {
    let products = products(words);
    let pairs = PAIRS.iter().flat_map(|pair| words.places(pair));
    let pairs = pairs.map(|place| words.values_of(&place));
    let exchange = |pair: Range<usize>| {
        let reach = pair.end..words.clause(pair.start).end.min(pair.end + REACH);
        let mut after = products.iter().filter(|(_, at)| at.start >= pair.end);
        let (given_up, place) = after.find(|(_, at)| reach.contains(&at.start))?;
        let sentence = words.sentence(pair.start);
        let same = |at: &Range<usize>| sentence.contains(&at.start);
        let before = products.iter().rfind(|(_, at)| at.end <= pair.start && same(at));
        let wanted = before.or_else(|| after.find(|(_, at)| same(at)));
        let (wanted, at) = wanted?;
        let said = at.start.min(pair.start)..at.end.max(place.end);
        Some(Exchange { wanted, given_up, said, instead: None })
    };
    pairs.filter_map(exchange).collect()
}

/// The products that a message names, in their order, as positions of values.
fn products(words: &Words) -> Vec<(&'static str, Range<usize>)> {
    let deployments = catalogue::own_cues();
    let added = additions::all().flat_map(|addition| addition.cues.iter().copied());
    let foreign = Foreign::all().flat_map(|foreign| foreign.cues.iter().copied());
    let all = deployments.chain(added).chain(foreign);
    let mut all: Vec<(&str, Range<usize>)> = all
        .flat_map(|cue| words.places(cue).into_iter().map(move |place| (cue, place)))
        .map(|(cue, place)| (cue, words.values_of(&place)))
        .collect();
    all.sort_by_key(|(_, at)| (at.start, std::cmp::Reverse(at.end)));
    all.dedup_by(|next, before| next.1.start < before.1.end);
    all
}
