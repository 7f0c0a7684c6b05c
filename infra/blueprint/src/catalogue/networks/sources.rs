//! Who may connect by SSH, and who connects to something else.
//!
//! An address may connect by SSH only if nothing else in the message could be meant: a database's clients, senders of
//! logs and monitored servers have addresses as well. The list of wishes reports every address that this module does
//! not read.

use std::ops::Range;

use super::doors::{
    BLOCKING, CONNECTING, COPIES, DATABASES, ENTERING, FLOWS, LOGIN, MACHINES, OPENING,
    OTHER_DOORS, REACHING, SSH, SSH_PORT, WAY_IN,
};
use super::machines::{is_a_server, is_where_a_machine_is};
use super::{exceptions, network};
use crate::catalogue::held;
use crate::words::language::{Language, Weight};
use crate::words::{Words, is_negation};

/// Phrases for access by everybody. “SSH everywhere on 2222” speaks of all servers.
const EVERYBODY: &[&str] =
    &["from anywhere", "from everywhere", "any ip", "any address", "the whole internet"];

/// Words that say the same as the answer to a question, without others.
const ANYWHERE: &[&str] = &["anywhere", "everywhere"];

/// The addresses that may connect by SSH.
pub fn of_ssh(words: &Words) -> Vec<String> {
    let connects = |at: &usize| is_let_in_with_others(words, *at);
    let values: Vec<&str> = words.values().collect();
    let is_network = |at: &usize| network(values[*at]).is_some();
    let all: Vec<usize> = (0..values.len()).filter(is_network).filter(connects).collect();
    // “The office was 203.0.113.0/28 and became 198.51.100.16/29”
    let last = all.iter().copied().rfind(|at| takes_the_place(words, *at));
    let valid = all.into_iter().filter(|at| last.is_none_or(|last| *at >= last));
    let own: Vec<String> = valid.filter_map(|at| network(values[at])).collect();
    if own.is_empty() { the_same(words).into_iter().collect() } else { own }
}

/// The network that SSH shares with what the message names before: “6443 only from 203.0.113.0/28, SSH same range”.
pub fn the_same(words: &Words) -> Option<String> {
    const NOUNS: &[&str] = &[
        "range",
        "network",
        "ip",
        "address",
        "subnet",
        "bereich",
        "netz",
        "adresse",
        "rango",
        "red",
        "dirección",
        "plage",
        "réseau",
    ];
    const SAME: &[&str] =
        &["same", "selben", "gleichen", "gleiche", "dieselbe", "misma", "mismo", "même"];
    let values: Vec<&str> = words.values().collect();
    let has = |clause: &Range<usize>, list: &[&str]| {
        values[clause.clone()].iter().any(|word| list.contains(word))
    };
    let same = words.clauses().into_iter().find(|clause| {
        has(clause, &["ssh"])
            && has(clause, NOUNS)
            && has(clause, SAME)
            && !clause.clone().any(|at| is_negation(values[at]))
    })?;
    values[..same.start].iter().rev().find_map(|value| network(value))
}

/// Whether the words before an address say that it takes the place of another one.
fn takes_the_place(words: &Words, at: usize) -> bool {
    let clause = words.clause(at);
    let before: Vec<&str> = words.values().skip(clause.start).take(at - clause.start).collect();
    before.iter().any(|word| CHANGED.contains(word)) || follows_a_correction(words, clause.start)
}

/// Whether the clause before this position only takes something back: “from 203.0.113.5, no, from 203.0.113.6”.
fn follows_a_correction(words: &Words, start: usize) -> bool {
    const WRONG: &[&str] = &["wait", "quatsch", "oops", "falsch", "espera", "attends", "halt"];
    let Some(before) = start.checked_sub(1).filter(|at| words.sentence(start).contains(at)) else {
        return false;
    };
    let values: Vec<&str> = words.values().collect();
    let says = |at: usize| CORRECTING.contains(&values[at]) || WRONG.contains(&values[at]);
    let full = |at: usize| words.weighs(at) == Weight::Full && !says(at);
    let clause = words.clause(before);
    clause.clone().any(says) && !clause.into_iter().any(full)
}

