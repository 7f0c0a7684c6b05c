//! Families of server types, by the kind of their cores.

use super::{CORES, SERVERS};
use crate::words::Words;
use crate::words::language::Language;

/// Words for cores that are not dedicated.
pub const SHARED: &[&str] =
    &["shared", "compartidas", "compartidos", "partagés", "geteilt", "geteilte"];

/// The kind of a server's cores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Family {
    /// The user has not said which.
    #[default]
    Any,
    Arm,
    Dedicated,
}

impl Family {
    /// The family that a message asks for: “an ARM server”, “8 dedicated vCPUs”. A wish with a condition, such as “ARM
    /// if it's cheaper”, remains for the list of wishes.
    pub fn in_message(words: &Words) -> Option<Family> {
        let wants = |names: &[&str], beside: &[&str]| {
            let values: Vec<&str> = words.values().collect();
            (0..values.len()).any(|at| {
                let clause = words.clause(at);
                let around = &values[clause];
                // “If possible” is not a condition.
                let conditional = (0..around.len()).any(|at| {
                    let next = around.get(at + 1).copied().unwrap_or_default();
                    CONDITIONS.contains(&around[at]) && !["possible", "you"].contains(&next)
                });
                let fits = beside.is_empty() || around.iter().any(|word| beside.contains(word));
                names.contains(&values[at]) && words.means_value(at) && fits && !conditional
            })
        };
        // In German, “arm” is an adjective.
        let german = |at: usize| words.language(at) == Language::German;
        let adjective = (0..words.count()).any(german) && !words.text().contains("ARM");
        let arm = ARM.iter().filter(|name| !adjective || **name != "arm").copied();
        if wants(&arm.collect::<Vec<_>>(), &[]) {
            Some(Family::Arm)
        } else if wants(SHARED, CORES) {
            Some(Family::Any)
        } else {
            wants(DEDICATED, CORES).then_some(Family::Dedicated)
        }
    }

    /// Whether a server type is of the family.
    pub fn has(self, server_type: &str) -> bool {
        self == Family::Any || self.types().any(|own| own == server_type)
    }

    /// Where Hetzner has the family.
    pub fn is_in(self, location: &str) -> bool {
        self != Family::Arm || ["nbg1", "fsn1", "hel1"].contains(&location)
    }

    /// Its types at a location, with growing memory.
    pub(super) fn types_in(self, location: &str) -> impl Iterator<Item = &'static str> {
        let shared = match (self, location) {
            (Family::Any, "ash" | "hil") => Some(&SERVERS.american),
            (Family::Any, "sin") => Some(&SERVERS.singaporean),
            _ => None,
        };
        let own = self.types().filter(move |_| shared.is_none());
        shared.into_iter().flatten().map(|server_type| server_type.0).chain(own)
    }

    pub(super) fn types(self) -> impl Iterator<Item = &'static str> {
        let types = match self {
            Family::Any => &SERVERS.growing,
            Family::Arm => &SERVERS.arm,
            Family::Dedicated => &SERVERS.dedicated,
        };
        types.iter().map(|server_type| server_type.0)
    }
}

/// Whether Hetzner has a server type at a location: outside of Europe, only dedicated cores and some shared ones.
pub fn is_offered(server_type: &str, location: &str) -> bool {
    let shared = match location {
        "ash" | "hil" => &SERVERS.american,
        "sin" => &SERVERS.singaporean,
        _ => return true,
    };
    server_type.starts_with("ccx") || shared.iter().any(|one| one.0 == server_type)
}

/// Whether Hetzner sells a server type at a location. In Europe, it has none of America's shared types.
pub fn is_sold(server_type: &str, location: &str) -> bool {
    let american = SERVERS.american.iter().any(|one| one.0 == server_type);
    let europe = ["nbg1", "fsn1", "hel1"].contains(&location);
    is_offered(server_type, location) && (!europe || !american || server_type.starts_with("ccx"))
}

/// Words for ARM and for dedicated cores.
pub const ARM: &[&str] = &["arm", "arm64", "aarch64", "ampere"];
pub const DEDICATED: &[&str] = &[
    "dedicated",
    "dedicadas",
    "dedicados",
    "dediziert",
    "dedizierte",
    "dedizierten",
    "dédié",
    "dédiés",
];

const CONDITIONS: &[&str] = &["if", "falls", "wenn", "sofern", "si", "unless", "sauf"];
