//! Readers by name, for the questions that are described in JSON.

mod counted;
pub mod domains;
mod labeled;
pub mod memory;
mod totals;

pub use counted::counted_by_roles;

use super::Found;
use crate::words::Words;
use counted::find_up_to_three;
use domains::{accept_domain, accept_optional_domain, find_domain, find_optional_domain};
use memory::{accept_megabytes, find_megabytes};

type Readers = (fn(&str) -> Option<String>, fn(&Words) -> Found);

const KINDS: &[(&str, Readers)] = &[
    ("megabytes", (accept_megabytes, find_megabytes)),
    ("domain", (accept_domain, find_domain)),
    ("optional-domain", (accept_optional_domain, find_optional_domain)),
    ("up-to-three", (accept_up_to_three, find_up_to_three)),
    ("two-or-three", (accept_two_or_three, find_two_or_three)),
];

/// The functions that accept and find values of this kind.
pub fn by_name(name: &str) -> Option<Readers> {
    KINDS.iter().find(|(kind, _)| *kind == name).map(|(_, readers)| *readers)
}

fn accept_up_to_three(text: &str) -> Option<String> {
    ["1", "2", "3"].contains(&text.trim()).then(|| text.trim().to_string())
}

/// A number of servers of which one may be away.
fn accept_two_or_three(text: &str) -> Option<String> {
    accept_up_to_three(text).filter(|count| count != "1")
}

fn find_two_or_three(words: &Words) -> Found {
    let how = "two or three servers".to_string();
    if let Some(found) = existing(words) {
        return found;
    }
    match find_up_to_three(words) {
        Found::Value(count) if count == "1" => {
            let one = Found::Nearest { value: "2".into(), asked: "one server".into(), how };
            in_a_sentence(words).unwrap_or(one)
        }
        Found::Nearest { value, asked, .. } => Found::Nearest { value, asked, how },
        Found::Value(count) => totals::of_all(words, &count).unwrap_or(Found::Value(count)),
        found => found,
    }
}

/// The number that another sentence gives, if the first one tells of a single machine: “It all ran on one machine. We
/// want three application servers.”
fn in_a_sentence(words: &Words) -> Option<Found> {
    words.sentences().into_iter().rev().find_map(|sentence| {
        let rest = (0..words.count()).filter(|at| !sentence.contains(at)).collect();
        match find_up_to_three(&words.clone().without(&rest)) {
            Found::Value(count) if count != "1" => Some(Found::Value(count)),
            _ => None,
        }
    })
}

/// Servers that exist, because the sentence about them gives their addresses: “in front of our backends 10.0.0.5 and
/// 10.0.0.6”. The deployment makes as many of its own.
fn existing(words: &Words) -> Option<Found> {
    const BEHIND: &[&str] = &["backend", "server", "node", "machine", "host", "app", "instance"];
    let values: Vec<&str> = words.values().collect();
    let address = |at: &usize| {
        let value = values[*at].split(['/', ':']).next().unwrap_or_default();
        !values[*at].contains('/') && value.parse::<std::net::Ipv4Addr>().is_ok()
    };
    words.sentences().into_iter().find_map(|sentence| {
        let text = Words::of(&values[sentence.clone()].join(" "));
        let named = BEHIND.iter().any(|noun| text.has(noun) || text.has(&format!("{noun}s")));
        let mut all: Vec<&str> = sentence.filter(address).map(|at| values[at]).collect();
        all.dedup();
        let server = !text.means_any(&["ssh", "from", "subnet"]);
        // “They moved the second node, it is 10.0.0.7 now” changes no number.
        if named && all.len() == 1 && text.means_any(&["second", "third"]) {
            return Some(Found::Nothing);
        }
        let count = u32::try_from(all.len()).ok().filter(|count| *count > 1)?.min(3);
        (named && server).then(|| Found::Nearest {
            value: count.to_string(),
            asked: all.join(", "),
            how: format!("{count} new application servers, and none that exists"),
        })
    })
}

#[cfg(test)]
mod tests;
