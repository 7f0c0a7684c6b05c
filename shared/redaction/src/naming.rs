//! Gives each secret one name, and finds all of its places.
//!
//! A name that a project uses for another value is not given again: the next value gets a number, so the names in a
//! plan or a script keep their meaning. Only the author can replace a value, by writing its name before the new one.

use super::grammar::is_tool;
use super::spans::{OPEN, overlap};
use super::{Found, Raw, normal, reference};
use crate::variable::{MAX_NAME_CHARS, check_name};
use crate::weight::{Weight, weigh};
use crate::words::{FIRST_USERS, lists};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// The shortest secret that is also replaced where nothing else marks it as one, in bytes. Shorter secrets occur in
/// ordinary words.
const REPEATED_BYTES: usize = 6;

/// How many hashes of first bytes there are.
const HASHES: usize = 1 << 16;

/// The most numbers that are tried for a name. If a secret is part of every reference, no name is possible.
const NUMBERS: usize = 1000;

/// Finds the name of the credential with a value.
pub type NameOf<'a> = dyn Fn(&str) -> Option<String> + Sync + 'a;

/// The names that a project's credentials already have.
#[derive(Default)]
pub struct Taken<'a> {
    /// All names.
    pub names: BTreeSet<String>,
    /// The name of the credential with this value, if there is one.
    pub name_of: Option<&'a NameOf<'a>>,
}

impl Taken<'_> {
    fn name_of(&self, value: &str) -> Option<String> {
        self.name_of.and_then(|name_of| name_of(value))
    }
}

/// Gives each secret an unused name, and finds its other places.
pub fn named(
    text: &str,
    references: &[Range<usize>],
    found: &[Raw],
    taken: &Taken<'_>,
) -> Vec<Found> {
    if found.is_empty() {
        return Vec::new();
    }
    let repeats = Repeats::of(text, found);
    let mut names = Names::taken(text, references, taken);
    let mut known: HashMap<String, (String, super::SecretKind)> = HashMap::new();
    let mut all: Vec<Found> = Vec::with_capacity(found.len());
    let mut ahead = references;
    for Raw { span, name, kind, .. } in found.iter().cloned() {
        while ahead.first().is_some_and(|reference| reference.end <= span.start) {
            ahead = &ahead[1..];
        }
        if ahead.first().is_some_and(|reference| overlap(reference, &span)) {
            // A reference that its author marked is no longer a reference.
            continue;
        }
        let value = normal::value(&text[span.clone()]);
        let before = &text[..span.start];
        let (name, kind) = match known.get(&value) {
            Some(named) => named.clone(),
            None => {
                let name = names.of(&value, &name, before, &repeats);
                known.insert(value, (name.clone(), kind));
                (name, kind)
            }
        };
        all.push(Found { span, kind, name });
    }
    let again = repeats.places(text, references, &all, &known);
    all.extend(again);
    all.sort_by_key(|found| found.span.start);
    all
}

/// Finds the places of known secrets.
///
/// A long conversation may have more than a thousand, which an automaton for all of them would search several times as
/// slowly: their first bytes decide nearly everywhere.
struct Repeats {
    /// For each hash of a secret's first bytes, whether one begins so.
    begins: Vec<bool>,
    /// The secrets by their first bytes, the longest first.
    by_start: HashMap<u64, Vec<String>>,
}

impl Repeats {
    fn of(text: &str, found: &[Raw]) -> Self {
        let found = found.iter().map(|raw| &text[raw.span.clone()]);
        let found = found.filter(|value| value.len() >= REPEATED_BYTES && !is_ordinary(value));
        let shown = found.clone().map(str::to_owned);
        let meant = found.map(normal::value);
        let mut begins = vec![false; HASHES];
        let mut by_start: HashMap<u64, Vec<String>> = HashMap::new();
        for value in shown.chain(meant).filter(|value| value.len() >= REPEATED_BYTES) {
            let start = value.bytes().take(REPEATED_BYTES).fold(0, next);
            begins[hash(start)] = true;
            by_start.entry(start).or_default().push(value);
        }
        for values in by_start.values_mut() {
            values.sort_by_key(|value| std::cmp::Reverse(value.len()));
            values.dedup();
        }
        Self { begins, by_start }
    }

    fn is_in(&self, text: &str) -> bool {
        self.find(text, 0).is_some()
    }

    /// The first secret from a place on, the longest if several begin there.
    fn find(&self, text: &str, from: usize) -> Option<Range<usize>> {
        let mut start = 0;
        for (at, byte) in text.bytes().enumerate().skip(from) {
            start = next(start, byte);
            if at + 1 < from + REPEATED_BYTES || !self.begins[hash(start)] {
                continue;
            }
            let begin = at + 1 - REPEATED_BYTES;
            let known = self.by_start.get(&start).into_iter().flatten();
            let mut here =
                known.filter(|value| text.as_bytes()[begin..].starts_with(value.as_bytes()));
            if let Some(value) = here.next() {
                return Some(begin..begin + value.len());
            }
        }
        None
    }

