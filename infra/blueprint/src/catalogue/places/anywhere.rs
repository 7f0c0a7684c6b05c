//! The places of all providers.

use std::collections::BTreeSet;
use std::ops::Range;

use super::HETZNER;
use crate::catalogue::regions;
use crate::words::Words;

/// Positions of the values that name a place of any provider, wanted or not.
pub fn named_anywhere(words: &Words) -> Vec<Range<usize>> {
    let places = HETZNER.iter().chain(regions::PLACES);
    let names: BTreeSet<&str> = places.flat_map(|(name, code)| [*name, *code]).collect();
    let mut found: Vec<Range<usize>> = names
        .into_iter()
        .flat_map(|name| words.places(&name.replace('-', " ")))
        .map(|place| words.values_of(&place))
        .collect();
    found.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
    found.dedup_by(|next, before| next.start < before.end);
    found
}
