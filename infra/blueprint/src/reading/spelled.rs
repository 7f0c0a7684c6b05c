//! Hosts and addresses that a message spells out or shortens: “www dot example dot com”, “203.0.113.20 and .21”.

use std::borrow::Cow;

use crate::words::language::{Language, Weight};

/// Words for the dot in a host or an address.
const DOTS: &[&str] = &["dot", "punkt", "punto", "point"];

/// The last parts of hosts that people spell out.
const ENDS: &[&str] = &[
    "com", "org", "net", "eu", "io", "dev", "app", "ch", "co", "uk", "info", "cat", "example",
    "test", "cloud", "online",
];

/// Last parts of hosts that are words, too: only a longer name ends in them.
const WORDS: &[&str] = &["de", "es", "fr", "at", "it", "be"];

/// The numbers of an address.
const NUMBERS: usize = 4;

/// The message with each host and address in full, and with each port in a word of its own.
pub(super) fn in_full(message: &str) -> String {
    divided(&completed(&joined(&with_the_states(message))))
}

/// The message with “USA” for “US”, which is “us” in small letters.
fn with_the_states(message: &str) -> Cow<'_, str> {
    let small = message.contains(|c: char| c.is_lowercase());
    if !small || !message.split_whitespace().any(|piece| bare(piece) == "US") {
        return Cow::Borrowed(message);
    }
    let full = |piece: &str| match bare(piece) {
        "US" => piece.replacen("US", "USA", 1),
        _ => piece.to_string(),
    };
    Cow::Owned(message.split_inclusive(char::is_whitespace).map(full).collect())
}

/// The message with a comma between ports that a slash joins: “80/443 open”. The number after the slash of a network is
/// smaller.
fn divided(message: &str) -> String {
    const LONGEST_PREFIX: u16 = 32;
    let divide = |piece: &str| {
        let ports = bare(piece).split_once('/').filter(|(first, second)| {
            first.parse::<u16>().is_ok()
                && second.parse::<u16>().is_ok_and(|second| second > LONGEST_PREFIX)
        });
        ports.map_or(piece.to_string(), |_| piece.replacen('/', ", ", 1))
    };
    message.split_inclusive(char::is_whitespace).map(divide).collect()
}

/// The text without the space and the punctuation around it.
fn bare(piece: &str) -> &str {
    piece.trim().trim_end_matches([',', '.', ';', ':', '!', '?', ')'])
}

/// The message with the parts of each spelled host and address in one word.
fn joined(message: &str) -> String {
    let pieces: Vec<&str> = message.split_inclusive(char::is_whitespace).collect();
    let dot = |at: usize| {
        pieces.get(at).is_some_and(|piece| DOTS.contains(&piece.trim().to_lowercase().as_str()))
    };
    let mut text = String::new();
    let mut at = 0;
    while at < pieces.len() {
        // “blog dot example dot com”: every second word is a dot.
        let mut last = at;
        while pieces[last].trim() == bare(pieces[last]) && dot(last + 1) && last + 2 < pieces.len()
        {
            last += 2;
        }
        let parts: Vec<&str> = (at..=last).step_by(2).map(|at| bare(pieces[at])).collect();
        if is_whole(&parts) {
            text.push_str(&parts.join("."));
            text.push_str(&pieces[last][bare(pieces[last]).len()..]);
            at = last + 1;
        } else {
            text.push_str(pieces[at]);
            at += 1;
        }
    }
    text
}

/// Whether the parts are those of a host or an address.
fn is_whole(parts: &[&str]) -> bool {
    let label = |part: &&str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let [first, .., last] = parts else { return false };
    let last = last.to_lowercase();
    let languages = [Language::English, Language::German, Language::Spanish, Language::French];
    // “This dot example”
    let said =
        languages.iter().any(|language| language.weight(&first.to_lowercase()) != Weight::Full);
    let named = ENDS.contains(&last.as_str()) || parts.len() > 2 && WORDS.contains(&last.as_str());
    let address = parts.len() == NUMBERS && parts.iter().all(|part| part.parse::<u8>().is_ok());
    parts.iter().all(label) && (address || named && (parts.len() > 2 || !said))
}

/// The message with the whole address in place of its last number alone: “203.0.113.20 and .21”.
fn completed(message: &str) -> String {
    let mut network = None;
    let mut text = String::new();
    for piece in message.split_inclusive(char::is_whitespace) {
        let word = bare(piece).trim_start_matches('(');
        match (word.strip_prefix('.'), network) {
            (Some(last), Some(before)) if last.parse::<u8>().is_ok() => {
                text.push_str(&piece.replacen('.', &format!("{before}."), 1));
            }
            _ => text.push_str(piece),
        }
        let address = word.parse::<std::net::Ipv4Addr>().is_ok();
        network = word.rsplit_once('.').filter(|_| address).map(|(before, _)| before).or(network);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelled_hosts_and_addresses_are_joined() {
        for (text, whole) in [
            ("at blog dot meadow dot example, please", "at blog.meadow.example, please"),
            ("bei holz punkt com.", "bei holz.com."),
            ("www punto pan punto es", "www.pan.es"),
            ("from 203 dot 0 dot 113 dot 9", "from 203.0.113.9"),
            (
                "ssh from 203.0.113.20 and .21, not .22",
                "ssh from 203.0.113.20 and 203.0.113.21, not 203.0.113.22",
            ),
            ("80/443 open", "80, 443 open"),
            ("(203.0.113.20 / .21)", "(203.0.113.20 / 203.0.113.21)"),
        ] {
            assert_eq!(in_full(text), whole, "{text}");
        }
        for text in [
            "un point de vente",
            "ese punto es importante",
            "der Punkt de facto",
            "the dot com years",
            "only .21",
            "24/7, and 10.0.0.0/16",
            "version 3 punto 4",
        ] {
            assert_eq!(in_full(text), text, "{text}");
        }
    }
}
