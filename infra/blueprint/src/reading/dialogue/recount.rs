//! Numbers without a noun that correct a value: “two is too few, back to three”.

mod doubts;
mod numbers;

pub(super) use numbers::is_bare;

use super::{Dialogue, amounts};
use crate::catalogue::networks;
use crate::catalogue::parameters::{Found, Parameter};
use crate::reading::wishes::{Asked, DAYS, Fate};
use crate::words::Words;
use crate::words::numbers::read;
use numbers::{after_a_correction, is_alone, number_at};

/// Keys of the parameters whose values are numbers that people repeat without a noun: “back to three”.
pub(super) const NUMBERS: &[&str] = &[
    "servers",
    "app-servers",
    "dump-days",
    "retention-days",
    "heap-gb",
    "volume-gb",
    "redis-memory-mb",
];

/// Words for a number that is too high, too low or wrong.
const EXCESS: &[&str] = &[
    "minus",
    "menos",
    "moins",
    "much",
    "many",
    "trop",
    "beaucoup",
    "demasiado",
    "demasiados",
    "viel",
    "viele",
    "wrong",
    "falsch",
    "erróneo",
    "faux",
];

/// Words of a clause that says only what would be: “entonces 2”.
const THEN: &[&str] = &["then", "entonces", "dann", "alors", "if", "or", "unless", "falls", "si"];

/// Words for the servers of a cluster, and for something on another one.
pub(super) const MACHINES: &[&str] = &["server", "servers", "node", "nodes", "machine", "machines"];
pub(super) const ELSEWHERE: &[&str] =
    &["on", "in", "to", "from", "auf", "en", "sur", "vers", "nach"];

/// Larger numbers without a noun count something other than servers, or are a port or a year.
const MOST_SERVERS: u32 = 20;
const MOST_COUNTED: u32 = 1000;

/// A number without a unit, and its position.
#[derive(Clone, Copy)]
struct Number {
    at: usize,
    number: u32,
}

/// The numbers of a message, and the values that they may correct.
struct Numbers<'a> {
    words: &'a Words,
    values: Vec<&'a str>,
    all: Vec<Number>,
    /// The parameters whose numbers the user gave.
    counted: Vec<&'static Parameter>,
    /// Those of which the message repeats the old number: “two is bad, back to three”.
    anchors: Vec<&'static Parameter>,
    /// Whether there is an earlier message.
    later: bool,
}

impl Numbers<'_> {
    /// Whether the message rules a number out or calls it wrong.
    fn is_denied(&self, number: &Number) -> bool {
        let clause = self.words.clause(number.at);
        !self.words.means_value(number.at)
            || self.values[clause].iter().any(|word| EXCESS.contains(word))
    }

    /// Where the correction may begin. In a first message, only a number that the message itself calls wrong is corrected.
    fn start(&self) -> Option<usize> {
        if self.later {
            return Some(0);
        }
        let wrong = self.all.iter().rfind(|number| self.is_denied(number)).map(|number| number.at);
        let corrected = wrong.or(after_a_correction(self.words));
        let from = corrected.filter(|_| !self.anchors.is_empty())?;
        let sentence = &self.values[self.words.sentence(from)];
        (!THEN.iter().any(|word| sentence.contains(word))).then_some(from)
    }
}

impl Dialogue {
    /// Reads a number without a noun as a correction of the value that it can belong to: “two is too few, back to three”.
    pub(super) fn recount(&mut self, words: &Words) {
        let counted: Vec<&'static Parameter> = self
            .parameters()
            .filter(|parameter| NUMBERS.contains(&parameter.key) && self.has_given(parameter.key))
            .collect();
        if self.latest.conditional {
            return;
        }
        self.multiply(words);
        self.doubt_spans(words);
        if counted.is_empty() || self.resized(words).is_some() {
            return;
        }
        self.doubt_more_servers(words);
        let numbers = self.numbers(words, counted);
        let Some(from) = numbers.start() else { return };
        match self.correcting(&numbers, from) {
            Some(new) => self.correct(&numbers, new),
            None => self.doubt_the_old(words, &numbers.anchors, numbers.later),
        }
    }

