//! What `cargo dev test` runs, section by section.

use crate::machine::is_there;
use crate::step::{build_programs, cargo, output, program};
use crate::web;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One section.
pub struct Section {
    /// What `--only` calls it.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// The commands it runs, in order; none when there is nothing to check here.
    pub commands: fn(&Path) -> Result<Vec<Command>>,
}

/// Every section, cheap ones first.
pub const SECTIONS: &[Section] = &[
    Section { name: "format", title: "Rust is formatted", commands: format },
    Section { name: "shell", title: "Shell scripts (shellcheck)", commands: shell },
    Section { name: "clippy", title: "Rust lints (clippy)", commands: clippy },
    Section { name: "rust", title: "Rust tests", commands: rust },
    Section { name: "doc", title: "Examples in Rust documentation", commands: doc },
    Section {
        name: "openapi",
        title: "The contract in web/openapi.json is the functions' own",
        commands: openapi,
    },
    Section {
        name: "web",
        title: "Web application: check, test, build",
        commands: web_application,
    },
    Section { name: "template", title: "SAM template", commands: template },
    Section {
        name: "contract",
        title: "The running product keeps to its contract (schemathesis)",
        commands: contract,
    },
    Section { name: "browser", title: "Browser tests", commands: browser },
];

fn in_root(root: &Path, arguments: &[&str]) -> Command {
    let mut command = cargo();
    command.current_dir(root).args(arguments);
    command
}

fn format(root: &Path) -> Result<Vec<Command>> {
    Ok(vec![in_root(root, &["fmt", "--all", "--check"])])
}

fn clippy(root: &Path) -> Result<Vec<Command>> {
    Ok(vec![in_root(root, &["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"])])
}

fn rust(root: &Path) -> Result<Vec<Command>> {
    // Some tests start the real programs.
    let build = build_programs(root);
    if is_there("cargo-nextest") || output("cargo", &["nextest", "--version"]).is_some() {
        return Ok(vec![
            build,
            in_root(root, &["nextest", "run", "--workspace", "--no-fail-fast"]),
        ]);
    }
    eprintln!(
        "cargo-nextest is missing (cargo install --locked cargo-nextest): going on with cargo test"
    );
    Ok(vec![build, in_root(root, &["test", "--workspace", "--all-targets", "--no-fail-fast"])])
}

/// nextest runs no examples in documentation, so they are run where there are any: cargo takes a minute to find none.
fn doc(root: &Path) -> Result<Vec<Command>> {
    let any = tracked(root, |path| path.ends_with(".rs") || path.ends_with("README.md"))?
        .iter()
        .any(|path| std::fs::read_to_string(path).is_ok_and(|text| has_example(&text)));
    Ok(if any { vec![in_root(root, &["test", "--workspace", "--doc"])] } else { Vec::new() })
}

/// Whether documentation holds a block of Rust: one that opens without a language, or with one of rustdoc's words.
fn has_example(text: &str) -> bool {
    let words = ["", "rust", "no_run", "should_panic", "compile_fail"];
    let mut inside = false;
    text.lines().any(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).unwrap_or(line);
        let Some(language) = line.trim_start().strip_prefix("```") else { return false };
        inside = !inside;
        inside && words.contains(&language.trim())
    })
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

fn web_application(root: &Path) -> Result<Vec<Command>> {
    web::packages(root, "web")?;
    let script = |name: &str| {
        let mut npm = web::npm(&root.join("web"));
        npm.args(["run", "--silent", name]);
        npm
    };
    Ok(vec![script("check"), script("test"), script("build")])
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

fn shell(root: &Path) -> Result<Vec<Command>> {
    // The blueprint model's scripts are parts; what it puts together of them is checked by its own tests.
    let whole = |path: &str| path.ends_with(".sh") && !path.contains("/catalogue/");
    let scripts = tracked(root, |path| whole(path) || path == ".ci/run")?;
    if scripts.is_empty() {
        return Ok(Vec::new());
    }
    ensure!(is_there("shellcheck"), "shellcheck is missing: sudo apt-get install shellcheck");
    let mut shellcheck = Command::new("shellcheck");
    shellcheck.current_dir(root).args(scripts);
    Ok(vec![shellcheck])
}

fn contract(root: &Path) -> Result<Vec<Command>> {
    let mut run = Command::new("bash");
    run.current_dir(root).arg("tests/contract/run.sh");
    Ok(vec![build_programs(root), run])
}

fn browser(root: &Path) -> Result<Vec<Command>> {
    let suite = root.join("tests/browser");
    if !suite.join("package.json").is_file() {
        return Ok(Vec::new());
    }
    web::packages(root, "web")?;
    web::build(root)?;
    web::packages(root, "tests/browser")?;
    let mut npm = web::npm(&suite);
    npm.args(["run", "--silent", "test"]);
    Ok(vec![build_programs(root), npm])
}

/// Files under version control, those not yet committed among them.
fn tracked(root: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let listed = git.output().context("cannot run git")?;
    ensure!(listed.status.success(), "git ls-files failed");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let files = listed.lines().filter(|path| wanted(path)).map(|path| root.join(path));
    Ok(files.filter(|path| path.is_file()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_a_block_of_rust() {
        assert!(has_example("/// Adds.\n/// ```\n/// add(1);\n/// ```"));
        assert!(has_example("//! ```no_run\n//! run();\n//! ```"));
        assert!(!has_example("/// ```text\n/// a picture\n/// ```\nfn f() {}"));
        assert!(!has_example("# Title\n\n```sh\ncargo dev up\n```\n"));
    }
}
