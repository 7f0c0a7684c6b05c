//! What the machine must have: Node, and the packages that confine sandboxes.

use crate::step::{output, run, step};
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// The oldest Node that builds the web application, as major and minor version.
const NODE: (u32, u32) = (20, 19);

/// A program and the Debian package that brings it.
type Need = (&'static str, &'static str);

/// What bubblewrapped sandboxes need.
pub const BUBBLEWRAP: &[Need] = &[("bwrap", "bubblewrap"), ("slirp4netns", "slirp4netns")];

/// Checks that Node is there and new enough.
pub fn check_node() -> Result<()> {
    let Some(version) = output("node", &["--version"]) else {
        bail!("Node {}.{} or newer is missing: see https://nodejs.org/en/download", NODE.0, NODE.1);
    };
    match parse(&version) {
        Some(found) if found >= NODE => Ok(()),
        _ => bail!("Node {}.{} or newer is needed, this is {version}", NODE.0, NODE.1),
    }
}

fn parse(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Installs missing packages where that is ours to do; where it is not, or fails, says how, and goes on.
pub fn provide(needs: &[Need]) -> Result<()> {
    let missing: Vec<_> = needs
        .iter()
        .filter(|(program, _)| !is_there(program))
        .map(|(_, package)| *package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    if is_root() && is_there("apt-get") {
        let title = format!("Installing {}", missing.join(" and "));
        match step(&title, || install(&missing)) {
            Ok(()) => return Ok(()),
            Err(error) => eprintln!("  {error:#}"),
        }
    }
    eprintln!(
        "  Sandboxes need packages that are missing: sudo apt-get install {}",
        missing.join(" ")
    );
    eprintln!("  Until they are there, sandboxes will not start (or try --sandbox docker).");
    Ok(())
}

/// Installs packages. A machine that has never asked for the lists of packages knows none, so they come first.
fn install(packages: &[&str]) -> Result<()> {
    let apt = || {
        let mut apt = Command::new("apt-get");
        apt.arg("--quiet").env("DEBIAN_FRONTEND", "noninteractive");
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

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    // Our own entry in /proc belongs to the user we run as.
    std::fs::metadata(Path::new("/proc/self")).is_ok_and(|own| own.uid() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert!(parse("v20.20.2").unwrap() >= NODE);
        assert!(parse("v22.0.1").unwrap() >= NODE);
        assert!(parse("v20.9.0").unwrap() < NODE);
        assert_eq!(parse("none"), None);
    }
}
