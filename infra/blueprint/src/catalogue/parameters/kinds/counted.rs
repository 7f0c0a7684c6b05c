//! Numbers of servers: “three nodes”, “a single machine”, “one master and two workers”.

use std::ops::Range;

use super::super::{Found, names};
use super::labeled;
use crate::words::language::Weight;
use crate::words::{Words, numbers};

/// Words that limit a number: “one is enough”, “only one”.
const ENOUGH: &[&str] =
    &["enough", "only", "just", "single", "suffices", "will do", "make that", "make it"];

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

/// Words that count a server by its place among others.
const ORDINALS: &[(&str, u32)] = &[("second", 2), ("third", 3), ("fourth", 4)];

/// Nouns for a server.
const MACHINES: &[&str] =
    &["server", "node", "machine", "vps", "vm", "master", "instance", "backend"];

/// “three nodes”, “2 servers”, “a single machine”, “one master and two workers”, and “one is enough”.
pub(super) fn find_up_to_three(words: &Words) -> Found {
    let servers =
        Servers { words, values: words.values().collect(), enough: words.means_any(ENOUGH) };
    if let Some((place, count)) = servers.counted_only_by_roles() {
        return possible(count, || words.said_in(place));
    }
    let counted = servers.counted();
    let corrected = counted.and_then(|(at, _)| corrected(words, at));
    match corrected.or(counted) {
        None => Found::maybe(servers.left_without_one().map(|number| number.to_string())),
        Some((at, count)) => {
            possible(count, || words.said_in(at..words.clause(at).end.min(at + 2)))
        }
    }
}

/// This number of servers, or the nearest one that a deployment can have.
fn possible(count: u32, said: impl FnOnce() -> String) -> Found {
    match count {
        1..=3 => Found::Value(count.to_string()),
        _ => Found::Nearest {
            value: count.clamp(1, 3).to_string(),
            asked: said(),
            how: "one to three servers".into(),
        },
    }
}

/// The words of a message that may count servers.
struct Servers<'a> {
    words: &'a Words,
    values: Vec<&'a str>,
    /// Whether the message limits a number.
    enough: bool,
}

impl Servers<'_> {
    fn is_machine(&self, at: usize) -> bool {
        self.values.get(at).is_some_and(|word| {
            MACHINES.iter().any(|name| word == name || word.strip_suffix('s') == Some(name))
        })
    }

    /// The servers that the message counts by their roles, if it does not speak of servers in another way.
    fn counted_only_by_roles(&self) -> Option<(Range<usize>, u32)> {
        let roles = counted_by_roles(self.words)?;
        let other = |at: usize| {
            self.is_machine(at)
                && !["master", "masters"].contains(&self.values[at])
                && !roles.0.contains(&at)
        };
        (!(0..self.values.len()).any(other)).then_some(roles)
    }

    /// The number of servers that the message gives, and its position.
    fn counted(&self) -> Option<(usize, u32)> {
        let mut counts = (0..self.values.len()).filter_map(|at| self.count_at(at));
        // “EKS with five nodes, or else k3s on two machines”: the number that is possible counts. Without such words,
        // another number is of other machines: “five servers, and two of them for /api”.
        let first = counts.next();
        let possible = counts.find(|(_, count)| (1..=3).contains(count));
        match first {
            Some((_, count)) if count > 3 && self.words.means_any(OR_ELSE) => possible.or(first),
            _ => first.or_else(|| labeled::servers(self.words)),
        }
    }

    /// The number of servers that the word at this position gives.
    fn count_at(&self, at: usize) -> Option<(usize, u32)> {
        if !self.words.means_value(at) || self.is_apart(at) {
            return None;
        }
        let joined = self.joined_at(at);
        let number = match self.values[at] {
            "single" => Some(1),
            // “ein Server” is not a count, but “ein Server reicht” is.
            word if ONE.contains(&word) => self.enough.then_some(1),
            word => numbers::read(word).or(joined),
        };
        let counts = || joined.is_some() || self.is_before_a_machine(at) || self.is_limited(at);
        let number = number.filter(|number| *number <= MOST && counts());
        number.or_else(|| self.ordinal_at(at)).map(|number| (at, number))
    }

    /// Whether a number counts another machine: “Grafana on one machine apart”.
    fn is_apart(&self, at: usize) -> bool {
        let end = self.words.clause(at).end.min(at + APART_REACH);
        self.values[at..end].iter().any(|word| APART.contains(word))
    }

    /// A number that is joined to its noun: “a three-node cluster”, “3x cpx31”.
    fn joined_at(&self, at: usize) -> Option<u32> {
        let joined = self.values[at].split_once('-');
        let joined = joined.filter(|(_, noun)| MACHINES.contains(noun));
        let joined = joined.and_then(|(number, _)| numbers::read(number));
        joined.or_else(|| times(&self.values, at))
    }

    /// Whether the next word is a server, or the one after that: “three web servers”, but not “CentOS 6. Backends: …”.
    fn is_before_a_machine(&self, at: usize) -> bool {
        let ends = |at: usize| self.words.ends_clause(at);
        (self.is_machine(at + 1) && !ends(at))
            || (self.is_machine(at + 2)
                && !(ends(at) || ends(at + 1))
                && !self.is_machine(at)
                && self.values[at + 1] != "|")
    }

    /// Whether a clause limits the number or replaces another one by it, and says nothing else: “one is enough”.
    fn is_limited(&self, at: usize) -> bool {
        let clause = self.words.clause(at);
        let text = Words::of(&self.values[clause.clone()].join(" "));
        let replaces = text.has("instead of") || text.has("rather than");
        let near = replaces || ENOUGH.iter().any(|enough| text.has(enough));
        let blank = |other: usize| {
            let word = self.values[other];
            let replaced = replaces
                && (numbers::read(word).is_some() || ["instead", "rather", "than"].contains(&word));
            replaced
                || names::is_blank(word)
                || self.words.language(other).weight(word) == Weight::Empty
        };
        let named = |other: usize| other != at && !blank(other);
        near && self.values[at] != "single" && !clause.clone().any(named)
    }

    /// The number of servers with a further one: “a third server”, “add a third”.
    fn ordinal_at(&self, at: usize) -> Option<u32> {
        let (_, number) = ORDINALS.iter().find(|(word, _)| *word == self.values[at])?;
        let added = || {
            let article = at.checked_sub(1).map_or("", |before| self.values[before]);
            let clause = self.words.clause(at).filter(|other| *other != at);
            let mut clause = clause.map(|at| self.values[at]);
            let one = ONE.contains(&article) || article == "a";
            one && clause.clone().any(|word| word == "add") && clause.all(names::is_blank)
        };
        (self.is_machine(at + 1) || added()).then_some(*number)
    }

    /// The number of servers that are left when the message gives up one: “drop the third node”.
    fn left_without_one(&self) -> Option<u32> {
        (0..self.values.len()).find_map(|at| {
            let named = |word: &str| word == self.values[at] && self.is_machine(at + 1);
            let (_, number) = ORDINALS.iter().find(|(word, _)| named(word))?;
            (!self.words.means_value(at)).then(|| number.saturating_sub(1))
        })
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
