//! Describes the sandbox to the agents that write scripts for it.
//!
//! Its system and tools come from the list in its image, through the sandbox agent. The rest holds for every sandbox;
//! its numbers are the constants that limit the runs.

use crate::fence::{Shown, fence};
use domain::Timestamp;
use domain::sandbox::{RUN_MINUTES, SERVER_ALIAS, Sandbox, SandboxStatus};
use domain::step::MAX_SCRIPT_BYTES;

/// What the image of sandboxes has, while no sandbox has listed it with its versions.
const IMAGE: &str = "Debian 13 with terraform, ansible-core, ansible-lint, aws, docker (the client, without an engine), \
docker compose, docker buildx, git, ssh, jq, shellcheck, python3, pip, curl, rsync, bash, dig, ping, ip, unzip, zip";

/// The text for a sandbox that is not up.
const NOT_UP: &str = "The sandbox is not up (it starts with the execution), so nothing in it can be looked at, and the \
versions of its tools are not known. Its image has";
/// The text for a sandbox without a list.
const UNLISTED: &str = "not listed by this sandbox. The usual image has";
/// What both texts ask of scripts.
const ASK: &str = "A script asks a tool for its version before it relies on one";

/// The section `environment`.
pub(crate) fn section(sandbox: Option<&Sandbox>, now: Timestamp) -> Shown {
    let listed = sandbox.and_then(|sandbox| sandbox.equipment.clone());
    let equipment = listed.unwrap_or_else(|| {
        let is_up = sandbox.is_some_and(|sandbox| sandbox.status == SandboxStatus::Ready);
        let why = if is_up { UNLISTED } else { NOT_UP };
        format!("{why} {IMAGE}. {ASK}")
    });
    let text = format!(
        "System and tools: {equipment}\n\
         User: an ordinary user without sudo; nothing can be installed on the system, only in the workspace\n\
         Working folder: ~/workspace, with terraform/, ansible/ and ssh/\n\
         Network: connections go out from the sandbox; nothing outside can connect to it. Its public address changes when \
         it is started anew: a step that opens access for it looks it up when it runs, and says that it is run again after \
         a change; a later step that cannot connect compares the addresses and names that step\n\
         Time limit: {RUN_MINUTES} minutes for a script with its proof; then it is killed\n\
         Length limit: {MAX_SCRIPT_BYTES} bytes for a script with its proof\n\
         Kept over a restart of the sandbox: the files below ~/workspace; not processes, /tmp or the rest of the home\n\
         Terraform's state: Groundcrew keeps it, locked and encrypted, for `backend \"http\" {{}}` without arguments \
         (TF_HTTP_* is set); init with -input=false -force-copy, and never print it. Each further root module of the \
         project names a state of its own, as in `backend \"http\" {{ username = \"network\" }}`\n\
         Server, once there is one: ssh -F ssh/config {SERVER_ALIAS}\n\
         Date: {}",
        now.day()
    );
    fence("environment", &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_states_the_limits_of_a_run() {
        let now = Timestamp::now();
        let listed = "Debian 13, amd64; terraform 1.13.3";
        let sandbox = Sandbox { equipment: Some(listed.to_owned()), ..Sandbox::default() };
        let shown = section(Some(&sandbox), now);
        for part in [
            "System and tools: Debian 13, amd64; terraform 1.13.3\n",
            "Time limit: 30 minutes ",
            "24000 bytes",
            "ssh -F ssh/config server\n",
            &now.day(),
        ] {
            assert!(shown.contains(part), "{part} is not in {}", &*shown);
        }
    }

    #[test]
    fn a_sandbox_that_has_not_started_or_lists_nothing_is_described_by_its_image() {
        let up = Sandbox { status: SandboxStatus::Ready, ..Sandbox::default() };
        for (sandbox, why) in [(None, NOT_UP), (Some(&up), UNLISTED)] {
            let shown = section(sandbox, Timestamp::now());
            assert!(shown.contains(&format!("System and tools: {why} {IMAGE}. {ASK}\n")));
        }
    }

    #[test]
    fn the_image_has_each_tool_that_is_named() {
        let list = include_str!("../../../infra/sandbox/tools.sh");
        let (system, tools) = IMAGE.split_once(" with ").unwrap();
        assert!(include_str!("../../../infra/sandbox/Dockerfile").contains("debian:trixie-slim"));
        assert_eq!(system, "Debian 13", "trixie is Debian 13");
        let named = |line: &str| {
            let name =
                line.trim().strip_prefix("said ").or(line.trim().strip_prefix("packaged "))?;
            Some(name.trim_start_matches('\'').split(['\'', ' ']).next()?.to_owned())
        };
        let first: Vec<String> = list.lines().filter_map(named).collect();
        let plain = tools.replace(" (the client, without an engine)", "");
        for tool in plain.split(", ") {
            let name = tool.split(' ').next().unwrap();
            assert!(first.iter().any(|known| known == name), "{tool}");
        }
    }
}
