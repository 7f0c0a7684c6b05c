//! Readers by name, for the questions that are described in JSON.

pub mod domains;
mod labelled;
pub mod memory;
mod totals;

use std::ops::Range;

use super::{Found, names};
use crate::words::Words;
use crate::words::language::Weight;
use crate::words::numbers;
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

/// Words that limit a number: “one is enough”, “only one”.
const ENOUGH: &[&str] =
    &["enough", "only", "just", "single", "suffices", "will do", "make that", "make it"];

fn accept_up_to_three(text: &str) -> Option<String> {
    ["1", "2", "3"].contains(&text.trim()).then(|| text.trim().to_string())
}

/// Words by which a message gives a second best.
const OR_ELSE: &[&str] = &[
    "or",
    "else",
    "otherwise",
    "if not",
    "instead",
    "better",
    "rather",
    "actually",
    "no",
    "sonst",
    "sinon",
    "si no",
    "alternatively",
    "fallback",
];

/// Articles and words that may mean one.
const ONE: &[&str] =
    &["single", "ein", "eine", "einen", "einer", "einem", "un", "uno", "una", "une"];

/// The servers of a cluster that the message counts by their roles, with the positions that say so: “one master and two
/// workers”. A cluster without a counted control plane has one.
pub fn counted_by_roles(words: &Words) -> Option<(Range<usize>, u32)> {
    const CONTROL: &[&str] =
        &["master", "masters", "control", "control-plane", "controlplane", "leader"];
    const WORKERS: &[&str] = &["worker", "workers", "agent", "agents"];
    let values: Vec<&str> = words.values().collect();
    let count = |names: &[&str]| {
        let at = values.iter().position(|value| names.contains(value))?;
        let before = at.checked_sub(1)?;
        let number = match values[before] {
            word if ["a", "an"].contains(&word) || ONE.contains(&word) => Some(1),
            word => numbers::read(word),
        };
        number.map(|number| (before, at, number))
    };
    let workers = count(WORKERS)?;
    // “3 nodes, 1 server and 2 agents”, “1 server + 2 agents”
    let beside = || {
        let joined = |at: &usize| ["and", "plus"].contains(&values[*at]);
        let at = workers.0.checked_sub(1)?;
        let at = if joined(&at) { at.checked_sub(1)? } else { at };
        let number = numbers::read(values.get(at.checked_sub(1)?)?);
        Some((at - 1, at, number.filter(|_| values[at] == "server")?))
    };
    let control = count(CONTROL).or_else(beside);
    let (from, to) = match control {
        Some(control) => (control.0.min(workers.0), control.1.max(workers.1)),
        None => (workers.0, workers.1),
    };
    Some((from..to + 1, control.map_or(1, |control| control.2).checked_add(workers.2)?))
}

/// A larger number does not count servers.
const MOST: u32 = 100;

/// The number of servers in “3x cpx31” and “3 x CX32”.
fn times(values: &[&str], at: usize) -> Option<u32> {
    const FAMILIES: &[&str] = &["cx", "cpx", "cax", "ccx"];
    let (number, next) = match values[at].strip_suffix(['x', '×']) {
        Some(number) if !number.is_empty() => (number, at + 1),
        _ if ["x", "×"].contains(values.get(at + 1)?) => (values[at], at + 2),
        _ => return None,
    };
    let kind = values.get(next)?.trim_start_matches(char::is_alphabetic);
    let family = values.get(next)?.strip_suffix(kind)?;
    let typed = FAMILIES.contains(&family) && kind.parse::<u32>().is_ok();
    number.parse().ok().filter(|_| typed)
}

/// Words with which a machine is not one of those that are counted, and how many words before one its number may be.
const APART: &[&str] = &["separate", "apart", "aparte", "another", "different"];
const APART_REACH: usize = 4;

