//! The sections of `cargo dev test`.

use crate::audit;
use crate::beside::Class;
use crate::lints;
use crate::machine::{self, Need, is_there};
use crate::step::{build_programs, cargo, git, output, program};
use crate::web;
use anyhow::Result;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One section.
pub struct Section {
    /// Its name for `--only`.
    pub name: &'static str,
    /// What it checks, as its title.
    pub title: &'static str,
    /// The programs that it needs besides Rust, Node, git and bash.
    pub needs: &'static [Need],
    /// Which other sections may run at the same time in a whole run.
    pub place: Place,
    /// The commands it runs, in order; empty if there is nothing to check here. Installs the npm packages they need.
    pub commands: fn(&Path) -> Result<Vec<Command>>,
}

/// Which other sections may run at the same time in a whole run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// No other section: its tests measure speed, or keep every processor busy.
    Alone,
    /// A waiting section: neither of the two writes what the other reads.
    Beside(Class),
    /// No other section, and in a whole run only with `--release`: it takes minutes, and what it checks changes seldom.
    Release,
    /// Those marked `Beside`: this one mostly waits and tolerates delays, also of cargo, which serves one command at a
    /// time.
    Waits,
}

/// Every section, in the order of a whole run: cheap ones first, then those that use every processor, and last those that
/// wait, with others next to them.
pub static SECTIONS: &[Section] = &[
    Section {
        name: "format",
        title: "Rust is formatted",
        needs: &[],
        place: Place::Alone,
        commands: format,
    },
    Section {
        name: "shell",
        title: "Shell scripts (shellcheck)",
        needs: machine::SHELL,
        place: Place::Alone,
        commands: shell,
    },
    Section {
        name: "supply",
        title: "Dependencies: known vulnerabilities (npm audit, cargo-deny)",
        needs: &[],
        place: Place::Alone,
        commands: supply,
    },
    Section {
        name: "rust",
        title: "Rust tests",
        needs: machine::SANDBOXES,
        place: Place::Alone,
        commands: rust,
    },
    Section {
        name: "skeletons",
        title: "The skeletons of `cargo dev new`, in a copy of the repository",
        needs: machine::SANDBOXES,
        place: Place::Release,
        commands: skeletons,
    },
    Section {
        name: "openapi",
        title: "web/openapi.json matches the functions",
        needs: &[],
        place: Place::Alone,
        commands: openapi,
    },
    Section {
        name: "web",
        title: "Web application: check, test, build",
        needs: &[],
        place: Place::Alone,
        commands: web_application,
    },
    Section {
        name: "readme",
        title: "The README's commands",
        needs: machine::SANDBOXES,
        place: Place::Alone,
        commands: readme,
    },
    Section {
        name: "bare",
        title: "The README's commands on a bare Debian",
        needs: machine::BARE,
        place: Place::Alone,
        commands: bare,
    },
    Section {
        name: "browser",
        title: "Browser tests",
        needs: machine::BROWSER,
        place: Place::Waits,
        commands: browser,
    },
    Section {
        name: "counterparts",
        title: "Third-party counterparts (LiteLLM, octokit, Stripe, OAuth, OpenSSH, moto)",
        needs: machine::COUNTERPARTS,
        place: Place::Beside(Class::Normal),
        commands: counterparts,
    },
    Section {
        name: "template",
        title: "SAM template",
        needs: machine::PYTHON,
        place: Place::Beside(Class::Idle),
        commands: template,
    },
    Section {
        name: "cdk",
        title: "The template in a CDK app",
        needs: &[],
        place: Place::Beside(Class::Idle),
        commands: cdk,
    },
    Section {
        name: "clippy",
        title: "Rust lints (clippy)",
        needs: &[],
        place: Place::Beside(Class::Idle),
        commands: lints::clippy,
    },
    Section {
        name: "doc",
        title: "Rust documentation: links and examples",
        needs: &[],
        place: Place::Beside(Class::Idle),
        commands: lints::doc,
    },
    Section {
        name: "contract",
        title: "The running product follows its contract (schemathesis)",
        needs: machine::PYTHON,
        place: Place::Beside(Class::Normal),
        commands: contract,
    },
    Section {
        name: "deploy",
        title: "The template, deployed to an emulator of AWS with real containers",
        needs: machine::ENGINE,
        place: Place::Waits,
        commands: deploy,
    },
    Section {
        name: "sites",
        title: "Three deployments of the blueprint model on a server in a container",
        needs: machine::COUNTERPARTS,
        place: Place::Release,
        commands: sites,
    },
    Section {
        name: "runbooks",
        title: "The same, with the runbooks and the negative controls",
        needs: machine::ENGINE,
        place: Place::Release,
        commands: runbooks,
    },
];

/// cargo with these arguments.
pub fn in_root(root: &Path, arguments: &[&str]) -> Command {
    let mut command = cargo();
    command.current_dir(root).args(arguments);
    command
}

fn format(root: &Path) -> Result<Vec<Command>> {
    Ok(vec![in_root(root, &["fmt", "--all", "--check"])])
}

