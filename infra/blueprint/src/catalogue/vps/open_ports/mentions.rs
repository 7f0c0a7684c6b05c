//! The ports in a message, and whether each is open or closed.
//!
//! A number is a port only if it is right beside “port” or a word for opening or closing. It is opened to everyone only
//! if the message says so, and says nothing about who may connect or to what the port belongs: the backend of a proxy
//! and the database of another server have ports as well. The list of wishes reports every port that this module does
//! not read.

mod clauses;
mod lists;
mod served;

use std::ops::Range;

use crate::catalogue::Blueprint;
use crate::words::language::{Language, Weight};
use crate::words::{Words, is_negation};
use clauses::clauses;
pub(super) use lists::FOR_SOME;
use lists::{ADDRESSES, BETWEEN, CLOSING, OPENING, PORTS, RESTRICTING};
pub(super) use served::served;

/// Verbs between a port and the word for opening or closing it.
const VERBS: &[&str] = &[
    "is", "are", "be", "should", "must", "shall", "may", "stay", "stays", "remain", "remains",
    "bleibt", "bleiben", "reste", "restent", "queda", "quedan",
];

/// A port that the user wants open or closed.
pub struct Mention {
    pub port: u16,
    pub opens: bool,
    /// Whether all other ports are closed.
    pub only: bool,
}

/// The dots of an address.
const ADDRESS_DOTS: usize = 3;

/// A negation applies to a port at most this many words after it.
const NEGATION_REACH: usize = 4;

/// The number of a port: “443”, “443/tcp”.
pub(super) fn number_of(value: &str) -> Option<u16> {
    value.strip_suffix("/tcp").unwrap_or(value).parse().ok()
}

/// All ports that the user wants open or closed. A port that another clause opens only for some is not open.
pub fn of(words: &Words) -> Vec<Mention> {
    let all = clauses(words).into_iter().map(|clause| Clause::of(words, clause));
    let mentions = all.flat_map(|clause| clause.mentions());
    let restricted = restricted(words);
    mentions.filter(|mention| !(mention.opens && restricted.contains(&mention.port))).collect()
}

/// The ports that only some may reach: “8443 only for the office”.
pub fn restricted(words: &Words) -> Vec<u16> {
    let all: Vec<Range<usize>> = clauses(words);
    let of = |range: &Range<usize>| Clause::of(words, range.clone());
    let mut found = Vec::new();
    for (at, range) in all.iter().enumerate() {
        let clause = of(range);
        if !(clause.is_in(RESTRICTING) && clause.is_for_some()) {
            continue;
        }
        let own = clause.ports();
        // “Open 9443, but only for that same IP”
        let before = at.checked_sub(1).map(|before| &all[before]);
        let before = before.filter(|before| words.sentence(range.start).contains(&before.start));
        let ssh = clause.is_in(&["ssh", "22"]);
        match before {
            Some(before) if own.is_empty() && !ssh => found.extend(of(before).ports()),
            _ => found.extend(own),
        }
    }
    found
}

/// The ports outside an exception: “all ports closed except 80 and 443”.
pub fn all_that_stay_open(words: &Words) -> Option<Vec<u16>> {
    const EXCEPT: &[&str] = &["except", "besides", "but"];
    let all = clauses(words).into_iter().map(|clause| Clause::of(words, clause));
    all.filter(|clause| !clause.is_for_some()).find_map(|clause| {
        let except = (0..clause.values.len()).find(|at| clause.is(*at, EXCEPT))?;
        let closes = |at: usize| clause.is(at, CLOSING) || clause.is(at, &["nothing"]);
        let closed = (0..except).any(closes);
        let whole = !(0..except).any(|at| clause.port(at).is_some() || clause.is(at, OPENING));
        let ports: Vec<u16> =
            (except..clause.values.len()).filter_map(|at| clause.port(at)).collect();
        (closed && whole && !ports.is_empty()).then_some(ports)
    })
}

