//! Values that a later part of the conversation corrects in words that no rule knows.
//!
//! The latest mention of a value of a kind takes its place if it can belong to nothing else. If it may belong to something
//! else, the plan keeps the value that it has, and its row is a question instead of a promise.

use super::values::SECOND;
use super::{Dialogue, OPEN_PORTS};
use crate::catalogue::networks::{self, Later};
use crate::catalogue::parameters::{ADDING, Found, Parameter};
use crate::catalogue::{self, places, stacks};
use crate::reading::wishes::{Asked, DOUBT, Fate};
use crate::words::language::Weight;
use crate::words::{Words, denies, gives_up, lists};

/// Words by which a user confirms what stands beside them.
const YES: &[&str] = &["yes", "sí", "ja", "doch", "oui", "si"];

/// The lowest port that a service without special rights listens on.
const LOWEST_PORT: u16 = 1024;

/// Words for what is needed, in the user's words or in English.
const NEEDING: &[&str] = &[
    "need",
    "needs",
    "needed",
    "required",
    "necessary",
    "falta",
    "necesito",
    "necesitamos",
    "necesario",
    "brauche",
    "brauchen",
    "gebraucht",
    "nötig",
    "besoin",
    "faut",
    "nécessaire",
];

/// Whether a host is one of several that a message wants: “a.example.org and b.example.org”.
fn is_in_a_list(words: &Words, at: usize) -> bool {
    const JOINING: &[&str] = &["and", "plus", "y", "et", "und", "sowie", "&"];
    let values: Vec<&str> = words.values().collect();
    let near = [at.checked_sub(2), Some(at + 2)].into_iter().flatten();
    let mut near = near.filter(|other| values.get(*other).is_some_and(|host| host.contains('.')));
    near.any(|other| JOINING.contains(&values[other.midpoint(at)])) && words.means_value(at)
}

/// Whether the words before a name speak of the thing with that name, and do not use the word for something else or as a place:
/// “falcon is taken”, but not “enter new members” and “nothing on billing”.
fn stands_for_a_name(words: &Words, at: usize) -> bool {
    const PLACING: &str =
        "on in to from for into of auf für aus an en de para sobre sur dans pour à";
    const NOUNS: &str = "name named database db server machine host";
    let before = at.checked_sub(1).filter(|before| *before >= words.clause(at).start);
    before.is_none_or(|before| {
        let value = words.values().nth(before).unwrap_or_default();
        let placed = words.is_in(before, PLACING);
        lists(NOUNS, value) || words.weighs(before) == Weight::Empty && !placed
    })
}

impl Dialogue {
    /// Notes that a message may have changed a value: the row about it asks, and promises nothing.
    pub(super) fn doubt(&mut self, parameter: &'static Parameter, said: &str) {
        let value = self.values.get(parameter.key).cloned();
        let value = value.unwrap_or_else(|| parameter.default.into());
        let fate = Fate::Differently(format!("{}{DOUBT}", value.replace(',', ", ")));
        let asked = Asked { what: parameter.requirement(said), fate };
        self.limit(parameter, value, asked, None);
    }

    /// Whether the conversation gave the value before.
    pub(super) fn has_given(&self, key: &str) -> bool {
        self.named.contains(key) || self.limited.contains_key(key)
    }

    /// Reads what a later message says about the addresses that SSH lets in. Returns whether the rules for a first message
    /// need not read it.
    pub(super) fn readdress(&mut self, parameter: &'static Parameter, words: &Words) -> bool {
        if parameter.key != networks::SSH_FROM.key || !self.has_given(parameter.key) {
            return false;
        }
        let present = self.values.get(parameter.key).map_or("", String::as_str);
        match networks::later(words, present, &self.said) {
            Later::AsRead => return false,
            Later::Elsewhere => {}
            Later::Left(list, clause) => {
                self.set(parameter, networks::listed(&list));
                self.latest.spent.extend(clause);
            }
            Later::Now(list) => {
                let value = networks::listed(&list);
                match (parameter.accept)(&value) {
                    Some(value) => self.set(parameter, value),
                    None => self.doubt(parameter, &value),
                }
            }
            Later::Narrowed(list, said) => {
                let value = (parameter.accept)(&networks::listed(&list));
                let value = value.unwrap_or_else(|| networks::listed(&[]));
                let how = match list.join(", ") {
                    list if value != networks::listed(&[]) => list,
                    _ => "only this sandbox, as the list is too long".into(),
                };
                let asked = Asked { what: said, fate: Fate::Differently(how) };
                self.limit(parameter, value, asked, None);
            }
            Later::Unclear(said) => self.doubt(parameter, &said),
        }
        true
    }