/// How many tests run at a time for each processor: the long ones mostly wait.
const TESTS_PER_PROCESSOR: usize = 3;

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

fn rust(root: &Path) -> Result<Vec<Command>> {
    // Some tests start the real programs.
    let build = build_programs(root);
    if is_there("cargo-nextest") || output("cargo", &["nextest", "--version"]).is_some() {
        let mut tests = in_root(root, &["nextest", "run", "--workspace", "--no-fail-fast"]);
        // Printed again at the end, where it is easy to find.
        tests.args(["--failure-output", "immediate-final"]);
        tests.arg("--test-threads").arg((processors() * TESTS_PER_PROCESSOR).to_string());
        return Ok(vec![build, tests]);
    }
    eprintln!(
        "cargo-nextest is missing (cargo install --locked cargo-nextest): using cargo test instead"
    );
    Ok(vec![build, in_root(root, &["test", "--workspace", "--all-targets", "--no-fail-fast"])])
}

/// The section before it has built everything that the skeletons leave unchanged.
fn skeletons(root: &Path) -> Result<Vec<Command>> {
    web::packages(root, "web")?;
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/skeletons/run.sh");
    Ok(vec![run])
}

fn openapi(root: &Path) -> Result<Vec<Command>> {
    let mut build = build_programs(root);
    build.args(["--bin", "openapi"]);
    let mut document = program(root, "openapi");
    document.args(["--check", "web/openapi.json"]);
    web::packages(root, "web")?;
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

fn web_application(root: &Path) -> Result<Vec<Command>> {
    for project in NODE_PROJECTS {
        web::packages(root, project)?;
    }
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

fn template(root: &Path) -> Result<Vec<Command>> {
    let lint = root.join("infra/lint.sh");
    if !lint.is_file() {
        return Ok(Vec::new());
    }
    let mut bash = Command::new("bash");
    bash.current_dir(root).arg(lint);
    Ok(vec![bash])
}

fn cdk(root: &Path) -> Result<Vec<Command>> {
    web::packages(root, "infra/cdk")?;
    let mut npm = web::npm(&root.join("infra/cdk"));
    npm.args(["run", "--silent", "test"]);
    Ok(vec![npm])
}

fn shell(root: &Path) -> Result<Vec<Command>> {
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

/// The Rust tests (`tests/house`) check licenses, sources and duplicates against `deny.toml`, using only cargo.
fn supply(root: &Path) -> Result<Vec<Command>> {
    for project in NODE_PROJECTS {
        audit::npm(&root.join(project), project)?;
    }
    if output("cargo", &["deny", "--version"]).is_some() {
        return Ok(vec![in_root(root, &["deny", "check"])]);
    }
    println!(
        "cargo-deny is missing (cargo install --locked cargo-deny): skipping the advisory database"
    );
    Ok(Vec::new())
}

fn contract(root: &Path) -> Result<Vec<Command>> {
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/contract/run.sh");
    Ok(vec![build_programs(root), run])
}

fn counterparts(root: &Path) -> Result<Vec<Command>> {
    web::packages(root, "tests/counterparts")?;
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/counterparts/run.sh");
    let mut moto = Command::new("bash");
    moto.current_dir(root).arg("tests/counterparts/moto.sh");
    let mut build = build_programs(root);
    build.args(["--bin", "model-check"]);
    Ok(vec![build, run, moto])
}

fn sites(root: &Path) -> Result<Vec<Command>> {
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/counterparts/sites.sh");
    Ok(vec![run])
}

/// The functions' debug binaries are deployed. The script builds the tests at its start.
fn deploy(root: &Path) -> Result<Vec<Command>> {
    deployed(root, &["--brief"])
}

/// Runs every command of docs/operations.md as well, and the tests without what they need.
fn runbooks(root: &Path) -> Result<Vec<Command>> {
    deployed(root, &[])
}

fn deployed(root: &Path, options: &[&str]) -> Result<Vec<Command>> {
    let mut build = cargo();
    build.current_dir(root).args(["programs", "--bins"]);
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/deploy/emulator/run.sh").args(options);
    Ok(vec![build, run])
}

fn browser(root: &Path) -> Result<Vec<Command>> {
    let suite = root.join("tests/browser");
    if !suite.join("package.json").is_file() {
        return Ok(Vec::new());
    }
    web::for_browser_tests(root)?;
    let mut npm = web::npm(&suite);
    npm.args(["run", "--silent", "test"]);
    Ok(vec![build_programs(root), npm])
}

fn readme(root: &Path) -> Result<Vec<Command>> {
    Ok(vec![in_root(root, &["dev", "readme"])])
}

/// The README's commands on a system with only Rust, Node, git and a C compiler. Everything they build is already built.
fn bare(root: &Path) -> Result<Vec<Command>> {
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/bare/run.sh");
    Ok(vec![build_programs(root), run])
}

/// Files under version control, including those not yet committed.
pub fn tracked(root: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let listed = git(root, &["ls-files", "--cached", "--others", "--exclude-standard"])?;
    let files = listed.iter().filter(|path| wanted(path)).map(|path| root.join(path));
    Ok(files.filter(|path| path.is_file()).collect())
}
