//! Safety nets under the readers: invariants of the finished table, whatever the sentence was.
//!
//! Each reader knows phrases. A net knows none: it compares the words of a message with what is planned after it, and where
//! both may contradict each other, the plan keeps what is safe and a row asks. So a phrase that no reader knows costs the
//! user an answer, and never builds something else without a word.
//!
//! - A deployment that is named only where it may be refused is not chosen ([`Dialogue::recognize`]), and one that a later
//!   message may refuse is asked about ([`Dialogue::ask_about_the_deployment`]).
//! - The last sentence that gives a value counts, or the row asks ([`Dialogue::ask_about_sentences`]).
//! - A number of servers that is not the planned one is asked about ([`Dialogue::ask_about_counts`]).
//! - A number that only belongs to something else gives no value ([`Dialogue::keep_numbers_apart`]).
//! - A port or an address of an earlier message does not vanish ([`Dialogue::keep_lists`]).

use std::collections::{BTreeMap, BTreeSet};

use super::limits::Limited;
use super::recount::{ELSEWHERE, MACHINES};
use super::{Dialogue, OPEN_PORTS};
use crate::catalogue::additions;
use crate::catalogue::parameters::kinds::counted_by_roles;
use crate::catalogue::parameters::{ADDING, Found, Parameter};
use crate::catalogue::{self, Blueprint, Place, networks};
use crate::reading::wishes::{Asked, DOUBT, Fate};
use crate::words::{Words, numbers};

/// The keys of the values of which the last sentence that gives one counts.
const SINGLE: &[&str] = &[
    "location",
    "region",
    "server-type",
    "instance-type",
    "dump-days",
    "retention-days",
    "heap-gb",
    "volume-gb",
    "redis-memory-mb",
];

/// Those of them of which only a later message has to give the last one: a first message also says where others are.
const PLACES: &[&str] = &["location", "region"];

/// The keys of the numbers of servers.
const COUNTS: &[&str] = &["servers", "app-servers"];

/// A larger number counts something else.
const MOST_SERVERS: u32 = 20;

/// How many words after a number the servers that it counts may be: “three existing app servers”.
const COUNTED_REACH: usize = 3;

/// Ports of services that people name begin here: a smaller number beside an address counts something else.
const LOWEST_PORT: u16 = 80;

/// How often the choice is read again without the words for a deployment that they may refuse.
const READINGS: usize = 3;

/// The values before a message.
pub(super) struct Before {
    blueprint: Option<&'static Blueprint>,
    pub(super) values: BTreeMap<&'static str, String>,
    pub(super) named: BTreeSet<&'static str>,
    /// The rows of limited values, by key.
    pub(super) limited: BTreeMap<&'static str, Limited>,
}

impl Dialogue {
    pub(super) fn before(&self) -> Before {
        Before {
            blueprint: self.blueprint,
            values: self.values.clone(),
            named: self.named.clone(),
            limited: self.limited.clone(),
        }
    }

    /// The deployment that a message names, and its score. One that the conversation names only where it may be refused
    /// is not meant: “Docker yes, Kubernetes surtout pas”.
    pub(super) fn recognize(&self, words: &Words) -> Option<(&'static Blueprint, usize)> {
        let mut words = words.without_comparisons();
        for _ in 0..READINGS {
            let named = catalogue::recognize(&words)?;
            // After several servers, “a t3.micro for the bastion” is about one of them.
            let mut earlier = self.said.iter();
            let one_of = named.0.place == Place::Aws && !catalogue::types_of_aws(&words).is_empty();
            if one_of && earlier.any(|said| catalogue::types_of_aws(said).len() > 1) {
                return None;
            }
            let refused = self.named_only_to_refuse(named.0, &words);
            if refused.is_empty() {
                return Some(named);
            }
            words = words.without(&refused);
        }
        None
    }

    /// The clauses of a message that name the deployment, if neither the message nor an earlier one names it elsewhere.
    fn named_only_to_refuse(&self, blueprint: &Blueprint, words: &Words) -> BTreeSet<usize> {
        let places = |words: &Words| -> Vec<_> {
            blueprint.own_cues().flat_map(|cue| words.meant_at(cue)).collect()
        };
        let clean = |words: &Words| places(words).iter().any(|place| !words.may_refuse(place));
        let mut earlier = self.said.iter();
        if clean(words) || earlier.any(|earlier| clean(earlier)) {
            return BTreeSet::new();
        }
        places(words).iter().flat_map(|place| words.clause_of(place)).collect()
    }