    /// What a later message names beside the present value, where a rule finds only that: “cx33 is too much, cx23”.
    pub(super) fn latest_mention(
        &self,
        parameter: &Parameter,
        words: &Words,
        found: &Found,
    ) -> Option<String> {
        let present = self.values.get(parameter.key).filter(|_| self.has_given(parameter.key))?;
        let kept = *found == Found::Value(present.clone());
        let values: Vec<&str> = words.values().collect();
        let meant = |at: &usize| !words.ends_in_question(*at) && words.means_value(*at);
        let accepted = |at: usize| {
            let value = values[at].split_once("//").map_or(values[at], |(_, rest)| rest);
            (parameter.accept)(value.trim_end_matches('/'))
        };
        let named = match parameter.key {
            "location" | "region" if kept => {
                let places = places::own(words, places::of(self.blueprint?.place)).into_iter();
                let other = |place: &places::Mention| {
                    !place.refused
                        && !places::contains(place.name, present)
                        && !words.ends_in_question(place.values.start)
                };
                places.filter(other).max_by_key(|place| place.values.start).map(|p| p.code.into())
            }
            "server-type" | "instance-type" if kept => {
                (0..values.len()).filter(meant).filter_map(accepted).rfind(|one| one != present)
            }
            // “Somebody says 8000 is taken, so use 8044”
            "port" if kept || *found == Found::Nothing => {
                let number =
                    |at: &usize| values[*at].parse::<u16>().is_ok_and(|n| n >= LOWEST_PORT);
                let (old, new): (Vec<usize>, Vec<usize>) =
                    (0..values.len()).filter(number).partition(|at| values[*at] == present);
                match new.as_slice() {
                    [new] if !old.is_empty() && meant(new) => accepted(*new),
                    _ => None,
                }
            }
            "domain" | "site-domain" if kept || *found == Found::Nothing => {
                let said = (0..values.len()).find(|at| accepted(*at).as_ref() == Some(present));
                let said = said.filter(|at| !is_in_a_list(words, *at));
                let hosts = (0..values.len()).filter(|at| values[*at].contains('.'));
                let other = hosts.filter_map(accepted).rfind(|one| one != present);
                other.filter(|_| said.is_some())
            }
            _ => None,
        };
        named.filter(|_| !words.means_any(ADDING) && !words.means_any(SECOND))
    }

    /// Stops watching an address of which a later message gives up the part that no other has: “remove the blog”.
    pub(super) fn unwatch(&mut self, words: &Words) {
        let Some(parameter) = self.parameters().find(|one| one.key == stacks::WATCHED.key) else {
            return;
        };
        let all: Vec<String> = self
            .values
            .get(parameter.key)
            .map_or(Vec::new(), |list| list.split(',').map(str::to_string).collect());
        let parts = |address: &str| -> Vec<String> {
            address.split(['/', '.', ':']).map(str::to_string).collect()
        };
        let values: Vec<&str> = words.values().collect();
        // “The blog, remove it”
        let given_up = |at: usize| {
            let clause = &values[words.clause(at)];
            let it = |pair: &[&str]| gives_up(pair[0]) && pair[1] == "it";
            !words.means_value(at) || clause.windows(2).any(it)
        };
        let own = |address: &String| {
            let others = || all.iter().filter(|other| *other != address);
            (0..values.len()).find(|at| {
                let part = values[*at].to_string();
                parts(address).contains(&part)
                    && given_up(*at)
                    && !others().any(|other| parts(other).contains(&part))
            })
        };
        let gone: Vec<(String, usize)> =
            all.iter().filter_map(|one| Some((one.clone(), own(one)?))).collect();
        if !self.said.is_empty() && !gone.is_empty() && gone.len() < all.len() {
            self.latest.spent.extend(gone.iter().flat_map(|(_, at)| words.clause(*at)));
            let gone: Vec<String> = gone.into_iter().map(|(address, _)| address).collect();
            self.change(parameter, Vec::new(), &gone, true);
        }
    }

    /// Asks about a name that a later message speaks of without another one that a rule finds: “falcon is taken, osprey it is”.
    pub(super) fn doubt_names(&mut self, words: &Words) {
        if self.said.is_empty() {
            return;
        }
        let values: Vec<&str> = words.values().collect();
        let changed = |key: &str| self.latest.changed.iter().any(|(one, _)| one.key == key);
        let named = self.parameters().filter(|one| ["name", "database"].contains(&one.key));
        let named: Vec<_> =
            named.filter(|one| self.has_given(one.key) && !changed(one.key)).collect();
        for parameter in named {
            let present = self.values.get(parameter.key).cloned().unwrap_or_default();
            let is_it = |at: usize| (parameter.accept)(values[at]).as_ref() == Some(&present);
            let more = |at: usize| {
                words.sentence(at).any(|at| words.weighs(at) == Weight::Full && !is_it(at))
            };
            let spoken = (0..values.len()).find(|at| {
                is_it(*at)
                    && more(*at)
                    && stands_for_a_name(words, *at)
                    && !words.ends_in_question(*at)
            });
            // “The database, call it "patients"”
            let quoted = (0..values.len()).find(|at| {
                parameter.key == "database" && words.has("database") && words.is_quoted(*at)
            });
            if let Some(at) = quoted.or(spoken) {
                self.doubt(parameter, &words.said_in(at..at + 1));
            }
        }
    }

