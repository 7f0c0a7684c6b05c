//! A hardened virtual server at Hetzner with nothing else on it.

use super::additions::ADDITIONS;
use super::{Blueprint, Step, document, facts, files, networks, removals, server, vps};

/// Everything about the deployment.
pub const BLUEPRINT: Blueprint = Blueprint {
    id: "basic-vps",
    title: "A basic VPS",
    detail: "a hardened server at Hetzner, by Terraform and Ansible; needs a Hetzner account",
    welcome: "A hardened VPS at Hetzner, made with Terraform and set up with Ansible.",
    before_confirming: vps::BEFORE_CONFIRMING,
    strong_cues: &[
        "vps",
        "virtual private server",
        "hetzner",
        "basic vps",
        "just a vps",
        "only a vps",
        "plain vps",
    ],
    weak_cues: &[
        "ssh",
        "server",
        "virtual machine",
        "vm",
        "cloud",
        "hardened",
        "debian",
        "linux",
        "nuremberg",
        "nürnberg",
        "falkenstein",
        "helsinki",
        "ashburn",
        "hillsboro",
    ],
    parameters: &[
        vps::NAME,
        vps::LOCATION,
        vps::SERVER_TYPE,
        networks::SSH_FROM,
        vps::OPEN_PORTS,
        ADDITIONS,
    ],
    derive: |placeholders| vps::derive(placeholders, &[]),
    requirements: document!("basic-vps", "requirements"),
    architecture: document!("basic-vps", "architecture"),
    implementation: document!("basic-vps", "implementation"),
    answers: concat!(document!("basic-vps", "answers"), document!("parts/vps", "answers")),
    steps: &vps::steps(WRITE_PLAYBOOK),
    checks: &[server::LOGIN, server::DRIFT, server::PORTS, vps::HARDENING, vps::SECOND_RUN],
    validation: document!("basic-vps", "validation"),
    documentation: concat!(
        document!("basic-vps", "documentation"),
        document!("parts/vps", "documentation")
    ),
    quickstart: document!("basic-vps", "quickstart"),
    facts: &[facts!("parts/vps")],
    findings: &[server::ADDRESS],
    commands: &[server::COMMANDS, vps::COMMANDS],
    files: &[server::FILES, vps::FILES, files!("basic-vps": "site.yml", "group-vars.yml")],
    diagnoses: &[vps::DIAGNOSES, server::DIAGNOSES],
    removal: &removals::SERVER,
};

const WRITE_PLAYBOOK: Step = Step {
    title: "Write the Ansible playbook",
    summary: "Writes the playbook and the role that hardens @name@ to ansible/.",
    prompt: include_str!("../../catalogue/basic-vps/steps/write-playbook.md"),
    script: concat!(
        include_str!("../../catalogue/parts/vps/steps/playbook-start.sh"),
        include_str!("../../catalogue/parts/vps/steps/playbook-end.sh"),
    ),
    proof: vps::PLAYBOOK_PROOF,
};