    /// Checks the values after a message.
    pub(super) fn check_values(&mut self, words: &Words, before: &Before) {
        self.keep_lists(words, before);
        self.close_for_some(words, before);
        self.keep_ports_of_additions(words, before);
        self.let_in_only_by_ssh(words, before);
        self.keep_logins_apart(words, before);
        self.take_amounts(words);
        self.keep_numbers_apart(words, before);
        self.ask_about_withdrawn(words);
        self.ask_about_sentences(words);
        self.ask_about_counts(words);
        self.ask_about_reversed(words);
    }

    /// Asks about the values of which the conversation gives two, if a later message exchanges them: “the other way round”.
    fn ask_about_reversed(&mut self, words: &Words) {
        const NAMES: &[&str] = &["domain", "site-domain"];
        /// The most words of a clause that says only that something is reversed.
        const BRIEF: usize = 5;
        let Some(clause) = words.reversal().filter(|_| !self.said.is_empty()) else { return };
        // “The other way round: three servers” says itself what changes.
        let changes = self.latest.chosen || !self.latest.changed.is_empty();
        if changes && clause.len() <= BRIEF {
            self.latest.reported.extend(clause.clone());
        }
        let said = words.said_in(clause);
        let changed = |key: &str| self.latest.changed.iter().any(|(one, _)| one.key == key);
        let another = |one: &Parameter| {
            let planned = self.planned(one);
            let mut values = self.said.iter().flat_map(|said| said.values());
            values.any(|value| {
                value.contains('.') && (one.accept)(value).is_some_and(|value| value != planned)
            })
        };
        let reversed = self.parameters().filter(|one| NAMES.contains(&one.key));
        let reversed: Vec<&'static Parameter> = reversed
            .filter(|one| self.has_given(one.key) && !changed(one.key) && another(one))
            .collect();
        reversed.into_iter().for_each(|one| self.doubt(one, &said));
    }

    /// Asks whether a deployment still holds that a later message may refuse.
    pub(super) fn ask_about_the_deployment(&mut self, words: &Words, before: &Before) {
        let kept = self.blueprint.filter(|now| before.blueprint.is_some_and(|b| b.id == now.id));
        let asks = !self.latest.question && !self.latest.exchanged;
        let Some(blueprint) = kept.filter(|_| asks) else { return };
        let places: Vec<_> = blueprint.own_cues().flat_map(|cue| words.places(cue)).collect();
        let Some(first) = places.first() else { return };
        if !places.iter().all(|place| words.may_refuse(place)) {
            return;
        }
        let what = words.said_in(words.clause_of(first));
        let how = format!("{}{DOUBT}", blueprint.title);
        self.lack(vec![Asked { what, fate: Fate::Differently(how) }]);
    }

    /// Asks about a value if the last sentence of a message that alone gives one gives another one than what is planned.
    fn ask_about_sentences(&mut self, words: &Words) {
        let first = self.said.is_empty();
        let single = self.parameters().filter(|one| SINGLE.contains(&one.key));
        let single = single.filter(|one| !(first && PLACES.contains(&one.key)));
        let single: Vec<&'static Parameter> =
            single.filter(|one| !self.limited.contains_key(one.key)).collect();
        for parameter in single {
            let planned = self.planned(parameter);
            // Readers of corrections know more of the message than its sentences say.
            let whole = parameter.found_in(words);
            if ![Found::Nothing, Found::Value(planned.clone())].contains(&whole) {
                continue;
            }
            let last = words.sentences().into_iter().rev().find_map(|sentence| {
                let asks = words.ends_in_question(sentence.start);
                let spare = || sentence.clone().any(|at| words.follows_a_condition(at));
                let rest = (0..words.count()).filter(|at| !sentence.contains(at)).collect();
                match parameter.found_in(&words.clone().without(&rest)) {
                    Found::Value(value) | Found::Nearest { value, .. } if !asks && !spare() => {
                        Some(value)
                    }
                    _ => None,
                }
            });
            let another = |last: &String| {
                let number = last.parse().ok();
                number.is_some_and(|number| self.is_only_anothers(words, number, parameter.key))
            };
            if let Some(last) = last.filter(|last| *last != planned && !another(last)) {
                self.doubt(parameter, &last);
            }
        }
    }

    /// Sets an amount that a later message gives right after its noun: “heap to 4 and retention to 60”.
    fn take_amounts(&mut self, words: &Words) {
        const NOUNS: &[(&str, &[&str])] = &[
            ("heap-gb", &["heap"]),
            ("retention-days", &["retention"]),
            ("dump-days", &["retention"]),
        ];
        const TO: &[&str] = &["to", "a", "auf", "à", "on"];
        if self.said.is_empty() {
            return;
        }
        let values: Vec<&str> = words.values().collect();
        for (key, nouns) in NOUNS {
            let Some(parameter) = self.parameters().find(|one| one.key == *key) else { continue };
            let given = values.windows(3).enumerate().find(|(at, three)| {
                let unit = values.get(at + 3).filter(|_| !words.ends_clause(at + 2));
                let unit =
                    unit.is_none_or(|unit| ["and", "y", "et", "und", "gb", "days"].contains(unit));
                nouns.contains(&three[0]) && TO.contains(&three[1]) && unit
            });
            let given = given.and_then(|(_, three)| (parameter.accept)(three[2]));
            if let Some(value) = given.filter(|value| *value != self.planned(parameter)) {
                self.set(parameter, value);
            }
        }
    }

