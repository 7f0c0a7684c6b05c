//! Clauses by which a port or a database is to be closed, with any verb: “9200 is nobody's business”, “3306 better
//! not open to anyone”, “21 tightly shut”.

use std::ops::Range;

use super::mentions::FOR_SOME;
use crate::words::language::Weight;
use crate::words::{Words, denies, gives_up, is_negation};

/// A clause that closes something.
pub struct Denied {
    /// Its values.
    pub clause: Range<usize>,
    /// The ports that it names; none if it is about a database.
    pub ports: Vec<String>,
    /// Whether it says that they are closed, and does not only deny a number: “25565 no”.
    pub clear: bool,
}

/// Words for those from whom something is to be closed, in all languages as the translation leaves them.
const EXPOSURE: &str = "internet net web outside world public publicly exposed expose open opened reachable accessible visible \
    available everybody everyone anyone anybody nobody outsiders seen niemand niemandem niemanden netz draußen draussen jeder jedermann nadie fuera \
    afuera exterior mundo público pública todos visto personne tous l'extérieur dehors extérieur monde";

/// The beginnings of words for something closed: “cerradísimo”.
const SHUT: &[&str] = &["clos", "shut", "block", "cerrad", "ferm", "geschlossen", "gesperrt"];

/// Words for a database, and for what listens on its port.
const DATABASES: &[&str] = &[
    "database",
    "db",
    "mysql",
    "mariadb",
    "postgres",
    "postgresql",
    "redis",
    "elasticsearch",
    "logstash",
];

/// Words by which a clause leaves something open.
const BUT: &[&str] = &["only", "except", "but", "besides", "except", "unless"];

/// Words for connections that begin at the server.
const OUTGOING: &[&str] = &["outgoing", "outbound", "egress", "sortie", "salida"];

/// The smallest number that people use for a port; a smaller one counts something.
const SMALLEST: u16 = 20;

/// The clauses of a message that close ports or a database.
pub fn denied(words: &Words) -> Vec<Denied> {
    let mut clauses: Vec<Range<usize>> = Vec::new();
    for clause in words.clauses() {
        let joins = |before: &Range<usize>| {
            words.sentence(before.start).contains(&clause.start)
                && Clause::of(words, before.clone()).only_names_ports()
                && Clause::of(words, clause.clone()).only_denies()
        };
        // “The 9000, forget it”
        match clauses.last_mut() {
            Some(before) if joins(before) => before.end = clause.end,
            _ => clauses.push(clause),
        }
    }
    clauses.into_iter().filter_map(|clause| Clause::of(words, clause).denied()).collect()
}

struct Clause<'a> {
    words: &'a Words,
    range: Range<usize>,
    values: Vec<&'a str>,
}

