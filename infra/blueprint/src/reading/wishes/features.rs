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
        match (said(feature, words), has) {
            (Some(Said::Meant(cue, near)), has) => {
                near.words(words).for_each(|word| open.take(word));
                let foreign =
                    || Foreign::in_message(words).into_iter().any(|f| f.cues.contains(&cue));
                if has {
                    spoken.covered.push(feature.wish());
                    spoken.cues.extend(feature.cues().chain(feature.without()));
                } else if !foreign() {
                    spoken.asked.push(Asked { what: near.text(words), fate: Fate::Not });
                }
            }
            (Some(Said::TurnedDown(cue)), has) => {
                open.take(cue);
                let comes = has.then(|| with(cue, feature.name().to_string()));
                spoken.asked.extend(comes);
            }
            (None, _) => {}
        }
    }
    spoken.asked.extend(parts(blueprint, words));
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
    let wanted = wanted.filter(|(cue, near)| !near.negated(words) && !other(cue));
    let refused = feature.without().filter_map(|cue| Some((cue, words.near(cue)?)));
    let refused = refused.filter(|(_, near)| near.negated(words) || near.forbidden(words));
    let meant = wanted.chain(refused).max_by_key(|(cue, _)| cue.len());
    let meant =
        meant.map(|(cue, near)| Said::Meant(cue, near.with(words, |word| feature.has_word(word))));
    meant.or_else(|| feature.cues().find(|cue| words.excludes(cue)).map(Said::TurnedDown))
}

/// Parts and places of the deployment that the user rules out: “ELK without Kibana”, “not at Hetzner”.
fn parts(blueprint: &Blueprint, words: &Words) -> Vec<Asked> {
    let part = blueprint.own_cues().filter(|cue| words.excludes(cue)).max_by_key(|cue| cue.len());
    let provider = blueprint.place.provider();
    let place_cue = provider.iter().find(|cue| words.excludes(cue));
    let part = part.map(|cue| with(cue, cue.to_string()));
    let place = place_cue.map(|cue| Asked {
        what: format!("not at {cue}"),
        fate: Fate::Differently(blueprint.place.words().to_string()),
    });
    part.into_iter().chain(place).collect()
}

/// Something that the user rules out and that comes anyway.
fn with(cue: &str, name: String) -> Asked {
    Asked { what: format!("without {cue}"), fate: Fate::Differently(format!("with {name}")) }
}