    /// Asks about the number of servers if a message counts another number of them than what is planned.
    fn ask_about_counts(&mut self, words: &Words) {
        let counts = self.parameters().find(|one| COUNTS.contains(&one.key));
        let counts = counts.filter(|one| !self.limited.contains_key(one.key));
        let Some(parameter) = counts.filter(|_| counted_by_roles(words).is_none()) else { return };
        let planned: Option<u32> = self.planned(parameter).parse().ok();
        let values: Vec<&str> = words.values().collect();
        let meant = |at: &usize| words.means_value(*at) && !words.ends_in_question(*at);
        let end = |at: usize| words.clause(at).end.min(at + 1 + COUNTED_REACH);
        let counted = (0..values.len()).rfind(|at| {
            let number = numbers::read(values[*at]);
            let placed =
                at.checked_sub(1).is_some_and(|before| ELSEWHERE.contains(&values[before]));
            let machines = (at + 1..end(*at)).any(|next| MACHINES.contains(&values[next]));
            let plausible = number.is_some_and(|number| (1..=MOST_SERVERS).contains(&number));
            plausible && machines && !placed && meant(at)
        });
        let Some(at) = counted.filter(|at| numbers::read(values[*at]) != planned) else { return };
        // “Make that two nodes, no, back to three”, but not the “rise 2” of “check inter 2s fall 3 rise 2”
        let number = |at: &usize| values[*at].starts_with(|c: char| c.is_ascii_digit());
        let only = |at: usize| words.clause(at).filter(number).all(|other| other == at);
        let back = (at + 1..values.len())
            .any(|at| numbers::read(values[at]) == planned && meant(&at) && only(at));
        if !back {
            self.doubt(parameter, &words.said_in(at..end(at)));
        }
    }

    /// The value that is planned now.
    fn planned(&self, parameter: &Parameter) -> String {
        self.values.get(parameter.key).map_or(parameter.default, String::as_str).to_string()
    }

    /// Leaves a port closed that a message opens in a sentence with an address, which may be the only one that may connect.
    fn close_for_some(&mut self, words: &Words, before: &Before) {
        let Some(parameter) = self.parameters().find(|one| one.key == OPEN_PORTS) else { return };
        let old = before.values.get(OPEN_PORTS).map_or("", String::as_str).to_string();
        let kept = |port: &str| {
            let default = catalogue::listed_ports(parameter.default);
            catalogue::listed_ports(&old).chain(default).any(|one| one == port)
        };
        let values: Vec<&str> = words.values().collect();
        let for_some = |port: &str| {
            let mut places = (0..values.len()).filter(|at| values[*at] == port);
            places.any(|at| {
                let clause = words.clause(at);
                let (sentence, next) = (words.sentence(at), clause.end);
                let other = |at: usize| ["ssh", "22"].contains(&values[at]);
                // The clause of the port, and the next one if it names no other port.
                let port = |at: usize| values[at].parse::<u16>().is_ok_and(|port| port > 22);
                let end = match sentence.contains(&next) {
                    true if !words.clause(next).any(port) => words.clause(next).end,
                    _ => next,
                };
                let mut near = clause.start..end;
                near.clone().any(|at| networks::has_address(values[at])) && !near.any(other)
            })
        };
        let now = self.planned(parameter);
        let gone: Vec<String> = catalogue::listed_ports(&now)
            .filter(|port| !kept(port) && for_some(port))
            .map(str::to_string)
            .collect();
        if !gone.is_empty() {
            self.change(parameter, Vec::new(), &gone, true);
            self.doubt(parameter, &gone.join(", "));
        }
    }

    /// Leaves a port closed that a later message names without opening it, if an addition may listen on it: “port 6380” after
    /// “a server with Redis”.
    fn keep_ports_of_additions(&mut self, words: &Words, before: &Before) {
        const OPENING: &[&str] =
            &["open", "opened", "expose", "public", "everybody", "ports", "firewall", "reachable"];
        const WEB: &[&str] = &["80", "443"];
        let listens = additions::chosen(&self.values).any(|one| !one.closed_ports.is_empty());
        let parameter = self.parameters().find(|one| one.key == OPEN_PORTS);
        let Some(parameter) = parameter.filter(|_| listens && !self.said.is_empty()) else {
            return;
        };
        let old = before.values.get(OPEN_PORTS).map_or("", String::as_str);
        let (old, now) = (catalogue::listed_ports(old), self.planned(parameter));
        let old: Vec<&str> = old.chain(WEB.iter().copied()).collect();
        let new = catalogue::listed_ports(&now).filter(|port| !old.contains(port));
        let new: Vec<String> = new.map(str::to_string).collect();
        if !new.is_empty() && !OPENING.iter().any(|word| words.has(word)) {
            self.change(parameter, Vec::new(), &new, true);
            self.doubt(parameter, &new.join(", "));
        }
    }