/// The only address of a message that says only that it was wrong: “rather 203.0.113.50, I forgot a zero”.
pub fn corrected(words: &Words) -> Option<String> {
    let values: Vec<&str> = words.values().collect();
    let mut all = (0..values.len()).filter(|at| network(values[*at]).is_some());
    let at = all.next()?;
    let blank = |other: usize| {
        let value = values[other];
        other == at
            || CORRECTING.contains(&value)
            || CHANGED.contains(&value)
            || WAY_IN.contains(&value)
            || Language::English.weight(value) == Weight::Empty
            || words.language(other).weight(value) == Weight::Empty
    };
    let alone = words.clause(at).all(blank) && words.means_value(at);
    network(values[at]).filter(|_| alone && all.next().is_none())
}

/// Words by which an address takes the place of another one.
const CHANGED: &[&str] = &[
    "became",
    "becomes",
    "become",
    "changed",
    "now",
    "instead",
    "new",
    "wurde",
    "jetzt",
    "neu",
    "nunmehr",
    "ahora",
    "cambió",
    "maintenant",
    "désormais",
    "devenu",
    "devenue",
];

/// Words by which a message corrects an address.
const CORRECTING: &[&str] = &[
    "rather",
    "actually",
    "sorry",
    "correction",
    "no",
    "not",
    "mean",
    "meant",
    "prefer",
    "plutôt",
    "perdón",
    "perdon",
    "quise",
    "decir",
    "pardon",
    "besser",
    "vielmehr",
    "sondern",
    "nein",
    "non",
    "correct",
    "right",
];

/// Whether the address at this position may connect by SSH. An address after “and” is treated like the one before it.
fn is_let_in_with_others(words: &Words, at: usize) -> bool {
    let first = first_of_list(words, at);
    is_let_in(words, first) && !is_of_an_existing_server(words, first)
}

/// The position of the first address of the list that the address at this position is in.
fn first_of_list(words: &Words, at: usize) -> usize {
    let values: Vec<&str> = words.values().collect();
    let joins = |at: &usize| ["and", "or", "as", "well"].contains(&values[*at]);
    let before = (0..at).rev().find(|at| !joins(at));
    let before = before.filter(|before| network(values[*before]).is_some());
    before.map_or(at, |before| first_of_list(words, before))
}

/// Whether the sentence gives the address of a server that exists: “we already have a server (203.0.113.7)”.
fn is_of_an_existing_server(words: &Words, at: usize) -> bool {
    let values: Vec<&str> = words.values().collect();
    let sentence = Words::of(&values[words.sentence(at)].join(" "));
    let exists = || {
        sentence.means_any(&["already have", "already exists", "existing"])
            || held::speaks_of_one(words, at)
    };
    !SSH.iter().any(|ssh| sentence.has(ssh)) && exists()
}

/// Whether a value is the number of a port other than SSH's.
fn is_a_port(words: &Words, value: &str) -> bool {
    let number = value.parse::<u16>().is_ok_and(|port| port > 100 || [80, 53, 25].contains(&port));
    number && ![Some("22"), words.ssh_port()].contains(&Some(value))
}

/// Whether the words around an address say that something other than SSH has it.
pub(super) fn is_elsewhere(words: &Words, at: usize) -> bool {
    let first = first_of_list(words, at);
    let values: Vec<&str> = words.values().collect();
    let around = Around::of(words, first);
    has_another_door(words, at)
        || is_a_server(&values[around.start..first])
        || is_of_an_existing_server(words, first)
}

/// Whether the words around an address say that it connects to something other than SSH.
pub(super) fn has_another_door(words: &Words, at: usize) -> bool {
    let around = Around::of(words, first_of_list(words, at));
    let door = around.has(OTHER_DOORS) || around.has_a_port(words);
    (door && !around.has(SSH)) || around.has(FLOWS)
}

/// The addresses that a sentence takes out of those that it lets in, with the positions that say so: “203.0.113.0/27
/// except 203.0.113.30”.
pub fn taken_out(words: &Words) -> Vec<(Range<usize>, String)> {
    let values: Vec<&str> = words.values().collect();
    let is_network = |at: &usize| network(values[*at]).is_some();
    let all: Vec<usize> = (0..values.len()).filter(is_network).collect();
    let out = |at: usize| {
        let first = first_of_list(words, at);
        let around = Around::of(words, first);
        let out = around.blocks || exceptions::excepts(words, first, around.start);
        let before = all.iter().copied().filter(|before| *before < at);
        let mut before = before.filter(|before| words.sentence(at).contains(before));
        let from = before.find(|before| is_let_in_with_others(words, *before)).filter(|_| out)?;
        Some((from..at + 1, network(values[at])?))
    };
    all.iter().filter_map(|at| out(*at)).collect()
}

