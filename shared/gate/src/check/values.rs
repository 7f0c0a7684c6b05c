//! What settings take, in one table for all kinds of files (`values.txt`) and one for the arguments of Ansible's modules
//! (`arguments.txt`, from their documentation).

use crate::yaml::Node;
use std::net::IpAddr;

const TABLE: &str = include_str!("values.txt");
const ARGUMENTS: &str = include_str!("arguments.txt");

/// What a setting takes instead of this value; `None` if it takes the value, or no table has the setting.
pub(super) fn refused(kind: &str, key: &str, value: &str) -> Option<&'static str> {
    let value = value.trim().trim_matches(['"', '\'']);
    // Bash, a template or Terraform fills in the rest.
    let open = value.is_empty() || value == "x" || value.contains(['$', '{', '%', '<']);
    let of = |line: &'static str| {
        let (name, words) = line.strip_prefix(kind)?.strip_prefix(' ')?.split_once(": ")?;
        name.eq_ignore_ascii_case(key).then_some(words)
    };
    let words = TABLE.lines().find_map(of).or_else(|| argument(kind, key)).filter(|_| !open)?;
    (!words.split([' ', '|']).any(|word| takes(word, value))).then_some(words)
}

/// Whether a value fits one of the kinds, or cannot be judged because a template fills it in.
pub(crate) fn fits(kinds: &str, value: &str) -> bool {
    let value = value.trim().trim_matches(['"', '\'']);
    let open = value.is_empty() || value == "x" || value.contains(['$', '{', '%', '<']);
    open || kinds.split(' ').any(|word| takes(word, value))
}

/// What an argument of a module of Ansible takes.
fn argument(kind: &str, key: &str) -> Option<&'static str> {
    let module = kind.strip_prefix("module.")?;
    let of = |line: &'static str| line.strip_prefix(module)?.strip_prefix(": ");
    let mut arguments = ARGUMENTS.lines().find_map(of)?.split(' ');
    arguments.find_map(|argument| argument.strip_prefix(key)?.strip_prefix('='))
}

fn takes(word: &str, value: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    match word {
        "int" => digits(value.trim_start_matches('-')),
        "bool" => BOOLS.contains(&value.to_lowercase().as_str()),
        "cidr" => is_cidr(value),
        "duration" => is_amount(&value.replace(' ', ""), &DURATIONS) && !digits(value),
        "go-time" => is_spelled(value, &["ns", "us", "ms", "s", "m", "h"]),
        "nginx-time" => {
            let units = ["", "ms", "s", "m", "h", "d", "w", "M", "y"];
            value.split(' ').all(|part| is_spelled(part, &units))
        }
        "letter" => is_amount(value, &["k", "m", "g", "t"]),
        // MySQL takes one letter, and no `GB`.
        "mysql-size" => {
            let letters = ["", "K", "M", "G", "T", "P", "E", "k", "m", "g", "t", "p", "e"];
            is_one(value, &letters)
        }
        "pg-size" => is_one(value, &["B", "kB", "MB", "GB", "TB"]),
        // PostgreSQL takes the beginnings of its words, too.
        "pg-bool" => {
            let value = value.to_lowercase();
            let words = ["true", "false", "yes", "no", "on", "off", "1", "0"];
            words.iter().any(|word| word.starts_with(&value)) && value != "o"
        }
        "pg-number" => {
            is_one(value, &["B", "kB", "MB", "GB", "TB", "us", "ms", "s", "min", "h", "d"])
        }
        "pg-time" => is_one(value, &["us", "ms", "s", "min", "h", "d"]),
        "number" => value.parse::<f64>().is_ok(),
        "octal" => value.chars().all(|c| c.is_digit(8)),
        "redis-size" => is_amount(value, &["b", "k", "kb", "m", "mb", "g", "gb"]),
        "size" => is_amount(value, &SIZES),
        "*" => value == "*",
        _ => match word.split_once(':') {
            Some(("int", range)) => in_range(range, value),
            Some(("cron", range)) => is_cron_field(range, value),
            _ => match (word.strip_suffix('*'), word.strip_prefix('*')) {
                (Some(begin), None) => value.starts_with(begin),
                (_, Some(end)) if end.contains('*') => value.contains(end.trim_end_matches('*')),
                (_, Some(end)) => value.ends_with(end) || value.contains(end),
                _ => word.eq_ignore_ascii_case(value),
            },
        },
    }
}

/// What systemd and Ansible take for true or false.
const BOOLS: [&str; 12] = ["0", "1", "f", "false", "n", "no", "off", "on", "t", "true", "y", "yes"];