/// “three nodes”, “2 servers”, “a single machine”, “one master and two workers”, and “one is enough”.
fn find_up_to_three(words: &Words) -> Found {
    const MACHINES: &[&str] =
        &["server", "node", "machine", "vps", "vm", "master", "instance", "backend"];
    const ORDINALS: &[(&str, u32)] = &[("second", 2), ("third", 3), ("fourth", 4)];
    let values: Vec<&str> = words.values().collect();
    let machine = |at: usize| {
        values.get(at).is_some_and(|word| {
            MACHINES.iter().any(|name| word == name || word.strip_suffix('s') == Some(name))
        })
    };
    let roles = counted_by_roles(words);
    let role = |at: usize| roles.as_ref().is_some_and(|(place, _)| place.contains(&at));
    let all = (0..values.len())
        .any(|at| machine(at) && values[at] != "master" && values[at] != "masters" && !role(at));
    if let Some((place, count)) = roles.filter(|_| !all) {
        return match count {
            1..=3 => Found::Value(count.to_string()),
            _ => Found::Nearest {
                value: count.clamp(1, 3).to_string(),
                asked: words.said_in(place),
                how: "one to three servers".into(),
            },
        };
    }
    let enough = words.means_any(ENOUGH);
    let meant = (0..values.len()).filter(|at| words.means_value(*at));
    // “Grafana on one machine apart” counts another one.
    let apart = |at: usize| {
        let end = words.clause(at).end.min(at + APART_REACH);
        values[at..end].iter().any(|word| APART.contains(word))
    };
    let mut counts = meant.filter(|at| !apart(*at)).filter_map(|at| {
        // “CentOS 6. Backends: …”
        let close = (machine(at + 1) && !words.ends_clause(at))
            || (machine(at + 2)
                && !(words.ends_clause(at) || words.ends_clause(at + 1))
                && !machine(at)
                && values[at + 1] != "|");
        // “A three-node cluster”
        let joined = values[at].split_once('-').filter(|(_, noun)| MACHINES.contains(noun));
        let joined = joined.and_then(|(number, _)| numbers::read(number));
        let joined = joined.or_else(|| times(&values, at));
        let close = close || joined.is_some();
        let number = match values[at] {
            "single" => Some(1),
            // “ein Server” is not a count, but “ein Server reicht” is.
            word if ONE.contains(&word) => enough.then_some(1),
            word => numbers::read(word).or(joined),
        };
        let alone = || {
            let clause = words.clause(at);
            let text = Words::of(&values[clause.clone()].join(" "));
            let replaces = text.has("instead of") || text.has("rather than");
            let near = replaces || ENOUGH.iter().any(|enough| text.has(enough));
            let blank = |other: usize| {
                let replaced = replaces
                    && (numbers::read(values[other]).is_some()
                        || ["instead", "rather", "than"].contains(&values[other]));
                replaced
                    || names::is_blank(values[other])
                    || words.language(other).weight(values[other]) == Weight::Empty
            };
            let named = |other: usize| other != at && !blank(other);
            near && values[at] != "single" && !clause.clone().any(named)
        };
        let number = number.filter(|number| *number <= MOST && (close || alone()));
        // “a third server”, “add a third”
        let added = || {
            let article = at.checked_sub(1).map_or("", |before| values[before]);
            let mut clause = words.clause(at).filter(|other| *other != at).map(|at| values[at]);
            let one = ONE.contains(&article) || article == "a";
            one && clause.clone().any(|word| word == "add") && clause.all(names::is_blank)
        };
        let mut ordinals = ORDINALS.iter().filter(|(word, _)| *word == values[at]);
        let ordinal = ordinals.find(|_| machine(at + 1) || added());
        number.or(ordinal.map(|(_, number)| *number)).map(|number| (at, number))
    });
    // “EKS with five nodes, or else k3s on two machines”: the number that is possible counts. Without such words, another
    // number is of other machines: “five servers, and two of them for /api”.
    let first = counts.next();
    let possible = counts.find(|(_, count)| (1..=3).contains(count));
    let counted = match first {
        Some((_, count)) if count > 3 && words.means_any(OR_ELSE) => possible.or(first),
        _ => first.or_else(|| labelled::servers(words)),
    };
    let corrected = counted.and_then(|(at, _)| corrected(words, at));
    // “Drop the third node”
    let dropped = (0..values.len()).find_map(|at| {
        let (_, number) =
            ORDINALS.iter().find(|(word, _)| *word == values[at] && machine(at + 1))?;
        (!words.means_value(at)).then(|| number.saturating_sub(1))
    });
    match corrected.or(counted) {
        None => Found::maybe(dropped.map(|number| number.to_string())),
        Some((_, count @ 1..=3)) => Found::Value(count.to_string()),
        Some((at, count)) => Found::Nearest {
            value: count.clamp(1, 3).to_string(),
            asked: words.said_in(at..words.clause(at).end.min(at + 2)),
            how: "one to three servers".into(),
        },
    }
}

/// The number by which the same sentence corrects an earlier one: “two web servers, no, better three”.
fn corrected(words: &Words, counted: usize) -> Option<(usize, u32)> {
    const CORRECTING: &[&str] = &[
        "no", "not", "sorry", "better", "rather", "prefer", "actually", "make", "that", "it", "or",
        "say", "nein", "besser", "doch", "mejor", "non", "plutôt", "mieux", "wait", "instead",
        "lieber",
    ];
    let values: Vec<&str> = words.values().collect();
    let sentence = words.sentence(counted);
    let mut corrects = false;
    let mut after = words.clause(counted).end..sentence.end;
    after.find_map(|at| match numbers::read(values[at]) {
        Some(number) if corrects => Some(Some((at, number))),
        None if CORRECTING.contains(&values[at]) => {
            corrects = true;
            None
        }
        _ => Some(None),
    })?
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
            Found::Nearest { value: "2".into(), asked: "one server".into(), how }
        }
        Found::Nearest { value, asked, .. } => Found::Nearest { value, asked, how },
        Found::Value(count) => totals::of_all(words, &count).unwrap_or(Found::Value(count)),
        found => found,
    }
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
