//! The cores, memory and disk of Hetzner's servers, from one dated file, and the sizes that a message asks for.

mod families;
mod owners;
mod past;
pub mod volumes;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use serde::Deserialize;

pub use families::{ARM, DEDICATED, Family, SHARED, is_offered, is_sold};
use owners::{continues_another, follows_a_program, is_a_limit, is_of_another, stands_alone};
pub use owners::{is_of_a_state, is_of_another_program, may_be_of_a_program};
pub use past::{is_of_the_past, is_old, told};

use super::described::Text;
use super::folder;
use crate::words::Words;
use crate::words::language::{Language, Weight};
use crate::words::numbers;

/// The contents of `server-types.json`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Servers {
    #[cfg_attr(not(test), expect(dead_code, reason = "it tells maintainers how old the list is"))]
    as_of: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "a maintainer looks here to update it"))]
    source: String,
    types: BTreeMap<String, Capacity>,
    /// Types with growing memory: shared ones, and dedicated ones where no shared one has enough.
    growing: Vec<Text>,
    /// The same where Hetzner has other shared types.
    american: Vec<Text>,
    singaporean: Vec<Text>,
    /// Types with ARM cores, and types with dedicated ones, with growing memory.
    arm: Vec<Text>,
    dedicated: Vec<Text>,
}

/// What a server has.
#[derive(Deserialize, Debug, Clone, Copy, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Capacity {
    cores: u32,
    memory_gb: u32,
    disk_gb: u32,
}

static SERVERS: LazyLock<Servers> =
    LazyLock::new(|| serde_json::from_str(folder::text("server-types.json")).unwrap_or_default());

/// Something that a server has a number of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Cores,
    Memory,
    Disk,
}

impl Kind {
    /// The number with its unit.
    pub fn of(self, number: u32) -> String {
        match self {
            Kind::Cores => format!("{number} cores"),
            Kind::Memory => format!("{number} GB of memory"),
            Kind::Disk => format!("{number} GB of disk"),
        }
    }
}

impl Capacity {
    pub fn has(self, kind: Kind) -> u32 {
        match kind {
            Kind::Cores => self.cores,
            Kind::Memory => self.memory_gb,
            Kind::Disk => self.disk_gb,
        }
    }
}

/// What a server type has; `None` if it is not in the list.
pub fn of(server_type: &str) -> Option<Capacity> {
    SERVERS.types.get(server_type).copied()
}

/// The memory of a server type in GB; `None` if it is not in the list.
pub fn memory_gb(server_type: &str) -> Option<u32> {
    of(server_type).map(|capacity| capacity.memory_gb)
}

/// The smallest server type of a family that has at least these numbers, at a location.
pub fn with(needed: &[(Kind, u32)], family: Family, location: &str) -> Option<&'static str> {
    let fits = |server_type: &&str| {
        let capacity = of(server_type);
        capacity.is_some_and(|capacity| needed.iter().all(|(kind, n)| capacity.has(*kind) >= *n))
    };
    family.types_in(location).find(fits)
}

/// A size that a message wants the server to have.
pub struct Size {
    pub kind: Kind,
    pub number: u32,
    /// Positions of its values.
    pub values: Range<usize>,
    /// Positions of the values by which it takes the place of another size: all of “it was 4 GB, I need”.
    pub former: Vec<usize>,
    /// Whether only the number says that the size is the server's.
    pub alone: bool,
}

const CORES: &[&str] = &["core", "cores", "cpu", "cpus", "vcpu", "vcpus"];
const MEMORY: &[&str] = &["ram", "memory", "mem"];
const DISK: &[&str] = &["disk", "disks", "ssd", "nvme", "storage"];

/// Units of memory and disks, with their size in GB.
const UNITS: &[(&str, u32)] = &[
    ("gb", 1),
    ("gib", 1),
    ("gig", 1),
    ("gigs", 1),
    ("giga", 1),
    ("gigas", 1),
    ("gigabyte", 1),
    ("gigabytes", 1),
    ("tb", 1024),
    ("tib", 1024),
];

