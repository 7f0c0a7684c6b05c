//! Memory for a program on the server.

use std::ops::Range;

use crate::catalogue::parameters::Found;
use crate::catalogue::{additions, sizes};
use crate::words::Words;
use crate::words::numbers;

/// Memory in MB for a program on one server: less is of no use, and no server here has more.
const MEGABYTES: std::ops::RangeInclusive<u32> = 16..=65_536;

/// “512”, “512mb” and “2gb”.
pub fn accept_megabytes(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let times = match &text[digits.len()..] {
        "" | "m" | "mb" | "mib" | "mo" => 1,
        "g" | "gb" | "gib" | "go" => 1024,
        _ => return None,
    };
    let megabytes = match digits.split_once('.') {
        None => digits.parse::<u32>().ok()?.checked_mul(times)?,
        Some((whole, tenths)) => {
            let tenths = tenths.parse::<u32>().ok().filter(|_| tenths.len() == 1)?;
            let all = whole.parse::<u32>().ok()?.checked_mul(10)?.checked_add(tenths)?;
            all.checked_mul(times)? / 10
        }
    };
    MEGABYTES.contains(&megabytes).then(|| megabytes.to_string())
}

/// Units of memory.
const UNITS: &[&str] = &[
    "mb",
    "mib",
    "mo",
    "go",
    "megabyte",
    "megabytes",
    "meg",
    "megs",
    "gb",
    "gib",
    "gigabyte",
    "gigabytes",
    "gig",
    "gigs",
];

/// Nouns for the machine whose memory a clause gives.
const MACHINES: &[&str] =
    &["server", "vps", "vm", "machine", "box", "instance", "host", "droplet", "node"];

/// A number with its unit, apart or joined: “512 MB”, “2gb”, “ciento veintiocho megas”. A number that the message
/// replaces does not count: “1 GB instead of 512 MB”.
pub fn find_megabytes(words: &Words) -> Found {
    let values: Vec<&str> = words.values().collect();
    // “A server with Redis, 8 GB RAM” gives the memory of the server.
    let servers = sizes::asked(words);
    let of_it = |size: &sizes::Size, at: usize| {
        !size.alone && size.values.contains(&at) || size.former.contains(&at)
    };
    // “Another server with 1 GB of memory, install Redis”
    let of_a_machine = |at: usize| {
        let clause = words.clause(at);
        let has = |list: &[&str]| values[clause.clone()].iter().any(|word| list.contains(word));
        let mut added = additions::all().flat_map(|addition| addition.cues);
        has(MACHINES) && !added.any(|cue| values[clause.clone()].contains(cue))
    };
    let own = |size: &Range<usize>| {
        !of_a_machine(size.start)
            && !servers.iter().any(|other| of_it(other, size.start))
            && !sizes::is_of_another_program(words, size)
    };
    let joined = || {
        let united = |value: &&&str| UNITS.iter().any(|unit| value.ends_with(unit));
        let meant = values
            .iter()
            .enumerate()
            .filter(|(at, _)| own(&(*at..at + 1)) && words.means_value(*at));
        meant.map(|(_, value)| value).filter(united).find_map(|value| accept_megabytes(value))
    };
    let apart = spelled(words).into_iter().find(|(place, _)| {
        own(place) && words.means_value(place.start) && words.means_value(place.end - 1)
    });
    Found::maybe(apart.map(|(_, value)| value).or_else(joined))
}

/// The sizes whose number and unit are apart, with their positions and in MB.
pub fn spelled(words: &Words) -> Vec<(Range<usize>, String)> {
    let values: Vec<&str> = words.values().collect();
    let size = |at: usize| {
        if !UNITS.contains(&values[at]) || at == 0 || words.ends_clause(at - 1) {
            return None;
        }
        let one = ["a", "an", "ein", "einem", "un", "une"].contains(&values[at - 1]);
        let one = one.then_some((1, at - 1));
        let unit = if values[at].starts_with('g') { "gb" } else { "mb" };
        if values[at - 1].contains('.') {
            return Some((at - 1..at + 1, accept_megabytes(&format!("{}{unit}", values[at - 1]))?));
        }
        let (number, start) = numbers::spelled_before(&values, at).or(one)?;
        Some((start..at + 1, accept_megabytes(&format!("{number}{unit}"))?))
    };
    (0..values.len()).filter_map(size).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_in_both_units_within_its_limits() {
        let find = |text: &str| find_megabytes(&Words::of(text));
        assert_eq!(find("Redis with 512 MB"), Found::Value("512".into()));
        assert_eq!(find("give it 2GB, please"), Found::Value("2048".into()));
        assert_eq!(find("3 replicas"), Found::Nothing);
        assert_eq!(find("Redis de ciento noventa y dos mb"), Found::Value("192".into()));
        assert_eq!(find("a gig for Redis"), Found::Value("1024".into()));
        assert_eq!(find("a server with Redis, 8 GB RAM"), Found::Nothing);
        assert_eq!(
            find("postgres with 8 GB of RAM and redis with 1 GB"),
            Found::Value("1024".into())
        );
        assert_eq!(find("postgres with 8 GB and a redis"), Found::Nothing);
        assert_eq!(find("another server with 1 GB memory, install redis"), Found::Nothing);
        assert_eq!(find("postgres on a 4 GB server and redis on a 2 GB server"), Found::Nothing);
        assert_eq!(find("instead of 512 MB take 1 GB for Redis"), Found::Value("1024".into()));
        assert_eq!(find("1 GB instead of 512 MB"), Found::Value("1024".into()));
        assert_eq!(find("2gb rather than 512mb"), Found::Value("2048".into()));
        for hostile in ["1", "99999999gb", "512; id", "é", ""] {
            assert_eq!(accept_megabytes(hostile), None, "{hostile}");
        }
    }
}
