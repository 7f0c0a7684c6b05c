//! Readers by name, for values described in JSON.

use super::Found;
use crate::reading::words::Words;

type Readers = (fn(&str) -> Option<String>, fn(&Words) -> Found);

const KINDS: &[(&str, Readers)] = &[
    ("megabytes", (accept_megabytes, find_megabytes)),
    ("domain", (accept_domain, find_domain)),
    ("optional-domain", (accept_optional_domain, find_optional_domain)),
    ("up-to-three", (accept_up_to_three, find_up_to_three)),
];

/// The gate and the reader of a kind of value.
pub fn by_name(name: &str) -> Option<Readers> {
    KINDS.iter().find(|(kind, _)| *kind == name).map(|(_, readers)| *readers)
}

/// Memory in MB, a part of one server's: less is useless, and no server here has more.
const MEGABYTES: std::ops::RangeInclusive<u32> = 16..=65_536;

/// “512”, “512mb” and “2gb”.
fn accept_megabytes(text: &str) -> Option<String> {
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

/// A number with its unit, apart or joined: “512 MB”, “2gb”.
fn find_megabytes(words: &Words) -> Found {
    const UNITS: &[&str] = &["mb", "mib", "megabytes", "gb", "gib", "gigabytes"];
    let values: Vec<&str> = words.values().collect();
    let joined = || {
        let united = |value: &&&str| UNITS.iter().any(|unit| value.ends_with(unit));
        values.iter().filter(united).find_map(|value| accept_megabytes(value))
    };
    let apart = values.windows(2).filter(|pair| UNITS.contains(&pair[1])).find_map(|pair| {
        let unit = if pair[1].starts_with('g') { "gb" } else { "mb" };
        pair[0].parse::<u32>().ok().and_then(|number| accept_megabytes(&format!("{number}{unit}")))
    });
    Found::maybe(apart.or_else(joined))
}

/// Longest host name, in bytes.
const DOMAIN_BYTES: usize = 253;
/// Longest part of a host name between two dots, in bytes.
const LABEL_BYTES: usize = 63;

/// Accepts a full host name: `www.example.com`.
fn accept_domain(text: &str) -> Option<String> {
    let name = text.trim().to_lowercase();
    let good = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let label = |label: &str| {
        let inside = !label.starts_with('-') && !label.ends_with('-');
        inside && (1..=LABEL_BYTES).contains(&label.len()) && label.bytes().all(good)
    };
    let (_, top) = name.rsplit_once('.')?;
    let named = top.len() > 1 && top.bytes().all(|byte| byte.is_ascii_lowercase());
    (named && name.len() <= DOMAIN_BYTES && name.split('.').all(label)).then_some(name)
}

/// Endings that no host name has.
const NOT_DOMAINS: &[&str] = &["js", "yml", "yaml", "conf", "html", "py", "php"];

/// Finds a host name, also inside an address: “for www.example.com”, “`https://example.com/`”.
fn find_domain(words: &Words) -> Found {
    let host = |value: &str| {
        let value = value.split_once("//").map_or(value, |(_, rest)| rest);
        let name = accept_domain(value.split('/').next()?)?;
        let top = name.rsplit('.').next()?;
        (!NOT_DOMAINS.contains(&top)).then_some(name)
    };
    Found::maybe(words.values().find_map(host))
}

/// The value for no domain.
const NO_DOMAIN: &str = "none";

fn accept_optional_domain(text: &str) -> Option<String> {
    let none = text.trim().eq_ignore_ascii_case(NO_DOMAIN);
    if none { Some(NO_DOMAIN.into()) } else { accept_domain(text) }
}

/// Finds a domain, or words that rule one out: “without a domain”.
fn find_optional_domain(words: &Words) -> Found {
    match find_domain(words) {
        Found::Nothing if words.excludes("domain") => Found::Value(NO_DOMAIN.into()),
        found => found,
    }
}

/// Numbers of servers in a small cluster, as people write them.
const COUNTS: [(&str, &str); 12] = [
    ("1", "1"),
    ("one", "1"),
    ("single", "1"),
    ("2", "2"),
    ("two", "2"),
    ("3", "3"),
    ("three", "3"),
    ("4", ""),
    ("four", ""),
    ("5", ""),
    ("five", ""),
    ("ten", ""),
];

fn accept_up_to_three(text: &str) -> Option<String> {
    ["1", "2", "3"].contains(&text.trim()).then(|| text.trim().to_string())
}

/// “three nodes”, “2 servers” and “a single machine”.
fn find_up_to_three(words: &Words) -> Found {
    const MACHINES: &[&str] =
        &["server", "servers", "node", "nodes", "machine", "machines", "vps", "vm", "vms"];
    let values: Vec<&str> = words.values().collect();
    let mut pairs = values.windows(2).filter(|pair| MACHINES.contains(&pair[1]));
    let counted = pairs
        .find_map(|pair| COUNTS.iter().find(|(name, _)| *name == pair[0]).map(|(_, count)| *count));
    match counted {
        Some("") => Found::Refused("a cluster has one to three servers".into()),
        counted => Found::maybe(counted.map(str::to_string)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_counted_up_to_three() {
        let find = |text: &str| find_up_to_three(&Words::of(text));
        assert_eq!(find("a cluster with three nodes"), Found::Value("3".into()));
        assert_eq!(find("2 servers in Helsinki"), Found::Value("2".into()));
        assert_eq!(find("on a single server"), Found::Value("1".into()));
        assert_eq!(find("a server with 3 GB"), Found::Nothing);
        assert!(matches!(find("five nodes"), Found::Refused(_)));
        for hostile in ["0", "4", "3;id", ""] {
            assert_eq!(accept_up_to_three(hostile), None, "{hostile}");
        }
    }

    #[test]
    fn a_domain_may_be_left_out() {
        let find = |text: &str| find_optional_domain(&Words::of(text));
        assert_eq!(find("for www.example.com"), Found::Value("www.example.com".into()));
        assert_eq!(find("no domain, please"), Found::Value("none".into()));
        assert_eq!(find("with a domain"), Found::Nothing);
        assert_eq!(accept_optional_domain("None"), Some("none".into()));
        assert_eq!(accept_optional_domain("x;id"), None);
    }

    #[test]
    fn domains_are_read_out_of_sentences_and_nothing_else_is() {
        let find = |text: &str| find_domain(&Words::of(text));
        let named = Found::Value("www.example.com".into());
        assert_eq!(find("nginx for www.Example.com, please."), named);
        assert_eq!(find("it will be at https://www.example.com/"), named);
        for nothing in ["a Node.js site", "from 203.0.113.7", "mail to ada@example.com", "v1.2"] {
            assert_eq!(find(nothing), Found::Nothing, "{nothing}");
        }
        for hostile in ["a.b;id", "-a.com", "example", "a..com", "x.$(id)", "a.com'"] {
            assert_eq!(accept_domain(hostile), None, "{hostile}");
        }
    }

    #[test]
    fn memory_is_read_in_both_units_and_bounded() {
        let find = |text: &str| find_megabytes(&Words::of(text));
        assert_eq!(find("Redis with 512 MB"), Found::Value("512".into()));
        assert_eq!(find("give it 2GB, please"), Found::Value("2048".into()));
        assert_eq!(find("3 replicas"), Found::Nothing);
        for hostile in ["1", "99999999gb", "512; id", "é", ""] {
            assert_eq!(accept_megabytes(hostile), None, "{hostile}");
        }
    }
}
