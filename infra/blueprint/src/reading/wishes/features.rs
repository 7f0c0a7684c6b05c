//! What deployments have beside what they are named for: asked for or turned down, it is known.

use super::open::Open;
use super::{Asked, Fate};
use crate::catalogue::{Blueprint, Place};
use crate::reading::words::Words;

/// Something that some deployments have.
struct Feature {
    cues: &'static [&'static str],
    /// As it stands after “with”; deployments that have it list it by this name.
    name: &'static str,
    /// Where every deployment has it.
    at: &'static [Place],
}

const FEATURES: &[Feature] = &[
    Feature {
        cues: &["docker", "docker compose", "containers", "container"],
        name: "Docker Compose",
        at: &[],
    },
    Feature { cues: &["firewall", "ufw"], name: "a firewall", at: &[Place::Hetzner] },
    Feature {
        cues: &[
            "unattended upgrades",
            "automatic updates",
            "automatic upgrades",
            "security updates",
            "updates",
        ],
        name: "automatic security updates",
        at: &[Place::Hetzner],
    },
    Feature { cues: &["hardening", "hardened"], name: "hardening", at: &[Place::Hetzner] },
    Feature { cues: &["backup", "backups", "dump", "dumps"], name: "nightly dumps", at: &[] },
    Feature { cues: &["terraform"], name: "Terraform", at: &[Place::Hetzner, Place::Aws] },
    Feature { cues: &["ansible"], name: "Ansible", at: &[Place::Hetzner] },
    Feature { cues: &["alerts", "alert"], name: "alerts", at: &[] },
];

/// Features that are asked for and missing, and parts that are turned down and come all the same.
pub(super) fn features(blueprint: &Blueprint, words: &Words, open: &mut Open) -> Vec<Asked> {
    let mut asked = Vec::new();
    for feature in FEATURES {
        let has =
            feature.at.contains(&blueprint.place) || blueprint.features.contains(&feature.name);
        let meant = feature.cues.iter().filter(|cue| words.means(cue)).max_by_key(|cue| cue.len());
        let turned_down = feature.cues.iter().find(|cue| words.excludes(cue));
        match (has, meant, turned_down) {
            (false, Some(cue), _) => asked.push(Asked { what: cue.to_string(), fate: Fate::Not }),
            (true, None, Some(cue)) => asked.push(with(cue, feature.name.to_string())),
            _ => {}
        }
        feature.cues.iter().for_each(|cue| open.take(cue));
    }
    asked.extend(parts(blueprint, words));
    asked
}

/// Parts and places of the deployment itself that are turned down: “ELK without Kibana”, “not at Hetzner”.
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

/// Turned down, and there all the same.
fn with(cue: &str, name: String) -> Asked {
    Asked { what: format!("without {cue}"), fate: Fate::Differently(format!("with {name}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    #[test]
    fn deployments_list_features_by_their_names() {
        for blueprint in catalogue::ALL.iter() {
            for name in blueprint.features {
                let known = FEATURES.iter().any(|feature| feature.name == *name);
                assert!(known, "{}: no feature is called {name}", blueprint.id);
            }
        }
    }
}
