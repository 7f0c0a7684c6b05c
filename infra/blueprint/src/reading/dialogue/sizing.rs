//! The size of the server: a message asks for cores, memory and disk, and a server type of the provider has them.

use std::ops::Range;

use super::Dialogue;
use super::recount::is_bare;
use crate::catalogue::additions;
use crate::catalogue::sizes::{self, Family, Kind, Size};
use crate::reading::wishes::{Asked, Fate, OWN_DISK, own_disk, own_machine};
use crate::words::{Words, lists, numbers};

/// Key of the parameter that names the server type.
pub(super) const SERVER_TYPE: &str = "server-type";

/// The largest number of a server's size, in GB.
const MOST: u32 = 2048;

/// The number of a size, alone or with its unit: “16”, “16gb”.
fn size_of(value: &str) -> Option<u32> {
    numbers::read(value.trim_end_matches("gb"))
}

/// Whether a word says that a size is too small, too large or not the last word.
fn amends(words: &Words, at: usize) -> bool {
    const AMENDING: &str = "tight enough small little large big expensive now rather better \
        instead actually or minimum maximum least most up down upgrade raise increase knapp eng \
        reicht klein zu wenig oder mindestens höchstens justo poco corto mínimo máximo juste \
        serré peu ou moins plus";
    let value = words.values().nth(at).unwrap_or_default();
    let (said, _) = words.said(at);
    lists(AMENDING, value) || said.split(' ').any(|said| lists(AMENDING, said))
}

/// The position of the word before a size that says which environment has it: “staging with 2 GB”.
fn stage_of(words: &Words, size: &Range<usize>) -> Option<usize> {
    const STAGES: &str = "staging production prod test testing tests dev development live \
        testumgebung produktion entwicklung pruebas producción desarrollo développement \
        préproduction recette";
    const REACH: usize = 7;
    let stage = |at: &usize| words.is_in(*at, STAGES);
    let near = words.sentence(size.start).start.max(size.start.saturating_sub(REACH))..size.start;
    near.rev().find(stage)
}

impl Dialogue {
    /// Notes the sizes that a message asks for; a later size of a kind replaces an earlier one.
    pub(super) fn read_sizes(&mut self, words: &Words) {
        let resized = self.resized(words);
        // “Now 2 GB” after “a Redis with 1 GB”
        let mut changed = self.latest.changed.iter();
        let added = changed.any(|(parameter, _)| additions::asking(parameter.key).is_some());
        // “The server in our cellar has 128 GB of memory” says nothing of the new one.
        let own = self.blueprint.and_then(|blueprint| own_machine(blueprint, words));
        let own = own.map(|place| words.sentence(place.start));
        let of_the_new =
            |size: &Size| own.as_ref().is_none_or(|own| !own.contains(&size.values.start));
        let asked = sizes::asked(words).into_iter().filter(of_the_new).filter(|size| {
            let program = || {
                sizes::may_be_of_a_program(words, size.values.start)
                    && !sizes::is_of_another_program(words, &size.values)
            };
            !(added && size.kind == Kind::Memory && (size.alone || program()))
        });
        let (stated, spare): (Vec<Size>, Vec<Size>) =
            asked.partition(|size| !words.follows_a_condition(size.values.start));
        let former = self.sizes.clone();
        self.report_other_sizes(words, &stated);
        self.sizes.extend(stated.iter().map(|size| (size.kind, size.number)));
        // “4 cores. If that costs more than 30 euros, 2 cores”
        for size in spare {
            self.sizes.entry(size.kind).or_insert(size.number);
        }
        if let Some((_, new)) = resized {
            // The numbers of “32 is too much, 16 will do” need no row.
            let old: Vec<u32> = former.values().copied().collect();
            let number = |value: &str| size_of(value).filter(|n| *n == new || old.contains(n));
            let said = words.values().enumerate().filter(|(_, value)| number(value).is_some());
            self.latest.spent.extend(said.map(|(at, _)| at));
        }
        self.sizes.extend(resized);
        // “Rather 4 cores, for the budget”: the type that was taken for 8 is not the smallest anymore.
        let smaller = |(kind, now): (&Kind, &u32)| former.get(kind).is_some_and(|old| now < old);
        let lowered = self.sizes.iter().any(smaller);
        let taken = self.values.get(SERVER_TYPE).cloned().unwrap_or_default();
        if lowered && !self.is_named_type(&taken) {
            self.values.remove(SERVER_TYPE);
        }
        self.family = Family::in_message(words).unwrap_or(self.family);
    }

    /// Lists the sizes of a message that gives several of a kind, except for the last one, which all servers have:
    /// “the balancer with 2 GB and the apps with 8 GB”. Another clause may only give a new number to the same server:
    /// “4 GB is tight, 8 GB”.
    fn report_other_sizes(&mut self, words: &Words, stated: &[Size]) {
        let amends = (0..words.count()).any(|at| amends(words, at));
        let another = |size: &&Size| {
            let clause = words.clause(size.values.start);
            let apart = |other: &Size| !amends || clause.contains(&other.values.start);
            let last = stated.iter().rfind(|other| other.kind == size.kind && apart(other));
            last.is_some_and(|last| last.number != size.number)
        };
        let taken = |kind: Kind| stated.iter().rfind(|size| size.kind == kind);
        let rows = stated.iter().filter(another).filter_map(|size| {
            let how = taken(size.kind)?.kind.of(taken(size.kind)?.number);
            let stage = stage_of(words, &size.values).map(|at| words.said_in(at..at + 1) + " ");
            let what = stage.unwrap_or_default() + &words.said_in(size.values.clone());
            Some(Asked { what, fate: Fate::Differently(how) })
        });
        let rows = rows.collect();
        self.lack(rows);
    }

