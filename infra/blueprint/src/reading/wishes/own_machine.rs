//! The row for a machine that the user has and wants to use. Every deployment makes something new.

use std::collections::BTreeSet;
use std::ops::Range;

use super::open::Open;
use super::owned::{EXISTING_SERVER, NEW};
use super::{Asked, Fate};
use crate::catalogue::held::{self, Kind};
use crate::catalogue::{Blueprint, Place};
use crate::words::Words;

/// Deployments that watch machines of the user, or receive their logs.
const WATCHING: [&str; 2] = ["monitoring-stack", "elk"];

/// The row for such a machine.
pub(super) fn row(blueprint: &Blueprint, words: &Words, open: &mut Open) -> Option<Asked> {
    let place = place(blueprint, words)?;
    open.take_range(&place);
    Some(Asked { what: EXISTING_SERVER.into(), fate: Fate::Differently(instead(blueprint)) })
}

/// The row for such machines while no deployment is chosen.
pub(super) fn row_of_none(words: &Words, open: &mut Open) -> Option<Asked> {
    let all = held::machines(words);
    all.iter().for_each(|held| open.take_range(&held.said));
    (!all.is_empty()).then(|| Asked { what: EXISTING_SERVER.into(), fate: Fate::Not })
}

/// Where the deployment is built instead.
fn instead(blueprint: &Blueprint) -> String {
    let place = blueprint.place.words();
    if blueprint.has_server() { format!("on a new server {place}") } else { place.into() }
}

/// The words that speak of such a machine, as positions of values.
pub fn place(blueprint: &Blueprint, words: &Words) -> Option<Range<usize>> {
    let watches = WATCHING.contains(&blueprint.id);
    let placed = blueprint.has_server() || blueprint.place != Place::Sandbox;
    let meant = |held: &held::Held| match held.kind {
        Kind::Place => !(watches && held.several),
        // “I have a server for mail, and need another one”
        Kind::Had => !watches && blueprint.has_server() && !names_another_place(words, held),
        Kind::Theirs => false,
    };
    held::machines(words).into_iter().filter(|_| placed).find(meant).map(|held| held.said)
}

/// Whether a message asks for a new server beside such a machine. The provider of the machine itself is not a new place: “I
/// have two boxes at Hetzner, set up PostgreSQL there”.
fn names_another_place(words: &Words, held: &held::Held) -> bool {
    let told: BTreeSet<usize> = words.clause(held.said.start).collect();
    words.means_any(NEW) || names_a_new_place(&words.clone().without(&told))
}

/// Whether a message asks for a new server, or says at which provider it is to be.
pub fn names_a_new_place(words: &Words) -> bool {
    let providers = [Place::Aws, Place::Hetzner].into_iter().flat_map(Place::provider);
    words.means_any(NEW) || providers.into_iter().any(|provider| words.means(provider))
}
