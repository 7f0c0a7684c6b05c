//! The deployments that this model can build, each a folder of data or a file of code, and the parts that several of
//! them share.

pub mod additions;
mod cloud;
pub mod covers;
mod databases;
pub mod deployments;
mod described;
pub mod differs;
pub mod ec2_ssh;
pub mod elk;
mod folder;
pub mod foreign;
pub mod held;
pub mod local_web_service;
pub mod monitoring_stack;
pub mod networks;
pub mod operations;
pub mod parameters;
pub mod places;
pub mod prices;
pub mod questions;
mod recognition;
mod regions;
pub mod removals;
mod server;
pub mod sizes;
pub mod spans;
pub mod stacks;
pub mod translations;
pub mod versions;
mod vps;
pub mod vps_mysql;
pub mod vps_postgresql;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::words::Words;
use crate::words::language::Language;
use operations::{Command, Finding};
use parameters::Parameter;
use removals::Removal;

pub use folder::speaks_of;
pub use local_web_service::ROTATES;
pub use recognition::{
    DATABASES, Name, OWNING, OWNING_REACH, STRONG, TOY, are_alternatives, asked_site,
    asks_for_a_server, asks_for_an_addition, asks_for_only_a_server, gives_several_values,
    is_a_bare_server, is_a_tool_on_a_server, is_an_alternative, is_asked_at, is_asked_for,
    is_described, is_meant, is_only_where, is_plain, names, names_a_type, names_more_than_a_place,
    recognize, refused_site, site_for, told_machines, types_of_aws, unkept_server,
};
pub use regions::is_a_region;

/// Key of the parameter that says where alerts go.
pub const ALERTS_TO: &str = stacks::ALERTS_TO.key;
pub use translations::town;

/// Deployments that need Rust code in addition to data.
const WRITTEN: &[&Blueprint] = &[
    &local_web_service::BLUEPRINT,
    &ec2_ssh::BLUEPRINT,
    &vps_mysql::BLUEPRINT,
    &vps_postgresql::BLUEPRINT,
    &elk::BLUEPRINT,
    &monitoring_stack::BLUEPRINT,
];

/// All deployments, in the order in which they are offered.
pub static ALL: LazyLock<Vec<&'static Blueprint>> = LazyLock::new(|| {
    let mut all = WRITTEN.to_vec();
    for (position, blueprint) in deployments::all() {
        all.insert(position.saturating_sub(1).min(all.len()), blueprint);
    }
    all
});

/// The phrases that name a deployment, whichever it is, and not only the place where it runs.
pub fn own_cues() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|blueprint| blueprint.own_cues())
}

/// Where a deployment runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Sandbox,
    Aws,
    Hetzner,
}

impl Place {
    /// The place as part of a sentence: “at Hetzner”.
    pub fn words(self) -> &'static str {
        match self {
            Place::Sandbox => "inside the sandbox",
            Place::Aws => "at AWS",
            Place::Hetzner => "at Hetzner",
        }
    }

    /// The names of the place's provider; empty for the sandbox.
    pub fn provider(self) -> &'static [&'static str] {
        match self {
            Place::Sandbox => &[],
            Place::Aws => &["aws", "amazon"],
            Place::Hetzner => &["hetzner"],
        }
    }
}

/// Values by placeholder name: `port` fills `@port@`.
pub type Values = BTreeMap<String, String>;

/// A deployment: how to recognize it, what to ask for, and everything that the model writes for it.
pub struct Blueprint {
    /// Stable id, used in documents.
    pub id: &'static str,
    /// Its name in the list of deployments.
    pub title: &'static str,
    /// Its place and its conditions, which follow the title.
    pub detail: &'static str,
    /// The model's reply when the user has chosen it.
    pub welcome: &'static str,
    /// What the user should know before confirming; may be empty.
    pub before_confirming: &'static str,
    /// Phrases that name this deployment and no other.
    pub strong_cues: &'static [&'static str],
    /// Phrases that point to it if no deployment is named.
    pub weak_cues: &'static [&'static str],
    pub place: Place,
    /// Words for the deployment itself, its components or its place, such as “balancer”. They explain words of a wish but
    /// do not choose the deployment. A property, such as “compression”, is a feature instead: a check proves it.
    pub brings: &'static [&'static str],
    pub parameters: &'static [Parameter],
    /// Adds the placeholders that are computed from the parameters.
    pub derive: &'static (dyn Fn(&mut Values) + Send + Sync),
    pub requirements: &'static str,
    pub architecture: &'static str,
    pub implementation: &'static str,
    pub answers: &'static str,
    pub steps: &'static [Step],
    /// The checks of the validation; the output of each ends in a line “Verified: …”.
    pub checks: &'static [Step],
    pub validation: &'static str,
    pub documentation: &'static str,
    pub quickstart: &'static str,
    /// JSON objects from which the configuration data is assembled: hosts, ports, files and commands.
    pub facts: &'static [&'static str],
    /// Values known only after the execution, such as addresses.
    pub findings: &'static [Finding],
    /// The DevOps helper's commands, in groups that deployments share.
    pub commands: &'static [&'static [Command]],
    /// Files that the step scripts write, by the name that `#@write` gives, in groups that deployments share.
    pub files: &'static [&'static [(&'static str, &'static str)]],
    pub diagnoses: &'static [&'static [Diagnosis]],
    /// Its removal.
    pub removal: &'static Removal,
}

/// One step of the implementation.
pub struct Step {
    /// Short title, unique within the blueprint, by which the executor finds the step.
    pub title: &'static str,
    /// What the script does, in one sentence for the person who approves it.
    pub summary: &'static str,
    pub prompt: &'static str,
    pub script: &'static str,
    /// A script that proves that the step did its work; empty for a check, which is itself a proof.
    pub proof: &'static str,
}