impl<'a> Clause<'a> {
    fn of(words: &'a Words, range: Range<usize>) -> Clause<'a> {
        let values = words.values().skip(range.start).take(range.len());
        let values = values.map(|value| value.trim_end_matches("'s")).collect();
        Clause { words, range, values }
    }

    fn has(&self, list: &[&str]) -> bool {
        self.values.iter().any(|value| list.contains(value))
    }

    fn denied(&self) -> Option<Denied> {
        if self.words.ends_in_question(self.range.start) || self.leaves_open() {
            return None;
        }
        let ports: Vec<usize> = (0..self.values.len()).filter(|at| self.is_port(*at)).collect();
        let exposed = self.values.iter().any(|word| exposes(word));
        let negated = (0..self.values.len()).any(|at| self.negates(at));
        let denied = self.values.iter().any(|word| is_negation(word) && *word != "except");
        let shut = self.values.iter().any(|word| SHUT.iter().any(|start| word.starts_with(start)));
        let bare = (0..self.values.len()).all(|at| ports.contains(&at) || self.is_blank(at));
        let negated_here = self.negates_beside(&ports);
        let of_ports = !ports.is_empty() && (negated_here || shut) && (exposed || bare);
        let of_database = ports.is_empty() && denied && negated && exposed && self.has(DATABASES);
        let ports = ports.into_iter().map(|at| self.values[at].to_string()).collect();
        let clear = exposed || shut || self.has(&["port", "ports", "puerto", "puertos"]);
        (of_ports || of_database).then(|| Denied { clause: self.range.clone(), ports, clear })
    }

    /// Whether a negation is beside one of the ports, and not joined to them: of “on port 514 and nobody looks at
    /// them”, nothing closes the port.
    fn negates_beside(&self, ports: &[usize]) -> bool {
        let joins = |at: &usize| ["and", "y", "et", "und"].contains(&self.values[*at]);
        (0..self.values.len()).filter(|at| self.negates(*at)).any(|at| {
            let start = (0..at).rev().find(joins).map_or(0, |at| at + 1);
            let end = (at..self.values.len()).find(joins).unwrap_or(self.values.len());
            ports.iter().any(|port| (start..end).contains(port))
        })
    }

    fn only_names_ports(&self) -> bool {
        let port = |at: usize| self.is_port(at);
        (0..self.values.len()).any(port)
            && (0..self.values.len()).all(|at| port(at) || self.is_blank(at))
    }

    fn only_denies(&self) -> bool {
        (0..self.values.len()).any(|at| self.negates(at))
            && (0..self.values.len()).all(|at| self.is_blank(at))
    }

    /// Whether the clause says for whom it stays open, or is about connections from the server.
    fn leaves_open(&self) -> bool {
        let address = |value: &&str| value.matches('.').count() == 3 || value.contains('/');
        self.has(BUT) || self.has(FOR_SOME) || self.has(OUTGOING) || self.values.iter().any(address)
    }

    /// Whether a negation at this position is one: “don't forget” is not.
    fn negates(&self, at: usize) -> bool {
        let next = self.values.get(at + 1).copied().unwrap_or_default();
        // “443 open, nothing else”
        let undone = is_negation(self.values[at]) && (gives_up(next) || next == "else");
        let before = at.checked_sub(1).is_some_and(|at| is_negation(self.values[at]));
        denies(self.values[at]) && !undone && !(before && gives_up(self.values[at]))
    }

    fn is_port(&self, at: usize) -> bool {
        let value = self.values[at];
        let ssh = [Some("22"), self.words.ssh_port()].contains(&Some(value));
        let next = self.values.get(at + 1);
        // “30 days”, “4 GB”: a port counts nothing.
        let counts = next.is_some_and(|next| {
            let units = ["day", "days", "gb", "mb", "tb", "users", "weeks", "hours", "minutes"];
            units.contains(next)
        });
        // “Not restarted since 2022”
        let before = at.checked_sub(1).map_or("", |at| self.values[at]);
        let year = value.len() == 4
            && value.starts_with("20")
            && ["since", "depuis", "seit", "desde", "until", "bis", "hasta"].contains(&before);
        value.parse::<u16>().is_ok_and(|port| port >= SMALLEST) && !ssh && !counts && !year
    }

    fn is_blank(&self, at: usize) -> bool {
        let value = self.values[at];
        let weight = self.words.language(self.range.start + at).weight(value);
        ["port", "ports", "puerto", "puertos"].contains(&value)
            || SHUT.iter().any(|start| value.starts_with(start))
            || denies(value)
            || weight == Weight::Empty
    }
}

fn exposes(word: &str) -> bool {
    EXPOSURE.split_ascii_whitespace().any(|listed| listed == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_closes_a_port_whatever_its_verb() {
        let ports = |text: &str| {
            let all = denied(&Words::of(text)).into_iter();
            all.map(|denied| denied.ports.join(" ")).collect::<Vec<_>>().join(", ")
        };
        for (text, closed) in [
            ("9200 must never face the internet", "9200"),
            ("port 8404 of the stats, never public", ""),
            ("8404 of the stats never public", "8404"),
            ("21 cerradísimo", "21"),
            ("25565 no", "25565"),
            ("the 9000, forget it", "9000"),
            ("8404 is nobody's business", "8404"),
            ("3306 better not open to anyone", "3306"),
            ("3306 not open to the office", ""),
            ("8080 not open but for 10.0.0.5", ""),
            ("not 30 days", ""),
            ("443 open nothing else", ""),
            ("syslog on port 514 and nobody looks at it", ""),
            ("80 and 443 not open to anyone", "80 443"),
            ("a server that nobody dared to restart since 2022", ""),
            ("don't forget 8443", ""),
            ("is 8443 not open?", ""),
        ] {
            assert_eq!(ports(text), closed, "{text}");
        }
        assert_eq!(denied(&Words::of("the database must not face the internet")).len(), 1);
    }
}
