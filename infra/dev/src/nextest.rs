//! cargo-nextest, which runs tests side by side. Where it is missing, `cargo test` runs them.

use crate::machine::is_there;

use crate::step::{in_root, output};
use std::path::Path;
use std::process::Command;

/// Whether this machine has cargo-nextest; if not, prints how to install it.
pub fn is_installed() -> bool {
    let found = is_there("cargo-nextest") || output("cargo", &["nextest", "--version"]).is_some();
    if !found {
        eprintln!(
            "cargo-nextest is missing (cargo install --locked cargo-nextest): using cargo test instead"
        );
    }
    found
}

/// Runs the workspace's tests with cargo-nextest, also those after a failure.
pub fn run(root: &Path) -> Command {
    in_root(root, &["nextest", "run", "--workspace", "--no-fail-fast"])
}

/// Runs tests of the selected packages, such as `--workspace`, with `cargo test`, also those after a failure.
pub fn cargo_test(root: &Path, packages: &[String]) -> Command {
    let mut tests = in_root(root, &["test"]);
    tests.args(packages).args(["--all-targets", "--no-fail-fast"]);
    tests
}
