//! Checks the programs of this machine.

use super::Finding;
use crate::machine;
use crate::step::output;
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;

/// A program, how it reports its version, what it is for, and how to install it. A program that only some sections need
/// is optional.
struct Tool {
    program: &'static str,
    version: &'static [&'static str],
    used: &'static str,
    remedy: &'static str,
    optional: bool,
}

const TOOLS: &[Tool] = &[
    tool("cargo", &["--version"], "builds everything", "https://rustup.rs"),
    tool("bwrap", &["--version"], "confines sandboxes on Linux", "apt-get install bubblewrap"),
    tool(
        "slirp4netns",
        &["--version"],
        "connects sandboxes to the network",
        "apt-get install slirp4netns",
    ),
    extra(
        "cargo-nextest",
        &["nextest", "--version"],
        "runs the tests in parallel",
        "cargo install --locked cargo-nextest",
    ),
    extra(
        "chromium-headless-shell",
        &["--version"],
        "runs the browser tests",
        "apt-get install chromium-headless-shell",
    ),
    extra("shellcheck", &["--version"], "checks scripts", "apt-get install shellcheck"),
    extra(
        "docker",
        &["--version"],
        "confines sandboxes on other systems, and builds their image",
        "apt-get install docker.io",
    ),
    extra(
        "mmdebstrap",
        &["--version"],
        "creates the base image of `cargo dev deploy-test`",
        "apt-get install mmdebstrap",
    ),
    extra(
        "python3",
        &["--version"],
        "installs sam and cargo-lambda",
        "apt-get install python3-venv",
    ),
    extra(
        "sam",
        &["--version"],
        "deploys the template",
        "run infra/lint.sh --tools-only and add target/venv/bin to PATH",
    ),
    extra(
        "cargo-lambda",
        &["--version"],
        "builds functions for AWS",
        "run infra/lint.sh --tools-only and add target/venv/bin to PATH",
    ),
    extra("aws", &["--version"], "manages a deployed stack", "https://docs.aws.amazon.com/cli"),
    extra("jq", &["--version"], "copies the items of a restored table", "apt-get install jq"),
    extra(
        "terraform",
        &["version"],
        "checks the blueprint model's scripts",
        "https://developer.hashicorp.com/terraform/install",
    ),
];

const fn tool(
    program: &'static str,
    version: &'static [&'static str],
    used: &'static str,
    remedy: &'static str,
) -> Tool {
    Tool { program, version, used, remedy, optional: false }
}

const fn extra(
    program: &'static str,
    version: &'static [&'static str],
    used: &'static str,
    remedy: &'static str,
) -> Tool {
    Tool { program, version, used, remedy, optional: true }
}

/// The findings.
pub fn findings() -> Vec<Finding> {
    let node = match machine::check_node() {
        Ok(()) => {
            Finding::good(format!("node {}", output("node", &["--version"]).unwrap_or_default()))
        }
        Err(error) => Finding::missing("node, which builds the web application", error.to_string()),
    };
    let tools = TOOLS.iter().map(Tool::finding);
    std::iter::once(node).chain(tools).chain(cfg!(target_os = "linux").then(tunnel)).collect()
}

/// The device from which slirp4netns makes a sandbox's network. udev opens it to every user; where only root may open it,
/// the sandboxes of a stack that root started have no network, because their user is another one.
const TUN: &str = "/dev/net/tun";
/// Reading and writing, for others than its owner and group.
const FOR_OTHERS: u32 = 0o6;

fn tunnel() -> Finding {
    tunnel_of(std::fs::metadata(TUN).ok().as_ref().map(Metadata::permissions).map(|it| it.mode()))
}

fn tunnel_of(mode: Option<u32>) -> Finding {
    let what = format!("{TUN}, which connects sandboxes to the network");
    match mode {
        None => Finding::missing(what, "sudo modprobe tun"),
        Some(mode) if mode & FOR_OTHERS == FOR_OTHERS => Finding::good(TUN),
        Some(_) => {
            Finding::missing(format!("{what}, for all users"), format!("sudo chmod 666 {TUN}"))
                .or_without()
        }
    }
}

impl Tool {
    fn finding(&self) -> Finding {
        if machine::is_there(self.program) {
            return Finding::good(format!("{}{}", self.program, self.says()));
        }
        let finding =
            Finding::missing(format!("{}, which {}", self.program, self.used), self.remedy);
        if self.optional { finding.or_without() } else { finding }
    }

    /// Its version: the first word of its output that begins with a digit.
    fn says(&self) -> String {
        let program = if self.version.first() == Some(&"nextest") { "cargo" } else { self.program };
        let text = output(program, self.version).unwrap_or_default();
        let number =
            |word: &&str| word.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
        let words = text.split(|c: char| c.is_whitespace() || c == '/' || c == ',');
        words.into_iter().find(number).map(|word| format!(" {word}")).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_named_with_what_installs_it() {
        let needed = tool("no-such-program", &[], "does things", "install it").finding();
        assert_eq!(needed, Finding::missing("no-such-program, which does things", "install it"));
        assert!(extra("no-such-program", &[], "", "").finding().optional);
    }

    #[test]
    fn a_tunnel_that_only_root_may_open_is_reported() {
        assert_eq!(tunnel_of(Some(0o20_666)), Finding::good(TUN));
        let closed = tunnel_of(Some(0o20_600)).remedy;
        assert_eq!(closed.as_deref(), Some("sudo chmod 666 /dev/net/tun"));
        assert_eq!(tunnel_of(None).remedy.as_deref(), Some("sudo modprobe tun"));
    }

    #[test]
    fn an_installed_program_reports_its_version() {
        let cargo = TOOLS[0].finding();
        assert!(cargo.remedy.is_none());
        assert!(cargo.what.starts_with("cargo 1."), "{}", cargo.what);
    }
}
