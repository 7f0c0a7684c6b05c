//! The hard facts of a message, by their shape: addresses, hosts, and numbers with or without a unit.
//!
//! No phrase matters here, so a fact is found in every sentence, understood or not.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::ops::Range;

use super::Words;
use super::language::Weight;
use super::numbers;
use super::tokens::is_a_file;

/// The shape of a fact.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    Address,
    /// A domain name, a URL or an e-mail address.
    Host,
    /// A number with its unit, which may be empty.
    Number(String),
}

/// Units: words without a meaning of their own.
const UNITS: &[&str] = &[
    "gb", "mb", "tb", "gib", "mib", "tib", "day", "days", "week", "weeks", "month", "months",
    "year", "years", "hour", "hours", "minute", "minutes", "%", "percent",
];

/// A fact of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    pub shape: Shape,
    /// Positions of its values.
    pub values: Range<usize>,
    /// Its value as facts are compared: “203.0.113.7” for “203.0.113.7/32”, “3” for “three”.
    pub value: String,
}

impl Words {
    /// The facts of the message.
    pub fn facts(&self) -> Vec<Fact> {
        (0..self.values.len()).filter_map(|at| self.fact_at(at)).collect()
    }

    fn fact_at(&self, at: usize) -> Option<Fact> {
        let word = self.values.get(at)?;
        let (shape, value) = shape(word)?;
        let Shape::Number(unit) = shape else {
            return Some(Fact { shape, values: at..at + 1, value });
        };
        let next = self.values.get(at + 1).filter(|next| {
            let names = UNITS.contains(&next.as_str()) || self.weighs(at + 1) == Weight::Full;
            unit.is_empty() && !self.ends_clause(at) && names && self::shape(next).is_none()
        });
        let end = at + 1 + usize::from(next.is_some());
        let unit = next.cloned().unwrap_or(unit);
        Some(Fact { shape: Shape::Number(unit), values: at..end, value })
    }

    /// Everything in the text that may be a fact, as facts are compared.
    pub fn fact_values(&self) -> BTreeSet<String> {
        self.values.iter().filter_map(|word| shape(word)).map(|(_, value)| value).collect()
    }
}

/// The shape of a word, and its value; `None` if it states nothing.
fn shape(word: &str) -> Option<(Shape, String)> {
    let word = word.trim_end_matches(['\'', ':']);
    address(word)
        .map(|value| (Shape::Address, value))
        .or_else(|| host(word).map(|value| (Shape::Host, value)))
        .or_else(|| number(word).map(|(value, unit)| (Shape::Number(unit), value)))
}

/// An address or a network, without the mask of a single address.
fn address(word: &str) -> Option<String> {
    let (address, mask) = word.split_once('/').unwrap_or((word, "32"));
    address.parse::<IpAddr>().ok()?;
    mask.parse::<u8>().ok()?;
    Some(if ["32", "128"].contains(&mask) { address.to_owned() } else { word.to_owned() })
}

/// A host, a URL or an e-mail address, without its scheme and path.
fn host(word: &str) -> Option<String> {
    let whole = word.split_once("://").map_or(word, |(_, rest)| rest);
    let bare = whole.split(['/', '?', '#']).next().unwrap_or_default().trim_start_matches("*.");
    let name = bare.rsplit('@').next().unwrap_or_default();
    let name = name.split(':').next().unwrap_or_default();
    let (first, last) = name.rsplit_once('.')?;
    let label = |c: char| c.is_alphanumeric() || "-._".contains(c);
    let is_host = last.len() > 1
        && last.chars().all(char::is_alphabetic)
        && first.chars().all(label)
        && first.contains(char::is_alphanumeric)
        && !is_a_file(name);
    is_host.then(|| bare.to_owned())
}

/// A number, and the unit that is written with it. “One” is mostly an article.
fn number(word: &str) -> Option<(String, String)> {
    if let Some(number) =
        numbers::read(word).filter(|_| !word.starts_with(|c: char| c.is_ascii_digit()))
    {
        return (number > 1).then(|| (number.to_string(), String::new()));
    }
    let digits = word.trim_start_matches(['€', '$', '£', '<', '>', '~', '=', '.', '-', '#']);
    let end = digits.find(|c: char| !(c.is_ascii_digit() || ".,:".contains(c)));
    let (number, unit) = digits.split_at(end.unwrap_or(digits.len()));
    let number = number.trim_end_matches(['.', ',', ':']);
    let starts = number.starts_with(|c: char| c.is_ascii_digit());
    starts.then(|| (number.to_owned(), unit.trim_start_matches('-').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_found_by_their_shape() {
        for (text, values) in [
            ("SSH from 203.0.113.7/32 and 10.0.0.0/8", &["203.0.113.7", "10.0.0.0/8"][..]),
            (
                "https://www.example.com/start, mail to ada@example.com",
                &["www.example.com", "ada@example.com"],
            ),
            ("16GB, 99.9%, at 3:30, €40", &["16", "99.9", "3:30", "40"]),
            ("three nodes, one database, a 2-node cluster", &["3", "2"]),
            ("docker-compose.yml and a cx23", &[]),
        ] {
            let facts = Words::of(text).facts();
            let found: Vec<&str> = facts.iter().map(|fact| fact.value.as_str()).collect();
            assert_eq!(found, values, "{text}");
        }
        let facts = Words::of("8 GB, 30 days").facts();
        assert_eq!(facts[0].shape, Shape::Number("gb".into()));
        assert_eq!(facts[1].values, 2..4);
    }
}