/// Positions of the addresses that connect to something other than SSH.
pub fn not_by_ssh(words: &Words) -> Vec<usize> {
    let is_network = |(_, value): &(usize, &str)| network(value).is_some();
    // A correction is the address of SSH if that has it, and otherwise it remains unexplained anyway.
    let places = words.values().enumerate().filter(is_network).map(|(at, _)| at);
    let places = places.filter(|_| corrected(words).is_none());
    let taken_out = taken_out(words);
    let places = places.filter(|at| !taken_out.iter().any(|(place, _)| place.contains(at)));
    places.filter(|at| !is_let_in_with_others(words, *at)).collect()
}

/// Whether SSH is open to everyone.
pub fn is_open_to_everybody(words: &Words) -> bool {
    let mut places = EVERYBODY.iter().flat_map(|phrase| words.meant_at(phrase));
    let said = places.any(|place| {
        let around = Around::of(words, words.origin(place.start));
        let other = [OTHER_DOORS, FLOWS].concat();
        let elsewhere = around.has(&other) || around.says(OTHER_DOORS);
        around.has(SSH) || (around.has(CONNECTING) && !elsewhere)
    });
    said || ([EVERYBODY, ANYWHERE].concat().iter().any(|phrase| words.means(phrase))
        && is_nothing_else(words))
}

/// The position of an address that a message takes out of the whole internet.
pub fn everybody_but(words: &Words) -> Option<usize> {
    let values: Vec<&str> = words.values().collect();
    let out = |at: &usize| {
        let around = Around::of(words, *at);
        around.says(EVERYBODY) && (around.blocks || exceptions::excepts(words, *at, around.start))
    };
    let all = (0..values.len()).filter(|at| network(values[*at]).is_some());
    let mut all = all.filter(|_| is_open_to_everybody(words));
    all.find(out)
}

/// Whether a message says only from where to connect: “from anywhere, please”.
fn is_nothing_else(words: &Words) -> bool {
    words.values().all(|word| {
        let known = EVERYBODY.iter().any(|phrase| phrase.split(' ').any(|part| part == word));
        known || Language::English.weight(word) != Weight::Full
    })
}

/// Whether the address at this position may connect by SSH.
fn is_let_in(words: &Words, at: usize) -> bool {
    let values: Vec<&str> = words.values().collect();
    let around = Around::of(words, at);
    let out = around.blocks || exceptions::excepts(words, at, around.start);
    let copies = around.says(COPIES) && !around.says(&["ssh", "log in", "login"]);
    let machines = is_a_server(&values[around.start..at])
        || around.is_of_machines(words, at)
        || is_where_a_machine_is(words, at);
    if out || copies || machines {
        return false;
    }
    let door = around.has(OTHER_DOORS) || around.has_a_port(words);
    let is_ssh = |value: &str| {
        value == SSH_PORT || (SSH.contains(&value) && !(door && LOGIN.contains(&value)))
    };
    let port = words.value_before(at, around.start, |value| is_a_port(words, value));
    // “Port 22 only from 203.0.113.7” is about SSH.
    let ssh = words.value_before(at, around.start, is_ssh);
    if port > ssh {
        return false;
    }
    // “SSH by key only, sources 203.0.113.0/24”
    let source = around.has(&["source", "sources"]) && around.says(SSH) && !door;
    let logs_in = around.has(LOGIN) && !door || source;
    if around.clause.values().any(is_ssh) || logs_in || ssh.is_some() {
        return true;
    }
    let reached = around.has(REACHING) && (door || (around.says(OTHER_DOORS) && !around.says(SSH)));
    if reached || around.has(FLOWS) {
        return false;
    }
    // “A PostgreSQL database. Access only from 203.0.113.0/24” is about the database.
    let database = words.means_any(DATABASES) && around.says(OPENING);
    if database && !around.says(MACHINES) && !around.says(SSH) {
        return false;
    }
    let after_from = at.checked_sub(1).is_some_and(|before| values[before] == "from");
    let alone = values
        .iter()
        .all(|word| network(word).is_some() || Language::English.weight(word) != Weight::Full);
    let way_in = after_from || (around.has(WAY_IN) && !door);
    let about = around.is_about_the_server(words, at) || takes_the_place(words, at);
    (way_in && about) || alone
}

