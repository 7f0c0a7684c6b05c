//! Places in a message, and the thing to which each belongs.
//!
//! “A VPS in Helsinki with a replica in Ashburn, our customers are in Singapore” names three places, and only the first
//! says where to build. The deployment ignores the places of other things, and the list of wishes reports them.

mod anywhere;
mod hetzner;
mod refused;

use std::collections::BTreeSet;
use std::ops::Range;

pub use anywhere::named_anywhere;
pub use hetzner::HETZNER;
pub use refused::{contains, instead_of};

use super::{Place, regions};
use crate::words::Words;
use crate::words::numbers;

/// Names of one place: what people say, and the provider's code.
pub type Places = &'static [(&'static str, &'static str)];

/// Things that may have a different place, as users name them in all languages.
const OTHERS: &str = "failover takeover outage disaster switchover replica replicas standby secondary backup backups copy copies snapshot snapshots dump dumps archive \
                      visitor visitors customer customers client clients user users reader readers audience member \
                      members employee employees staff colleague colleagues team office company branch friends family \
                      currently today now existing old former previous moved rds block \
                      blocked ban banned deny geo price class traffic latency latencia latence latenz timezone law visits visible viewable seen see sees shown show shows \
                      sichtbar abrufbar sehen gesehen vea vean verse visto vista vu vue vus visible visibles \
                      sell sells selling sold ship ships shipping deliver delivers delivery vende vendemos vender envíos vendons vendre livrons \
                      besucher kunden kundschaft nutzer mitarbeiter firma verein heute bisher derzeit aktuell momentan \
                      verkaufen verkauft liefern liefert liegt liegen leser publikum sperren sperre \
                      visitantes clientes empleados equipo hoy actualmente ahora está están usuarios lectores bloquear \
                      visiteurs équipe aujourd'hui actuel actuelle actuellement lecteurs bloquer situé";

/// Words before “in” that say where people are: “we are in Singapore”.
const BEING: &[&str] =
    &["are", "we're", "i'm", "am", "sit", "live", "based", "sitzen", "somos", "estamos", "sommes"];

const PREPOSITIONS: &[&str] = &["in", "at", "near", "from", "the", "on", "auf", "en", "à", "im"];

const ARTICLES: &[&str] = &["the", "den", "der", "los", "las", "el", "la", "les", "l'"];

/// Words before the country for whose people something is: “only for France”.
const FOR: &[&str] = &["for", "für", "para", "pour"];

/// Verbs after a place from which no one may connect.
const BLOCKING: &[&str] =
    &["sperren", "gesperrt", "aussperren", "block", "blocked", "banned", "blocken", "bloquear"];

/// Words that count one of several things before its place.
const ONE_OF_THEM: &[&str] = &[
    "second",
    "third",
    "segunda",
    "segundo",
    "tercera",
    "zweite",
    "zweites",
    "deuxième",
    "one",
    "of",
    "them",
    "which",
    "another",
    "other",
    "eins",
    "eine",
    "einer",
    "davon",
    "una",
    "uno",
    "un",
    "une",
    "de",
    "ellas",
    "ellos",
    "d'elles",
    "d'eux",
    "dont",
    "l'une",
    "l'un",
    "and",
    "the",
];

/// Maximum distance, in words, between “all three” and its place.
const ALL_REACH: usize = 4;

/// Countries and continents. If the message also names a town, the town counts.
const WIDE: &[&str] = &[
    "germany",
    "europe",
    "european union",
    "eu",
    "finland",
    "virginia",
    "oregon",
    "us east",
    "us west",
    "the us",
    "usa",
    "united states",
    "asia",
    "canada",
    "california",
    "spain",
    "ireland",
    "switzerland",
    "france",
    "sweden",
    "italy",
    "united kingdom",
    "japan",
    "brazil",
];

/// A place in a message.
pub struct Mention {
    pub name: &'static str,
    pub code: &'static str,
    /// Positions of its values.
    pub values: Range<usize>,
    /// Whether the message rules it out.
    pub refused: bool,
}

/// The places of a provider.
pub fn of(place: Place) -> Places {
    match place {
        Place::Sandbox => &[],
        Place::Aws => regions::PLACES,
        Place::Hetzner => HETZNER,
    }
}

/// The code of the place where the user wants the deployment: the first town, or else the first country. In a country of
/// which the message rules out a part, it is the first other place: “in Europe, but not in Germany”.
pub fn wanted(words: &Words, places: Places) -> Option<String> {
    let own = own(words, places);
    let (refused, mut wanted): (Vec<Mention>, Vec<Mention>) =
        own.into_iter().partition(|mention| mention.refused);
    // “Helsinki is fine? No, Germany, they say”
    let asks = |mention: &Mention| words.ends_in_question(mention.values.start);
    if !wanted.iter().all(asks) {
        wanted.retain(|mention| !asks(mention));
    }
    let rank = |mention: &Mention| (!is_for_all(words, mention), WIDE.contains(&mention.name));
    wanted.sort_by_key(|mention| (rank(mention), mention.values.start));
    let first = wanted.first()?;
    let refuses = |code: &str| refused.iter().any(|mention| contains(mention.name, code));
    let inside = |code: &&str| contains(first.name, code) && !refuses(code);
    let other = || places.iter().map(|(_, code)| *code).find(inside);
    let code = Some(first.code).filter(|code| !refuses(code)).or_else(other);
    Some(code.unwrap_or(first.code).to_string())
}

