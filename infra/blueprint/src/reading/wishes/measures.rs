//! Versions, counts, sizes and host names.

mod corrections;
mod counts;
mod sizes;

pub use sizes::contents;

use std::collections::BTreeSet;
use std::ops::Range;

use super::amounts::{is_size, size_parts};
use super::context::Context;
use super::open::Open;
use super::versioned::Versioned;
use super::{Asked, Fate};
use crate::catalogue::{Blueprint, versions};
use crate::words::{Words, is_a_file};

/// Finds versions, counts, sizes and host names that the deployment fixes or does not take.
pub(super) fn measures(
    blueprint: &Blueprint,
    context: &Context,
    words: &Words,
    open: &mut Open,
) -> Vec<Asked> {
    let tokens: Vec<String> = open.tokens.iter().map(|token| token.word.clone()).collect();
    let values: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let versioned = Versioned::of(blueprint);
    let (sized, known, asked) = (Vec::new(), BTreeSet::new(), Vec::new());
    let mut reader =
        Reader { blueprint, context, words, open, values, versioned, sized, known, asked };
    reader.take_sizes_of_the_server();
    reader.take_spelled_sizes();
    reader.report_family();
    (0..tokens.len()).for_each(|at| reader.read(at));
    reader.take_names_of_sizes();
    reader.asked
}

/// Reads the words of a message one after another. Positions are those of the tokens unless a name says “value”.
struct Reader<'a> {
    blueprint: &'a Blueprint,
    context: &'a Context<'a>,
    words: &'a Words,
    open: &'a mut Open,
    /// The words of the tokens.
    values: Vec<&'a str>,
    versioned: Versioned,
    /// The clauses with a size, in which “RAM” and “disk” are explained.
    sized: Vec<Range<usize>>,
    /// Positions of the values that give a size which is set.
    known: BTreeSet<usize>,
    /// The rows so far.
    asked: Vec<Asked>,
}

/// What a word turns out to be.
enum Measure {
    /// It needs no row.
    Settled,
    /// It is a wish that the plan does not fulfill as stated.
    Row(String, Fate),
}

impl<'a> Reader<'a> {
    /// Reads the word at this position: what the plan has or the message gives up needs no row.
    fn read(&mut self, at: usize) {
        let settled = self.known.contains(&self.value_at(at))
            || self.settles_a_size(at)
            || self.gives_up_a_number(at)
            || self.corrects_a_version(at)
            || self.speaks_of_the_product(at);
        if settled {
            return;
        }
        let measure = self
            .version(at)
            .or_else(|| self.further_thing(at))
            .or_else(|| self.version_of_nothing(at))
            .or_else(|| self.number_of_servers(at))
            .or_else(|| self.several_things(at))
            .or_else(|| self.size(at))
            .or_else(|| self.host(at));
        if let Some(Measure::Row(what, fate)) = measure {
            self.open.take_at(at);
            self.asked.push(Asked { what, fate });
        }
    }

    /// The position of the value from which the token at this position comes.
    fn value_at(&self, at: usize) -> usize {
        self.open.tokens[at].value
    }

