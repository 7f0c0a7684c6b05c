//! A database of which the message names no product, or two as alternatives: “I need a database”, “MySQL or PostgreSQL”.

use crate::catalogue::Blueprint;
use crate::words::language::Weight;
use crate::words::{Words, lists};

/// What is built for a database of no named product.
const USUAL: &str = "vps-postgresql";

/// Words around “database” that say nothing of its kind.
const AROUND: &str = "a an one any some single sql relational managed own new small simple hosted need want ein eine einen einer \
    relationale una un une relacional relationnelle";

/// Words before a database with which the message speaks of one that is there.
const THERE: &str = "the our my its their your die der den das unsere unserer meine meiner deren el la los las mi nuestra su le \
    ma notre nos sa in into from of to behind beside with and or";

/// The deployment for a database of no named product. Its title tells the user which one that is.
pub(super) fn asked_for(words: &Words) -> Option<&'static Blueprint> {
    let values: Vec<&str> = words.values().collect();
    let asks = |at: usize| {
        let start = words.clause(at).start;
        let mut before = (start..at).rev().filter(|at| words.weighs(*at) != Weight::Light);
        let first = before.next().map(|at| values[at]);
        let there = (start..at).any(|at| lists(THERE, values[at]));
        !there && first.is_none_or(|word| lists(AROUND, word))
    };
    let places = ["database", "db"].into_iter().flat_map(|noun| {
        let asked = |place: &_| super::is_asked_at(noun, place, words);
        words.meant_at(noun).into_iter().filter(asked).collect::<Vec<_>>()
    });
    let mut places = places.map(|place| words.origin(place.start));
    let found = places.any(|at| asks(at) && !words.only_asks(at));
    Blueprint::by_id(USUAL).filter(|_| found)
}

/// Whether the message names this database as one of two of which either will do: “MySQL or PostgreSQL”.
pub fn is_an_alternative(cue: &str, words: &Words) -> bool {
    const OR: &str = "or oder o ou";
    const NAMES: &[&str] = &["mysql", "postgresql", "postgres"];
    let values: Vec<&str> = words.values().collect();
    let either = |three: &[&str]| {
        NAMES.contains(&three[0]) && lists(OR, three[1]) && NAMES.contains(&three[2])
    };
    let mut pairs = values.windows(3).filter(|three| either(three));
    pairs.any(|three| [three[0], three[2]].contains(&cue))
}
