//! Parts and places of the deployment that a message rules out.

use super::features::with;
use super::open::Open;
use super::{Asked, Fate};
use crate::catalogue::{Blueprint, Place, covers, foreign, places};
use crate::words::Words;

/// Words for something that is not a part of a deployment, or that a feature or a parameter handles.
const NO_PART: &[&str] = &[
    "vps",
    "server",
    "hetzner",
    "cloud",
    "ssh",
    "vm",
    "virtual machine",
    "instance",
    "linux",
    "debian",
    "terraform",
    "sandbox",
    "service",
    "web",
    "website",
    "page",
    "local",
    "locally",
    "sql",
    "dump",
    "watch",
    "logs",
    "nodes",
    "cluster",
    "hardened",
];

/// How many words after a provider the place may be in which it is ruled out.
const PLACE_REACH: usize = 5;

/// What a site with a certificate cannot go without.
pub(super) const NEEDED_DOMAIN: &str = "a domain, which the certificate needs";

/// Parts and places of the deployment that the user rules out: “ELK without Kibana”, “not at Hetzner”.
pub(super) fn parts(blueprint: &Blueprint, words: &Words, open: &mut Open) -> Vec<Asked> {
    let of_a_feature =
        |cue: &str| covers::features().any(|feature| feature.cues().any(|own| own == cue));
    let weak = blueprint.weak_cues.iter().copied();
    let town = |cue: &str| places::of(blueprint.place).iter().any(|(name, _)| *name == cue);
    let weak = weak.filter(|cue| !NO_PART.contains(cue) && !of_a_feature(cue) && !town(cue));
    // “Don't expose the bucket” does not ask to go without it.
    let out = |cue: &&str| words.rules_out_a_part(cue);
    // “No Terraform Cloud” is about another product.
    let other = |cue: &&str| {
        let places = words.places(cue);
        places.iter().all(|place| foreign::has_longer(words, place))
    };
    let own = blueprint.own_cues().chain(weak).filter(out).filter(|cue| !other(cue));
    let excluded: Vec<&str> = own.collect();
    let longest =
        |cue: &&&str| !excluded.iter().any(|other| other != *cue && other.contains(**cue));
    let name = |cue: &str| if cue == "domain" { NEEDED_DOMAIN.into() } else { cue.to_string() };
    let mut asked: Vec<Asked> =
        excluded.iter().filter(longest).map(|cue| with(cue, name(cue))).collect();
    excluded.iter().for_each(|cue| open.rule_out(cue));
    if blueprint.has_server() && words.rules_out_right_before("server") {
        asked.push(with("server", format!("a server {}", blueprint.place.words())));
        open.rule_out("server");
    }
    if blueprint.cues().any(|cue| cue == "tls") && words.excludes("https") {
        asked.push(with("https", "HTTPS".into()));
        open.rule_out("https");
    }
    if blueprint.has_server() && words.excludes_whole("ssh") {
        asked.push(with("ssh", "SSH, by which it is set up".into()));
        open.rule_out("ssh");
    }
    if blueprint.has_server() && blueprint.place == Place::Hetzner && words.excludes("ipv6") {
        asked.push(with("ipv6", "IPv6, which Hetzner gives each server".into()));
        open.rule_out("ipv6");
    }
    if blueprint.id == "elk" && words.excludes("tls") {
        asked.push(with("tls", "TLS between its parts".into()));
        open.rule_out("tls");
    }
    let provider = blueprint.place.provider();
    // “No Hetzner in the US” rules out the US.
    let towns = places::own(words, places::of(blueprint.place));
    let within = |at: usize| {
        let near = at..words.clause(at).end.min(at + PLACE_REACH);
        towns.iter().any(|town| town.refused && near.contains(&town.values.start))
    };
    let placed = |cue: &str| words.places(cue).iter().all(|at| within(words.origin(at.start)));
    provider.iter().filter(|cue| placed(cue)).for_each(|cue| open.rule_out(cue));
    let place = provider.iter().find(|cue| words.excludes(cue) && !placed(cue));
    place.into_iter().for_each(|cue| open.rule_out(cue));
    let place = place.map(|cue| format!("not at {cue}"));
    let american = words.places("cloud").iter().any(|place| foreign::has_longer(words, place));
    let cloud = words.excludes_itself("cloud") && !provider.is_empty() && !american;
    if american && blueprint.place == Place::Aws && words.excludes("american cloud") {
        asked.push(Asked {
            what: "no american cloud".into(),
            fate: Fate::Differently(blueprint.place.words().to_string()),
        });
    }
    let place = place.or_else(|| cloud.then(|| "not in the cloud".into()));
    let elsewhere = || Fate::Differently(blueprint.place.words().to_string());
    asked.extend(place.map(|what| Asked { what, fate: elsewhere() }));
    asked
}
