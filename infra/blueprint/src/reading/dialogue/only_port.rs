//! The only port of a deployment, if a message adds another one to it or closes it: “also open port 8443”, “close port
//! 8080”. The deployment keeps its port, and a row says so.

use std::ops::Range;

use super::Dialogue;
use crate::catalogue::parameters::Parameter;
use crate::reading::wishes::{Asked, Fate};
use crate::words::Words;

/// Words by which a message adds a port. The German “also” means something else, so the user's own word counts.
const ADDING: &str = "also too additionally additional extra plus besides another add second further auch zusätzlich \
    zusätzlichen zusätzlicher außerdem ausserdem noch weiteren weiterer zweiten ebenfalls dazu también además adicional \
    otro segundo añade agrega aussi également autre deuxième supplémentaire ajoute ajoutez";
/// Phrases of several words by which a message adds a port.
const ADDING_PHRASES: &[&str] = &["as well", "in addition", "on top", "next to", "en plus"];
/// Words by which a message moves the port to another one.
const MOVING: &str = "instead rather replace replaces move moves switch change changes swap lieber statt stattdessen ändere \
    ändern wechsle wechsel verschiebe verlege mejor vez cambia cambie cambiar mueve mueva mover plutôt lieu change changez \
    changer déplace déplacez passe passez remplace remplacez";
/// Words for a port that answers.
const OPENING: &str = "open opened opens listen listens listening expose publish answer reachable öffne öffnen lausche \
    lauschen hören abre abrir escuche escuchar ouvre ouvrez ouvrir écoute écouter";
/// Words for a port that is to be closed.
const CLOSING: &str = "close closed closing shut schließe schließen schliesse schliessen geschlossen \
    dicht sperre sperren cierra cierre cerrar cerrado ferme fermez fermer fermé";
/// Words that join two ports.
const AND: &str = "and & plus und y e et";
/// Words that only belong to a port.
const BESIDE: &str =
    "port ports puerto puertos on at for to the as well den die der el los le les please bitte";

/// The start of the row for ports beside the only one.
const ALSO: &str = "also port ";

/// The lowest number that is read as a port without the word “port” right before it.
const LOWEST: u16 = 80;

impl Dialogue {
    /// Reads what a message says of the only port, if it adds another one or closes one. Returns whether it does, so that
    /// the port stays as it is.
    pub(super) fn keeps_its_port(&mut self, parameter: &'static Parameter, words: &Words) -> bool {
        if parameter.key != "port" {
            return false;
        }
        let ports = ports(words);
        let Some(last) = ports.last().copied() else { return false };
        // “8000 is closed to us; take 8044” moves the port.
        let number = |value: &str| value.parse::<u16>().is_ok_and(|port| port >= LOWEST);
        let others = words.values().filter(|value| number(value)).count() > ports.len();
        if !others && words.any_in(words.clause(last), CLOSING) {
            self.close_the_port(parameter, &ports, words);
            return true;
        }
        let beside: Vec<usize> =
            ports.iter().copied().filter(|at| self.is_beside(*at, &ports, words)).collect();
        if beside.is_empty() {
            return false;
        }
        let own = ports.iter().find(|at| !beside.contains(at));
        let own = own.and_then(|at| (parameter.accept)(words.values().nth(*at)?));
        if let Some(own) = own {
            self.set(parameter, own);
        }
        self.report_ports(parameter, &beside, words);
        true
    }

    /// Whether a message gives a port beside the first one, and not in its place.
    fn is_beside(&self, at: usize, ports: &[usize], words: &Words) -> bool {
        let values: Vec<&str> = words.values().collect();
        let sentence = words.sentence(at);
        let present = self.values.get("port").map(String::as_str);
        let to = at.checked_sub(1).is_some_and(|at| ["to", "auf"].contains(&values[at]));
        let opens = words.any_in(sentence.clone(), OPENING);
        if present == Some(values[at]) || words.any_in(sentence.clone(), MOVING) || to && !opens {
            return false;
        }
        let before = |back: usize| at.checked_sub(back).filter(|at| ports.contains(at));
        let joined = before(1).is_some() || before(2).is_some() && words.is_in(at - 1, AND);
        let known = self.has_given("port") || ports.len() > 1;
        joined || adds_beside(words, at) && (known || opens && !self.said.is_empty())
    }

    /// Adds the row for ports that are not opened beside the only one.
    fn report_ports(&mut self, parameter: &'static Parameter, beside: &[usize], words: &Words) {
        let values: Vec<&str> = words.values().collect();
        let new = beside.iter().map(|at| values[*at].to_owned());
        let ports = self.other_ports().into_iter().chain(new).collect();
        self.list_ports(parameter, ports);
        let own = |at: &usize| {
            beside.contains(at)
                || adds(words, *at)
                || [OPENING, BESIDE, AND].iter().any(|list| words.is_in(*at, list))
        };
        let clauses = beside.iter().flat_map(|at| words.clause(*at));
        self.latest.reported.extend(clauses.filter(own));
    }

