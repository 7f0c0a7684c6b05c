//! What a number of a message can belong to, by the words beside it.
//!
//! A number counts for a value only if the nearest thing that it can belong to is that value's. “Port 514”, “max_connections
//! 250”, “10 seconds” and “a bucket of 600 GB” give no days, servers or disks, however the sentence around them corrects
//! something. The readers know phrases; this net ([`Dialogue::keep_numbers_apart`]) knows none, and takes back what a reader
//! took for a value.

use std::sync::Arc;

use super::amounts::is_noun_of;
use super::nets::Before;
use super::recount::{MACHINES, NUMBERS};
use super::{Dialogue, amounts};
use crate::catalogue::parameters::Parameter;
use crate::catalogue::parameters::kinds::counted_by_roles;
use crate::catalogue::parameters::names::is_blank;
use crate::reading::wishes::DAYS;
use crate::words::language::Weight;
use crate::words::{Words, lists, numbers};

/// Units of a span of days, and of memory and disks.
const SPANS: &[&str] = &["day", "days", "week", "weeks", "month", "months", "year", "years"];
const SIZES: &[&str] =
    &["gb", "gib", "go", "mb", "mib", "mo", "tb", "kb", "gig", "gigs", "megabytes", "gigabytes"];

/// Words after a number that it counts, and that no value here counts.
const COUNTED: &str = "second seconds sekunden segundos secondes sec s ms minute minutes min minuten minutos hour hours h \
    stunden horas heures uhr percent % prozent porcentaje pourcent user users benutzer usuarios utilisateurs people leute \
    gente personas personnes mailboxes euro euros eur € dollars usd request requests anfragen peticiones requêtes connection \
    connections verbindungen conexiones connexions session sessions worker workers workern process processes prozesse \
    procesos processus thread threads replica replicas replik réplicas pod pods retry retries reintentos versuche essais \
    attempts times mal veces fois core cores vcpu cpu cpus version versions versionen versiones release releases site sites \
    seiten páginas pages file files dateien archivos fichiers devices geräte switches hosts visitors besucher visitas events \
    lines zeilen líneas lignes rows queries tables";

/// Words before a number that label it as something else's.
const LABELS: &str = "port ports puerto puertos udp tcp version v versión timeout timeouts limit limits rate ratio worker \
    workers thread threads connection connections verbindungen conexiones connexions request requests retry retries replica \
    replicas user users session sessions budget price cost python php node django debian postgresql postgres mysql mariadb \
    elasticsearch kubernetes docker disk cpu section abschnitt apartado article punkt point room zimmer phone telefon vlan pid uid gid asn \
    interval intervall intervalo intervalle";

/// Protocols, of whose ports a clause speaks: “514 over TCP, too”.
const PROTOCOLS: &[&str] = &["tcp", "udp", "tls", "smtp", "imap", "syslog", "rsyslog", "beats"];

/// Things that hold memory or data and are not a disk, heap or cache of a deployment.
const HOLDERS: &str = "bucket s3 traffic transfer upload uploads attachment attachments mailbox mailboxes postfach buzón \
    database databases datenbank backup backups dump dumps logs log storagebox nas";

/// The most words between a label and its number.
const LABEL_REACH: usize = 3;

/// Whether a word is the unit of a parameter's values.
fn is_unit_of(word: &str, key: &str) -> bool {
    match key {
        _ if DAYS.contains(&key) => SPANS.contains(&word),
        "servers" | "app-servers" => MACHINES.contains(&word) || is_machine(word),
        _ => SIZES.contains(&word),
    }
}

fn is_machine(word: &str) -> bool {
    ["backend", "backends", "instance", "instances", "vm", "vms", "vps", "box", "boxes"]
        .contains(&word)
}

/// What else is kept for some days: copies beside logs and metrics.
const COPIES: &str = "backup backups dump dumps copy copies snapshot snapshots restic borg";
const RECORDS: &str =
    "log logs metric metrics index indices history series monitoring prometheus loki elasticsearch";

/// Whether a number of days is of the other of the two: “Redis backups, seven days back” beside a monitoring stack.
fn is_of_other_records(words: &Words, at: usize, key: &str) -> bool {
    let values: Vec<&str> = words.values().collect();
    let has = |range: std::ops::Range<usize>, list: &str| {
        values[range].iter().any(|word| lists(list, word))
    };
    let (sentence, all) = (words.sentence(at), 0..values.len());
    match key {
        "retention-days" => has(all.clone(), COPIES) && !has(all, RECORDS),
        "dump-days" => has(sentence.clone(), RECORDS) && !has(sentence, COPIES),
        _ => false,
    }
}

/// Whether a number belongs to something other than the parameter, by its unit, its label or what its clause speaks of.
pub(super) fn is_of_another(words: &Words, at: usize, key: &str) -> bool {
    let values: Vec<&str> = words.values().collect();
    let clause = words.clause(at);
    let next = values.get(at + 1).filter(|_| !words.ends_clause(at)).copied().unwrap_or_default();
    if is_of_other_records(words, at, key) {
        return true;
    }
    if is_unit_of(next, key) {
        let own = |at: usize| is_noun_of(words, at, key);
        let holds = |at: usize| lists(HOLDERS, values[at]);
        return SIZES.contains(&next) && clause.clone().any(holds) && !clause.clone().any(own);
    }
    let counts = SPANS.contains(&next) || SIZES.contains(&next) || is_machine(next);
    let counted = counts || MACHINES.contains(&next) || lists(COUNTED, next);
    if counted || amounts::is_of_a_clock(words, at) {
        return true;
    }
    // “For 3 use Let's Encrypt” after “3. TLS with …”
    let item = format!("{}.", values[at]);
    let lines =
        || words.text().lines().map(|line| line.trim_start_matches([' ', '"', '“', '„', '«']));
    if lines().any(|line| line.starts_with(&item))
        && !clause.clone().any(|at| is_noun_of(words, at, key))
    {
        return true;
    }
    match label(words, at) {
        Some(label) if is_noun_of(words, label, key) => return false,
        // No ordinary word has an underscore: “max_connections”.
        Some(label) if values[label].contains('_') || lists(LABELS, values[label]) => return true,
        _ => {}
    }
    clause.clone().any(|at| PROTOCOLS.contains(&values[at]))
        && !clause.clone().any(|at| is_noun_of(words, at, key))
}