/// The words around an address.
struct Around {
    /// Its clause. An address alone belongs to the clause before it: “our office (203.0.113.7)”.
    clause: Words,
    start: usize,
    sentence: Words,
    /// Whether the message keeps the address out.
    blocks: bool,
}

impl Around {
    fn of(words: &Words, at: usize) -> Around {
        let values: Vec<&str> = words.values().collect();
        let (sentence, clause) = (words.sentence(at), words.clause(at));
        let blank = |at: usize| {
            network(values[at]).is_some()
                || ["ip", "address", "adresse", "dirección"].contains(&values[at])
                || Language::English.weight(values[at]) == Weight::Empty
                || words.language(at).weight(values[at]) == Weight::Empty
        };
        // “SSH from 203.0.113.7 (warehouse) and 203.0.113.8”
        let label = |at: usize| {
            let clause = words.clause(at);
            let before = clause.start.checked_sub(1);
            let text = words.text().to_lowercase();
            before.is_some_and(|before| network(values[before]).is_some())
                && text.contains(&format!("({}", values[clause.start]))
        };
        let blank = |at: usize| blank(at) || label(at);
        // “SSH, then, is 203.0.113.7”
        let mut start = clause.start;
        while start > sentence.start && (start..clause.end).all(blank) {
            start = words.clause(start - 1).start;
        }
        let of = |range: Range<usize>| Words::of(&values[range].join(" "));
        let keeps_out = |word: &&str| {
            BLOCKING.contains(word) || (is_negation(word) && !["except"].contains(word))
        };
        // “Nobody except 203.0.113.7” keeps others out.
        let excepting = |word: &&str| *word == "except";
        let before = values[start..at].rsplit(excepting).next().unwrap_or_default();
        let blocks = before.iter().any(keeps_out) && !values[start..at].contains(&"only");
        Around { clause: of(start..clause.end), start, sentence: of(sentence), blocks }
    }

    /// Whether its words speak of the server or of getting in, or of nothing at all before “from”: “only from our office”.
    fn is_about_the_server(&self, words: &Words, at: usize) -> bool {
        let values: Vec<&str> = words.values().skip(self.start).take(at - self.start).collect();
        let from = values.iter().position(|word| *word == "from");
        let blank = |(place, value): (usize, &&str)| {
            let own = words.language(self.start + place).weight(value);
            let full = own == Weight::Full && Language::English.weight(value) == Weight::Full;
            // “t4g.small, from 203.0.113.7”: a value is not a subject.
            !full || WAY_IN.contains(value) || value.contains(|c: char| c.is_ascii_digit())
        };
        let before = &values[..from.unwrap_or(values.len())];
        self.has(ENTERING) || self.has(MACHINES) || before.iter().enumerate().all(blank)
    }

    /// Whether it is the address of machines that its clause speaks of: “a VPS that runs already, IP 203.0.113.7”, “the IPs
    /// are 203.0.113.7 and 203.0.113.8”.
    fn is_of_machines(&self, words: &Words, at: usize) -> bool {
        const LABELS: &[&str] = &["ip", "ips", "address", "addresses"];
        const SEVERAL: &[&str] = &["ips", "addresses"];
        let before: Vec<&str> = words.values().skip(self.start).take(at - self.start).collect();
        let has = |list: &[&str]| before.iter().any(|word| list.contains(word));
        let way_in = |word: &&str| WAY_IN.contains(word) && !LABELS.contains(word);
        has(LABELS)
            && (has(SEVERAL) || self.has(MACHINES))
            && !(before.iter().any(way_in) || self.says(SSH) || self.says(ENTERING))
    }

    /// Whether its clause has the number of a port.
    fn has_a_port(&self, words: &Words) -> bool {
        self.clause.values().any(|value| is_a_port(words, value))
    }

    /// Whether its clause has one of the phrases.
    fn has(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.clause.has(phrase))
    }

    /// Whether its sentence has one of the phrases.
    fn says(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.sentence.has(phrase))
    }
}