    /// Lets an address in by SSH only if its sentence does not give it another port: “8080 only for the office (203.0.113.7)”.
    fn let_in_only_by_ssh(&mut self, words: &Words, before: &Before) {
        let ssh = self.parameters().find(|one| one.key == networks::SSH_FROM.key);
        let Some(parameter) = ssh.filter(|one| self.has_given(one.key)) else { return };
        let old = before.values.get(parameter.key).cloned();
        let now = self.planned(parameter);
        if old.as_ref() == Some(&now) || networks::shares_a_network(words) {
            return;
        }
        let values: Vec<&str> = words.values().collect();
        let counted = ["gb", "mb", "day", "days", "users", "euro", "euros", "€", "people"];
        let port = |at: &usize| {
            let counts = values.get(at + 1).is_some_and(|next| counted.contains(next));
            values[*at].parse::<u16>().is_ok_and(|port| port >= LOWEST_PORT) && !counts
        };
        let of_a_port = |at: &usize| {
            let sentence = words.sentence(*at);
            let ssh = sentence.clone().any(|at| ["ssh", "22"].contains(&values[at]));
            !ssh && sentence.clone().any(|at| port(&at))
        };
        let kept = |value: &str| old.as_ref().is_some_and(|old| networks::lets_in(old, value));
        let new = (0..values.len()).filter(|at| networks::has_address(values[*at]));
        // An address in a network that is let in for other reasons is not the one that was read.
        let itself =
            |value: &str| now.split(',').any(|one| one.strip_suffix("/32").unwrap_or(one) == value);
        let new = new.filter(|at| !kept(values[*at]) && itself(values[*at]));
        let Some(at) = new.into_iter().find(of_a_port) else { return };
        self.restore(parameter, before);
        match old {
            Some(_) => self.doubt(parameter, &words.said_in(at..at + 1)),
            None => {
                let what = words.said_in(words.clause(at));
                self.lack(vec![Asked { what, fate: Fate::NotUnderstood }]);
            }
        }
    }

    /// Asks about the addresses of SSH if a message may withdraw one by the name of who has it.
    fn ask_about_withdrawn(&mut self, words: &Words) {
        let ssh = self.parameters().find(|one| one.key == networks::SSH_FROM.key);
        let changed = self.latest.changed.iter().any(|(one, _)| one.key == networks::SSH_FROM.key);
        let Some(parameter) = ssh.filter(|one| !changed && self.has_given(one.key)) else { return };
        let present = self.planned(parameter);
        if let Some(at) = networks::may_be_withdrawn(words, &present, &self.said) {
            self.doubt(parameter, &words.said_in(at..at + 1));
        }
    }

    /// Keeps the ports and addresses of earlier messages that a message neither names nor replaces.
    fn keep_lists(&mut self, words: &Words, before: &Before) {
        let same = self.blueprint.map(|now| now.id) == before.blueprint.map(|before| before.id);
        let lists = [OPEN_PORTS, networks::SSH_FROM.key];
        let lists: Vec<&'static Parameter> =
            self.parameters().filter(|one| same && lists.contains(&one.key)).collect();
        for parameter in lists {
            let items = |list: Option<&String>| -> Vec<String> {
                let list = list.map_or("", String::as_str).split(',');
                list.filter(|item| item.starts_with(|c: char| c.is_ascii_digit()))
                    .map(str::to_string)
                    .collect()
            };
            let old = items(before.values.get(parameter.key));
            let new = items(self.values.get(parameter.key));
            let gained: Vec<&String> = new.iter().filter(|item| !old.contains(item)).collect();
            let named = |item: &String| {
                let bare = item.strip_suffix("/32").unwrap_or(item);
                words.values().any(|value| value == bare || value == item)
            };
            let lost: Vec<&String> =
                old.iter().filter(|item| !new.contains(item) && !named(item)).collect();
            let replaced = parameter.key != OPEN_PORTS && lost.len() <= gained.len();
            let whole = words.means("only") && !words.means_any(ADDING);
            if lost.is_empty() || gained.is_empty() || replaced || whole {
                continue;
            }
            let said = gained.iter().map(|item| item.as_str()).collect::<Vec<_>>().join(", ");
            self.set(parameter, old.join(","));
            self.doubt(parameter, &said);
        }
    }
}
