//! The size of the server: a message asks for cores, memory and disk, and a server type of the provider has them.

use super::Dialogue;
use crate::catalogue::additions;
use crate::catalogue::sizes::{self, Family, Kind};
use crate::words::Words;

/// Key of the parameter that names the server type.
pub(super) const SERVER_TYPE: &str = "server-type";

impl Dialogue {
    /// Notes the sizes that a message asks for; a later size of a kind replaces an earlier one.
    pub(super) fn read_sizes(&mut self, words: &Words) {
        // “Now 2 GB” after “a Redis with 1 GB”
        let mut changed = self.latest.changed.iter();
        let added = changed.any(|(parameter, _)| additions::asking(parameter.key).is_some());
        let sizes = sizes::asked(words).into_iter().filter(|size| !(added && size.alone));
        self.sizes.extend(sizes.map(|size| (size.kind, size.number)));
        self.family = Family::in_message(words).unwrap_or(self.family);
    }

    /// The sizes that the chosen server type does not have, if there is a type that has them.
    pub(super) fn needed_sizes(&self) -> Vec<(Kind, u32)> {
        let family = self.needed_family();
        let needed: Vec<(Kind, u32)> = self.sizes.iter().map(|(kind, n)| (*kind, *n)).collect();
        // One size that no server has must not hide the others.
        let possible = |size: &(Kind, u32)| sizes::with(&[*size], family).is_some();
        needed.into_iter().filter(possible).collect()
    }

    /// The family of servers that the user asked for, unless the deployment or its location has none of it.
    pub(super) fn needed_family(&self) -> Family {
        let Some(choice) = self.choice() else { return Family::Any };
        // The checksum of k3s is that of its x86 build.
        let x86 = self.family == Family::Arm && choice.blueprint.id == "k3s";
        let here = self.family.is_in(choice.value("location"));
        if x86 || !here { Family::Any } else { self.family }
    }

    /// What the server has of the requested sizes, as requirements: “Server size: 8 GB of memory”.
    pub fn fulfilled_sizes(&self) -> Vec<String> {
        let Some(choice) = self.choice().filter(|choice| choice.has(SERVER_TYPE)) else {
            return Vec::new();
        };
        let server = choice.value(SERVER_TYPE);
        let Some(capacity) = sizes::of(server) else { return Vec::new() };
        let label = choice.parameters().find(|parameter| parameter.key == SERVER_TYPE);
        let Some(label) = label.map(|parameter| parameter.label) else { return Vec::new() };
        let enough = self.sizes.iter().filter(|(kind, number)| capacity.has(**kind) >= **number);
        let rows = enough.map(|(kind, number)| match capacity.has(*kind) {
            has if has == *number => format!("{label}: {}", kind.of(*number)),
            has => format!("{label}: at least {}, a {server} has {has}", kind.of(*number)),
        });
        rows.collect()
    }
}
