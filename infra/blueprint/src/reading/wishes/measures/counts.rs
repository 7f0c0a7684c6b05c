//! Numbers of servers and of other things of which a deployment has one: “three nodes”, “a second bucket”.

use super::super::Fate;
use super::super::open::same;
use super::{Measure, Reader};
use crate::words::numbers;

impl Reader<'_> {
    /// One more of the things of which the deployment has one: “a second bucket”.
    pub(super) fn further_thing(&mut self, at: usize) -> Option<Measure> {
        let (value, after) = (self.values[at], self.after(at));
        let further = is_an_ordinal(value) || ["another", "separate", "different"].contains(&value);
        if !further || !self.open.tokens[at].open {
            return None;
        }
        let known = is_thing(after) || self.blueprint.cues().any(|cue| cue == after);
        let counted = is_machine(after) && self.context.counted().is_some();
        let one = || Fate::Differently("one".to_string());
        (known && !counted).then(|| Measure::Row(format!("{value} {after}"), one()))
    }

    /// A number of servers, if the deployment asks for one.
    pub(super) fn number_of_servers(&mut self, at: usize) -> Option<Measure> {
        let (value, after) = (self.values[at], self.after(at));
        let number = count(value).filter(|_| is_machine(after))?;
        let key = self.context.counted()?;
        // A number in a quotation is in the row for the quotation.
        let place = self.value_at(at);
        if !self.open.tokens[at].open || self.context.roles(self.words).contains(&place) {
            return Some(Measure::Settled);
        }
        // “My colleague wrote: three nodes. I say one.”
        let quoted = self.words.is_quoted(place);
        let set = self.context.values.get(key).and_then(|set| set.parse::<u32>().ok());
        self.open.take_at(at);
        self.open.take_at(at + 1);
        // The dialogue reports a number that is too large when it takes the nearest one.
        if set.is_some_and(|set| quoted || number.clamp(1, 3) == set) {
            return Some(Measure::Settled);
        }
        // “Make that two nodes … no, back to three”
        if (1..=3).contains(&number) && self.context.changed.contains(&key) {
            self.open.tokens[at].ruled_out = true;
            return Some(Measure::Settled);
        }
        let how = match set {
            Some(1) if number <= 3 => "one".into(),
            Some(set) if number <= 3 => format!("{set} servers"),
            _ => "one to three servers".into(),
        };
        Some(Measure::Row(format!("{value} {after}"), Fate::Differently(how)))
    }

    /// Several machines or databases, in a deployment that does not ask for their number.
    pub(super) fn several_things(&mut self, at: usize) -> Option<Measure> {
        let (value, after) = (self.values[at], self.after(at));
        if same(after, "database") && count(value) == Some(self.context.databases()) {
            // “Two databases: PostgreSQL and Redis”
            self.open.take_at(at);
            self.open.take_at(at + 1);
            return Some(Measure::Settled);
        }
        let several = count(value).is_some_and(|number| number > 1);
        if !several || !(is_machine(after) || is_a_type(after)) {
            return None;
        }
        self.open.take_at(at + 1);
        let one = Fate::Differently("one".to_string());
        let fate = if self.counts_watched_servers(at) { Fate::Not } else { one };
        Some(Measure::Row(format!("{value} {after}"), fate))
    }

    /// Whether a number counts servers that exist already, such as those whose logs are collected, so that the plan does not
    /// build them.
    fn counts_watched_servers(&self, at: usize) -> bool {
        let of = self.values[at.saturating_sub(3)..at].iter().any(|word| OTHERS.contains(word));
        let clause = self.words.clause(self.value_at(at));
        let mut clause = self.words.values().take(clause.end).skip(clause.start);
        let existing = clause.any(|word| EXISTING.contains(&word));
        ["elk", "monitoring-stack"].contains(&self.blueprint.id) && of || existing
    }
}

/// Whether this counts things of which the deployment has one.
pub(super) fn is_an_ordinal(word: &str) -> bool {
    ["second", "third"].contains(&word)
}

/// Words before servers that exist already: “logs of our three servers”.
const OTHERS: &[&str] = &[
    "of", "from", "for", "our", "my", "existing", "von", "de", "nos", "nuestros", "unsere",
    "unseren", "mes", "mis", "meine", "meinen", "meiner", "unserer", "nuestras",
];

/// Words by which the servers of a clause exist already: “my twelve existing servers”.
const EXISTING: &[&str] = &[
    "existing",
    "existants",
    "existantes",
    "existentes",
    "bestehende",
    "bestehenden",
    "bestehender",
    "vorhandene",
    "vorhandenen",
];

fn count(value: &str) -> Option<u32> {
    numbers::read(value).filter(|_| value != "one")
}

/// Whether this is something of which a deployment has exactly one.
fn is_thing(word: &str) -> bool {
    const THINGS: [&str; 7] = ["bucket", "site", "domain", "disk", "volume", "cluster", "website"];
    is_machine(word) || THINGS.iter().any(|thing| same(word, thing))
}

/// Whether a word is one of Hetzner's types of servers: “two CPX31”.
fn is_a_type(word: &str) -> bool {
    let number = word.trim_start_matches(char::is_alphabetic);
    let family = &word[..word.len() - number.len()];
    ["cx", "cpx", "cax", "ccx"].contains(&family) && number.parse::<u8>().is_ok()
}

pub(super) fn is_machine(word: &str) -> bool {
    const MACHINES: [&str; 9] =
        ["server", "vps", "machine", "instance", "node", "vm", "database", "service", "region"];
    MACHINES.iter().any(|machine| same(word, machine))
}
