//! Numbers without a noun that correct a value: “two is too few, back to three”.

use super::{Dialogue, amounts};
use crate::catalogue::foreign::Foreign;
use crate::catalogue::parameters::{Found, Parameter};
use crate::catalogue::{self, networks, places, spans};
use crate::reading::wishes::{Asked, DAYS, Fate};
use crate::words::language::Weight;
use crate::words::{Words, denies, gives_up, is_negation, numbers};

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

/// Words right before a number that is of something else.
const LABELS: &[&str] = &[
    "port", "ports", "version", "v", "at", "um", "#", "per", "by", "page", "since", "until", "in",
    "every", "each", "cada", "toutes", "alle", "chaque",
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

/// Words after a number that it counts.
const UNITS: &[&str] = &[
    "day", "days", "week", "weeks", "month", "months", "year", "years", "gb", "mb", "tb", "kb",
    "euro", "euros", "dollars", "€", "minutes", "hours", "seconds", "users", "people", "workers",
    "worker", "percent", "%", "times", "s", "sec", "ms", "min", "cores", "vcpu", "cpus",
    "visitors",
];

/// Words of a clause that says only what would be: “entonces 2”.
const THEN: &[&str] = &["then", "entonces", "dann", "alors", "if", "or", "unless", "falls", "si"];

/// Words for the servers of a cluster, for more or fewer of them, and for something on another one.
pub(super) const MACHINES: &[&str] = &["server", "servers", "node", "nodes", "machine", "machines"];
const MORE: &[&str] = &[
    "more",
    "another",
    "additional",
    "extra",
    "fewer",
    "less",
    "double",
    "half",
    "weiterer",
    "weiteren",
    "weitere",
    "noch",
    "zusätzlicher",
    "zusätzlichen",
    "weniger",
    "más",
    "menos",
    "otro",
    "plus",
    "moins",
    "encore",
    "supplémentaire",
];
pub(super) const ELSEWHERE: &[&str] =
    &["on", "in", "to", "from", "auf", "en", "sur", "vers", "nach"];

/// Words before a number that a value is raised or lowered to.
const TO: &[&str] = &["to", "auf", "à", "hasta"];

/// The most words of a sentence in which a number may count anything.
const SHORT: usize = 5;

/// Larger numbers without a noun count something other than servers, or are a port or a year.
const MOST_SERVERS: u32 = 20;
const MOST_COUNTED: u32 = 1000;

/// A number without a unit, and its position.
struct Number {
    at: usize,
    number: u32,
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
        let values: Vec<&str> = words.values().collect();
        let all: Vec<Number> = (0..values.len())
            .filter_map(|at| Some(Number { at, number: number_at(words, at)? }))
            .collect();
        let present = |key: &str| self.values.get(key).and_then(|value| value.parse::<u32>().ok());
        // The old value beside the new one: “two is bad, back to three”.
        let is_old = |key: &str, number: u32| {
            [present(key), self.wanted_number(key)].contains(&Some(number))
        };
        let old = |key: &str| all.iter().find(|number| is_old(key, number.number));
        let later = !self.said.is_empty();
        let denied = |number: &&Number| {
            let clause = words.clause(number.at);
            !words.means_value(number.at) || values[clause].iter().any(|word| EXCESS.contains(word))
        };
        let wrong = all.iter().rfind(denied).map(|number| number.at);
        let anchors: Vec<&'static Parameter> =
            counted.iter().copied().filter(|parameter| old(parameter.key).is_some()).collect();
        // In a first message, only a number that the message itself calls wrong is corrected.
        let from = match (later, wrong.or(after_a_correction(words))) {
            (true, _) => 0,
            (false, Some(at)) if !anchors.is_empty() => at,
            (false, _) => return,
        };
        if !later && THEN.iter().any(|word| values[words.sentence(from)].contains(word)) {
            return;
        }
        let bare = |number: &&Number| {
            let possible = |one: &&'static Parameter| !self.is_anothers(words, number.at, one.key);
            let bare = counted.iter().any(possible) && is_bare(words, number.at);
            number.at >= from && !denied(number) && bare && number.number > 0
        };
        let last = all.iter().filter(bare).rfind(|number| {
            !anchors.iter().any(|one| present(one.key) == Some(number.number))
                || self.wanted_number(anchors[0].key).is_some()
        });
        let Some(last) = last else { return self.doubt_the_old(words, &anchors, later) };
        let anchored = !anchors.is_empty();
        let kinds = if anchored { anchors } else { counted };
        let other = |parameter: &&Parameter| {
            let same = present(parameter.key) == Some(last.number);
            let possible = (parameter.accept)(&last.number.to_string()).is_some();
            let plausible = possible || last.number <= MOST_SERVERS || anchored;
            // “Also open 5432” counts no days and no servers.
            let megabytes = parameter.key == "redis-memory-mb";
            let plausible = plausible && (megabytes || last.number <= MOST_COUNTED);
            plausible && (!same || self.limited.contains_key(parameter.key))
        };
        let kinds: Vec<&'static Parameter> = kinds.into_iter().filter(other).collect();
        let own = |one: &&'static Parameter| {
            !amounts::counts_another(words, last.at, one.key)
                && !self.is_anothers(words, last.at, one.key)
        };
        let kinds: Vec<_> = kinds.into_iter().filter(own).collect();
        // What a rule read further on counts.
        let read = |parameter: &&Parameter| {
            let changed = self.latest.changed.iter().any(|(one, _)| one.key == parameter.key);
            let at = all.iter().rfind(|number| present(parameter.key) == Some(number.number));
            changed && at.is_some_and(|at| at.at > last.at)
        };
        let kinds: Vec<_> = kinds.into_iter().filter(|parameter| !read(parameter)).collect();
        let new = |number: &&Number| {
            number.number != last.number
                && !kinds.iter().any(|one| is_old(one.key, number.number))
                && is_bare(words, number.at)
        };
        let pair = anchored && !all.iter().any(|number| new(&number));
        // “203.0.113.9 is gone, so just two” counts addresses.
        let mut beside = words.sentence(last.at).map(|at| values[at]);
        if !anchored && beside.any(networks::has_address) {
            return;
        }
        // “85 is a thin margin, make it 80”: an earlier message says what 85 is of.
        let said = |at: usize| {
            let same = |value: &str| value.trim_end_matches('%') == values[at];
            self.said.iter().any(|words| words.values().any(same))
        };
        let beside =
            |number: &Number| number.at != last.at && words.sentence(last.at).contains(&number.at);
        if !anchored && all.iter().any(|number| beside(number) && said(number.at)) {
            return;
        }
        let alone = is_alone(words, last.at);
        if let ([parameter], true) = (kinds.as_slice(), alone || pair || !later) {
            // “Just the pair”
            self.latest.spent.extend(numbers::read(values[last.at]).is_none().then_some(last.at));
            return self.count(parameter, last.number);
        }
        // “85 is noise”: an earlier message says what that number is of.
        let known = !alone && said(last.at);
        let said = words.said_in(last.at..last.at + 1);
        kinds.into_iter().filter(|_| !known).for_each(|parameter| self.doubt(parameter, &said));
    }

    /// Asks about a value that a later message calls wrong without another one, or changes by a number of servers: “sixty
    /// is overkill”, “one more server”.
    fn doubt_the_old(&mut self, words: &Words, anchors: &[&'static Parameter], later: bool) {
        let changed = |key: &str| self.latest.changed.iter().any(|(one, _)| one.key == key);
        let values: Vec<&str> = words.values().collect();
        let wrong = anchors.iter().copied().find_map(|one| {
            let present = self.values.get(one.key).and_then(|value| numbers::read(value));
            let at = values.iter().position(|value| numbers::read(value) == present)?;
            let place = places::own(words, places::of(self.blueprint?.place));
            let place = |at: usize| place.iter().any(|place| place.values.contains(&at));
            let full = |at: usize| {
                words.weighs(at) == Weight::Full
                    && numbers::read(values[at]).is_none()
                    && !place(at)
            };
            let doubted =
                words.clause(at).any(|at| EXCESS.contains(&values[at]) || denies(values[at]));
            let open = is_bare(words, at) && words.clause(at).any(full);
            (!changed(one.key) && (doubted || open)).then_some((one, at))
        });
        if let Some((parameter, at)) = wrong.filter(|_| later) {
            self.doubt(parameter, &words.said_in(at..at + 1));
        }
    }

    /// Asks about the number of servers if a later message wants more or fewer: “one more server”.
    pub(super) fn doubt_more_servers(&mut self, words: &Words) {
        let counted = self.parameters().find(|one| ["servers", "app-servers"].contains(&one.key));
        let Some(parameter) =
            counted.filter(|one| !self.said.is_empty() && self.has_given(one.key))
        else {
            return;
        };
        let changed = self.latest.changed.iter().any(|(one, _)| one.key == parameter.key);
        if changed || parameter.found_in(words) != Found::Nothing {
            return;
        }
        let values: Vec<&str> = words.values().collect();
        let clause = words.clauses().into_iter().find(|clause| {
            let has = |list: &[&str]| values[clause.clone()].iter().any(|word| list.contains(word));
            // “Drop one of the app servers”
            let gives_up = clause.clone().any(|at| gives_up(values[at]));
            has(MACHINES)
                && (has(MORE) && !has(ELSEWHERE) || gives_up)
                && !words.ends_in_question(clause.start)
        });
        if let Some(clause) = clause {
            self.doubt(parameter, &words.said_in(clause));
        }
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

    /// Asks about a span of time in a later message that no rule gave to anything: “legal insists on 7 days”.
    fn doubt_spans(&mut self, words: &Words) {
        let mut kept = self.parameters().filter(|one| DAYS.contains(&one.key));
        let Some(parameter) = kept.next().filter(|_| !self.said.is_empty()) else { return };
        let changed = self.latest.changed.iter().any(|(changed, _)| changed.key == parameter.key);
        if changed || parameter.found_in(words) != Found::Nothing {
            return;
        }
        let present = self.values.get(parameter.key).cloned().unwrap_or_default();
        let spans = spans::all(words).into_iter();
        let free = |span: &spans::Span| {
            let clause = words.clause(span.values.start);
            let text = words.values().skip(clause.start).take(clause.len());
            let text = Words::of(&text.collect::<Vec<_>>().join(" "));
            span.days.to_string() != present
                && words.means_value(span.values.start)
                && !words.ends_in_question(span.values.start)
                && !is_about_another(&text)
        };
        if let Some(span) = spans.rev().find(free) {
            self.doubt(parameter, &words.said_in(span.values));
        }
    }
}

/// Whether a clause names something that has a number or a time of its own: “the certificate for 90 days”.
fn is_about_another(clause: &Words) -> bool {
    const TIMED: &[&str] = &["certificate", "cert", "trial", "guarantee", "contract", "holiday"];
    clause.means_any(TIMED) || Foreign::is_named_in(clause)
}

/// Where a clause begins that follows one which only takes something back: “two nodes, scratch that, three”.
fn after_a_correction(words: &Words) -> Option<usize> {
    const CORRECTING: &[&str] = &[
        "scratch",
        "no",
        "wait",
        "sorry",
        "rather",
        "quatsch",
        "nein",
        "halt",
        "perdón",
        "pardon",
        "non",
        "espera",
        "attends",
        "correction",
        "oops",
    ];
    let values: Vec<&str> = words.values().collect();
    let takes_back = |clause: &std::ops::Range<usize>| {
        let full =
            |at: usize| words.weighs(at) == Weight::Full || numbers::read(values[at]).is_some();
        let says = |at: usize| CORRECTING.contains(&values[at]);
        clause.clone().any(says) && !clause.clone().any(|at| full(at) && !says(at))
    };
    let last = words.clauses().into_iter().rfind(takes_back)?;
    Some(last.end).filter(|end| *end < values.len())
}

/// Whether nothing around a number says that it counts or labels something else.
pub(super) fn is_bare(words: &Words, at: usize) -> bool {
    let values: Vec<&str> = words.values().collect();
    let clause = words.clause(at);
    let weight = |at: usize| words.language(at).weight(values[at]);
    let next = Some(at + 1).filter(|next| *next < clause.end);
    let counts = next.is_some_and(|next| {
        matches!(weight(next), Weight::Full | Weight::Light) && !EXCESS.contains(&values[next])
    });
    let before = at.checked_sub(1).filter(|before| *before >= clause.start);
    let labelled = before.is_some_and(|before| {
        let word = Words::of(values[before]);
        let named = || catalogue::ALL.iter().flat_map(|blueprint| blueprint.cues());
        LABELS.contains(&values[before])
            || named().any(|cue| word.has(cue))
            || Foreign::is_named_in(&word)
    });
    // “un seul”
    let article = values[at].starts_with(char::is_alphabetic) && weight(at) == Weight::Empty;
    let then =
        (article && !is_raised(words, at)) || values[clause].iter().any(|word| THEN.contains(word));
    // “Zwei tun's auch”: in a short sentence, the next word may be a verb.
    let unit = next.is_some_and(|next| UNITS.contains(&values[next]));
    // “auf 90 rauf”: the translation of “auf” is “on”.
    let raised = is_raised(words, at) && !unit;
    let short = words.sentence(at).len() <= SHORT
        && !unit
        && next.is_some_and(|n| weight(n) == Weight::Full);
    (!counts || short || raised) && !labelled && !then && !words.ends_in_question(at)
}

/// Whether a value is raised or lowered to the number at this position.
fn is_raised(words: &Words, at: usize) -> bool {
    let before = at.checked_sub(1).filter(|before| *before >= words.clause(at).start);
    before.is_some_and(|before| {
        let said = words.said(before).0;
        let value = words.values().nth(before).unwrap_or_default();
        TO.contains(&value) || value == "on" && said == "auf" || value == "to" || said == "à"
    })
}

/// The number at this position; an article at the end of a clause is one: “back to einen”, and a pair is two.
fn number_at(words: &Words, at: usize) -> Option<u32> {
    const PAIR: &[&str] = &["pair", "paire", "pareja"];
    const ONE: &[&str] = &["einen", "eine", "ein", "einem", "un", "uno", "una", "une"];
    let value = words.values().nth(at)?;
    let one = ONE.contains(&value) && words.ends_clause(at) && is_raised(words, at);
    let pair = PAIR.contains(&value) && words.ends_clause(at);
    numbers::read(value).or(one.then_some(1)).or(pair.then_some(2))
}

/// Whether a clause says a number and nothing else.
fn is_alone(words: &Words, at: usize) -> bool {
    words.clause(at).zip(words.values().skip(words.clause(at).start)).all(|(place, word)| {
        let weight = words.language(place).weight(word);
        place == at || matches!(weight, Weight::Empty | Weight::Light) || is_negation(word)
    })
}
