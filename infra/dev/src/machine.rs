//! What the machine needs: Node, and the packages that confine sandboxes.

use crate::step::{output, run, step};
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// The oldest Node that builds the web application, as major and minor version.
const NODE: (u32, u32) = (20, 19);

/// A program and the Debian package that contains it.
pub type Need = (&'static str, &'static str);

/// The requirements of sandboxes under bubblewrap.
pub const BUBBLEWRAP: &[Need] = &[("bwrap", "bubblewrap"), ("slirp4netns", "slirp4netns")];

/// Python's virtual environments: a module in a separate Debian package rather than a program.
const VENV: &str = "python3 -m venv";
/// The browser that the browser suite drives: Chromium without any window, which needs a third less processor time for the
/// same stories. `GROUNDCREW_CHROMIUM` names another.
const CHROMIUM: &str = "chromium-headless-shell";

/// The requirements of the shell section.
pub const SHELL: &[Need] = &[("shellcheck", "shellcheck")];
/// The requirements of sections with tools from PyPI.
pub const PYTHON: &[Need] = &[(VENV, "python3-venv")];
/// The requirements of tests that start sandboxes and run scripts in them.
pub const SANDBOXES: &[Need] = &[
    ("bwrap", "bubblewrap"),
    ("slirp4netns", "slirp4netns"),
    ("jq", "jq"),
    ("zip", "zip"),
    ("unzip", "unzip"),
    ("curl", "curl"),
    ("shellcheck", "shellcheck"),
];
/// The requirements of the tests with third-party counterparts: their tools, and sandboxes for a step.
pub const COUNTERPARTS: &[Need] = &[
    (VENV, "python3-venv"),
    ("bwrap", "bubblewrap"),
    ("slirp4netns", "slirp4netns"),
    ("jq", "jq"),
    ("curl", "curl"),
    ("ssh", "openssh-client"),
    ("ansible-playbook", "ansible-core"),
    ("dockerd", "docker.io"),
    ("mmdebstrap", "mmdebstrap"),
];
/// The additional requirements of the browser suite.
pub const BROWSER: &[Need] = &[
    (CHROMIUM, "chromium-headless-shell"),
    ("bwrap", "bubblewrap"),
    ("slirp4netns", "slirp4netns"),
    ("zip", "zip"),
    ("unzip", "unzip"),
];

/// The requirement of the section on a bare Debian: the program that creates one.
pub const BARE: &[Need] = &[("mmdebstrap", "mmdebstrap")];

/// The requirements of the deployment to an emulator: a container engine, and the tools for its base image.
pub const ENGINE: &[Need] = &[
    (VENV, "python3-venv"),
    ("dockerd", "docker.io"),
    ("mmdebstrap", "mmdebstrap"),
    ("strip", "binutils"),
    ("curl", "curl"),
    ("jq", "jq"),
];

/// Checks that a recent Node is installed.
pub fn check_node() -> Result<()> {
    let Some(version) = output("node", &["--version"]) else {
        bail!("Node {}.{} or newer is missing: see https://nodejs.org/en/download", NODE.0, NODE.1);
    };
    match parse(&version) {
        Some(found) if found >= NODE => Ok(()),
        _ => bail!("Node {}.{} or newer is needed, but this is {version}", NODE.0, NODE.1),
    }
}

fn parse(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The packages of missing programs, without duplicates.
fn missing(needs: &[Need]) -> Vec<&'static str> {
    let packages =
        needs.iter().filter(|(program, _)| !is_met(program)).map(|(_, package)| *package);
    let mut packages: Vec<_> = packages.collect();
    packages.sort_unstable();
    packages.dedup();
    packages
}

fn is_met(program: &str) -> bool {
    match program {
        VENV => output("python3", &["-c", "import ensurepip, venv"]).is_some(),
        CHROMIUM => std::env::var_os("GROUNDCREW_CHROMIUM").is_some() || is_there(CHROMIUM),
        program => is_there(program),
    }
}

/// Installs missing packages if this is allowed: as root on Debian, and with sudo in CI.
pub fn provide(needs: &[Need]) {
    let missing = missing(needs);
    if missing.is_empty() || !is_there("apt-get") || !(is_root() || in_ci()) {
        return;
    }
    let title = format!("Installing {}", missing.join(", "));
    if let Err(error) = step(&title, || install(&missing)) {
        eprintln!("  {error:#}");
    }
}

/// Fails if any of these is missing, and says how to install it.
pub fn require(needs: &[Need]) -> Result<()> {
    // Elsewhere the packages have other names, and some tests run only on Linux.
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    match missing(needs) {
        missing if missing.is_empty() => Ok(()),
        missing => {
            bail!("missing packages; on Debian: sudo apt-get install {}", missing.join(" "))
        }
    }
}

/// Installs packages. A machine that has never fetched the package lists cannot find any, so they are fetched first.
fn install(packages: &[&str]) -> Result<()> {
    let apt = || {
        let mut apt = Command::new(if is_root() { "env" } else { "sudo" });
        apt.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet"]);
        apt
    };
    run(apt().arg("update"))?;
    run(apt().args(["install", "--yes", "--no-install-recommends"]).args(packages))
}

/// Whether a program is on the path.
pub fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Whether the machine may be changed without asking: CI's own machine may, a developer's may not.
fn in_ci() -> bool {
    std::env::var_os("CI").is_some() && is_there("sudo")
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    // The process's own entry in /proc belongs to the user that runs it.
    std::fs::metadata(Path::new("/proc/self")).is_ok_and(|own| own.uid() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_programs_are_named_with_their_package() {
        let needs =
            [("sh", "dash"), ("no-such-program", "b"), ("none-such", "a"), ("nor-this", "a")];
        assert_eq!(missing(&needs), ["a", "b"]);
        let error = require(&needs).unwrap_err().to_string();
        assert!(error.ends_with("sudo apt-get install a b"), "{error}");
        assert!(require(&needs[..1]).is_ok());
    }

    #[test]
    fn the_devcontainer_installs_what_the_sections_need() {
        let file = crate::root().join(".devcontainer/devcontainer.json");
        let text = std::fs::read_to_string(file).unwrap();
        assert!(
            text.contains(r#""postCreateCommand": "CI=true cargo dev test --prepare"#),
            "{text}"
        );
        assert!(!text.contains("apt-get"), "a second list of packages: {text}");
    }

    #[test]
    fn versions_compare_by_number() {
        assert!(parse("v20.20.2").unwrap() >= NODE);
        assert!(parse("v22.0.1").unwrap() >= NODE);
        assert!(parse("v20.9.0").unwrap() < NODE);
        assert_eq!(parse("none"), None);
    }
}
