//! Deployments that a message names and that are not the chosen one.

use std::collections::BTreeSet;

use super::context::Context;
use super::{Asked, Fate};
use crate::catalogue::{self, Blueprint, Place, foreign};
use crate::words::Words;

/// Names of deployments in a message that chooses none, such as the database of an application that cannot be built.
pub(super) fn of_no_blueprint(words: &Words) -> Vec<Asked> {
    let own = catalogue::ALL.iter().flat_map(|blueprint| blueprint.own_cues());
    let meant =
        |cue: &&str| words.meant_at(cue).iter().any(|place| !foreign::has_longer(words, place));
    let meant: BTreeSet<&str> = own.filter(meant).collect();
    let longest = |cue: &&&str| !meant.iter().any(|other| other != *cue && other.contains(**cue));
    meant
        .iter()
        .filter(longest)
        .map(|cue| Asked { what: cue.to_string(), fate: Fate::Not })
        .collect()
}

/// Things that another deployment would build and this one does not.
pub(super) fn of_other_blueprints(
    chosen: &Blueprint,
    context: &Context,
    words: &Words,
) -> impl Iterator<Item = Asked> {
    let replaced = |blueprint: &Blueprint| context.replaced.iter().any(|b| b.id == blueprint.id);
    let others = catalogue::ALL.iter().filter(|blueprint| blueprint.id != chosen.id);
    let others = others.filter(|blueprint| !replaced(blueprint));
    let mut asked: Vec<Asked> = Vec::new();
    for blueprint in others {
        // The “nginx” of “ingress-nginx” is in a separate row.
        let own =
            |cue: &&str| words.meant_at(cue).iter().any(|place| !foreign::has_longer(words, place));
        let meant: Vec<&str> = blueprint.own_cues().filter(own).collect();
        let longest =
            |cue: &&&str| !meant.iter().any(|other| other != *cue && other.contains(**cue));
        let covered = |cue: &&str| {
            chosen.weak_cues.contains(cue)
                || chosen.brings.contains(cue)
                || chosen.own_cues().any(|own| own.contains(*cue))
        };
        let named = meant.iter().filter(longest).filter(|cue| !covered(cue));
        let named = named.filter(|cue| !catalogue::is_an_alternative(cue, words));
        asked.extend(named.map(|cue| Asked { what: cue.to_string(), fate: Fate::Not }));
    }
    let others = match chosen.place {
        Place::Aws => Place::Hetzner.provider().to_vec(),
        Place::Hetzner => Place::Aws.provider().to_vec(),
        Place::Sandbox => [Place::Hetzner.provider(), Place::Aws.provider()].concat(),
    };
    let provider = others.into_iter().find(|name| words.means(name));
    asked.extend(provider.map(|name| Asked {
        what: name.to_string(),
        fate: Fate::Differently(chosen.place.words().to_string()),
    }));
    asked.into_iter()
}