/// Whether a number is in a range `LOW-HIGH`.
fn in_range(range: &str, value: &str) -> bool {
    let bounds = range.split_once('-').map(|(low, high)| (low.parse::<i64>(), high.parse::<i64>()));
    match (bounds, value.parse::<i64>()) {
        (Some((Ok(low), Ok(high))), Ok(value)) => (low..=high).contains(&value),
        _ => false,
    }
}

/// A field of cron: numbers, ranges, steps and names.
fn is_cron_field(range: &str, value: &str) -> bool {
    value.split([',', '-', '/']).all(|part| {
        let name = part.len() == 3 && part.chars().all(|c| c.is_ascii_alphabetic());
        part == "*" || name || in_range(range, part)
    })
}

const DURATIONS: [&str; 30] = [
    "us", "usec", "ms", "msec", "s", "sec", "second", "seconds", "m", "min", "minute", "minutes",
    "h", "hr", "hour", "hours", "d", "day", "days", "w", "week", "weeks", "mo", "month", "months",
    "y", "year", "years", "ns", "nsec",
];
const SIZES: [&str; 17] = [
    "b", "k", "kb", "kib", "m", "mb", "mib", "g", "gb", "gib", "t", "tb", "tib", "B", "gi", "mi",
    "%",
];

/// Numbers with units, such as `1h30m`; a number may have no unit.
fn is_amount(value: &str, units: &[&str]) -> bool {
    let value = value.to_lowercase();
    units_of(&value)
        .is_some_and(|found| found.iter().all(|unit| unit.is_empty() || units.contains(unit)))
}

/// Numbers, each with a unit in this spelling.
fn is_spelled(value: &str, units: &[&str]) -> bool {
    units_of(value).is_some_and(|found| found.iter().all(|unit| units.contains(unit)))
}

/// The units after the numbers of which a text consists; `None` if it does not consist of numbers with units.
pub(super) fn units_of(value: &str) -> Option<Vec<&str>> {
    let (mut units, mut rest) = (Vec::new(), value);
    while !rest.is_empty() {
        let unit = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if unit.len() == rest.len() {
            return None;
        }
        let end = unit.find(|c: char| c.is_ascii_digit()).unwrap_or(unit.len());
        units.push(&unit[..end]);
        rest = &unit[end..];
    }
    (!units.is_empty()).then_some(units)
}

/// One number and, at most, one unit in this spelling.
fn is_one(value: &str, units: &[&str]) -> bool {
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    unit.len() < value.len() && (unit.is_empty() || units.contains(&unit.trim()))
}

/// The first address of a range and the number of its fixed bits.
pub(super) fn cidr(value: &str) -> Option<(IpAddr, u8)> {
    let (address, bits) = value.split_once('/')?;
    let (address, bits) = (address.parse::<IpAddr>().ok()?, bits.parse::<u8>().ok()?);
    (bits <= if address.is_ipv4() { 32 } else { 128 }).then_some((address, bits))
}

/// Whether a range begins at its first address.
fn is_cidr(value: &str) -> bool {
    cidr(value).is_some_and(|(address, bits)| network(address, bits) == number(address))
}

fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(u32::from(address)),
        IpAddr::V6(address) => u128::from(address),
    }
}

/// The first address of a range as a number.
fn network(address: IpAddr, bits: u8) -> u128 {
    let width: u32 = if address.is_ipv4() { 32 } else { 128 };
    let free = width - u32::from(bits).min(width);
    number(address).checked_shr(free).and_then(|high| high.checked_shl(free)).unwrap_or_default()
}

/// Whether one range contains another.
pub(super) fn contains(outer: (IpAddr, u8), inner: (IpAddr, u8)) -> bool {
    outer.0.is_ipv4() == inner.0.is_ipv4()
        && outer.1 <= inner.1
        && network(outer.0, outer.1) == network(inner.0, outer.1)
}

/// Ports of a service of Kubernetes that are not numbers; only `targetPort` may be a name.
pub(super) fn service_ports(document: &Node) -> Vec<(usize, String, String)> {
    let kind = document.get("kind").and_then(Node::text);
    let ports = document.get("spec").and_then(|spec| spec.get("ports")).map(Node::list);
    let mut found = Vec::new();
    for port in ports.filter(|_| kind == Some("Service")).unwrap_or_default() {
        let Some(node) = port.get("port") else { continue };
        let text = node.text().filter(|text| *text != "x" && !text.contains(['{', '$']));
        if let Some(text) = text.filter(|text| text.parse::<u16>().is_err()) {
            found.push((node.line, format!("port: {text}"), "a number".to_owned()));
        }
    }
    found
}
