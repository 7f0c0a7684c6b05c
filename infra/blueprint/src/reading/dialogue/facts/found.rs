//! The facts of one message, and which of them need no row.

use std::ops::Range;

use crate::catalogue::foreign::theirs;
use crate::catalogue::parameters::kinds::counted_by_roles;
use crate::catalogue::{self, Name, versions};
use crate::reading::dialogue::Dialogue;
use crate::reading::dialogue::recount::MACHINES;
use crate::reading::wishes;
use crate::words::language::Weight;
use crate::words::{Shape, Words};

/// The most words of a row.
const ROW: usize = 14;

/// Units of time, and of memory and disks: “180 days” may take the place of “2 years”.
const TIME: &[&str] = &[
    "h", "hour", "hours", "d", "day", "days", "week", "weeks", "month", "months", "year", "years",
    "minute", "minutes",
];
const SIZE: &[&str] = &["mb", "mib", "gb", "gib", "tb", "tib"];

/// What a fact is compared by.
#[derive(PartialEq)]
pub(super) enum Kind {
    Shape(Shape, String),
    /// A name, with all names of the same thing.
    Name(Vec<&'static str>),
}

/// A fact of a message.
pub(super) struct Fact {
    pub(super) kind: Kind,
    /// Positions of its values.
    pub(super) values: Range<usize>,
}

/// The facts of a message by shape, and the names in it.
pub(super) fn all(words: &Words) -> Vec<Fact> {
    let facts = words.facts().into_iter();
    let facts =
        facts.map(|fact| Fact { kind: Kind::Shape(fact.shape, fact.value), values: fact.values });
    let names = catalogue::names(words);
    // “PostgreSQL for my app” says what it is for.
    let is_a_purpose = |name: &&Name| {
        let before = name.values.start.checked_sub(1);
        before.is_some_and(|before| words.is_in(before, "for für para pour"))
            && name.values.clone().all(|at| words.weighs(at) != Weight::Full)
    };
    let named = names.iter().filter(|name| !is_a_purpose(name));
    let named = named.filter(|name| !labels_a_host(words, name)).map(|name| {
        let others = names.iter().filter(|other| is_either(words, name, other));
        let cues = [name].into_iter().chain(others).flat_map(|name| &name.cues);
        Fact { kind: Kind::Name(cues.copied().collect()), values: name.values.clone() }
    });
    facts.chain(named).collect()
}

/// What a unit measures; other units measure only themselves.
pub(super) fn measured(unit: &str) -> &str {
    match unit {
        unit if TIME.contains(&unit) => "time",
        unit if SIZE.contains(&unit) => "size",
        unit => unit,
    }
}

impl Fact {
    /// The positions of the fact, with the word before a number that has no unit, and machines after it: “port 2222”, “three
    /// app servers”.
    pub(super) fn labeled(&self, words: &Words) -> Range<usize> {
        let Range { start, end } = self.values;
        let bare = matches!(&self.kind, Kind::Shape(Shape::Number(unit), _) if unit.is_empty());
        let before = start.checked_sub(1).filter(|before| bare && !words.ends_clause(*before));
        let next = words.values().nth(end).filter(|_| !words.ends_clause(end - 1));
        let machines = next.is_some_and(|next| MACHINES.contains(&next));
        before.unwrap_or(start)..end + usize::from(machines)
    }

    /// The clause around the fact, without empty words at its ends; with the clause before if it says too little.
    pub(super) fn clause(&self, words: &Words) -> Range<usize> {
        const FEW: usize = 2;
        let values = &self.values;
        let mut clause = words.clause(values.start);
        clause.end = clause.end.max(values.end);
        let says = |at: usize| words.weighs(at) != Weight::Empty;
        let sentence = words.sentence(values.start);
        if clause.clone().filter(|at| says(*at)).count() < FEW && clause.start > sentence.start {
            clause.start = words.clause(clause.start - 1).start;
        }
        let start = clause.start.max(values.start.saturating_sub(ROW / 2));
        let end = clause.end.min(values.end + ROW / 2);
        let first = (start..values.start).find(|at| says(*at)).unwrap_or(values.start);
        let last = (values.end..end).rev().find(|at| says(*at)).map_or(values.end, |at| at + 1);
        first..last
    }

    /// Whether the value is the number.
    fn is_number(&self, number: &str) -> bool {
        matches!(&self.kind, Kind::Shape(Shape::Number(_), value) if value == number)
    }

    /// Whether it is the port that SSH has everywhere.
    fn is_the_port_of_ssh(&self, words: &Words) -> bool {
        let at = self.values.start;
        let sentence = words.sentence(at);
        let mut said = words.values().take(sentence.end).skip(sentence.start);
        self.is_number("22")
            && words.means_value(at)
            && said.any(|word| ["ssh", "port", "ports"].contains(&word))
    }

    /// Whether it is a name of something that the user has or installs, or a place where something stays.
    fn is_theirs(&self, words: &Words) -> bool {
        let Kind::Name(cues) = &self.kind else { return false };
        let own = |place: &Range<usize>| {
            words.values_of(place) == self.values && theirs(place, words).is_some()
        };
        cues.iter().any(|cue| {
            words.places(cue).iter().any(own)
                || wishes::is_elsewhere(cue, words) && words.meant_at(cue).len() == 1
        })
    }
}

impl Dialogue {
    /// Whether a fact needs no row: the readers know that its sentence wishes nothing, or it says what every plan has.
    pub(super) fn implies(&self, fact: &Fact, words: &Words) -> bool {
        let at = fact.values.start;
        let answered = !self.latest.questions.is_empty() && words.ends_in_question(at);
        let roles = || counted_by_roles(words).is_some_and(|(place, _)| place.contains(&at));
        let counts = || self.parameters().any(|one| one.key == "servers") && roles();
        let built = || {
            let version = self.blueprint.and_then(|now| now.own_cues().find_map(versions::series));
            version.is_some_and(|version| fact.is_number(version))
        };
        words.only_asks(at)
            || answered
            || words.follows_a_condition(at)
            || words.fallback().is_some_and(|one| one.instead.contains(&at))
            || wishes::contents(words, at).is_some()
            || fact.is_the_port_of_ssh(words)
            || fact.is_theirs(words)
            || built()
            || counts()
    }
}

/// Whether a name only says what a host is: “domain: example.org”.
fn labels_a_host(words: &Words, name: &Name) -> bool {
    let sentence = words.sentence(name.values.start);
    let mut hosts = words.facts().into_iter().filter(|fact| fact.shape == Shape::Host);
    name.cues.contains(&"domain") && hosts.any(|host| sentence.contains(&host.values.start))
}

/// Whether the user takes one or the other: “MySQL or PostgreSQL”.
fn is_either(words: &Words, one: &Name, other: &Name) -> bool {
    let between = match one.values.start < other.values.start {
        true => one.values.end..other.values.start,
        false => other.values.end..one.values.start,
    };
    between.len() == 1 && words.values().nth(between.start) == Some("or")
}