/// The word shortly before a number that may say what it is of.
fn label(words: &Words, at: usize) -> Option<usize> {
    let values: Vec<&str> = words.values().collect();
    let start = words.clause(at).start.max(at.saturating_sub(LABEL_REACH));
    let says = |at: &usize| !is_blank(values[*at]) && words.weighs(*at) != Weight::Empty;
    let labels = |at: &usize| lists(LABELS, values[*at]) || says(at);
    (start..at).rev().find(labels)
}

/// The positions of a number in a message.
fn places_of(words: &Words, number: u32) -> Vec<usize> {
    let is = |(_, value): &(usize, &str)| numbers::read(value) == Some(number);
    words.values().enumerate().filter(is).map(|(at, _)| at).collect()
}

/// Whether earlier messages have the number, and only as something else's: 514 after “UDP 514”.
fn is_known_as_another(said: &[Arc<Words>], number: u32, key: &str) -> bool {
    let places = said.iter().flat_map(|words| {
        places_of(words, number).into_iter().map(move |at| is_of_another(words, at, key))
    });
    let places: Vec<bool> = places.collect();
    !places.is_empty() && places.into_iter().all(|another| another)
}

impl Dialogue {
    /// Whether a number of a message belongs to something other than the parameter, by the message or an earlier one.
    pub(super) fn is_anothers(&self, words: &Words, at: usize, key: &str) -> bool {
        let number = words.values().nth(at).and_then(numbers::read);
        let next = words.values().nth(at + 1).filter(|_| !words.ends_clause(at));
        let own = next.is_some_and(|next| is_unit_of(next, key));
        let spoken = own || amounts::speaks_of(words, at, key);
        is_of_another(words, at, key)
            || self.is_of_other_things(words, at, key)
            || !spoken && number.is_some_and(|number| is_known_as_another(&self.said, number, key))
    }

    /// Whether a message gives a number, and only as something else's.
    pub(super) fn is_only_anothers(&self, words: &Words, number: u32, key: &str) -> bool {
        let places = places_of(words, number);
        !places.is_empty() && places.iter().all(|at| self.is_anothers(words, *at, key))
    }

    /// Takes back a number that a message gives, wherever it is, only as something else's.
    pub(super) fn keep_numbers_apart(&mut self, words: &Words, before: &Before) {
        // “Five workers” are servers of a cluster.
        let roles = |key: &str| key == "servers" && counted_by_roles(words).is_some();
        let counted: Vec<&'static Parameter> =
            self.parameters().filter(|one| NUMBERS.contains(&one.key) && !roles(one.key)).collect();
        for parameter in counted {
            let key = parameter.key;
            let was = before.limited.get(key).map(|limited| &limited.asked);
            let limited = self.limited.get(key).map(|limited| &limited.asked);
            let number = match limited.filter(|now| Some(*now) != was) {
                Some(_) => self.wanted_number(key),
                None if self.latest.changed.iter().any(|(one, _)| one.key == key) => {
                    self.values.get(key).and_then(|value| value.parse().ok())
                }
                None => None,
            };
            if number.is_some_and(|number| self.is_only_anothers(words, number, key)) {
                self.restore(parameter, before);
            }
        }
    }

    /// Gives a parameter the value that it had before the message.
    pub(super) fn restore(&mut self, parameter: &'static Parameter, before: &Before) {
        let key = parameter.key;
        self.lift(key);
        self.latest.changed.retain(|(changed, _)| changed.key != key);
        match before.values.get(key) {
            Some(value) => self.values.insert(key, value.clone()),
            None => self.values.remove(key),
        };
        if before.named.contains(key) {
            self.named.insert(key);
        } else {
            self.named.remove(key);
        }
        if let Some(limited) = before.limited.get(key) {
            self.limited.insert(key, limited.clone());
            self.lack(vec![limited.asked.clone()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_belongs_to_the_thing_beside_it() {
        for (text, number, key) in [
            ("max_connections should be 200", 200, "dump-days"),
            ("port 514", 514, "retention-days"),
            ("514 over tcp too", 514, "retention-days"),
            ("the timeout is 10 seconds", 10, "retention-days"),
            ("50 connexions", 50, "dump-days"),
            ("2 replicas", 2, "servers"),
            ("5 gb for the logs", 5, "dump-days"),
            ("the bucket now has 600 gb", 600, "volume-gb"),
            ("30 days", 30, "servers"),
        ] {
            let words = Words::of(text);
            let places = places_of(&words, number);
            assert!(!places.is_empty(), "{text}");
            assert!(places.iter().all(|at| is_of_another(&words, *at, key)), "{text}");
        }
        for (text, number, key) in [
            ("30 days", 30, "dump-days"),
            ("retention 30", 30, "dump-days"),
            ("back to three", 3, "servers"),
            ("three nodes", 3, "servers"),
            ("a disk of 60 gb", 60, "volume-gb"),
            ("heap to 4", 4, "heap-gb"),
            ("30 are enough", 30, "dump-days"),
        ] {
            let words = Words::of(text);
            let at = places_of(&words, number)[0];
            assert!(!is_of_another(&words, at, key), "{text}");
        }
    }
}
