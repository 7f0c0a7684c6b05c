//! Features of deployments that a message asks for or rules out.

use super::open::Open;
use super::{Asked, Fate};
use crate::catalogue::Blueprint;
use crate::catalogue::covers::{self, Cover, Feature};
use crate::reading::foreign::Foreign;
use crate::reading::words::{Near, Words};

/// What a message says about features.
#[derive(Default)]
pub(super) struct Spoken {
    /// Wishes that the deployment fulfills, as separate requirements.
    pub(super) covered: Vec<&'static str>,
    /// Features that the user asks for and that are missing, and parts that the user rules out and that come anyway.
    pub(super) asked: Vec<Asked>,
    /// Wishes that the user turns down.
    pub(super) refused: Vec<&'static str>,
    /// The phrases by which they were found. They are built here, even if they cannot be built in general.
    pub(super) cues: Vec<&'static str>,
}

/// How a message mentions a feature.
enum Said {
    Meant(&'static str, Near),
    TurnedDown(&'static str),
}

pub(super) fn features(
    blueprint: &Blueprint,
    covers: &[Cover],
    words: &Words,
    open: &mut Open,
) -> Spoken {
    let mut spoken = Spoken::default();
    for feature in covers::features().filter(|feature| !covers::is_asked(blueprint, feature)) {
        let has = covers.iter().any(|cover| cover.feature.name() == feature.name());
        let said = said(feature, words);
        if let (Some(Said::Meant(..)), true) = (&said, has) {
            // “an own certificate, not Let's Encrypt”
            let mut refused = feature.cues().filter(|cue| words.excludes(cue));
            spoken.asked.extend(refused.next().map(|cue| with(cue, cue.to_string())));
        }
        match (said, has) {
            (Some(Said::Meant(cue, near)), has) => {
                near.words(words).for_each(|word| open.take(word));
                let foreign =
                    || Foreign::in_message(words).into_iter().any(|f| f.cues.contains(&cue));
                let instead = near.clause(words).find_map(|word| feature.instead_of(word));
                if let Some(instead) = instead.filter(|_| has) {
                    let fate = Fate::Differently(instead.into());
                    spoken.asked.push(Asked { what: near.text(words), fate });
                    spoken.cues.extend(feature.cues());
                } else if has {
                    spoken.covered.push(feature.wish());
                    spoken.cues.extend(feature.cues().chain(feature.without()));
                } else if !foreign() {
                    spoken.asked.push(Asked { what: near.text(words), fate: Fate::Not });
                }
            }
            (Some(Said::TurnedDown(cue)), has) => {
                open.take(cue);
                spoken.refused.push(feature.wish());
                let comes = has.then(|| with(cue, feature.name().to_string()));
                spoken.asked.extend(comes);
            }
            (None, _) => {}
        }
    }
    spoken.asked.extend(parts(blueprint, words));
    if words.excludes("cloud") {
        open.take("cloud");
    }
    spoken
}

/// How the message mentions the feature: by the longest phrase, and the words nearby that say more.
fn said(feature: &'static Feature, words: &Words) -> Option<Said> {
    let wanted = feature.cues().filter_map(|cue| Some((cue, words.near(cue)?)));
    let other = |cue: &str| {
        let beside =
            |word| words.has(&format!("{cue} {word}")) || words.has(&format!("{word} {cue}"));
        feature.other_beside().any(beside)
    };
    let wanted = wanted
        .filter(|(cue, near)| !near.negated(words) && !near.switched_off(words) && !other(cue));
    let refused = feature.without().filter_map(|cue| Some((cue, words.near(cue)?)));
    let refused = refused.filter(|(_, near)| near.negated(words) || near.forbidden(words));
    let more = |word: &str| feature.has_word(word) || feature.instead_of(word).is_some();
    let meant = wanted.chain(refused).max_by_key(|(cue, _)| cue.len());
    let meant = meant.map(|(cue, near)| Said::Meant(cue, near.with(words, more)));
    let off = |cue: &&str| words.near(cue).is_some_and(|near| near.switched_off(words));
    meant.or_else(|| {
        feature.cues().find(|cue| words.excludes(cue) || off(cue)).map(Said::TurnedDown)
    })
}

/// Words that are no part of a deployment, or that a feature or a parameter is about.
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

/// Parts and places of the deployment that the user rules out: “ELK without Kibana”, “not at Hetzner”.
fn parts(blueprint: &Blueprint, words: &Words) -> Vec<Asked> {
    let of_a_feature =
        |cue: &str| covers::features().any(|feature| feature.cues().any(|own| own == cue));
    let weak = blueprint.weak_cues.iter().copied();
    let weak = weak.filter(|cue| !NO_PART.contains(cue) && !of_a_feature(cue));
    let own = blueprint.own_cues().chain(weak).filter(|cue| words.excludes(cue));
    let excluded: Vec<&str> = own.collect();
    let longest =
        |cue: &&&str| !excluded.iter().any(|other| other != *cue && other.contains(**cue));
    let mut asked: Vec<Asked> =
        excluded.iter().filter(longest).map(|cue| with(cue, cue.to_string())).collect();
    if blueprint.cues().any(|cue| cue == "tls") && words.excludes("https") {
        asked.push(with("https", "HTTPS".into()));
    }
    if blueprint.has_server() && words.excludes_whole("ssh") {
        asked.push(with("ssh", "SSH, by which it is set up".into()));
    }
    let provider = blueprint.place.provider();
    let place = provider.iter().find(|cue| words.excludes(cue)).map(|cue| format!("not at {cue}"));
    let cloud = words.excludes("cloud") && !provider.is_empty();
    let place = place.or_else(|| cloud.then(|| "not in the cloud".into()));
    let elsewhere = || Fate::Differently(blueprint.place.words().to_string());
    asked.extend(place.map(|what| Asked { what, fate: elsewhere() }));
    asked
}

/// Something that the user rules out and that comes anyway.
fn with(cue: &str, name: String) -> Asked {
    Asked { what: format!("without {cue}"), fate: Fate::Differently(format!("with {name}")) }
}
