//! What is to be reached only through something that is not built: “SSH only through the VPN”. The row for the VPN alone
//! would not say that SSH stays as it is.

use super::open::Open;
use super::{Asked, Fate};
use crate::catalogue::foreign::Foreign;
use crate::words::{Words, lists};

/// The entry for what something is reached through.
const TUNNEL: &str = "a VPN";

const ONLY: &str = "only just exclusively solely nur ausschließlich solo sólo solamente únicamente seulement uniquement";
const THROUGH: &str =
    "through thru via over by using within durch durchs über übers por mediante desde par dans";

/// The most words between such a word and the tunnel: “only through our own WireGuard”.
const REACH: usize = 4;

/// The clauses that let something be reached only through a tunnel, as rows in the user's words.
pub(super) fn rows(words: &Words, open: &mut Open) -> Vec<Asked> {
    let tunnels = Foreign::all().filter(|foreign| foreign.name == TUNNEL);
    let places = tunnels.flat_map(|tunnel| &tunnel.cues).flat_map(|cue| words.meant_at(cue));
    let both = |at: usize, list: &str| {
        let said = words.said(at).0;
        words.values().nth(at).is_some_and(|value| lists(list, value))
            || said.split(' ').any(|said| lists(list, said))
    };
    let only_through = |at: usize| {
        let clause = words.clause(at);
        let near = clause.start.max(at.saturating_sub(REACH))..at;
        let limited = clause.clone().any(|at| both(at, ONLY));
        (limited && near.into_iter().any(|at| both(at, THROUGH))).then_some(clause)
    };
    let mut rows = Vec::new();
    for clause in places.map(|place| words.origin(place.start)).filter_map(only_through) {
        open.take_range(&clause);
        rows.push(Asked { what: words.said_in(clause), fate: Fate::NotUnderstood });
    }
    rows
}
