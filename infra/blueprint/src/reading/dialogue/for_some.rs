//! Ports that a message opens and a later one wants open only for some: “open 8080”, and then “only for 203.0.113.0/24”.
//!
//! The same holds for a message that says both: “port 3000 only from 203.0.113.0/24”.
//!
//! A port is open to everybody or closed. So the port stays closed, and a row says why. The address belongs to what the
//! conversation spoke of last, and does not let anybody in by SSH.

use std::ops::Range;

use super::{Dialogue, NOTHING, OPEN_PORTS};
use crate::catalogue::parameters::Parameter;
use crate::catalogue::{self, STRONG, networks};
use crate::reading::wishes::{Asked, Fate};
use crate::words::Words;
use crate::words::language::Weight;

/// How the plan treats a port that is to be open only for some.
const CLOSED: &str = "closed, because an open port is open to everybody";

/// Words that begin a message which corrects the one before it.
const CORRECTING: &[&str] =
    &["no", "nope", "not", "wait", "sorry", "rather", "actually", "nein", "non", "doch", "perdón"];

/// Words and beginnings of words by which only some may connect.
const ONLY: &[&str] = &["only", "just", "exclusively", "solely", "nur", "solo", "uniquement"];
const LIMITING: &[&str] = &[
    "restrict",
    "limit",
    "beschränk",
    "einschränk",
    "eingeschränk",
    "begrenz",
    "restring",
    "restrein",
    "exclusi",
    "ausschließlich",
    "únicamente",
];

/// Words for everybody.
const EVERYBODY: &[&str] =
    &["everybody", "everyone", "anyone", "anybody", "public", "all", "anywhere", "world", "todos"];

/// Words by which an address is of those who log in, or of the whole server.
const OF_THE_SERVER: &[&str] =
    &["ssh", "sftp", "22", "log", "login", "shell", "server", "machine", "vps", "box", "host"];

/// The ports that a website is read on.
const WEB: &[&str] = &["80", "443"];

/// A smaller number counts something other than a port.
const LOWEST_PORT: u16 = 80;

/// Words by which an address of a clause with a port is of those who log in after all.
const BY_SSH: &[&str] = &["ssh", "sftp", "22", "shell", "login"];

/// Units after a number; a number with one of them cannot be a port.
const UNITS: &[&str] =
    &["gb", "mb", "tb", "day", "days", "users", "people", "euro", "euros", "€", "%", "$"];

/// A message that lets only some connect to ports which it names, or of which the conversation spoke last.
struct ForSome {
    ports: Vec<String>,
    /// The words that say so, as positions of values.
    said: Range<usize>,
    /// Those of them that the row has beside the ports.
    shown: Vec<usize>,
    /// Whether nothing else can be meant.
    sure: bool,
    /// Whether the message itself names the ports.
    is_named: bool,
}

impl Dialogue {
    /// Closes the ports that the conversation spoke of last if the message lets only some connect to them.
    pub(super) fn close_ports_for_some(&mut self, words: &Words) {
        let parameter = self.parameters().find(|one| one.key == OPEN_PORTS);
        parameter.iter().for_each(|one| self.drop_reopened(one));
        let Some((parameter, found)) = parameter.zip(self.for_some(words)) else { return };
        let present = self.values.get(OPEN_PORTS).map_or(parameter.default, String::as_str);
        let rest = catalogue::listed_ports(present).filter(|port| !is_one_of(&found.ports, port));
        let rest: Vec<String> = rest.map(str::to_string).collect();
        let shown: Vec<String> = found.shown.iter().map(|at| words.said_in(*at..at + 1)).collect();
        let said = format!("{} {}", found.ports.join(", "), shown.join(" "));
        let asked =
            Asked { what: parameter.requirement(&said), fate: Fate::Differently(CLOSED.into()) };
        let value = if rest.is_empty() { NOTHING.to_string() } else { rest.join(",") };
        if found.is_named {
            // The row holds whatever a later message says about other ports.
            let open = catalogue::listed_ports(present).any(|port| is_one_of(&found.ports, port));
            if open {
                self.set(parameter, value);
            }
            self.lack(vec![asked]);
            self.latest.reported.extend(found.said);
            return;
        }
        self.limit(parameter, value, asked, None);
        if !rest.is_empty() {
            self.named.insert(OPEN_PORTS);
        }
        if found.sure {
            self.latest.reported.extend(found.said);
        }
    }

    /// Removes the rows about closed ports that are open to everybody now.
    fn drop_reopened(&mut self, parameter: &Parameter) {
        let open = self.values.get(parameter.key).map_or("", String::as_str);
        let reopened = |row: &Asked| {
            let ports = Words::of(&row.what);
            let mut ports = ports.values();
            row.fate == Fate::Differently(CLOSED.into())
                && ports.any(|port| catalogue::listed_ports(open).any(|one| one == port))
        };
        self.asked.retain(|row| !reopened(row));
    }

    /// The message without an address that belongs to a port, for the reader of the addresses that connect by SSH.
    pub(super) fn without_ports_for_some(
        &self,
        parameter: &Parameter,
        words: &Words,
    ) -> Option<Words> {
        let ssh = parameter.key == networks::SSH_FROM.key;
        let found = if ssh { self.for_some(words).filter(|found| found.sure) } else { None };
        found.map(|found| words.clone().without(&found.said.collect()))
    }

