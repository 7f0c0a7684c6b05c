//! Sizes and counts that a message gives, beside those of the plan.

use super::context::Context;
use crate::catalogue::additions;

pub(super) fn is_number(value: &str) -> bool {
    value.parse::<f64>().is_ok()
}

/// Whether this is a size that no parameter accepted: “64 GB”, “64gb”, “8 cores”.
pub(super) fn is_size(value: &str, after: &str) -> bool {
    size_parts(value, after).is_some()
}

/// The number and the unit of a size, joined or apart.
pub(super) fn size_parts<'a>(value: &'a str, after: &'a str) -> Option<(&'a str, &'a str)> {
    const UNITS: [&str; 23] = [
        "gig", "gigs", "gb", "gib", "tb", "tib", "mb", "cpu", "cpus", "vcpu", "vcpus", "core",
        "cores", "users", "euros", "euro", "eur", "dollars", "dollar", "usd", "bucks", "chf",
        "gbp",
    ];
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let joined = &value[digits.len()..];
    let unit = if joined.is_empty() { after } else { joined };
    (!digits.is_empty() && is_number(digits) && UNITS.contains(&unit)).then_some((digits, unit))
}

impl Context<'_> {
    /// The number of databases of the deployment and its additions.
    pub(super) fn databases(&self) -> u32 {
        let added = self.values.get(additions::ADDITIONS.key).map_or("", String::as_str);
        let redis = added.split(',').any(|id| id == "redis");
        u32::from(self.asks("database")) + u32::from(redis)
    }

    /// Whether a value in MB or GB has this size: “256 mb”, but not the “2 gb” of a balancer before 2 servers.
    pub(super) fn sets_size(&self, number: &str, unit: &str) -> bool {
        self.parameters.iter().any(|parameter| {
            let size = match parameter.key {
                key if key.ends_with("-mb") => (parameter.accept)(&format!("{number}{unit}")),
                key if key.ends_with("-gb") && unit.starts_with('g') => (parameter.accept)(number),
                _ => None,
            };
            let set = self.values.get(parameter.key).map(String::as_str);
            let mut held = set.into_iter().chain(self.wanted.iter().copied());
            size.is_some_and(|size| held.any(|held| held == size))
        })
    }
}
