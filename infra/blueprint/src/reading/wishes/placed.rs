//! The row for another kind of place than that of the deployment: the sandbox for what needs a server, and a server for
//! what runs in the sandbox.

use std::ops::Range;

use super::context::Context;
use super::open::Open;
use super::{Asked, Fate};
use crate::catalogue::Place;
use crate::words::{Words, lists};

/// Words before the sandbox as a place.
const INSIDE: &str = "in inside into within on im dans en dentro";
/// Words before a machine as a place.
const ONTO: &str = "on onto to at in auf zu en sur à dans";
/// Words between those and the place.
const BETWEEN: &str = "a an the this your our its own real proper new separate cloud hetzner aws public small cheap of das \
    dem der den die einem einer einen ein eine eure eurer echten richtigen eigenen el la los un una al tu su vuestro nuestro \
    propio verdadero real de l le les ce cette votre ton notre vrai véritable propre nouveau bac";
/// Machines and clouds on which something runs.
const MACHINES: &str = "server servers vps vm vms machine ec2 cloud hetzner aws instance box host";
/// Words of a clause that tells of a machine of the user, for which other rows exist, or of who connects to something.
const OTHERWISE: &str =
    "my mine mein meinem meinen meiner mi mis mon ma mes ssh connect connects login";

/// What a service in the sandbox has for those who want it on a server.
pub(super) const COMPOSE: &str =
    "inside the sandbox, with a Docker Compose file that starts it on a server";

/// The row, if the message names a place of the other kind.
pub(super) fn row(context: &Context, words: &Words, open: &mut Open) -> Option<Asked> {
    let blueprint = context.blueprint?;
    let sandbox = blueprint.place == Place::Sandbox;
    let (place, how) = match sandbox {
        true => (place(words, ONTO, |word| lists(MACHINES, word))?, COMPOSE.to_owned()),
        false => {
            (place(words, INSIDE, |word| word == "sandbox")?, blueprint.place.words().to_owned())
        }
    };
    open.take_range(&place);
    Some(Asked { what: words.said_in(place), fate: Fate::Differently(how) })
}

/// The words for a place, from the preposition on.
fn place(words: &Words, before: &str, is: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    let values: Vec<&str> = words.values().collect();
    let place = |at: usize| {
        let clause = words.clause(at);
        let start =
            (clause.start..at).rev().find(|at| !words.is_in(*at, BETWEEN) && !is(values[*at]))?;
        let meant = words.is_in(start, before) && words.means_value(at);
        (meant && !words.any_in(clause, OTHERWISE)).then_some(start..at + 1)
    };
    // “On a VPS at Hetzner” is one place.
    let places: Vec<Range<usize>> =
        (0..values.len()).filter(|at| is(values[*at])).filter_map(place).collect();
    let (first, last) = (places.first()?, places.last()?);
    let joined = places.windows(2).all(|pair| pair[0].end >= pair[1].start);
    Some(if joined { first.start..last.end } else { last.clone() })
}
