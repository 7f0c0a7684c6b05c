//! Ports on which the deployment itself is to listen: “also listen on 8443”, “also on port 8443”.
//!
//! Only a deployment with a web server reads them. Elsewhere, a port on which something listens belongs to a program of
//! the user's.

use super::Clause;
use super::clauses::clauses;
use super::lists::{BETWEEN, PORTS};
use crate::words::{Words, is_negation};

/// Words for a server that takes requests on a port.
const LISTENING: &[&str] =
    &["listen", "listens", "listening", "serve", "serves", "served", "bind", "binds"];

/// Words that add a port to others.
const MORE: &[&str] = &["also", "too", "additionally", "plus", "second", "another", "well"];

/// What listens in a deployment with a web server. The application behind it has ports of its own, which stay inside.
const FRONT: &[&str] = &[
    "site",
    "website",
    "page",
    "nginx",
    "haproxy",
    "wordpress",
    "server",
    "balancer",
    "load",
    "it",
    "as",
    "on",
    "at",
    "over",
    "under",
    "via",
    "instead",
    "besides",
    "next",
    "443",
];

/// The ports on which the front is to listen.
pub(in super::super) fn served(words: &Words) -> Vec<u16> {
    let all = clauses(words).into_iter().map(|clause| Clause::of(words, clause));
    all.filter(is_about_listening).flat_map(|clause| clause.ports()).collect()
}

/// Whether a clause says nothing but that the front listens on ports.
fn is_about_listening(clause: &Clause) -> bool {
    let listens = clause.is_in(LISTENING);
    let adds = clause.is_in(MORE) && clause.is_in(PORTS);
    let other = |at: usize| {
        let lists = [LISTENING, MORE, FRONT, BETWEEN, PORTS];
        let known = clause.port(at).is_some() || lists.iter().any(|list| clause.is(at, list));
        !known && !clause.is_blank(at)
    };
    let mut all = 0..clause.values.len();
    (listens || adds)
        && !clause.values.iter().any(|value| is_negation(value))
        && !clause.is_for_some()
        && !clause.is_of_ssh()
        && !all.any(other)
}