/// Words for the server, before its size: “a machine with 8 GB”, “enough on 4 GB”.
const MACHINES: &[&str] = &["server", "machine", "box", "vps", "vm", "instance", "host", "nodes"];
const HAVING: &[&str] =
    &["with", "of", "on", "has", "having", "de", "con", "avec", "à", "mit", "auf"];

/// Words in the clause for something else that has a size: “512 MB for Redis”, “30 GB of logs a day”.
const OTHERS: &[&str] = &[
    "redis",
    "heap",
    "buffer",
    "maxmemory",
    "cache",
    "upload",
    "uploads",
    "limit",
    "swap",
    "volume",
    "volumes",
    "logs",
    "log",
    "day",
    "file",
    "files",
    "traffic",
    "backup",
    "backups",
    "dump",
    "dumps",
    "bucket",
    "data",
    "database",
    "raid",
    "per",
    "each",
    "root",
    "ebs",
    "gp3",
    "container",
    "jvm",
    "elasticsearch",
    "php",
    "memory_limit",
    "index",
];

/// Whether the message names something with a size other than the server.
pub fn names_another_owner(words: &Words) -> bool {
    names_another_owner_than(words, &[])
}

/// The same for something that is known by one of these words.
pub fn names_another_owner_than(words: &Words, own: &[&str]) -> bool {
    words.values().any(|value| OTHERS.contains(&value) && !own.contains(&value))
}

/// Maximum distance, in words, between a size and the noun to which it belongs, and the same for “a server in Ashburn of
/// 8 GB”.
const REACH: usize = 3;
const MACHINE_REACH: usize = 5;

/// The sizes that a message wants the server to have. A number of GB is memory if it follows a word for the server, and
/// otherwise only beside a word that says so.
pub fn asked(words: &Words) -> Vec<Size> {
    let values: Vec<&str> = words.values().collect();
    let mut sizes = Vec::new();
    let extras = volumes::extra(words);
    let extra = |at: usize| extras.iter().any(|extra| extra.said.contains(&at));
    for at in 0..values.len() {
        let Some((number, unit, end)) = measured(words, &values, at) else { continue };
        let clause = owners::part(words, at);
        let is = |at: usize, list: &[&str]| list.contains(&values[at]);
        let near = |list: &[&str]| {
            // A noun after the size counts first: “4 GB RAM, 40 GB disk”.
            (end..clause.end.min(end + REACH)).any(|at| is(at, list))
                || (clause.start.max(at.saturating_sub(REACH + 1))..at).any(|at| is(at, list))
        };
        // “Celery and Redis on a machine with 4 GB” is about the machine.
        let of_a_machine = at >= clause.start + 2 && is(at - 1, HAVING) && is(at - 2, MACHINES);
        // “A machine with 2 GB of Redis”
        let own = values[end..clause.end].iter().find(|word| !HAVING.contains(word));
        let of_what_follows = own.is_some_and(|word| OTHERS.contains(word));
        // “200 GB disk for the data”, “40 GB of disk for the data”
        let disk = (end..clause.end).find(|at| !is(*at, HAVING)).is_some_and(|at| is(at, DISK));
        let of_each = owners::is_of_each_machine(words, at);
        let beside = !of_each && clause.clone().any(|at| is(at, OTHERS));
        let other = beside && !disk && (!of_a_machine || of_what_follows)
            || is_of_another(&values, &clause, at..end)
            || is_a_limit(words, at)
            || is_unit_of_memory(unit)
                && (follows_a_program(words, at) && !near(DISK) || extra(at));
        if other {
            continue;
        }
        let gigabytes = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, size)| number * size);
        let machine = || {
            let before = clause.start.max(at.saturating_sub(MACHINE_REACH))..at;
            let on = at > clause.start && (is(at - 1, &["on", "sur"]) || is(at - 1, MACHINES));
            // “A 16 GB one”
            let described = end < clause.end && (values[end] == "one" || is(end, MACHINES));
            let program = || described || of_each || owners::follows_a_deployment(words, at);
            on || gigabytes.is_some_and(is_a_memory) && program()
                || at > clause.start
                    && is(at - 1, HAVING)
                    && before.into_iter().any(|at| is(at, MACHINES))
        };
        let after = |list: &[&str]| (end..clause.end.min(end + REACH)).any(|at| is(at, list));
        let mut alone = false;
        let (kind, number) = match gigabytes {
            None => (Kind::Cores, number),
            Some(number) if after(MEMORY) => (Kind::Memory, number),
            Some(number) if after(DISK) => (Kind::Disk, number),
            Some(number) if near(MEMORY) => (Kind::Memory, number),
            Some(number) if near(DISK) => (Kind::Disk, number),
            // “A cx32 or what has 8 GB”
            Some(number)
                if machine()
                    || clause.clone().any(|at| is(at, CORES) || of(values[at]).is_some()) =>
            {
                (Kind::Memory, number)
            }
            Some(number)
                if stands_alone(words, at, end)
                    && number <= MOST_ALONE
                    && !continues_another(words, at) =>
            {
                alone = true;
                (if is_a_memory(number) { Kind::Memory } else { Kind::Disk }, number)
            }
            Some(_) => continue,
        };
        if let Some(needed) = past::needed_instead(words, &(at..end), kind, number) {
            let number = numbers::read(values[needed]).unwrap_or(number);
            let former = past::telling(words, &(at..end), needed);
            sizes.push(Size { kind, number, values: needed..needed + 1, former, alone });
        } else if words.means_value(at) && !past::is_of_the_past(words, at) {
            let later = replaced(words, end, clause.end).filter(|_| kind == Kind::Memory);
            let (number, end) = later.unwrap_or((number, end));
            sizes.push(Size { kind, number, values: at..end, former: Vec::new(), alone });
        }
    }
    sizes
}