    /// The numbers of a message, for the parameters whose numbers the user gave.
    fn numbers<'a>(&self, words: &'a Words, counted: Vec<&'static Parameter>) -> Numbers<'a> {
        let values: Vec<&str> = words.values().collect();
        let all: Vec<Number> = (0..values.len())
            .filter_map(|at| Some(Number { at, number: number_at(words, at)? }))
            .collect();
        let repeated = |one: &&'static Parameter| {
            all.iter().any(|number| self.is_old_number(one.key, number.number))
        };
        let anchors = counted.iter().copied().filter(repeated).collect();
        Numbers { words, values, all, counted, anchors, later: !self.said.is_empty() }
    }

    fn present_number(&self, key: &str) -> Option<u32> {
        self.values.get(key).and_then(|value| value.parse::<u32>().ok())
    }

    /// Whether a number is the present one, or the one that the user wanted.
    fn is_old_number(&self, key: &str, number: u32) -> bool {
        [self.present_number(key), self.wanted_number(key)].contains(&Some(number))
    }

    /// The last number from a position on that may take the place of an old one.
    fn correcting(&self, numbers: &Numbers, from: usize) -> Option<Number> {
        let Numbers { words, counted, anchors, .. } = numbers;
        let bare = |number: &&Number| {
            let possible = |one: &&'static Parameter| !self.is_anothers(words, number.at, one.key);
            let bare = counted.iter().any(possible) && is_bare(words, number.at);
            number.at >= from && !numbers.is_denied(number) && bare && number.number > 0
        };
        let last = numbers.all.iter().filter(bare).rfind(|number| {
            !anchors.iter().any(|one| self.present_number(one.key) == Some(number.number))
                || self.wanted_number(anchors[0].key).is_some()
        });
        last.copied()
    }

    /// Gives the new number to the only value that it can belong to, or asks about those that it may belong to.
    fn correct(&mut self, numbers: &Numbers, new: Number) {
        let words = numbers.words;
        let kinds = self.kinds_of(numbers, new);
        if self.counts_something_else(numbers, new) {
            return;
        }
        let alone = is_alone(words, new.at);
        let pair = self.is_beside_the_old_alone(numbers, &kinds, new);
        if let ([parameter], true) = (kinds.as_slice(), alone || pair || !numbers.later) {
            // “Just the pair”
            self.latest.spent.extend(read(numbers.values[new.at]).is_none().then_some(new.at));
            return self.count(parameter, new.number);
        }
        // “85 is noise”: an earlier message says what that number is of.
        let known = !alone && self.was_said(numbers.values[new.at]);
        let said = words.said_in(new.at..new.at + 1);
        kinds.into_iter().filter(|_| !known).for_each(|parameter| self.doubt(parameter, &said));
    }

    /// The parameters to which a new number may belong: those whose old number the message repeats, or else all.
    fn kinds_of(&self, numbers: &Numbers, new: Number) -> Vec<&'static Parameter> {
        let words = numbers.words;
        let anchored = !numbers.anchors.is_empty();
        let kinds = if anchored { &numbers.anchors } else { &numbers.counted };
        let fits = |parameter: &Parameter| {
            let same = self.present_number(parameter.key) == Some(new.number);
            let possible = (parameter.accept)(&new.number.to_string()).is_some();
            let plausible = possible || new.number <= MOST_SERVERS || anchored;
            // “Also open 5432” counts no days and no servers.
            let megabytes = parameter.key == "redis-memory-mb";
            let plausible = plausible && (megabytes || new.number <= MOST_COUNTED);
            plausible && (!same || self.limited.contains_key(parameter.key))
        };
        let own = |key: &str| {
            !amounts::counts_another(words, new.at, key) && !self.is_anothers(words, new.at, key)
        };
        // What a rule read further on counts.
        let read = |key: &str| {
            let changed = self.latest.changed.iter().any(|(one, _)| one.key == key);
            let present = self.present_number(key);
            let at = numbers.all.iter().rfind(|number| present == Some(number.number));
            changed && at.is_some_and(|at| at.at > new.at)
        };
        let kinds = kinds.iter().copied();
        kinds.filter(|one| fits(one) && own(one.key) && !read(one.key)).collect()
    }

    /// Whether the message has an old number and the new one, and no other.
    fn is_beside_the_old_alone(
        &self,
        numbers: &Numbers,
        kinds: &[&'static Parameter],
        new: Number,
    ) -> bool {
        let third = |number: &Number| {
            number.number != new.number
                && !kinds.iter().any(|one| self.is_old_number(one.key, number.number))
                && is_bare(numbers.words, number.at)
        };
        !numbers.anchors.is_empty() && !numbers.all.iter().any(third)
    }

    /// Whether a sentence that repeats no old number says what else the new one counts.
    fn counts_something_else(&self, numbers: &Numbers, new: Number) -> bool {
        let Numbers { values, all, anchors, .. } = numbers;
        let sentence = numbers.words.sentence(new.at);
        // “203.0.113.9 is gone, so just two” counts addresses.
        let addresses = || sentence.clone().any(|at| networks::has_address(values[at]));
        // “85 is a thin margin, make it 80”: an earlier message says what 85 is of.
        let beside = |number: &Number| number.at != new.at && sentence.contains(&number.at);
        let known = || all.iter().any(|one| beside(one) && self.was_said(values[one.at]));
        anchors.is_empty() && (addresses() || known())
    }

    /// Whether an earlier message has this word, or this number as a percentage.
    fn was_said(&self, word: &str) -> bool {
        let same = |value: &str| value.trim_end_matches('%') == word;
        self.said.iter().any(|words| words.values().any(same))
    }

    /// Sets a number. One that would have to be cut to a possible value may be of something else, so the row asks, except for
    /// servers, of which a plan says what it takes instead.
    fn count(&mut self, parameter: &'static Parameter, number: u32) {
        let text = number.to_string();
        let servers = !DAYS.contains(&parameter.key);
        match (parameter.accept)(&text) {
            Some(value) => self.set(parameter, value),
            None => match (parameter.find)(&Words::of(&format!("{text} servers"))) {
                Found::Nearest { value, asked, how } if servers => {
                    let asked = Asked { what: asked, fate: Fate::Differently(how) };
                    self.limit(parameter, value, asked, None);
                }
                _ => self.doubt(parameter, &text),
            },
        }
    }
}
