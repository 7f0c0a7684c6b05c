//! Requests that fetch, and only from this machine or its private network.

use super::parse::Word;
use std::net::{Ipv4Addr, Ipv6Addr};

const FLAGS: &str = "sSfiILkv46";
const LONG: [&str; 9] = [
    "--silent",
    "--show-error",
    "--fail",
    "--fail-with-body",
    "--include",
    "--head",
    "--location",
    "--insecure",
    "--compressed",
];
const NUMBERS: [&str; 5] = ["-m", "--max-time", "--connect-timeout", "--retry", "--retry-delay"];

pub(super) fn allows(words: &[Word]) -> bool {
    if !words.iter().all(Word::is_literal) {
        return false;
    }
    let mut texts = words.iter().map(|word| word.text.as_str());
    let mut urls = 0;
    while let Some(text) = texts.next() {
        let known = if NUMBERS.contains(&text) {
            texts.next().is_some_and(|value| value.parse::<f64>().is_ok_and(|n| n >= 0.0))
        } else if LONG.contains(&text) {
            true
        } else if text == "--output" || text == "--write-out" || text == "--header" {
            valued(text.chars().nth(2), texts.next())
        } else if let Some(letters) = text.strip_prefix('-') {
            cluster(letters, &mut texts)
        } else {
            urls += 1;
            is_near(text)
        };
        if !known {
            return false;
        }
    }
    urls > 0
}

/// `-fsSo /dev/null`: flags, then at most one letter that takes the next word.
fn cluster<'a>(letters: &str, texts: &mut impl Iterator<Item = &'a str>) -> bool {
    let last = letters.trim_start_matches(|c| FLAGS.contains(c));
    match last {
        "" => !letters.is_empty(),
        "o" | "w" | "H" => valued(last.chars().next(), texts.next()),
        _ => false,
    }
}

/// A value that neither names a file nor writes one.
fn valued(option: Option<char>, value: Option<&str>) -> bool {
    match (option, value) {
        (Some('o'), Some(file)) => file == "/dev/null",
        // A format can name a file to write to.
        (Some('w'), Some(format)) => !format.starts_with('@') && !format.contains("output"),
        (Some('h' | 'H'), Some(header)) => !header.starts_with('@') && !header.starts_with('-'),
        _ => false,
    }
}

fn is_near(url: &str) -> bool {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    if !["http", "https"].contains(&scheme) || url.contains(['\\', '@', '{', '}']) {
        return false;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if let Some(v6) = authority.strip_prefix('[') {
        let Some((address, port)) = v6.split_once(']') else { return false };
        let loopback = address.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback());
        return loopback && is_port(port.strip_prefix(':'));
    }
    let (host, port) = match authority.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    };
    let address = host.parse::<Ipv4Addr>();
    let near = address.is_ok_and(|address| address.is_loopback() || address.is_private());
    (near || host == "localhost") && is_port(port)
}

fn is_port(port: Option<&str>) -> bool {
    port.is_none_or(|port| port.parse::<u16>().is_ok())
}
