//! What the user wants closed: it is fulfilled if nothing opens it.

use super::CLOSED_PORTS;
use super::context::Context;
use super::open::Open;
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
