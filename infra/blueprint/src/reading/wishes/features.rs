//! What deployments have beside what they are named for: asked for or turned down, it is known.

use super::open::Open;
use super::{Asked, Fate, place};
use crate::catalogue::Blueprint;
use crate::reading::words::Words;

/// Something that some deployments have.
struct Feature {
    cues: &'static [&'static str],
    /// As it stands after “with”.
    name: &'static str,
    /// Ids of the deployments that have it.
    of: &'static [&'static str],
}

const AT_HETZNER: &[&str] =
    &["basic-vps", "vps-mysql", "vps-postgresql", "elk", "monitoring-stack"];
const SERVERS: &[&str] =
    &["basic-vps", "vps-mysql", "vps-postgresql", "elk", "monitoring-stack", "ec2-ssh"];

const FEATURES: &[Feature] = &[
    Feature {
        cues: &["docker", "docker compose", "containers", "container"],
        name: "Docker Compose",
        of: &["vps-mysql", "elk", "monitoring-stack"],
    },
    Feature { cues: &["firewall", "ufw"], name: "a firewall", of: SERVERS },
    Feature {
        cues: &[
            "unattended upgrades",
            "automatic updates",
            "automatic upgrades",
            "security updates",
            "updates",
        ],
        name: "automatic security updates",
        of: AT_HETZNER,
    },
    Feature { cues: &["hardening", "hardened"], name: "hardening", of: AT_HETZNER },
    Feature {
        cues: &["backup", "backups", "dump", "dumps"],
        name: "nightly dumps",
        of: &["vps-mysql", "vps-postgresql"],
    },
    Feature { cues: &["terraform"], name: "Terraform", of: SERVERS },
    Feature { cues: &["ansible"], name: "Ansible", of: AT_HETZNER },
    Feature { cues: &["alerts", "alert"], name: "alerts", of: &["monitoring-stack"] },
];

/// Features that are asked for and missing, and parts that are turned down and come all the same.
pub(super) fn features(blueprint: &Blueprint, words: &Words, open: &mut Open) -> Vec<Asked> {
    let mut asked = Vec::new();
    for feature in FEATURES {
        let has = feature.of.contains(&blueprint.id);
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
    let provider = match place(blueprint) {
        "at Hetzner" => ["hetzner"].as_slice(),
        "at AWS" => ["aws", "amazon"].as_slice(),
        _ => &[],
    };
    let place_cue = provider.iter().find(|cue| words.excludes(cue));
    let part = part.map(|cue| with(cue, cue.to_string()));
    let place = place_cue.map(|cue| Asked {
        what: format!("not at {cue}"),
        fate: Fate::Differently(place(blueprint).to_string()),
    });
    part.into_iter().chain(place).collect()
}

/// Turned down, and there all the same.
fn with(cue: &str, name: String) -> Asked {
    Asked { what: format!("without {cue}"), fate: Fate::Differently(format!("with {name}")) }
}