/// Whether the clause of a place says that all servers are there: “fsn1, nbg1, hel1, no, all three in fsn1”.
fn is_for_all(words: &Words, mention: &Mention) -> bool {
    const ALL: &[&str] = &["all", "both", "alle", "beide", "todos", "todas", "tous", "toutes"];
    let values: Vec<&str> = words.values().collect();
    let first = mention.values.start;
    let before = &values[words.clause(first).start..first];
    let counted = |pair: &[&str]| {
        (ARTICLES.contains(&pair[0]) || ALL.contains(&pair[0])) && numbers::read(pair[1]).is_some()
    };
    let alone = before.last().is_some_and(|word| PREPOSITIONS.contains(word));
    let near = &before[before.len().saturating_sub(ALL_REACH)..];
    alone && (near.windows(2).any(counted) || near.iter().any(|word| ALL.contains(word)))
}

/// The places that a message names for the deployment, or rules out for it.
pub fn own(words: &Words, places: Places) -> Vec<Mention> {
    let mentions = mentions(words, places).into_iter();
    mentions.filter(|mention| !is_of_another(words, mention)).collect()
}

/// Positions of the values that name the place with this code, or a region around it, for the deployment.
pub fn named(words: &Words, places: Places, code: &str) -> Vec<usize> {
    let here = |mention: &Mention| {
        !mention.refused && (mention.code == code || contains(mention.name, code))
    };
    own(words, places).into_iter().filter(here).flat_map(|mention| mention.values).collect()
}

/// Positions of the values that name places of other things.
pub fn elsewhere(words: &Words, places: Places) -> BTreeSet<usize> {
    let mentions = mentions(words, places).into_iter();
    mentions
        .filter(|mention| is_of_another(words, mention))
        .flat_map(|mention| mention.values)
        .collect()
}

fn mentions(words: &Words, places: Places) -> Vec<Mention> {
    let of = |name: &'static str, code: &'static str, phrase: &str| {
        let meant = words.meant_at(phrase);
        let mention = |place: Range<usize>| {
            let refused = !meant.contains(&place);
            Mention { name, code, values: words.values_of(&place), refused }
        };
        words.places(phrase).into_iter().map(mention).collect::<Vec<_>>()
    };
    let all = places.iter().flat_map(|(name, code)| {
        let coded = of(code, code, &code.replace('-', " "));
        of(name, code, name).into_iter().chain(coded)
    });
    // “us east” inside “us-east-1” is not a mention, and “Europe/Berlin” is a time zone.
    let values: Vec<&str> = words.values().collect();
    let whole = |mention: &Mention| {
        let [value] = &values[mention.values.clone()] else { return true };
        let zone = ["europe/", "asia/", "america/"].iter().any(|zone| value.starts_with(zone));
        let plain = value.replace(['-', '_'], " ");
        let both = value.contains('/') && !zone;
        both || plain == mention.name || plain == mention.code.replace('-', " ")
    };
    let mut found: Vec<Mention> = all.filter(whole).collect();
    found.dedup_by_key(|mention| mention.values.clone());
    refused::mark(words, &mut found);
    found
}

/// Whether the sentence adds a copy of the database right before a clause, with only its name in between.
fn follows_an_added_copy(words: &Words, mut start: usize) -> bool {
    const COPIES: &[&str] = &["replica", "replicas", "standby", "secondary"];
    const ADDING: &[&str] = &["add", "adding", "plus", "another", "additionally", "also"];
    /// The most words of a name between both.
    const NAME: usize = 3;
    let values: Vec<&str> = words.values().collect();
    while start > words.sentence(start).start {
        let before = words.clause(start - 1);
        let has = |list: &[&str]| values[before.clone()].iter().any(|word| list.contains(word));
        if has(COPIES) {
            return has(ADDING);
        }
        if before.len() > NAME {
            return false;
        }
        start = before.start;
    }
    false
}