    /// Opens a port of an earlier message again that a later one needs: “sorry, 80 is needed for the certificate”.
    pub(super) fn reopen(&mut self, words: &Words) {
        let Some(parameter) = self.parameters().find(|one| one.key == OPEN_PORTS) else { return };
        let list = self.values.get(OPEN_PORTS).cloned().unwrap_or_default();
        let values: Vec<&str> = words.values().collect();
        let known = |port: &str| self.said.iter().any(|said| said.values().any(|one| one == port));
        let restricted = |clause: &std::ops::Range<usize>| {
            let some = |at: usize| networks::has_address(values[at]) || denies(values[at]);
            clause.clone().any(some) || words.ends_in_question(clause.start)
        };
        let needed = |clause: &std::ops::Range<usize>| {
            let said = words.said_in(clause.clone());
            let both = said.split(' ').chain(values[clause.clone()].iter().copied());
            both.into_iter().any(|word| NEEDING.contains(&word))
        };
        let port = |at: &usize| {
            let clause = words.clause(*at);
            let number = values[*at].parse::<u16>().is_ok_and(|port| port >= 80);
            let closed = !catalogue::listed_ports(&list).any(|open| open == values[*at]);
            number && closed && known(values[*at]) && needed(&clause) && !restricted(&clause)
        };
        let added: Vec<String> =
            (0..values.len()).filter(port).map(|at| values[at].to_string()).collect();
        if !added.is_empty() {
            self.change(parameter, added, &[], true);
        }
    }

    /// Closes open ports that the message does not want open, in any words: “25565 no, that was the old server”.
    pub(super) fn reclose(&mut self, words: &Words) {
        let Some(parameter) = self.parameters().find(|one| one.key == OPEN_PORTS) else { return };
        let list = self.values.get(OPEN_PORTS).cloned().unwrap_or_default();
        let is_open = |port: &String| catalogue::listed_ports(&list).any(|open| open == port);
        let denied = catalogue::denied_ports(words).into_iter().flat_map(|denied| denied.ports);
        // “443 open and 80 closed”: what a rule opens in the same message stays open.
        let opened = match parameter.found_in(words) {
            Found::Changed { added, .. } => added,
            Found::Value(list) => list.split(',').map(str::to_string).collect(),
            Found::Refused(_) => return,
            _ => Vec::new(),
        };
        let denied: Vec<String> =
            denied.filter(|port| is_open(port) && !opened.contains(port)).collect();
        if !denied.is_empty() {
            let instead = self.port_instead(words, &denied);
            let doubted = instead.clone().filter(|(_, sure)| !sure);
            let added = instead.filter(|(_, sure)| *sure).map(|(port, _)| port);
            self.change(parameter, added.into_iter().collect(), &denied, true);
            if let Some((port, _)) = doubted {
                self.doubt(parameter, &port);
            }
            return;
        }
        let changed = self.latest.changed.iter().any(|(changed, _)| changed.key == OPEN_PORTS);
        if self.said.is_empty() || changed || !self.has_given(OPEN_PORTS) {
            return;
        }
        let values: Vec<&str> = words.values().collect();
        // A rule that finds the ports opens them again.
        if parameter.found_in(words) != Found::Nothing {
            return;
        }
        let asks = |at: usize| words.ends_in_question(at) && words.sentence(at).len() > 2;
        // “8443 is for the admin page”, “yes, 80 is needed for the certificate”
        let explains = |at: usize| {
            let clause = words.clause(at);
            let has = |list: &[&str]| values[clause.clone()].iter().any(|word| list.contains(word));
            let reason = has(&["for", "für", "para", "pour"]);
            (reason || has(NEEDING) || has(YES)) && !clause.clone().any(|at| denies(values[at]))
        };
        let mut unclear = (0..values.len())
            .filter(|at| is_open(&values[*at].to_string()) && !asks(*at) && !explains(*at));
        if let Some(at) = unclear.next() {
            self.doubt(parameter, values[at]);
        }
    }
}