    fn for_some(&self, words: &Words) -> Option<ForSome> {
        let parameter = self.parameters().find(|one| one.key == OPEN_PORTS)?;
        if let Some(found) = with_its_port(words) {
            return Some(found);
        }
        let said = restriction(words)?;
        let (ports, before) = self.ports_spoken_of_last(parameter)?;
        let corrects = words.values().next().is_some_and(|word| CORRECTING.contains(&word));
        let to_all = before.values().any(|word| EVERYBODY.contains(&word));
        // “A VPS with port 8080 open”, and then “only from …”: that may also answer the question about SSH.
        let alone = catalogue::recognize(before).is_none_or(|(_, score)| score < STRONG);
        let sure = alone || corrects && to_all;
        let ports: Vec<String> =
            ports.into_iter().filter(|port| sure || !WEB.contains(&port.as_str())).collect();
        let shown = said.clone().collect();
        (!ports.is_empty()).then_some(ForSome { ports, said, shown, sure, is_named: false })
    }

    /// The open ports that the last message about ports or SSH names, and this message.
    fn ports_spoken_of_last(&self, parameter: &Parameter) -> Option<(Vec<String>, &Words)> {
        let present = self.values.get(OPEN_PORTS).map_or("", String::as_str);
        let fixed: Vec<&str> = catalogue::listed_ports(parameter.default).collect();
        let open = catalogue::listed_ports(present).filter(|port| !fixed.contains(port));
        let open: Vec<&str> = open.collect();
        let named = |said: &Words, port: &str| {
            let web = || said.values().any(|word| ["http", "https"].contains(&word));
            said.values().any(|word| word == port) || WEB.contains(&port) && web()
        };
        self.said.iter().rev().find_map(|said| {
            let ports = open.iter().filter(|port| named(said, port)).map(|port| port.to_string());
            let ports: Vec<String> = ports.collect();
            let ssh = networks::names_ssh(said);
            (ssh || !ports.is_empty()).then_some((ports, said.as_ref()))
        })
    }
}

fn is_one_of(ports: &[String], port: &str) -> bool {
    ports.iter().any(|one| one == port)
}

/// The clause by which a message lets only some connect to a port that it names: “port 3000 only from 203.0.113.0/24”.
fn with_its_port(words: &Words) -> Option<ForSome> {
    const BESIDE: &[&str] = &["open", "port", "ports", "also", "please"];
    let values: Vec<&str> = words.values().collect();
    let port = |at: &usize| {
        let counts = values.get(at + 1).is_some_and(|next| UNITS.contains(next));
        let counts = counts && !words.ends_clause(*at);
        let number = values[*at].parse::<u16>().is_ok_and(|port| port >= LOWEST_PORT);
        number && !counts && !WEB.contains(&values[*at])
    };
    let address = |at: &usize| networks::has_address(values[*at]) && words.means_value(*at);
    let found = |clause: Range<usize>| {
        let has = |list: &[&str]| values[clause.clone()].iter().any(|word| list.contains(word));
        let ports: Vec<usize> = clause.clone().filter(port).collect();
        let some = clause.clone().any(|at| address(&at));
        let fits = has(ONLY) && some && !ports.is_empty() && !has(BY_SSH);
        if !fits || words.ends_in_question(clause.start) {
            return None;
        }
        let empty = |at: &usize| words.weighs(*at) == Weight::Empty && !ONLY.contains(&values[*at]);
        let shown = |at: &usize| !ports.contains(at) && !BESIDE.contains(&values[*at]);
        let shown = clause.clone().filter(shown).skip_while(empty).collect();
        let ports = ports.iter().map(|at| values[*at].to_string()).collect();
        Some(ForSome { ports, said: clause, shown, sure: true, is_named: true })
    };
    words.clauses().into_iter().find_map(found)
}

/// The words by which a message lets only some connect, and names neither a port nor the server: “no, only for our office”.
fn restriction(words: &Words) -> Option<Range<usize>> {
    let values: Vec<&str> = words.values().collect();
    let has = |clause: &Range<usize>, list: &[&str]| {
        values[clause.clone()].iter().any(|word| list.contains(word))
    };
    let corrects = values.first().is_some_and(|word| CORRECTING.contains(word));
    let restricts = |clause: &Range<usize>| {
        let limits = |word: &&str| LIMITING.iter().any(|start| word.starts_with(start));
        has(clause, ONLY) || corrects || values[clause.clone()].iter().any(limits)
    };
    let other = |clause: &Range<usize>| {
        let port = |at: usize| values[at].parse::<u16>().is_ok_and(|port| port >= LOWEST_PORT);
        has(clause, OF_THE_SERVER) || words.sentence(clause.start).any(port)
    };
    let some = |clause: &Range<usize>| {
        let address = |at: usize| networks::has_address(values[at]) && words.means_value(at);
        let people = |at: usize| catalogue::names_some(values[at]);
        clause.clone().any(address) || has(clause, ONLY) && clause.clone().any(people)
    };
    words.clauses().into_iter().find_map(|clause| {
        // “Only from my office, 203.0.113.0/24”
        let next = clause.end;
        let joined = words.sentence(clause.start).contains(&next).then(|| words.clause(next));
        let named =
            joined.filter(|joined| some(joined) && !other(joined) && !has(joined, &["and"]));
        let end = match (some(&clause), named) {
            (_, Some(named)) => named.end,
            (true, None) => clause.end,
            (false, None) => return None,
        };
        let first = clause.clone().find(|at| !CORRECTING.contains(&values[*at]))?;
        let said = first..end;
        let asks = words.ends_in_question(clause.start);
        (restricts(&clause) && !other(&clause) && !asks).then_some(said)
    })
}
