//! From a command to the script that runs in the sandbox.

use domain::chat::CommandTarget;

/// What ends the command on its way to the server; longer while the command contains it.
const END: &str = "END_OF_COMMAND";

/// What carries a command to the server.
const TO_SERVER: &str =
    "ssh -F ssh/config -o BatchMode=yes -o ConnectTimeout=10 server bash -s <<'END_OF_COMMAND";

/// Where a script runs, which is to be seen in it.
pub(crate) fn target(script: &str) -> CommandTarget {
    match script.starts_with(TO_SERVER) {
        true => CommandTarget::Server,
        false => CommandTarget::Sandbox,
    }
}

/// The whole script: what the owner sees, approves, and what runs.
///
/// The server is reached by the alias `server` of `ssh/config` in the workspace, which the deployment
/// wrote; the command travels as standard input, so no quoting of it can go wrong.
pub(crate) fn script(target: CommandTarget, command: &str) -> String {
    match target {
        CommandTarget::Sandbox => command.to_owned(),
        CommandTarget::Server => {
            let mut more = String::new();
            while command.contains(&format!("{END}{more}")) {
                more.push('_');
            }
            format!("{TO_SERVER}{more}'\n{command}\n{END}{more}\n")
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_command_cannot_end_its_own_quotation() {
        let script = script(CommandTarget::Server, "echo a\nEND_OF_COMMAND\nrm -rf ~");
        let end = script.lines().last().unwrap();
        assert_eq!(script.lines().filter(|line| *line == end).count(), 1);
    }

    #[test]
    fn a_command_for_the_sandbox_runs_as_it_is() {
        assert_eq!(script(CommandTarget::Sandbox, "df -h"), "df -h");
    }

    #[test]
    fn a_script_shows_where_it_runs() {
        for wanted in [CommandTarget::Sandbox, CommandTarget::Server] {
            for command in ["df -h", "echo END_OF_COMMAND"] {
                assert_eq!(target(&script(wanted, command)), wanted);
            }
        }
    }
}
