//! Places in a message, and the thing to which each belongs.
//!
//! “A VPS in Helsinki with a replica in Ashburn, our customers are in Singapore” names three places, and only the first
//! says where to build. The deployment ignores the places of other things, and the list of wishes reports them.

mod anywhere;
mod hetzner;
mod others;
mod refused;

use std::collections::BTreeSet;
use std::ops::Range;

pub use anywhere::named_anywhere;
pub use hetzner::HETZNER;
pub use refused::{contains, instead_of, kept_within};

use others::is_of_another;

use super::{Place, regions};
use crate::words::Words;
use crate::words::numbers;

/// Names of one place: what people say, and the provider's code.
pub type Places = &'static [(&'static str, &'static str)];

const PREPOSITIONS: &[&str] = &["in", "at", "near", "from", "the", "on", "auf", "en", "à", "im"];

const ARTICLES: &[&str] = &["the", "den", "der", "los", "las", "el", "la", "les", "l'"];

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
            ("it must live in Germany", Some("nbg1")),
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
