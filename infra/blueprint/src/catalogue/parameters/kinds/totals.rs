//! Servers that a message counts together with the one for HAProxy.

use crate::catalogue::parameters::Found;
use crate::words::{Words, numbers};

/// The number of application servers if the message counts the balancer's server among its servers, or may do so: “with
/// the balancer that makes three machines”, “2 servers: a and b. a: HAProxy”.
pub(super) fn of_all(words: &Words, count: &str) -> Option<Found> {
    const TOTAL: &[&str] = &[
        "together",
        "total",
        "altogether",
        "overall",
        "insgesamt",
        "zusammen",
        "ensemble",
        "makes",
        "including",
        "juntos",
    ];
    const APPLICATION: &[&str] = &[
        "haproxy",
        "balancer",
        "loadbalancer",
        "load",
        "behind",
        "front",
        "before",
        "between",
        "across",
        "app",
        "application",
        "backend",
        "backends",
        "web",
        "vor",
        "hinter",
        "devant",
        "delante",
        "detrás",
        "derrière",
        "entre",
        "zwischen",
        "api",
    ];
    const MACHINES: &[&str] =
        &["server", "node", "machine", "vps", "vm", "instance", "box", "boxes"];
    let values: Vec<&str> = words.values().collect();
    let machine = |at: usize| {
        values.get(at).is_some_and(|word| {
            MACHINES.contains(word) || MACHINES.contains(&word.trim_end_matches('s'))
        })
    };
    let number: u32 = count.parse().ok()?;
    let counts = |at: &usize| {
        numbers::read(values[*at]) == Some(number) && (machine(at + 1) || machine(at + 2))
    };
    let at = (0..values.len()).find(counts)?;
    let says = |range: std::ops::Range<usize>, list: &[&str]| {
        let parts = |at: usize| {
            let own = values[at].split(['-', '/']);
            own.chain(words.said(at).0.split_whitespace()).collect::<Vec<_>>()
        };
        range.flat_map(parts).any(|word| list.contains(&word))
    };
    let total = says(words.clause(at), TOTAL);
    // In a list, each clause may be a point of its own.
    let listed = words.text().contains('\n');
    let part = if listed { words.clause(at) } else { words.sentence(at) };
    let apart = words.has("haproxy") && !says(part, APPLICATION);
    if !total && !apart {
        return None;
    }
    let behind = if total { number.saturating_sub(1).max(2) } else { number };
    Some(Found::Nearest {
        value: behind.to_string(),
        asked: words.said_in(at..at + if machine(at + 1) { 2 } else { 3 }),
        how: format!("{behind} application servers, and another one for HAProxy"),
    })
}