    /// The number that takes the place of a size which a later message repeats: “8 GB is tight, let's say 16”.
    pub(super) fn resized(&self, words: &Words) -> Option<(Kind, u32)> {
        let server = self.choice().is_some_and(|choice| choice.has(SERVER_TYPE));
        if self.said.is_empty() || self.latest.conditional || !server {
            return None;
        }
        let values: Vec<&str> = words.values().collect();
        let number = |at: &usize| size_of(values[*at]).is_some();
        // “32 is too much, 16 will do. Keep logs for three weeks”
        let known = |at: &usize| {
            size_of(values[*at]).is_some_and(|size| self.sizes.values().any(|known| *known == size))
        };
        let sentence = words.sentence((0..values.len()).find(known)?);
        let all: Vec<u32> = sentence.clone().filter_map(|at| size_of(values[at])).collect();
        let at = sentence.rev().find(number)?;
        let pair = at.checked_sub(2).map(|first| [values[first], values[first + 1]]);
        // “32 GB instead of 16”
        if [["instead", "of"], ["rather", "than"]].map(Some).contains(&pair) {
            let [new, old] = all.as_slice() else { return None };
            let kind = self.sizes.iter().find(|(_, size)| *size == old).map(|(kind, _)| *kind)?;
            return (new != old && *new <= MOST).then_some((kind, *new));
        }
        let (last, before) = all.split_last().filter(|_| is_bare(words, at))?;
        let mut sizes = self.sizes.iter().filter(|(_, size)| before.contains(size));
        let (kind, old) = sizes.next()?;
        let two = all.iter().all(|number| [old, last].contains(&number));
        (two && last != old && *last <= MOST).then_some((*kind, *last))
    }

    /// The sizes that the chosen server type does not have, if there is a type that has them.
    pub(super) fn needed_sizes(&self) -> Vec<(Kind, u32)> {
        let family = self.needed_family();
        let choice = self.choice();
        let location = choice.as_ref().map_or("", |choice| choice.value("location"));
        let needed: Vec<(Kind, u32)> = self.sizes.iter().map(|(kind, n)| (*kind, *n)).collect();
        // One size that no server has must not hide the others.
        let possible = |size: &(Kind, u32)| sizes::with(&[*size], family, location).is_some();
        needed.into_iter().filter(possible).collect()
    }

    /// The family of servers that the user asked for, unless the deployment or its location has none of it.
    pub(super) fn needed_family(&self) -> Family {
        let Some(choice) = self.choice() else { return Family::Any };
        // The checksum of k3s is that of its x86 build.
        let x86 = self.family == Family::Arm && choice.blueprint.id == "k3s";
        let here = self.family.is_in(choice.value("location"));
        if x86 || !here { Family::Any } else { self.family }
    }

    /// Whether the model took a server type for the sizes that the user asked for, and the user never named it.
    pub(super) fn is_taken_for_a_size(&self, kind: &str) -> bool {
        let named = self.said.iter().any(|words| words.values().any(|value| value == kind));
        !named && !self.limited.contains_key(SERVER_TYPE) && !self.fulfilled_sizes().is_empty()
    }

    /// Brings the rows for other disks up to date: a later message may change the size of the server.
    pub(super) fn update_own_disk(&mut self) {
        let Some(choice) = self.choice() else { return };
        let parameters: Vec<_> = choice.parameters().collect();
        let own = own_disk(&parameters, |one| choice.value(one.key).to_string());
        let Some(own) = own else { return };
        let rows = self.asked.iter_mut().filter_map(|row| match &mut row.fate {
            Fate::Differently(how) if how.starts_with(OWN_DISK) => Some(how),
            _ => None,
        });
        rows.for_each(|how| how.clone_from(&own));
    }

    /// What the server has of the requested sizes, as requirements: “Server size: 8 GB of memory”.
    pub fn fulfilled_sizes(&self) -> Vec<String> {
        let Some(choice) = self.choice().filter(|choice| choice.has(SERVER_TYPE)) else {
            return Vec::new();
        };
        let server = choice.value(SERVER_TYPE);
        let Some(capacity) = sizes::of(server) else { return Vec::new() };
        let label = choice.parameters().find(|parameter| parameter.key == SERVER_TYPE);
        let Some(label) = label.map(|parameter| parameter.label) else { return Vec::new() };
        let enough = self.sizes.iter().filter(|(kind, number)| capacity.has(**kind) >= **number);
        let rows = enough.map(|(kind, number)| match capacity.has(*kind) {
            has if has == *number => format!("{label}: {}", kind.of(*number)),
            has => format!("{label}: at least {}, a {server} has {has}", kind.of(*number)),
        });
        rows.collect()
    }
}
