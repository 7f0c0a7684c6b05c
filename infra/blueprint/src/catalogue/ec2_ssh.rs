//! One EC2 server with SSH access, by Terraform.

use super::parameters::{Parameter, accept_name, find_server_name};
use super::{
    Blueprint, Diagnosis, Place, Values, check, cloud, document, facts, files, networks, regions,
    removals, server, step,
};

mod commands;
pub mod cost;
mod values;

/// Everything about the deployment.
pub const BLUEPRINT: Blueprint = Blueprint {
    id: "ec2-ssh",
    title: "An EC2 server with SSH access",
    detail: "built with Terraform; needs an AWS account",
    welcome: "An EC2 server with SSH access, built with Terraform.",
    before_confirming: "AWS credentials are needed when the plan is made and applied. Enter them in the credentials form, where approved commands get them as environment variables; please never type them here.",
    strong_cues: &["ec2", "aws", "amazon"],
    weak_cues: &[
        "ssh",
        "server",
        "instance",
        "virtual machine",
        "vm",
        "cloud",
        "terraform",
        "debian",
        "linux",
    ],
    place: Place::Aws,
    brings: &["ebs", "arm", "arm64", "graviton", "internet gateway"],
    parameters: &[
        Parameter {
            key: "name",
            label: "Server name",
            question: "what should it be called?",
            default: "my-server",
            asked: false,
            accept: accept_name,
            find: find_server_name,
        },
        regions::REGION,
        Parameter {
            key: "instance-type",
            label: "Server size",
            question: "which instance type?",
            default: "t3.micro",
            asked: true,
            accept: values::accept_type,
            find: values::find_type,
        },
        networks::SSH_FROM,
        Parameter {
            key: "volume-gb",
            label: "Root volume",
            question: "how many GB of disk?",
            default: "10",
            asked: false,
            accept: values::accept_volume,
            find: values::find_volume,
        },
    ],
    derive: &derive,
    requirements: document!("ec2-ssh", "requirements"),
    architecture: document!("ec2-ssh", "architecture"),
    implementation: document!("ec2-ssh", "implementation"),
    answers: document!("ec2-ssh", "answers"),
    steps: &[
        server::GENERATE_KEY,
        step!(
            "ec2-ssh",
            "write-terraform",
            "Write the Terraform configuration",
            "Writes the Terraform files for @name@ to terraform/ and checks their format."
        ),
        server::INIT_VALIDATE,
        server::PLAN,
        server::APPLY,
        server::TEST_SSH,
    ],
    checks: &[
        server::LOGIN,
        server::DRIFT,
        server::PORTS,
        check!(
            "ec2-ssh",
            "instance",
            "The instance is protected as planned",
            "Reads Terraform's state, asks the metadata service without a token, and tries a login as root; changes nothing."
        ),
    ],
    validation: document!("ec2-ssh", "validation"),
    documentation: document!("ec2-ssh", "documentation"),
    quickstart: document!("ec2-ssh", "quickstart"),
    facts: &[facts!("ec2-ssh")],
    findings: &[server::ADDRESS],
    commands: &[server::COMMANDS, commands::COMMANDS],
    files: &[
        server::FILES,
        files!("ec2-ssh": "versions.tf", "variables.tf", "main.tf", "outputs.tf", "terraform.tfvars"),
    ],
    diagnoses: &[cloud::NO_CREDENTIALS, DIAGNOSES, server::DIAGNOSES],
    removal: &removals::SERVER,
};

const DIAGNOSES: &[Diagnosis] = &[Diagnosis {
    sign: "unauthorizedoperation",
    meaning: "AWS knows the user but does not allow it this action: it must be allowed to manage EC2 instances, VPCs, security groups and key pairs.",
    redo: None,
}];

fn derive(placeholders: &mut Values) {
    networks::derive(placeholders);
    let kind = placeholders.get("instance_type").cloned().unwrap_or_default();
    let volume = placeholders.get("volume_gb").and_then(|volume| volume.parse().ok());
    placeholders.insert("architecture".into(), values::architecture(&kind).into());
    let region = placeholders.get("region").cloned().unwrap_or_default();
    let table = cost::table(&kind, volume.unwrap_or_default(), &region);
    placeholders.insert("cost_table".into(), table);
    placeholders.insert("cost_note".into(), cost::note(&region));
    let texts = [
        ("cloud", "AWS"),
        ("credentials", "AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY"),
        ("open_ports_md", ""),
        ("open_ports_sh", ""),
        ("own_ports", ""),
        ("own_rules", ""),
        ("closed_ports", "80 443 3306 5432 8080"),
    ];
    placeholders.extend(texts.map(|(key, text)| (key.into(), text.into())));
}
