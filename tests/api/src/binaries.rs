//! The programs under test, built once per run with the alias in `.cargo/config.toml`.
//!
//! Cargo passes a test only the binaries of its own package. `cargo nextest run --workspace` has built the others' as
//! well, but `cargo nextest run --package api-tests` has not; so this runs cargo, which costs half a second if nothing
//! has changed. Nextest runs each test in a separate process: the first one builds, and leaves the run's id for the
//! others. If `PROGRAMS_BUILT` is set, no process builds: `cargo dev deploy-test` has built the programs, and cargo may
//! be busy elsewhere.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The binaries that tests start.
const PROGRAMS: [&str; 2] = ["local-stack", "sandbox-agent"];

/// Builds a program and returns its path.
pub fn program(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(built).join(name)
}

/// The repository's root.
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap().to_owned()
}

fn built() -> PathBuf {
    // target/debug/deps/api-… for a test, target/release/bench for the benchmark.
    let this = std::env::current_exe().unwrap();
    let folder = this.parent().unwrap();
    let test = folder.ends_with("deps");
    let profile = if test { folder.parent().unwrap() } else { folder }.to_owned();
    if profile.ends_with("release") || std::env::var_os("PROGRAMS_BUILT").is_some() {
        // Optimized programs take many minutes to build: the benchmark's caller has built them.
        return profile;
    }
    let target = profile.parent().unwrap();
    match std::env::var("NEXTEST_RUN_ID") {
        Ok(run) => once_per_run(&target.join("front-door.lock"), &run, || build(target, &PROGRAMS)),
        Err(_) => build(target, &PROGRAMS),
    }
    profile
}

/// Does the work unless another process of this run has done it; concurrent callers wait.
fn once_per_run(file: &Path, run: &str, work: impl FnOnce()) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let mut file =
        File::options().read(true).write(true).create(true).truncate(false).open(file).unwrap();
    file.lock().unwrap();
    let mut done = String::new();
    file.read_to_string(&mut done).unwrap();
    if done != run {
        work();
        file.set_len(0).unwrap();
        file.rewind().unwrap();
        file.write_all(run.as_bytes()).unwrap();
    }
}

/// Builds programs of the workspace; takes a second if they are already built.
pub fn build(target: &Path, programs: &[&str]) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into());
    let mut cargo = outside_a_package(cargo);
    cargo.args(["programs", "--quiet", "--target-dir"]).arg(target).current_dir(repository());
    for name in programs {
        cargo.args(["--bin", name]);
    }
    assert!(cargo.status().unwrap().success(), "the programs under test cannot be built");
}

/// A build command with the environment of a shell. A test inherits variables about its own package, and build scripts
/// that read variables of the same names (such as ring's) would run again: their dependents would be recompiled, and
/// programs replaced that other tests are starting.
pub fn outside_a_package(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_MANIFEST_") || text.starts_with("CARGO_PKG_") {
            command.env_remove(name);
        }
    }
    command
}
