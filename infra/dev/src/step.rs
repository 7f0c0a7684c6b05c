//! One step of the preparation: prints its title first and its duration at the end.

use anyhow::{Context, Result, bail, ensure};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Runs a step and prints its duration.
pub fn step<T>(title: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("  {title}");
    std::io::stderr().flush()?;
    let start = Instant::now();
    let done = work()?;
    eprintln!("  {title}: done in {}", duration(start));
    Ok(done)
}

/// Runs a program and passes its output through.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {}", name(command)))?;
    if !status.success() {
        bail!("{} failed", name(command));
    }
    Ok(())
}

/// A program's standard output; `None` if the program is missing or fails.
pub fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The lines that git prints about the repository at `root`.
pub fn git(root: &Path, arguments: &[&str]) -> Result<Vec<String>> {
    let mut git = Command::new("git");
    let output = git.current_dir(root).args(arguments).output().context("cannot run git")?;
    ensure!(output.status.success(), "git {} failed", arguments.join(" "));
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// Files under version control, including those not yet committed.
pub fn tracked(root: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let listed = git(root, &["ls-files", "--cached", "--others", "--exclude-standard"])?;
    let files = listed.iter().filter(|path| wanted(path)).map(|path| root.join(path));
    Ok(files.filter(|path| path.is_file()).collect())
}

/// The time since `start`, in seconds with one decimal.
pub fn duration(start: Instant) -> String {
    format!("{:.1} s", start.elapsed().as_secs_f64())
}

/// The cargo that runs this program.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    outside_a_package(&mut cargo);
    cargo
}

/// cargo with these arguments.
pub fn in_root(root: &Path, arguments: &[&str]) -> Command {
    let mut command = cargo();
    command.current_dir(root).args(arguments);
    command
}

/// Removes the variables with which cargo describes this program's own package. Build scripts that read variables of the
/// same names (such as ring's) would run again, and their dependents would be recompiled, whenever a build follows one
/// from a shell.
pub fn outside_a_package(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_MANIFEST_") || text.starts_with("CARGO_PKG_") {
            command.env_remove(name);
        }
    }
}

/// Builds the programs that the tests start, always within the whole workspace and with the tests' features
/// (`.cargo/config.toml`): cargo resolves features for the packages that it builds, and recompiles a library, with
/// everything that depends on it, whenever that changes one of its features.
pub fn build_programs(root: &Path) -> Command {
    let mut build = cargo();
    build.current_dir(root);
    build.args(["programs", "--bin", "local-stack"]);
    // On Linux the agent can confine commands itself; elsewhere it runs in the sandbox image.
    if cfg!(target_os = "linux") {
        build.args(["--bin", "sandbox-agent"]);
    }
    build
}

/// A program that [`build_programs`] has built.
pub fn program(root: &Path, name: &str) -> Command {
    let mut program = Command::new(built(root).join(name));
    program.current_dir(root);
    program
}

/// The folder into which cargo puts programs.
pub fn built(root: &Path) -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    target.join("debug")
}

fn name(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