    /// The word before this one in the same clause.
    fn before(&self, at: usize) -> &'a str {
        let before = at.checked_sub(1).filter(|at| !self.words.ends_clause(self.value_at(*at)));
        before.and_then(|at| self.values.get(at)).copied().unwrap_or_default()
    }

    /// The word after this one in the same clause.
    fn after(&self, at: usize) -> &'a str {
        let next = self.values.get(at + 1);
        next.filter(|_| !self.words.ends_clause(self.value_at(at))).copied().unwrap_or_default()
    }

    /// Whether a size begins here.
    fn is_size(&self, at: usize) -> bool {
        is_size(self.values[at], self.after(at))
    }

    /// Whether the plan has the size or the value that begins here.
    fn is_set(&self, at: usize) -> bool {
        match size_parts(self.values[at], self.after(at)) {
            Some((number, unit)) => self.context.sets_size(number, unit),
            None => self.context.sets(self.values[at]),
        }
    }

    /// Marks a word as explained, because the message rules it out.
    fn give_up(&mut self, at: usize) {
        self.open.take_at(at);
        self.open.tokens[at].ruled_out = true;
    }

    /// Reads a version of the product that the deployment is about: “version 8.4”.
    fn speaks_of_the_product(&mut self, at: usize) -> bool {
        let value = self.value_at(at);
        let spoken = self.versioned.spoken(self.words, &self.values, at, value);
        let speaks = spoken.is_some();
        self.asked.extend(spoken.and_then(|spoken| spoken.take(self.open, at)));
        speaks
    }

    /// A version right after the name of a product: “Debian 12”.
    fn version(&mut self, at: usize) -> Option<Measure> {
        let (before, value) = (self.before(at), self.values[at]);
        let (fixed, fulfilled) = match self.blueprint.version_of(before) {
            _ if !is_version(value) => return None,
            Some(fixed) => (fixed, fixed == value || fixed.starts_with(&format!("{value}."))),
            None if before == "debian" && self.blueprint.has_server() => {
                let debian = versions::series("debian").unwrap_or_default();
                (debian, value == debian)
            }
            None => return None,
        };
        if fulfilled {
            self.open.take_at(at);
            return Some(Measure::Settled);
        }
        let fate = Fate::Differently(format!("{before} {fixed}"));
        Some(Measure::Row(format!("{before} {value}"), fate))
    }

    /// A version whose product the message does not name.
    fn version_of_nothing(&mut self, at: usize) -> Option<Measure> {
        let value = self.values[at];
        if !["version", "release"].contains(&self.before(at)) || !is_version(value) {
            return None;
        }
        self.open.take_at(at - 1);
        Some(Measure::Row(format!("version {value}"), Fate::Not))
    }

    /// A host name that is not a value of the deployment.
    fn host(&mut self, at: usize) -> Option<Measure> {
        let value = self.values[at];
        if !is_host_name(value) {
            return None;
        }
        if self.words.text().contains(&format!("*.{value}")) {
            let one = ["domain", "site-domain"].iter().any(|key| self.context.asks(key));
            let fate = if one && self.context.keeps(value) {
                Fate::Differently(value.to_string())
            } else {
                Fate::Not
            };
            return Some(Measure::Row(format!("all hosts below {value}"), fate));
        }
        let kept = self.context.keeps(value);
        if !self.words.means_value(self.value_at(at)) {
            // A host that the message drops is not missing.
            self.open.tokens[at].ruled_out = !kept;
            self.open.tokens[at].open &= kept;
            return Some(Measure::Settled);
        }
        let lacking = !kept && !self.context.replaced(value);
        lacking.then(|| Measure::Row(value.to_string(), Fate::Not))
    }
}

/// Products whose version a message may correct without naming them again.
pub(super) const PRODUCTS: &[&str] = &["postgresql", "mysql", "debian", "k3s", "elasticsearch"];

/// Whether this is a version, and not a port beside the name of a product: “Filebeat 5044”.
pub(super) fn is_version(value: &str) -> bool {
    const DIGITS: usize = 4;
    let value = value.strip_prefix('v').unwrap_or(value);
    value.starts_with(|c: char| c.is_ascii_digit())
        && (value.len() < DIGITS || value.contains('.'))
        && value.matches('.').count() < 3
        && value.chars().all(|c| c.is_ascii_digit() || ".x".contains(c))
}

/// Whether this is a host name such as “example.org”, and not a file, a version or an address.
fn is_host_name(value: &str) -> bool {
    if is_a_file(value) {
        return false;
    }
    let value = value.trim_start_matches("https://").trim_start_matches("http://");
    let Some((name, end)) = value.rsplit_once('.') else { return false };
    !name.is_empty()
        && (2..=12).contains(&end.len())
        && end.chars().all(|c| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c))
        && name.chars().any(|c| c.is_ascii_alphabetic())
}
