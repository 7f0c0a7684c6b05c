//! What the user wants closed: it is fulfilled if nothing opens it.

use super::context::Context;
use super::open::Open;
use super::{Asked, CLOSED_PORTS, Fate};
use crate::catalogue;
use crate::words::Words;

/// Words for connections that begin at the server; its firewall restricts only those that come in.
const OUTGOING: &[&str] = &["outgoing", "outbound", "egress"];

/// Marks the ports that the message closes and that are not open. `closed` says whether the list says already that
/// nothing is open but what is planned. Returns the ports that are closed anyway.
pub(super) fn ports(
    words: &Words,
    context: &Context,
    closed: bool,
    open: &mut Open,
) -> Vec<String> {
    // A request to close a port is fulfilled if the list says so, if the message changed the open ports, or if the port
    // was not open.
    let ports = catalogue::closed_ports(words);
    let shut = |port: &String| {
        context.asks("open-ports") && !context.open_ports().any(|open| open == port)
    };
    let shut =
        !ports.is_empty() && ports.iter().all(shut) && !OUTGOING.iter().any(|word| words.has(word));
    // “Everything closed except 80 and 443”
    let kept = catalogue::ports_that_stay_open(words).map(|ports| {
        let ports: Vec<String> = ports.iter().map(u16::to_string).collect();
        context.open_ports().all(|open| ports.iter().any(|port| port == open))
    });
    if context.asks("open-ports") && kept == Some(true) {
        ["except", "besides", "but", "close", "closed", "nothing", "port"]
            .iter()
            .for_each(|word| open.rule_out(word));
    }
    if closed || shut || context.changed.contains(&"open-ports") {
        ports.iter().for_each(|port| open.rule_out(port));
        ["port", "shut", "stay"].iter().for_each(|word| open.rule_out(word));
    }
    if shut { ports } else { Vec::new() }
}

/// What the plan does with a port that it cannot open.
const ONLY_SSH: &str = "closed, because only SSH is open in this plan";

/// Words by which a message opens a port.
const OPENING: &[&str] = &[
    "port",
    "ports",
    "open",
    "opened",
    "opening",
    "expose",
    "exposed",
    "allow",
    "public",
    "publicly",
    "reachable",
    "accessible",
    "also",
    "world",
    "internet",
    "outside",
];

/// The row for ports that the message opens on a server that only SSH reaches.
pub(super) fn unopened(words: &Words, context: &Context, open: &mut Open) -> Option<Asked> {
    let server = context.blueprint.is_some_and(catalogue::Blueprint::has_server);
    if !server || context.asks("open-ports") {
        return None;
    }
    let ports: Vec<String> = catalogue::opened_ports(words).iter().map(u16::to_string).collect();
    let what = match ports.as_slice() {
        [] => return None,
        [port] => format!("port {port} open"),
        ports => format!("ports {} open", ports.join(", ")),
    };
    let values: Vec<&str> = words.values().collect();
    let named = |at: usize| ports.iter().any(|port| values[at].trim_end_matches("/tcp") == port);
    for at in (0..values.len()).filter(|at| named(*at)) {
        let beside = |near: &usize| *near == at || OPENING.contains(&values[*near]);
        // “Ports 22, 80 and 443”
        let noun = |near: &usize| ["port", "ports"].contains(&values[*near]);
        let near = words.clause(at).filter(beside);
        let all: Vec<usize> = near.chain(words.sentence(at).filter(noun)).collect();
        all.into_iter().for_each(|near| open.take_range(&(near..near + 1)));
    }
    Some(Asked { what, fate: Fate::Differently(ONLY_SSH.into()) })
}

/// Marks the clauses by which a port or the database is to be closed, if it is. Returns the wish that says so, if the
/// deployment has it.
pub(super) fn to_everybody(
    words: &Words,
    context: &Context,
    open: &mut Open,
) -> Option<&'static str> {
    let server = context.blueprint.is_some_and(catalogue::Blueprint::has_server);
    let shut = |port: &String| !context.open_ports().any(|open| open == port);
    let denied = catalogue::denied_ports(words).into_iter();
    let fulfilled = denied.filter(|denied| server && denied.ports.iter().all(shut));
    let mut any = false;
    for denied in fulfilled {
        // “25565 no” closes a port if it was open.
        if denied.clear || context.changed.contains(&"open-ports") {
            open.rule_out_range(&denied.clause);
        }
        any |= denied.clear;
    }
    let mut wishes = context.covers.iter().map(|cover| cover.feature.wish());
    wishes.find(|wish| any && *wish == CLOSED_PORTS)
}
