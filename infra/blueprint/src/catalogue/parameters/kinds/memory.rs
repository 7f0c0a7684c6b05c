//! Memory for a program on the server.

use crate::catalogue::parameters::Found;
use crate::words::Words;
use crate::words::numbers;

/// Memory in MB for a program on one server: less is of no use, and no server here has more.
const MEGABYTES: std::ops::RangeInclusive<u32> = 16..=65_536;

/// “512”, “512mb” and “2gb”.
pub fn accept_megabytes(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let times = match &text[digits.len()..] {
        "" | "m" | "mb" | "mib" => 1,
        "g" | "gb" | "gib" => 1024,
        _ => return None,
    };
    let megabytes = digits.parse::<u32>().ok()?.checked_mul(times)?;
    MEGABYTES.contains(&megabytes).then(|| megabytes.to_string())
}

/// A number with its unit, apart or joined: “512 MB”, “2gb”. A number that the message replaces does not count: “1 GB
/// instead of 512 MB”.
pub fn find_megabytes(words: &Words) -> Found {
    const UNITS: &[&str] = &["mb", "mib", "megabytes", "gb", "gib", "gigabytes", "gigabyte", "gig"];
    let values: Vec<&str> = words.values().collect();
    let joined = || {
        let united = |value: &&&str| UNITS.iter().any(|unit| value.ends_with(unit));
        let meant = values.iter().enumerate().filter(|(at, _)| words.means_value(*at));
        meant.map(|(_, value)| value).filter(united).find_map(|value| accept_megabytes(value))
    };
    let pairs = values.windows(2).enumerate().filter(|(at, pair)| {
        UNITS.contains(&pair[1]) && words.means_value(*at) && words.means_value(at + 1)
    });
    let apart = pairs.map(|(_, pair)| pair).find_map(|pair| {
        let unit = if pair[1].starts_with('g') { "gb" } else { "mb" };
        let one = ["a", "an", "ein", "einem", "un", "une"].contains(&pair[0]).then_some(1);
        numbers::read(pair[0])
            .or(one)
            .and_then(|number| accept_megabytes(&format!("{number}{unit}")))
    });
    Found::maybe(apart.or_else(joined))
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
        assert_eq!(find("instead of 512 MB take 1 GB for Redis"), Found::Value("1024".into()));
        assert_eq!(find("1 GB instead of 512 MB"), Found::Value("1024".into()));
        assert_eq!(find("2gb rather than 512mb"), Found::Value("2048".into()));
        for hostile in ["1", "99999999gb", "512; id", "é", ""] {
            assert_eq!(accept_megabytes(hostile), None, "{hostile}");
        }
    }
}
