//! The ground that a deployment is built on, and what all deployments on the same ground share.

use serde::Deserialize;

use super::{Leaving, Listens, joined};
use crate::catalogue::additions::ADDITIONS;
use crate::catalogue::operations::{Command, Finding};
use crate::catalogue::parameters::Parameter;
use crate::catalogue::removals::{self, Removal};
use crate::catalogue::vps::{self, Secret};
use crate::catalogue::{Diagnosis, Place, Step, Values, cloud, folder, networks, server};

type File = (&'static str, &'static str);
type Derive = &'static (dyn Fn(&mut Values) + Send + Sync);

/// The ground that a deployment is built on.
#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// A hardened server at Hetzner, by Terraform and Ansible.
    #[default]
    Server,
    /// Services at AWS, by Terraform alone.
    Aws,
}

impl Ground {
    pub fn place(self) -> Place {
        match self {
            Ground::Server => Place::Hetzner,
            Ground::Aws => Place::Aws,
        }
    }

    /// The folder with the documents that all deployments on it share.
    pub fn folder(self) -> &'static str {
        match self {
            Ground::Server => "parts/vps",
            Ground::Aws => "parts/cloud",
        }
    }

    /// The questions of all deployments on it.
    pub fn questions(self, takes_additions: bool) -> Vec<Parameter> {
        match self {
            Ground::Server => {
                let usual = [
                    vps::NAME,
                    vps::LOCATION,
                    vps::SERVER_TYPE,
                    networks::SSH_FROM,
                    vps::OPEN_PORTS,
                ];
                usual.into_iter().chain(takes_additions.then_some(ADDITIONS)).collect()
            }
            Ground::Aws => cloud::QUESTIONS.into(),
        }
    }

    /// The steps that build the deployment; `writing` describes the one that writes the deployment's own files.
    pub fn steps(self, id: &str, writing: &'static str) -> Vec<Step> {
        match self {
            Ground::Server => {
                let mut steps: Vec<Step> = vps::steps(write_playbook(id, writing)).into();
                write_more(id, &mut steps);
                steps
            }
            Ground::Aws => cloud::steps(write_terraform(id, writing)).into(),
        }
    }

    /// The checks of all deployments on it.
    pub fn checks(self) -> Vec<Step> {
        match self {
            Ground::Server => {
                let firewall = [server::PORTS, vps::HARDENING];
                let rest = [vps::SECOND_RUN, vps::RESTART];
                [server::LOGIN, server::DRIFT].into_iter().chain(firewall).chain(rest).collect()
            }
            Ground::Aws => vec![server::DRIFT],
        }
    }

    /// Adds the placeholders of the parts' templates.
    pub fn derive(
        self,
        id: &str,
        secrets: &'static [Secret],
        (own_ports, own_rules): (&'static [u16], &'static [&'static str]),
        further: Option<(&'static str, Listens)>,
    ) -> Derive {
        let on_server = folder::text(&format!("{id}/steps/on-server.proof.sh"));
        let trial = |end: &str| folder::text(&format!("{id}/steps/on-server.trial.{end}"));
        let (trial, words) = (trial("sh"), trial("md"));
        let what_goes = folder::text(&format!("{id}/removal/what-goes.md"));
        Box::leak(Box::new(move |placeholders: &mut Values| match self {
            Ground::Server => {
                vps::derive(placeholders, secrets);
                vps::derive_further_ports(placeholders, |port| {
                    let usual = |usual: &str| vps::listed_ports(usual).any(|one| one == port);
                    let answers =
                        |listens: Listens| port.parse().is_ok_and(|port| listens.on(port));
                    further.is_some_and(|(own, listens)| !usual(own) && answers(listens))
                });
                vps::derive_proof(placeholders, on_server);
                vps::derive_trial(placeholders, trial, words);
                vps::derive_ports(placeholders, own_ports, own_rules);
            }
            Ground::Aws => cloud::derive(placeholders, what_goes),
        }))
    }

    pub fn findings(self, own: &'static [Finding]) -> &'static [Finding] {
        match self {
            Ground::Server => &[server::ADDRESS],
            Ground::Aws => own,
        }
    }

    pub fn commands(self, own: &'static [Command]) -> &'static [&'static [Command]] {
        match self {
            Ground::Server => vec![own, server::COMMANDS, vps::COMMANDS].leak(),
            Ground::Aws => vec![own].leak(),
        }
    }

    /// Files that the scripts write in addition to the deployment's own.
    pub fn files(self) -> Vec<&'static [File]> {
        match self {
            Ground::Server => vec![server::FILES, vps::FILES],
            Ground::Aws => vec![server::FILES],
        }
    }

    pub fn diagnoses(self, own: &'static [Diagnosis]) -> &'static [&'static [Diagnosis]] {
        match self {
            Ground::Server => vec![own, vps::DIAGNOSES, server::DIAGNOSES].leak(),
            Ground::Aws => vec![own, cloud::NO_CREDENTIALS, cloud::DIAGNOSES].leak(),
        }
    }

    /// The removal of a deployment on it.
    pub fn removal(self, id: &str, own: Leaving) -> &'static Removal {
        let folder = format!("{id}/removal");
        match self {
            Ground::Server => &removals::SERVER,
            Ground::Aws => removals::of_services(
                own.steps.into_iter().map(|step| step.step(&folder, "steps")),
                own.checks.into_iter().map(|check| check.step(&folder, "checks")),
            ),
        }
    }
}

/// The step that writes the playbook: the server's script with the deployment's part in the middle.
fn write_playbook(id: &str, summary: &'static str) -> Step {
    let own = |end: &str| folder::text(&format!("{id}/steps/write-playbook.{end}"));
    Step {
        title: "Write the Ansible playbook",
        summary,
        prompt: own("md"),
        script: joined(&[
            folder::text("parts/vps/steps/playbook-start.sh"),
            own("sh"),
            folder::text("parts/vps/steps/playbook-end.sh"),
        ]),
        proof: vps::PLAYBOOK_PROOF,
    }
}

/// Extends the step for the server's configuration so that it also writes the deployment's further Terraform files.
fn write_more(id: &str, steps: &mut [Step]) {
    let own = folder::text(&format!("{id}/steps/write-terraform.sh"));
    let shared = vps::WRITE_TERRAFORM.title;
    let Some(step) = steps.iter_mut().find(|step| step.title == shared) else { return };
    if let Some((files, check)) = step.script.split_once(LAST_FILE).filter(|_| !own.is_empty()) {
        step.script = joined(&[files, own, LAST_FILE, check]);
    }
}

/// The last file that the step for a server's configuration writes.
const LAST_FILE: &str = "#@write gitignore";

/// The step that writes the Terraform configuration, by the deployment's own script.
fn write_terraform(id: &str, summary: &'static str) -> Step {
    let own = |end: &str| folder::text(&format!("{id}/steps/write-terraform.{end}"));
    Step {
        title: "Write the Terraform configuration",
        summary,
        prompt: own("md"),
        script: own("sh"),
        proof: own("proof.sh"),
    }
}