/// “Open 8443, 80 closed”: whether a word for closing without a port after it follows a port to open. “8443 open, 80
/// closed” is clear, because each port is right before its own word.
pub fn are_unclear(words: &Words) -> bool {
    let all = clauses(words).into_iter().map(|clause| Clause::of(words, clause));
    let all: Vec<Clause> = all.collect();
    let opens = |clause: &Clause| (0..clause.values.len()).any(|at| clause.is(at, OPENING));
    let trails = |clause: &Clause| {
        let last = (0..clause.values.len()).rev().find(|at| clause.is(*at, CLOSING));
        let ports = |range: Range<usize>| range.into_iter().any(|at| clause.port(at).is_some());
        last.is_some_and(|last| ports(0..last) && !ports(last..clause.values.len()))
            && !clause.is_said_after()
    };
    all.iter().any(opens) && all.iter().any(trails)
}

struct Clause<'a> {
    words: &'a Words,
    start: usize,
    values: Vec<&'a str>,
}

impl<'a> Clause<'a> {
    fn of(words: &'a Words, range: Range<usize>) -> Clause<'a> {
        let values = words.values().skip(range.start).take(range.len()).collect();
        Clause { words, start: range.start, values }
    }

    fn is(&self, at: usize, list: &[&str]) -> bool {
        self.values.get(at).is_some_and(|value| list.contains(value))
    }

    fn port(&self, at: usize) -> Option<u16> {
        let value = self.values.get(at)?;
        let own = ![Some("22"), self.words.ssh_port()].contains(&Some(value));
        let other = || self.counts(at) || self.is_of_udp(at) || self.is_of_a_range(at);
        number_of(value).filter(|port| own && *port > 0 && !other())
    }

    fn ports(&self) -> Vec<u16> {
        (0..self.values.len()).filter_map(|at| self.port(at)).collect()
    }

    /// Whether a number is a count and not a port: “4 GB”, “30 days”.
    fn counts(&self, at: usize) -> bool {
        let beside = [OPENING, CLOSING, PORTS, BETWEEN].concat();
        self.values.get(at + 1).is_some_and(|next| {
            let weight = Language::English.weight(next);
            let counted =
                weight == Weight::Full || ["day", "days", "month", "machines"].contains(next);
            counted && !beside.contains(next) && number_of(next).is_none()
        })
    }

    /// Whether a number is a port of UDP, which no deployment here opens: the protocol right after it counts, and else
    /// the last one before it: “udp 34197, 27015 tcp”.
    fn is_of_udp(&self, at: usize) -> bool {
        const PROTOCOLS: &[&str] = &["udp", "tcp"];
        if !self.is_in(&["udp"]) {
            return false;
        }
        let number = |at: &usize| self.is_number(*at) || self.is(*at, &["and", "port", "ports"]);
        let end = (at..self.values.len()).find(|at| !number(at)).unwrap_or(self.values.len());
        let before = (0..at).rev().find(|at| self.is(*at, PROTOCOLS));
        // “443 and UDP 51820”: the protocol is that of the next number.
        let of_next = self.is(end - 1, &["and"]) && self.is_number(end + 1);
        match (self.is(end, PROTOCOLS) && !of_next, before) {
            (true, _) => self.is(end, &["udp"]),
            (false, Some(before)) => self.is(before, &["udp"]),
            (false, None) => !self.is_in(&["tcp"]) && !of_next,
        }
    }

    /// Whether a number is the first or the last one of a range: “2456 to 2458”.
    fn is_of_a_range(&self, at: usize) -> bool {
        const TO: &[&str] = &[
            "to", "until", "through", "bis", "a", "al", "hasta", "à", "at", "jusqu'à", "...", "…",
        ];
        let ranges = |first: usize| {
            self.is(first + 1, TO) && self.is_number(first) && self.is_number(first + 2)
        };
        ranges(at) || at >= 2 && ranges(at - 2)
    }

    fn is_number(&self, at: usize) -> bool {
        self.values.get(at).is_some_and(|value| number_of(value).is_some())
    }

    fn is_in(&self, list: &[&str]) -> bool {
        (0..self.values.len()).any(|at| self.is(at, list))
    }

    fn mentions(&self) -> Vec<Mention> {
        let only = self.values.contains(&"only");
        let mut mentions = Vec::new();
        let mut at = 0;
        while at < self.values.len() {
            if self.port(at).is_none() {
                at += 1;
                continue;
            }
            let run = at..self.end_of_run(at);
            let opens = self.opens(&run);
            let ports = run.clone().filter_map(|at| self.port(at));
            mentions
                .extend(ports.filter_map(|port| opens.map(|opens| Mention { port, opens, only })));
            at = run.end;
        }
        mentions
    }

    /// The end of a list of ports: “80 and 443”.
    fn end_of_run(&self, start: usize) -> usize {
        const JOINING: &[&str] = &[
            "and",
            "or",
            "also",
            "plus",
            "additionally",
            "y",
            "et",
            "und",
            "the",
            "el",
            "le",
            "los",
            "les",
            "port",
            "ports",
        ];
        let joins = |at: &usize| self.port(*at).is_some() || self.is(*at, JOINING);
        let last =
            (start..self.values.len()).take_while(joins).filter(|at| self.port(*at).is_some());
        last.last().map_or(start, |last| last) + 1
    }

    /// Whether each list of ports is right before its own word for opening or closing: “5000 open and 25 closed”.
    fn is_said_after(&self) -> bool {
        let mut runs = Vec::new();
        let mut at = 0;
        while at < self.values.len() {
            let run = at..self.end_of_run(at);
            if self.port(at).is_some() {
                runs.push(run.clone());
            }
            at = if self.port(at).is_some() { run.end } else { at + 1 };
        }
        let verbs = [OPENING, CLOSING].concat();
        let first = runs.first().map_or(0, |run| run.start);
        let leads = (0..first).any(|at| self.is(at, &verbs));
        let own = |run: &Range<usize>| {
            let polite = |at: usize| self.is(at, &["please", "bitte", "por", "favor", "svp"]);
            let next = (run.end..self.values.len()).find(|at| !self.is(*at, VERBS) && !polite(*at));
            next.is_some_and(|at| self.is(at, &verbs))
        };
        !leads && runs.iter().all(own)
    }

    /// Whether a number is a day: “the old host closes on the 31st”, “l'ancien hébergeur ferme le 31”.
    fn is_a_day(&self, run: &Range<usize>) -> bool {
        const DAYS: Range<u16> = 26..32;
        let port = self.port(run.start).filter(|_| run.len() == 1);
        let said = run.start.checked_sub(1).map(|at| self.words.said(self.start + at).0);
        port.is_some_and(|port| DAYS.contains(&port))
            && matches!(said, Some("le" | "el" | "am" | "the" | "on"))
    }

    /// Whether the ports are open; `None` if the message does not say so, or not for everyone.
    fn opens(&self, run: &Range<usize>) -> Option<bool> {
        if self.is_a_day(run) {
            return None;
        }
        if self.faces_outside(run) {
            return Some(true);
        }
        let verbs = [OPENING, CLOSING].concat();
        let near = [OPENING, CLOSING, PORTS].concat();
        let between = |at: &usize| self.is(*at, BETWEEN);
        // “Ports 22, 80 and 443”
        let before = |at: &usize| between(at) || self.is(*at, &["22"]);
        let left = (0..run.start).rev().find(|at| !before(at)).filter(|at| self.is(*at, &near));
        let right = (run.end..self.values.len()).find(|at| !between(at));
        let right = right.filter(|at| self.is(*at, &near));
        if left.is_none() && right.is_none() {
            return None;
        }
        let other_run = |range: Range<usize>| range.into_iter().any(|at| self.port(at).is_some());
        let before = (0..run.start).rev().find(|at| self.is(*at, &verbs));
        let after = (run.end..self.values.len()).find(|at| self.is(*at, &verbs));
        let before = before.filter(|verb| !other_run(*verb..run.start) && !self.is_said_after());
        let after = after.filter(|verb| !other_run(run.end..*verb) || before.is_none());
        let verb = before.or(after);
        let closing = verb.is_some_and(|verb| self.is(verb, CLOSING));
        if closing || self.is_negated(run, verb) {
            return Some(false).filter(|_| verb.is_some());
        }
        let said = verb.is_some() || self.is_a_wish_alone(run);
        (said && !self.is_for_some() && !self.is_of_ssh()).then_some(true)
    }

    /// Whether the ports may be those of SSH. Beside SSH's own port, they are not: “SSH on 2222 and 443 open”.
    fn is_of_ssh(&self) -> bool {
        let own = self.words.ssh_port().is_some_and(|port| self.values.contains(&port));
        self.values.contains(&"ssh") && !own
    }

    /// Whether the ports are those on the outside, and the clause says nothing else: “only 443 to the outside”.
    fn faces_outside(&self, run: &Range<usize>) -> bool {
        let outside = (0..self.values.len()).any(|at| self.is(at, &["outside"]));
        let other = |at: usize| {
            let known = self.port(at).is_some() || self.is(at, BETWEEN) || self.is(at, PORTS);
            !known && !self.is_blank(at)
        };
        let from = (0..run.start).any(|at| self.is(at, &["from"]));
        let said = (0..self.values.len()).filter(|at| !run.contains(at));
        outside && !from && !said.into_iter().any(|at| other(at) || is_negation(self.values[at]))
    }

    /// Whether the clause says who may connect.
    fn is_for_some(&self) -> bool {
        // “Only for that same IP”
        let only = self.is_in(RESTRICTING) && !self.is_in(&["public", "everybody", "everyone"]);
        (0..self.values.len()).any(|at| {
            self.is(at, FOR_SOME) || self.is_address(at) || only && self.is(at, ADDRESSES)
        })
    }

    /// Whether a negation before the ports, or between them and their verb, applies to them.
    fn is_negated(&self, run: &Range<usize>, verb: Option<usize>) -> bool {
        let end = verb.map_or(run.start, |verb| verb.max(run.start));
        let negation = (0..end).rev().find(|at| is_negation(self.values[*at]));
        let Some(negation) = negation.filter(|at| run.start.saturating_sub(*at) <= NEGATION_REACH)
        else {
            return false;
        };
        // “no docker and ports 80 and 443 open”
        let ends = |at: usize| self.is(at, &["and", "but", "with", "or"]);
        !(negation + 1..run.start).any(ends) && !self.is(negation + 1, &["only"])
    }

    fn is_address(&self, at: usize) -> bool {
        let value = self.values[at];
        let digits = value.starts_with(|c: char| c.is_ascii_digit());
        let protocol = value.ends_with("/udp") || value.ends_with("/tcp");
        let path = value.contains('/') && value.len() > 1 && !protocol;
        // “24.04” is a version.
        let dots = value.matches('.').count();
        digits && dots == ADDRESS_DOTS || path || value.contains('@')
    }

    /// Whether ports without a verb are a wish: “a VPS, ports 80 and 443”. A single “port 5433” may belong to anything
    /// that the sentence names.
    fn is_a_wish_alone(&self, run: &Range<usize>) -> bool {
        let sentence = Clause::of(self.words, self.words.sentence(self.start));
        // “Ports 22, 80 and 443”
        let mut before = (0..run.start).rev().skip_while(|at| self.is_number(*at));
        let plural = before.next().is_some_and(|at| self.is(at, &["ports"]));
        // “Ports 80 and 443, SSH from 203.0.113.7”
        let of_ssh = |at: usize| {
            let to = self.words.clause(sentence.start + at).end - sentence.start;
            plural && sentence.values.iter().take(to).any(|word| *word == "ssh")
        };
        let addressed = (0..sentence.values.len()).any(|at| sentence.is_address(at) && !of_ssh(at));
        let clause = if plural { self } else { &sentence };
        !addressed && clause.is_only_about_ports()
    }

    /// Whether the clause names nothing besides a server and its ports: “a VPS with ports 80 and 443”.
    fn is_only_about_ports(&self) -> bool {
        let server: Vec<&str> =
            Blueprint::by_id("basic-vps").into_iter().flat_map(Blueprint::cues).collect();
        (0..self.values.len()).all(|at| {
            let udp = self.values[at].ends_with("/udp");
            let known =
                self.port(at).is_some() || self.is(at, PORTS) || self.is(at, &server) || udp;
            known || self.is(at, BETWEEN) || self.is(at, &["22"]) || self.is_blank(at)
        })
    }

    fn is_blank(&self, at: usize) -> bool {
        let value = self.values[at];
        let translated = self.words.said(self.start + at).1.is_some();
        Language::English.weight(value) == Weight::Empty || (translated && value == "with")
    }
}
