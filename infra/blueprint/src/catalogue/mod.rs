//! The deployments that this model can build, one file each, and the parts that several of them share.

pub mod additions;
mod cloud;
pub mod covers;
mod databases;
pub mod deployments;
mod described;
pub mod ec2_ssh;
pub mod elk;
mod folder;
pub mod foreign;
pub mod local_web_service;
pub mod monitoring_stack;
pub mod networks;
pub mod operations;
pub mod parameters;
pub mod places;
mod prices;
mod regions;
pub mod removals;
mod server;
pub mod sizes;
pub mod spans;
mod stacks;
pub mod versions;
mod vps;
pub mod vps_mysql;
pub mod vps_postgresql;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::words::Words;
use operations::{Command, Finding};
use parameters::{Found, Parameter};
use removals::Removal;

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
    /// Words for its components, such as a certificate for a site. They explain words of a wish but do not choose the
    /// deployment.
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

    /// How clearly the message names this deployment; 0 if it does not.
    pub fn score(&self, words: &Words) -> usize {
        match score(words, self.strong_cues, self.weak_cues) {
            0 => 0,
            score => score + usize::from(self.takes_the_domain(words)),
        }
    }

    /// Whether the message names a host that it would serve: “a website for www.example.com”.
    fn takes_the_domain(&self, words: &Words) -> bool {
        let mut asked = self.parameters.iter();
        let domain = asked.find(|parameter| parameter.key == "domain");
        domain.is_some_and(|domain| matches!((domain.find)(words), Found::Value(_)))
    }

    /// Phrases that name this deployment and not only the place where it runs.
    pub fn own_cues(&self) -> impl Iterator<Item = &'static str> {
        self.strong_cues.iter().copied().filter(|cue| !PLACE_CUES.contains(cue))
    }

    /// How clearly the message names this deployment, not counting the place where it runs.
    pub fn clear_score(&self, words: &Words) -> usize {
        self.own_cues().filter(|cue| words.means(cue)).count() * STRONG
    }

    /// Position of the first phrase that names it, not counting the place where it runs.
    fn first_named(&self, words: &Words) -> usize {
        let places = self.own_cues().flat_map(|cue| words.meant_at(cue));
        places.map(|place| place.start).min().unwrap_or(usize::MAX)
    }

    /// Whether the message names it as something that the user already has: “a database for our existing WordPress”.
    fn is_only_owned(&self, words: &Words) -> bool {
        let at = self.first_named(words);
        let before = words.phrase(at.saturating_sub(OWNING_REACH)..at);
        before.split_whitespace().any(|word| OWNING.contains(&word))
    }

    /// Whether the user rules out the deployment or the place where it runs: “a server, but not at AWS”.
    pub fn is_excluded(&self, words: &Words) -> bool {
        let places = self.weak_cues.iter().filter(|cue| PLACE_CUES.contains(cue));
        self.clear_score(words) == 0
            && self.strong_cues.iter().chain(places).any(|cue| words.excludes(cue))
    }

    /// The version of a component that this deployment installs.
    pub fn version_of(&self, component: &str) -> Option<&'static str> {
        let own = self.cues().any(|cue| cue == component);
        versions::series(component).filter(|_| own)
    }
}

/// Words before something that the user has and does not ask for.
pub const OWNING: &[&str] = &[
    "our", "my", "existing", "current", "unser", "unsere", "unseren", "unserem", "unserer", "mein",
    "meine", "meinen", "meinem", "nuestro", "nuestra", "mi", "notre", "mon", "ma",
];

/// Maximum distance, in words, between one of them and the product.
pub const OWNING_REACH: usize = 3;

/// Cues for a place: “an ELK stack on a VPS at Hetzner” asks for an ELK stack.
const PLACE_CUES: &[&str] = &["vps", "virtual private server", "hetzner", "aws", "amazon"];

/// A strong cue counts as much as this many weak cues.
pub const STRONG: usize = 3;

fn score(words: &Words, strong: &[&str], weak: &[&str]) -> usize {
    let count = |cues: &[&str]| cues.iter().filter(|cue| words.means(cue)).count();
    count(strong) * STRONG + count(weak)
}

/// Servers that differ only in where they run. “A Debian server with SSH” fits both, and the model chooses the first.
const PLAIN_SERVERS: [&str; 2] = ["basic-vps", "ec2-ssh"];

/// What serves a website. Without a domain, “a website” fits both, and the model chooses the one that needs no account.
const WEBSITES: [&str; 2] = ["local-web-service", "nginx-site"];

/// The number of weak cues that describe a plain server instead of only mentioning one.
const DESCRIBED: usize = 2;

/// Deployments of a database alone. An application named as clearly wins, because it has its own database.
const DATABASES: [&str; 2] = ["vps-mysql", "vps-postgresql"];

/// The deployment that the words name most clearly, and its score; `None` if weak cues fit several deployments equally.
pub fn recognize(words: &Words) -> Option<(&'static Blueprint, usize)> {
    let rank = |blueprint: &Blueprint| (blueprint.clear_score(words), blueprint.score(words));
    let ranked: Vec<_> = ALL.iter().filter(|blueprint| !blueprint.is_excluded(words)).collect();
    let highest =
        ranked.iter().map(|blueprint| rank(blueprint)).max().filter(|(_, score)| *score > 0)?;
    let best: Vec<&Blueprint> =
        ranked.iter().filter(|blueprint| rank(blueprint) == highest).map(|b| **b).collect();
    let first = best.iter().min_by_key(|blueprint| blueprint.first_named(words))?;
    let websites = best.len() == WEBSITES.len()
        && best.iter().all(|blueprint| WEBSITES.contains(&blueprint.id));
    if highest.0 == 0 && websites {
        return Blueprint::by_id(WEBSITES[0]).map(|blueprint| (blueprint, highest.1));
    }
    let plain = || PLAIN_SERVERS.iter().filter_map(|id| Blueprint::by_id(id));
    let plainly = best.iter().all(|blueprint| PLAIN_SERVERS.contains(&blueprint.id));
    if highest.0 == 0 && best.len() > 1 && (plainly || highest.1 < STRONG) {
        let described = plainly && highest.1 >= DESCRIBED;
        return plain().next().filter(|_| described).map(|blueprint| (blueprint, highest.1));
    }
    let application = || {
        let as_clear = |blueprint: &&&&Blueprint| rank(blueprint).0 == highest.0;
        let others = ranked.iter().filter(|blueprint| !DATABASES.contains(&blueprint.id));
        let others = others.filter(as_clear).max_by_key(|blueprint| rank(blueprint));
        others.filter(|_| highest.0 > 0 && DATABASES.contains(&first.id)).map(|b| **b)
    };
    let chosen = application().filter(|other| !other.is_only_owned(words)).unwrap_or(first);
    Blueprint::by_id(chosen.id).map(|blueprint| (blueprint, rank(blueprint).1))
}

/// The ports of a list as its parameter writes it.
pub fn listed_ports(list: &str) -> impl Iterator<Item = &str> {
    vps::listed_ports(list)
}

/// The ports that a message closes.
pub fn closed_ports(words: &Words) -> Vec<String> {
    vps::closed_ports(words)
}

/// The catalogue as a numbered list.
pub fn list() -> String {
    let lines = (1..).zip(ALL.iter()).map(|(number, blueprint)| {
        format!("{number}. **{}**, {}", blueprint.title, blueprint.detail)
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
