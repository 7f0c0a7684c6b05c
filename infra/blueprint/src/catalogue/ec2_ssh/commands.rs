//! The DevOps helper's commands for an EC2 server, in addition to those for any server.

use crate::catalogue::operations::{Command, Target};

pub const COMMANDS: &[Command] = &[Command {
    cues: &["address", "public ip", "terraform", "outputs", "instance id"],
    target: Target::Sandbox,
    command: "terraform -chdir=terraform output -no-color",
    reason: "Shows what Terraform knows of the server: its id, address and login.",
    changes: false,
    readings: &[("", "What Terraform knows of the server:")],
}];
