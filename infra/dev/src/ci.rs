//! The environment of `cargo dev test --ci`.
//!
//! A process's variables cannot be changed safely once it has threads, so [`enter`] replaces the process with a new copy
//! of the program that has them. `.ci/run` itself sets what also applies to the build of this program: a build from
//! nothing keeps no incremental data, and nothing reads debug information.

use anyhow::{Context, Result};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Names the program that cargo starts in place of the compiler for crates of the workspace.
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";
/// The program that compiles, lints and documents at the same time.
const LINTING: &str = "infra/dev/rustc.sh";

/// The other variables. A section that this machine cannot run fails if `CI` is set; elsewhere it is skipped. Python's
/// tools start many times, so they keep what they compile. A panic prints where it happened, without a backtrace, which
/// would need debug information.
const OTHERS: [(&str, &str); 4] = [
    ("CI", "true"),
    ("PYTHONDONTWRITEBYTECODE", ""),
    ("RUST_BACKTRACE", "0"),
    ("CLIPPY_ARGS", "--deny=warnings"),
];

/// Returns if this process already has the environment; otherwise replaces it with one that has.
pub fn enter(root: &Path) -> Result<()> {
    if lints_while_building() {
        return Ok(());
    }
    let mut again = Command::new(std::env::current_exe()?);
    again.args(std::env::args_os().skip(1)).env(WRAPPER, root.join(LINTING)).envs(OTHERS);
    Err(again.exec()).context("cannot restart with the environment of CI")
}

/// Whether cargo lints and documents each target of the workspace as it compiles it.
pub fn lints_while_building() -> bool {
    std::env::var_os(WRAPPER).is_some_and(|wrapper| Path::new(&wrapper).ends_with(LINTING))
}