/// The meaning of a known error, and what the next attempt does about it.
pub struct Diagnosis {
    /// Lower-case text that identifies the error.
    pub sign: &'static str,
    pub meaning: &'static str,
    /// Index of an earlier step whose script the next attempt runs first.
    pub redo: Option<usize>,
}

impl Blueprint {
    pub fn by_id(id: &str) -> Option<&'static Blueprint> {
        ALL.iter().copied().chain(removals::all()).find(|blueprint| blueprint.id == id)
    }

    /// Whether it takes additions.
    pub fn takes_additions(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.key == additions::ADDITIONS.key)
    }

    /// Whether all of these cues that the message has name something that can be added to the deployment.
    pub fn adds(&self, cues: &[&str], words: &Words) -> bool {
        self.takes_additions() && additions::explain(cues, words)
    }

    /// Whether it has a server to which one can log in.
    pub fn has_server(&self) -> bool {
        self.steps.iter().any(|step| step.title == server::TEST_SSH.title)
    }

    /// All phrases for the deployment and its components.
    pub fn cues(&self) -> impl Iterator<Item = &'static str> {
        [self.strong_cues, self.weak_cues, self.brings].into_iter().flatten().copied()
    }

    /// Whether all of these cues that the message has name a part of the deployment, one of its `features`, or
    /// something that can be added to it.
    pub fn builds(&self, cues: &[&str], features: &[&str], words: &Words) -> bool {
        let own = |cue: &&str| features.contains(cue) || self.cues().any(|own| own == *cue);
        cues.iter().filter(|cue| words.means(cue)).all(own) || self.adds(cues, words)
    }

    /// Its parameters, and those of the additions that the values select.
    pub fn parameters_with(
        &self,
        values: &BTreeMap<&'static str, String>,
    ) -> impl Iterator<Item = &'static Parameter> + use<> {
        let chosen: Vec<_> = match self.takes_additions() {
            true => additions::chosen(values).collect(),
            false => Vec::new(),
        };
        let asked = chosen.into_iter().flat_map(|addition| addition.questions);
        self.parameters.iter().chain(asked)
    }

    /// All parameters, including those of every addition that it takes.
    pub fn all_parameters(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        let additions = additions::all().filter(|_| self.takes_additions()).collect::<Vec<_>>();
        self.parameters.iter().chain(additions.into_iter().flat_map(|addition| addition.questions))
    }

    /// The version of a component that this deployment installs.
    pub fn version_of(&self, component: &str) -> Option<&'static str> {
        let own = self.cues().any(|cue| cue == component);
        versions::series(component).filter(|_| own)
    }
}

/// The ports of a list as its parameter writes it.
pub fn listed_ports(list: &str) -> impl Iterator<Item = &str> {
    vps::listed_ports(list)
}

/// On which of its open ports a deployment listens; none if the user's own programs do.
pub fn listens(id: &str) -> Option<deployments::Listens> {
    deployments::listens(id)
}

/// The ports that a message opens.
pub fn opened_ports(words: &Words) -> Vec<u16> {
    vps::opened_ports(words)
}

/// Whether a word names some who may connect to a port, and not everybody.
pub fn names_some(word: &str) -> bool {
    vps::names_some(word)
}

/// The ports that a message leaves open when it closes all others.
pub fn ports_that_stay_open(words: &Words) -> Option<Vec<u16>> {
    vps::ports_that_stay_open(words)
}

/// The ports that a message closes.
pub fn closed_ports(words: &Words) -> Vec<String> {
    vps::closed_ports(words)
}

/// The clauses by which a message closes ports or a database to everybody.
pub fn denied_ports(words: &Words) -> Vec<vps::Denied> {
    vps::denied_ports(words)
}

/// The catalogue as a numbered list.
pub fn list(language: Language) -> String {
    let lines = (1..).zip(ALL.iter()).map(|(number, blueprint)| {
        let (title, detail) = (blueprint.title_in(language), blueprint.detail_in(language));
        format!("{number}. **{title}**, {detail}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Includes one check's prompt and script from the blueprint's folder.
macro_rules! check {
    ($folder:literal, $name:literal, $title:literal, $summary:literal) => {
        $crate::catalogue::Step {
            title: $title,
            summary: $summary,
            prompt: include_str!(concat!("../../catalogue/", $folder, "/checks/", $name, ".md")),
            script: include_str!(concat!("../../catalogue/", $folder, "/checks/", $name, ".sh")),
            proof: "",
        }
    };
}

/// Includes the configuration data of the blueprint's folder.
macro_rules! facts {
    ($folder:literal) => {
        include_str!(concat!("../../catalogue/", $folder, "/facts.json"))
    };
}

/// Includes one step's prompt and script from the blueprint's folder.
macro_rules! step {
    ($folder:literal, $name:literal, $title:literal, $summary:literal) => {
        $crate::catalogue::Step {
            title: $title,
            summary: $summary,
            prompt: include_str!(concat!("../../catalogue/", $folder, "/steps/", $name, ".md")),
            script: include_str!(concat!("../../catalogue/", $folder, "/steps/", $name, ".sh")),
            proof: include_str!(concat!(
                "../../catalogue/",
                $folder,
                "/steps/",
                $name,
                ".proof.sh"
            )),
        }
    };
}

/// Includes files from the blueprint's folder under their own names.
macro_rules! files {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../catalogue/", $folder, "/files/", $name)))),+]
    };
}

/// Includes one document of the blueprint's folder.
macro_rules! document {
    ($folder:literal, $name:literal) => {
        include_str!(concat!("../../catalogue/", $folder, "/", $name, ".md"))
    };
}

pub(crate) use {check, document, facts, files, step};
