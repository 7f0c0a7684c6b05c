//! The web application: its packages and its build.

use crate::stamp::Stamp;
use crate::step::{run, step};
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Generated folders in `web`.
const MADE: &[&str] = &["node_modules", "dist", "coverage", ".vite"];

/// Options of `npm ci`. npm opens fifteen connections at a time and waits five minutes for a silent one, three times over;
/// with few connections and a short wait, a stalled download is asked for again soon.
const INSTALL: &[&str] = &[
    "ci",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--maxsockets=5",
    "--fetch-timeout=30000",
    "--fetch-retries=5",
];

/// Installs the packages of a Node project when its lock file changed.
pub fn packages(root: &Path, project: &str) -> Result<()> {
    let folder = root.join(project);
    let name = format!("npm-{}", project.replace('/', "-"));
    let stamp = Stamp::of(root, &name, &[folder.join("package-lock.json")], &[])?;
    if stamp.is_current() && folder.join("node_modules").is_dir() {
        return Ok(());
    }
    step(&format!("Installing the packages of {project}"), || run(npm(&folder).args(INSTALL)))?;
    stamp.keep()
}

/// Builds the web application when its sources changed.
pub fn build(root: &Path) -> Result<()> {
    let web = root.join("web");
    let stamp = Stamp::of(root, "web", std::slice::from_ref(&web), MADE)?;
    if stamp.is_current() && web.join("dist/app.html").is_file() {
        return Ok(());
    }
    step("Building the web application", || {
        run(npm(&web).args(["run", "--silent", "build", "--", "--logLevel=warn"]))
    })?;
    stamp.keep()
}

/// Prepares what the browser tests need: the built application, and their own packages.
pub fn for_browser_tests(root: &Path) -> Result<()> {
    packages(root, "web")?;
    build(root)?;
    packages(root, "tests/browser")
}

/// An npm command in a folder.
pub fn npm(folder: &Path) -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(folder);
    npm
}
