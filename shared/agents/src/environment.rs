//! Describes the sandbox to the agents that write scripts for it.
//!
//! Its system and tools come from the list in its image, through the sandbox agent. The rest holds for every sandbox;
//! its numbers are the constants that limit the runs.

use crate::fence::{Shown, fence};
use domain::Timestamp;
use domain::sandbox::{RUN_MINUTES, SERVER_ALIAS};
use domain::step::MAX_SCRIPT_BYTES;

/// The text for a sandbox without a list.
const UNLISTED: &str =
    "not listed by this sandbox; a script asks a tool for its version before it relies on one";

/// The section `environment`.
pub(crate) fn section(equipment: Option<&str>, now: Timestamp) -> Shown {
    let equipment = equipment.unwrap_or(UNLISTED);
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
        let shown = section(Some("Debian 13, amd64; terraform 1.13.3"), now);
        for part in [
            "System and tools: Debian 13, amd64; terraform 1.13.3\n",
            "Time limit: 30 minutes ",
            "24000 bytes",
            "ssh -F ssh/config server\n",
            &now.day(),
        ] {
            assert!(shown.contains(part), "{part} is not in {}", &*shown);
        }
        assert!(section(None, now).contains(UNLISTED));
    }
}
