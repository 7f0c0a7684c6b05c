//! Addresses of machines that exist and from which no user connects.

use super::doors::MACHINES;
use crate::words::{Words, lists};

/// Whether the words before an address say that a machine has it: “an Ubuntu box in my office at 192.168.1.40”.
pub(super) fn is_where_a_machine_is(words: &Words, at: usize) -> bool {
    const AT: &str = "at ip under address bei unter à en adresse dirección";
    const COMING: &str = "from only allow allowed access connect ssh login log reach reachable nur solo sólo uniquement von desde \
        depuis";
    let values: Vec<&str> = words.values().collect();
    let before = &values[words.clause(at).start..at];
    let machine = before.iter().any(|word| MACHINES.contains(word));
    let coming = before.iter().any(|word| lists(COMING, word));
    machine && !coming && before.last().is_some_and(|word| lists(AT, word))
}

/// Whether the words before an address say that it is a server: “on my server at 10.0.0.5”.
pub(super) fn is_a_server(before: &[&str]) -> bool {
    const MACHINES: &[&str] = &["server", "servers", "machine", "host", "vps", "vm", "box", "nas"];
    let mut near = before.iter().rev().filter(|word| {
        !["at", "on", "with", "the", "ip", "address", "is", "in", "a", "en", "under"].contains(word)
    });
    near.next().is_some_and(|word| MACHINES.contains(word))
}