    /// The places of these secrets, in addition to the known ones.
    fn places(
        &self,
        text: &str,
        references: &[Range<usize>],
        all: &[Found],
        known: &HashMap<String, (String, super::SecretKind)>,
    ) -> Vec<Found> {
        let mut walls: Vec<_> =
            references.iter().cloned().chain(all.iter().map(|found| found.span.clone())).collect();
        walls.sort_by_key(|wall| wall.start);
        let mut places = Vec::new();
        let mut from = 0;
        for wall in walls.into_iter().chain(std::iter::once(text.len()..text.len())) {
            if from < wall.start {
                let part = &text[..wall.start];
                let mut next = from;
                while let Some(span) = self.find(part, next) {
                    next = span.end;
                    if let Some((name, kind)) = known.get(&normal::value(&text[span.clone()])) {
                        places.push(Found { span, kind: *kind, name: name.clone() });
                    }
                }
            }
            from = from.max(wall.end);
        }
        places
    }
}

/// Whether a secret is a word that such a text has anyway: "password", "example", or the name of a program or a user.
///
/// Elsewhere in the text it is not the secret, and without it the text could not be read: `image: postgres:15`,
/// `password: …`.
fn is_ordinary(value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_lowercase())
        && (weigh(value) == Weight::None || is_tool(value) || lists(FIRST_USERS, value))
}

/// The last bytes of a text, with one more.
fn next(start: u64, byte: u8) -> u64 {
    (start << 8 | u64::from(byte)) & ((1 << (8 * REPEATED_BYTES)) - 1)
}

fn hash(start: u64) -> usize {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    usize::try_from(start.wrapping_mul(MIX) >> 48).unwrap_or_default()
}

/// Names that are in use.
struct Names<'a> {
    /// Names in the project.
    project: &'a Taken<'a>,
    /// Names in references of the text.
    referred: HashSet<String>,
    /// Names given to secrets of the text.
    given: HashSet<String>,
    /// The last number given to each name.
    numbers: HashMap<String, usize>,
}

impl<'a> Names<'a> {
    fn taken(text: &str, references: &[Range<usize>], project: &'a Taken<'a>) -> Self {
        let name = |span: &Range<usize>| text[span.start + OPEN.len()..span.end - 2].to_owned();
        let referred = references.iter().map(name).collect();
        Self { project, referred, given: HashSet::new(), numbers: HashMap::new() }
    }

    /// The name of a secret after `before`: the name that it has, the name that its author wrote, or a free one.
    fn of(&mut self, value: &str, proposed: &str, before: &str, repeats: &Repeats) -> String {
        let present = self.project.name_of(value).filter(|name| !self.given.contains(name));
        let written = || {
            let known = self.project.names.contains(proposed) && !self.given.contains(proposed);
            (known && is_written(before, proposed)).then(|| proposed.to_owned())
        };
        match present.or_else(written).filter(|name| !repeats.is_in(&reference(name))) {
            Some(name) => {
                self.given.insert(name.clone());
                name
            }
            None => self.free(proposed, repeats),
        }
    }

    fn is_free(&self, name: &str) -> bool {
        !self.given.contains(name)
            && !self.referred.contains(name)
            && !self.project.names.contains(name)
    }

    /// The name, or its first numbered form that is unused. No name contains the text of a secret.
    fn free(&mut self, proposed: &str, repeats: &Repeats) -> String {
        let base = if check_name(proposed).is_ok() { proposed } else { "SECRET" };
        let shown = repeats.is_in(&reference(base));
        let base = if shown { "S" } else { base };
        if !shown && self.is_free(base) {
            self.given.insert(base.to_owned());
            return base.to_owned();
        }
        let last = self.numbers.get(base).copied().unwrap_or(1);
        for number in last + 1..=last + NUMBERS {
            self.numbers.insert(base.to_owned(), number);
            let suffix = format!("_{number}");
            let name =
                format!("{}{suffix}", &base[..base.len().min(MAX_NAME_CHARS - suffix.len())]);
            if self.is_free(&name) && !repeats.is_in(&reference(&name)) {
                self.given.insert(name.clone());
                return name;
            }
        }
        base.to_owned()
    }
}

/// Whether `before` ends with an assignment to exactly this name: `DB_PASSWORD=`, `"API_KEY_2": "`.
fn is_written(before: &str, name: &str) -> bool {
    let sign = |c: char| matches!(c, '=' | ':' | '"' | '\'' | '`' | ' ' | '\t');
    let written = before.trim_end_matches(sign).strip_suffix(name);
    written.is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}