fn is_of_another(words: &Words, mention: &Mention) -> bool {
    let values: Vec<&str> = words.values().collect();
    let first = mention.values.start;
    let clause = words.clause(first);
    if refused::is_of_another(words, mention) {
        return true;
    }
    // “A site only for France”
    let mut before = values[clause.start..first].iter().rev();
    let to = before.find(|word| !ARTICLES.contains(word));
    if WIDE.contains(&mention.name) && to.is_some_and(|word| FOR.contains(word)) {
        return true;
    }
    // “with hel1 the latency is too high”, and a part of the servers: “so only one in hel1”
    let said = &values[clause.start..first];
    let with = said.last().is_some_and(|word| ["with", "con", "mit", "avec"].contains(word));
    let part = said.len() > 2
        && said.last().is_some_and(|word| PREPOSITIONS.contains(word))
        && numbers::read(said[said.len() - 2]).is_some()
        && ["only", "just", "nur", "solo", "sólo", "seulement"].contains(&said[said.len() - 3]);
    if with || part {
        return true;
    }
    // “Add a streaming replica, db-prod-03, in fsn1”
    let bare = |at: usize| mention.values.contains(&at) || PREPOSITIONS.contains(&values[at]);
    if clause.clone().all(bare) && follows_an_added_copy(words, clause.start) {
        return true;
    }
    let mut start = clause.start;
    // “(us-east-1)” belongs to the words before it.
    let alone = |at: usize| mention.values.contains(&at) || PREPOSITIONS.contains(&values[at]);
    if start > words.sentence(first).start
        && clause.clone().all(alone)
        && words.opens_parentheses(first)
    {
        start = words.clause(start - 1).start;
    }
    // “two replicas, one of them in Helsinki”
    let counting = |at: usize| {
        alone(at)
            || numbers::read(values[at]).is_some()
            || ONE_OF_THEM.contains(&values[at])
            || ARTICLES.contains(&values[at])
    };
    if start > words.sentence(first).start && (start..first).all(counting) {
        let previous = words.clause(start - 1).start;
        start = if (start..first).all(alone) { start } else { previous };
    }
    let before = &values[start..first];
    let one_of_them =
        before.iter().any(|word| ["davon", "dont", "d'elles", "d'eux"].contains(word))
            || before.windows(2).any(|pair| {
                ["of", "de"].contains(&pair[0])
                    && ["them", "which", "ellas", "ellos"].contains(&pair[1])
            });
    // “a database named customers” does not mention customers.
    let named = |at: usize| at > 0 && ["named", "called", "name"].contains(&before[at - 1]);
    // “He now says”, “the client wants Helsinki”
    let says = |at: usize| {
        const SAYING: &[&str] = &[
            "says",
            "say",
            "wants",
            "want",
            "prefers",
            "tells",
            "thinks",
            "insists",
            "will",
            "sagt",
            "möchte",
            "dice",
            "quiere",
            "prefiere",
            "veut",
            "préfère",
            "dit",
        ];
        before.get(at + 1).is_some_and(|next| SAYING.contains(next))
    };
    // A “replica set” is one database.
    let set = |at: usize| before[at] == "replica" && before.get(at + 1) == Some(&"set");
    let listed = |at: usize| {
        !set(at) && OTHERS.split_ascii_whitespace().any(|other| other == before[at]) && !says(at)
    };
    let source = before
        .iter()
        .rev()
        .find(|word| !ARTICLES.contains(word))
        .is_some_and(|word| ["from", "desde", "depuis", "aus"].contains(word));
    // “block China”, “China sperren”
    let rest = &values[mention.values.end..clause.end];
    let source = source || rest.iter().any(|word| BLOCKING.contains(word));
    let source = source || refused::is_only_served(words, mention);
    let mut near = before.iter().rev().skip_while(|word| PREPOSITIONS.contains(word));
    // “Our bucket is in Paris”
    let ours = before.iter().any(|word| ["our", "my", "their"].contains(word));
    let being = near
        .next()
        .is_some_and(|word| BEING.contains(word) || (ours && ["is", "está", "est"].contains(word)));
    source || being || one_of_them || (0..before.len()).any(|at| listed(at) && !named(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: Places = &[
        ("nuremberg", "nbg1"),
        ("germany", "nbg1"),
        ("falkenstein", "fsn1"),
        ("virginia", "us-east-1"),
        ("us east", "us-east-1"),
        ("cape town", "af-south-1"),
    ];

    #[test]
    fn a_place_belongs_to_the_words_before_it() {
        for (text, code) in [
            ("a VPS in Falkenstein", Some("fsn1")),
            ("Germany, best in Falkenstein", Some("fsn1")),
            ("in fsn1.", Some("fsn1")),
            ("a database named customers in Falkenstein", Some("fsn1")),
            ("in Cape Town", Some("af-south-1")),
            ("postgres in Nuremberg with a replica in Falkenstein", Some("nbg1")),
            ("a replica in Falkenstein", None),
            ("backups to Nuremberg", None),
            ("today it is in RDS (us-east-1)", None),
            ("visitors from Germany only", None),
            ("reachable only from Germany", None),
            ("we are in Germany", None),
            ("a site only for Germany", None),
            ("a site für Germany", None),
            ("we sell in Germany", None),
            ("a server for us in Germany", Some("nbg1")),
            ("not in Falkenstein", None),
            ("outside of Germany", None),
            ("the first in Nuremberg and the second in Falkenstein", Some("nbg1")),
            ("swap on the Falkenstein one", None),
            ("only Germany in the cdn", None),
            ("the api must not be reached from outside of Germany", None),
            ("Falkenstein instead of Nuremberg", Some("fsn1")),
            ("Germany, but not Nuremberg", Some("fsn1")),
        ] {
            assert_eq!(wanted(&Words::of(text), PLACES).as_deref(), code, "{text}");
        }
        assert_eq!(named(&Words::of("in Cape Town"), PLACES, "af-south-1"), [1, 2]);
        assert_eq!(elsewhere(&Words::of("a replica in Cape Town"), PLACES), [3, 4].into());
    }
}