fn is_unit_of_memory(unit: &str) -> bool {
    UNITS.iter().any(|(name, _)| *name == unit)
}

/// The number that takes the place of a size in the same clause, and where it ends: “server 4 GB, so now 8”.
fn replaced(words: &Words, start: usize, end: usize) -> Option<(u32, usize)> {
    const NOW: &[&str] = &["now", "jetzt", "nun", "ahora", "maintenant", "rather", "better"];
    let values: Vec<&str> = words.values().collect();
    let now = (start..end).find(|at| NOW.contains(&values[*at]))?;
    let number = (now + 1..end).find(|at| numbers::read(values[*at]).is_some())?;
    let blank = (start..number).all(|at| {
        NOW.contains(&values[at])
            || Language::English.weight(values[at]) == Weight::Empty
            || words.language(at).weight(values[at]) == Weight::Empty
    });
    let bare = number + 1 == end;
    numbers::read(values[number]).filter(|_| blank && bare).map(|read| (read, number + 1))
}

/// The largest disk of a shared server, in GB. A larger number needs a word that says that it is the server's.
const MOST_ALONE: u32 = 320;

/// Whether a number of GB is memory rather than a disk if the message does not say which: servers have 2, 4, 8, 16 or 32.
fn is_a_memory(number: u32) -> bool {
    const MOST: u32 = 32;
    number.is_power_of_two() && number <= MOST
}