    /// The ports that the list says are not opened beside the only one.
    pub(super) fn other_ports(&self) -> Vec<String> {
        let rows = self.asked.iter().filter_map(|row| row.what.strip_prefix(ALSO));
        rows.flat_map(|ports| ports.split(", ").map(str::to_owned)).collect()
    }

    /// Keeps the row for ports beside the only one when that moves.
    pub(super) fn keep_other_ports(&mut self, ports: Vec<String>) {
        let Some(parameter) = self.parameters().find(|one| one.key == "port") else { return };
        let present = self.values.get(parameter.key).map_or(parameter.default, String::as_str);
        let listed = self.other_ports();
        let lost = |port: &&String| *port != present && !listed.contains(port);
        let lost: Vec<String> = ports.iter().filter(lost).cloned().collect();
        if !lost.is_empty() {
            self.list_ports(parameter, lost.into_iter().chain(listed).collect());
        }
    }

    fn list_ports(&mut self, parameter: &'static Parameter, ports: Vec<String>) {
        let present = self.values.get(parameter.key).map_or(parameter.default, String::as_str);
        let how = format!("only port {present}, because the service listens on one");
        let what = format!("{ALSO}{}", ports.join(", "));
        self.stay(parameter, Asked { what, fate: Fate::Differently(how) });
    }

    /// Adds a row for a value that stays as it is.
    fn stay(&mut self, parameter: &'static Parameter, asked: Asked) {
        let present = self.values.get(parameter.key).map_or(parameter.default, String::as_str);
        let present = present.to_owned();
        let named = self.named.contains(parameter.key);
        let changed = self.latest.changed.clone();
        self.limit(parameter, present, asked, None);
        self.latest.changed = changed;
        if named {
            self.named.insert(parameter.key);
        }
    }

    /// Says which ports a message closes: one that is not open is closed as asked, and the service keeps its only one.
    fn close_the_port(&mut self, parameter: &'static Parameter, ports: &[usize], words: &Words) {
        let present = self.values.get(parameter.key).map_or(parameter.default, String::as_str);
        let present = present.to_owned();
        for at in ports.iter().copied() {
            let port = words.values().nth(at).unwrap_or_default().to_owned();
            if port == present {
                let how = format!(
                    "port {port} answers inside the sandbox only, and the service has no other"
                );
                let what = format!("close port {port}");
                self.stay(parameter, Asked { what, fate: Fate::Differently(how) });
            } else {
                self.turned_down.push(format!("port {port}"));
            }
            let clause: Range<usize> = words.clause(at);
            let own = |at: &usize| {
                ports.contains(at) || [CLOSING, BESIDE, AND].iter().any(|l| words.is_in(*at, l))
            };
            self.latest.reported.extend(clause.filter(own));
        }
    }
}

/// Whether the part of the clause that is about the port at this position adds it to another: “also open 8443”, but not
/// “listen on 9090 and add a health check”.
fn adds_beside(words: &Words, at: usize) -> bool {
    let clause = words.clause(at);
    let joins = |at: &usize| words.is_in(*at, AND);
    let start = (clause.start..at).rev().find(joins).map_or(clause.start, |at| at + 1);
    let end = (at + 1..clause.end).find(joins).unwrap_or(clause.end);
    let values: Vec<&str> = words.values().collect();
    let both = [words.said_in(start..end), values[start..end].join(" ")];
    (start..end).any(|at| adds(words, at))
        || ADDING_PHRASES.iter().any(|phrase| both.iter().any(|text| text.contains(phrase)))
}

/// Whether a word adds something, in the user's own words: the German “also” does not.
fn adds(words: &Words, at: usize) -> bool {
    let german = words.said(at).0 == "also"
        && words.language(at) == crate::words::language::Language::German;
    words.is_in(at, ADDING) && !german
}

/// The positions of the ports that a message gives: numbers right after “port”, after a word for opening or closing, or
/// joined to such a one.
fn ports(words: &Words) -> Vec<usize> {
    let values: Vec<&str> = words.values().collect();
    let number = |at: usize| values[at].parse::<u16>().is_ok_and(|port| port >= LOWEST);
    let mut ports: Vec<usize> = Vec::new();
    for at in (0..values.len()).filter(|at| number(*at) && words.means_value(*at)) {
        let clause = words.clause(at);
        let named = (clause.start..at).any(|at| {
            words.is_in(at, "port ports puerto puertos")
                || words.is_in(at, OPENING)
                || words.is_in(at, CLOSING)
        });
        let after = words.any_in(at..clause.end, OPENING) || words.any_in(at..clause.end, CLOSING);
        let back = |back: usize| at.checked_sub(back).is_some_and(|at| ports.contains(&at));
        if named || after || back(1) || back(2) && words.is_in(at - 1, AND) {
            ports.push(at);
        }
    }
    ports
}
