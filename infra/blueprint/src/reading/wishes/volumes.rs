//! The rows for disks beside the server's own, which no deployment has: “a 100 GB volume attached”.

use super::context::Context;
use super::open::Open;
use super::{Asked, Fate};
use crate::catalogue::Place;
use crate::catalogue::parameters::Parameter;
use crate::catalogue::sizes::{self, Kind, volumes};
use crate::words::Words;

/// The start of what a server has in place of another disk.
pub const OWN_DISK: &str = "only the server's own disk of ";

/// What a server has in place of another disk; `None` if there is no server.
pub fn own_disk(parameters: &[&Parameter], value: impl Fn(&Parameter) -> String) -> Option<String> {
    let of = |key: &str| parameters.iter().find(|one| one.key == key).map(|one| value(one));
    let typed = of("server-type").and_then(|kind| sizes::of(&kind));
    let typed = typed.map(|capacity| capacity.has(Kind::Disk).to_string());
    let size = typed.or_else(|| of("volume-gb"))?;
    Some(format!("{OWN_DISK}{size} GB"))
}

/// The rows for such disks. On AWS, a volume may be the server's own.
pub(super) fn extra(words: &Words, context: &Context, open: &mut Open) -> Vec<Asked> {
    let aws = context.blueprint.is_some_and(|blueprint| blueprint.place == Place::Aws);
    let value = |one: &Parameter| {
        context.values.get(one.key).map_or(one.default.to_string(), String::clone)
    };
    let own = own_disk(&context.parameters, value);
    let row = |extra: volumes::Extra| {
        let what = words.said_in(extra.said.clone());
        open.rule_out_range(&extra.said);
        let fate = own.clone().map_or(Fate::Not, Fate::Differently);
        Asked { what, fate }
    };
    let all = volumes::extra(words).into_iter().filter(|extra| extra.beside || !aws);
    let known = context.blueprint.is_some();
    all.filter(|_| known).map(row).collect()
}
