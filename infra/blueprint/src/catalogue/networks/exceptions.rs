//! Addresses that a message takes out of a network: “203.0.113.0/27 except 203.0.113.30”.

use std::net::Ipv4Addr;

use super::network;
use crate::words::{Words, is_negation};

/// Words that take an address out of those before it. “al menos” does not.
const EXCEPTING: &[&str] = &["except", "excepting", "excluding", "minus", "menos"];
const AT_LEAST: &[&str] = &["al", "lo", "más"];

/// Words right after an address that is taken out.
const EXCEPTED: &[&str] = &["except", "excepted", "excluded"];

/// Words after which an exception lets an address in: “closed except for 203.0.113.7”.
const SHUT: &[&str] = &["closed", "shut", "block", "blocked", "deny", "denied", "only"];

/// Whether a message takes out the address at this position. The words that speak of it begin at `start`.
pub(super) fn excepts(words: &Words, at: usize, start: usize) -> bool {
    let values: Vec<&str> = words.values().collect();
    let excepting = |place: &usize| {
        let least = place.checked_sub(1).is_some_and(|before| AT_LEAST.contains(&values[before]));
        EXCEPTING.contains(&values[*place]) && !least
    };
    let Some(place) = (start..at).rev().find(excepting) else {
        // “203.0.113.0/27 except 203.0.113.30” takes out the second one.
        let last = !words.ends_clause(at) && words.ends_clause(at + 1);
        let next = values.get(at + 1).filter(|_| last);
        return next.is_some_and(|next| EXCEPTED.contains(next));
    };
    let ssh = values[place..at].iter().any(|word| ["ssh", "22"].contains(word));
    let before = (words.sentence(at).start..place).rev();
    let mut before = before.map(|at| values[at]).take_while(|word| network(word).is_none());
    !ssh && !before.any(|word| SHUT.contains(&word) || is_negation(word))
}

/// The networks without an address that lies inside one of them.
pub(super) fn without(networks: &[String], taken_out: &str) -> Vec<String> {
    let Some(out) = Range::of(taken_out) else { return networks.to_vec() };
    let mut rest = Vec::new();
    for name in networks {
        match Range::of(name) {
            Some(range) if range.holds(out) => rest.extend(range.around(out)),
            _ => rest.push(name.clone()),
        }
    }
    rest
}

/// A network in CIDR notation.
#[derive(Clone, Copy)]
struct Range {
    first: u32,
    length: u32,
}

impl Range {
    fn of(name: &str) -> Option<Range> {
        let (first, length) = name.split_once('/')?;
        let first: Ipv4Addr = first.parse().ok()?;
        Some(Range { first: first.into(), length: length.parse().ok()? })
    }

    /// Whether another network is a part of this one.
    fn holds(self, other: Range) -> bool {
        let mask = u32::MAX.checked_shl(32 - self.length).unwrap_or(0);
        self.length < other.length && other.first & mask == self.first
    }

    /// The networks that remain around a part of this one.
    fn around(self, part: Range) -> Vec<String> {
        let beside = |length: u32| {
            let bit = 1 << (32 - length);
            let first = (part.first ^ bit) & u32::MAX.checked_shl(32 - length).unwrap_or(0);
            format!("{}/{length}", Ipv4Addr::from(first))
        };
        (self.length + 1..=part.length).map(beside).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_split_around_the_address_taken_out() {
        let networks = ["203.0.113.0/29".to_string(), "10.0.0.5/32".to_string()];
        let rest = ["203.0.113.0/30", "203.0.113.6/31", "203.0.113.5/32", "10.0.0.5/32"];
        assert_eq!(without(&networks, "203.0.113.4/32"), rest);
        assert_eq!(without(&networks, "203.0.112.0/24"), networks);
        assert_eq!(without(&["0.0.0.0/0".into()], "128.0.0.0/1"), ["0.0.0.0/1"]);
    }
}
