//! The names that the catalogue knows: deployments, what can be added to them, and things that no deployment builds.

use std::ops::Range;

use crate::catalogue::foreign::Foreign;
use crate::catalogue::{ALL, additions};
use crate::words::Words;

/// A name in a message.
#[derive(Debug, Clone)]
pub struct Name {
    /// Positions of its values.
    pub values: Range<usize>,
    /// All names of the same thing.
    pub cues: Vec<&'static str>,
}

/// The names in a message, wanted or not; none that is a part of a longer one.
pub fn names(words: &Words) -> Vec<Name> {
    let foreign = Foreign::all().map(|foreign| foreign.cues.clone());
    let own = ALL.iter().map(|blueprint| blueprint.own_cues().collect());
    let added = additions::all().map(|addition| addition.cues.to_vec());
    let places = |cues: Vec<&'static str>| {
        let places: Vec<_> = cues.iter().flat_map(|cue| words.places(cue)).collect();
        places.into_iter().map(move |place| (place, cues.clone()))
    };
    let all: Vec<_> = foreign.chain(own).chain(added).flat_map(places).collect();
    let longer = |place: &Range<usize>| {
        all.iter().any(|(other, _)| {
            other.start <= place.start && place.end <= other.end && other.len() > place.len()
        })
    };
    let mut names: Vec<Name> = Vec::new();
    for (place, cues) in all.iter().filter(|(place, _)| !longer(place)) {
        let values = words.values_of(place);
        match names.iter_mut().find(|name| name.values == values) {
            Some(name) => name.cues.extend(cues),
            None => names.push(Name { values, cues: cues.clone() }),
        }
    }
    names
}