/// The number and the unit at this position, apart or joined, and where they end: “4 GB”, “4gb”, “two cores”.
fn measured<'a>(words: &Words, values: &[&'a str], at: usize) -> Option<(u32, &'a str, usize)> {
    let is_unit = |unit: &str| CORES.contains(&unit) || UNITS.iter().any(|(name, _)| *name == unit);
    let digits = values[at].trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let joined = &values[at][digits.len()..];
    if !digits.is_empty() && is_unit(joined) {
        return Some((digits.parse().ok()?, joined, at + 1));
    }
    let unit = values.get(at + 1).filter(|unit| !words.ends_clause(at) && is_unit(unit))?;
    let number = numbers::read(values[at]).filter(|number| *number <= 4096)?;
    Some((number, unit, at + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_complete_and_dated() {
        let servers: Servers = serde_json::from_str(folder::text("server-types.json")).unwrap();
        assert_eq!(servers.as_of.len(), "2025-10-21".len());
        assert!(servers.source.starts_with("https://"));
        let others = [servers.american, servers.singaporean].concat();
        let all = [servers.growing, servers.arm, servers.dedicated, others].concat();
        assert!(all.iter().all(|kind| servers.types.contains_key(kind.0)));
    }

    #[test]
    fn the_smallest_server_that_fits_is_chosen() {
        assert_eq!(with(&[(Kind::Memory, 8)], Family::Any, "nbg1"), Some("cx33"));
        assert_eq!(with(&[(Kind::Memory, 62)], Family::Any, "nbg1"), Some("ccx43"));
        assert_eq!(with(&[(Kind::Memory, 2), (Kind::Cores, 8)], Family::Any, "nbg1"), Some("cx43"));
        assert_eq!(with(&[(Kind::Disk, 81), (Kind::Memory, 4)], Family::Any, "nbg1"), Some("cx43"));
        assert_eq!(with(&[(Kind::Memory, 1000)], Family::Any, "nbg1"), None);
        assert_eq!(with(&[(Kind::Memory, 4)], Family::Any, "ash"), Some("cpx21"));
        assert_eq!(with(&[(Kind::Memory, 4)], Family::Any, "sin"), Some("cpx22"));
    }

    #[test]
    fn the_servers_size_is_distinguished_from_other_sizes() {
        let read = |text: &str| {
            let all = asked(&Words::of(text)).into_iter();
            all.map(|size| size.kind.of(size.number)).collect::<Vec<_>>().join(", ")
        };
        for (text, sizes) in [
            ("2 cores and 4 GB RAM", "2 cores, 4 GB of memory"),
            ("8 GB RAM, 80 GB disk", "8 GB of memory, 80 GB of disk"),
            ("a server with 16gb", "16 GB of memory"),
            ("memory 8 GB", "8 GB of memory"),
            ("2 cpus 4gb", "2 cores, 4 GB of memory"),
            ("does it run on 4 GB?", "4 GB of memory"),
            ("four vcpus", "4 cores"),
            ("disk of 1 TB", "1024 GB of disk"),
            ("redis with 2 GB of memory", ""),
            ("50 GB of logs a day", ""),
            ("uploads up to 200 MB", ""),
            ("a heap of 2 GB", ""),
            ("a server with 2 GB of Redis", ""),
            ("16 GB", ""),
            ("a server with 4 GB and a second server with 8 GB", "4 GB of memory"),
            ("4 GB of memory, the other with 8 GB of memory", "4 GB of memory"),
            ("a second disk of 100 GB", ""),
            ("swap on the first one, 2 GB", ""),
            ("a single Redis with a password, 1 GB max memory", ""),
            ("a server 4 GB so now 8", "8 GB of memory"),
            ("PostgreSQL in Falkenstein, 8 GB", "8 GB of memory"),
            ("200 GB disk for the data", "200 GB of disk"),
            ("40 GB of disk for the data", "40 GB of disk"),
            ("a separate disk of 500 GB", ""),
            ("a disk of 500 GB aparte", ""),
            ("PostgreSQL in Falkenstein, 25 GB", "25 GB of disk"),
            ("8 gigs of RAM minimum", "8 GB of memory"),
            ("4 GB RAM and 8 GB RAM for the second one", "4 GB of memory"),
            ("MySQL with 16 GB RAM and a small Redis", "16 GB of memory"),
            ("PostgreSQL with 8 GB and Redis with 1 GB", "8 GB of memory"),
            ("PostgreSQL with 100 GB", ""),
            ("two app servers, 2 cores each", "2 cores"),
            ("three workers with 4 GB each, 10 GB disk left", "4 GB of memory"),
        ] {
            assert_eq!(read(text), sizes, "{text}");
        }
    }
}
