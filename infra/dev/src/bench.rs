//! `cargo dev bench`.

use crate::step::{cargo, run, step};
use crate::{machine, root, web};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// The document with the table of the last published run.
const PUBLISHED: &str = "docs/benchmarks.md";
/// The marks before and after the table.
const MARKS: (&str, &str) = ("<!-- cargo dev bench: begin -->", "<!-- cargo dev bench: end -->");
/// The programs to measure in addition to the functions.
const PROGRAMS: [&str; 4] = ["local-stack", "sandbox-agent", "bench", "hello"];
/// The peers' environments and their requirements.
const PEERS: [(&str, &str); 2] = [
    ("target/bench-venv", "tests/bench/requirements.txt"),
    ("target/counterparts-venv", "tests/counterparts/requirements.txt"),
];

/// Options of `cargo dev bench`.
#[derive(Args)]
pub struct Bench {
    /// Measure the existing programs without building
    #[arg(long)]
    as_built: bool,
    /// Write the table to docs/benchmarks.md
    #[arg(long)]
    write: bool,
    /// Options of the measuring program, after `--`; `-- --help` lists them
    #[arg(last = true)]
    options: Vec<String>,
}

impl Bench {
    /// Builds the programs and the page, sets the peers up, and measures. Debug builds would be many times slower.
    pub fn measure(self) -> Result<()> {
        let root = root();
        if !self.as_built {
            step("Building the programs for release; the first time takes long", || build(&root))?;
            // Without the page, its measurements are skipped, and the others run.
            if let Err(error) = web::for_browser_tests(&root) {
                eprintln!("  {error:#}");
            }
        }
        machine::provide(machine::PYTHON);
        for (folder, requirements) in PEERS {
            provide(&root, folder, requirements);
        }
        let program = built(&root).join("bench");
        let mut bench = Command::new(program);
        bench.current_dir(&root).args(self.options).stdout(Stdio::piped());
        let mut bench = bench.spawn().context("cannot start target/release/bench")?;
        let mut table = String::new();
        let out = bench.stdout.take().context("no output")?;
        for line in BufReader::new(out).lines() {
            let line = line?;
            println!("{line}");
            table += &format!("{line}\n");
        }
        let status = bench.wait()?;
        if self.write && !table.is_empty() {
            let file = root.join(PUBLISHED);
            let text = std::fs::read_to_string(&file)?;
            let text = published(&text, &table)
                .context("docs/benchmarks.md does not contain the marks around the table")?;
            std::fs::write(file, text)?;
        }
        if !status.success() {
            bail!("a target is missed by more than the noise, or a measurement failed");
        }
        Ok(())
    }
}

fn built(root: &Path) -> std::path::PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    target.map_or_else(|| root.join("target"), Into::into).join("release")
}

/// Features are resolved for the whole workspace, as for a deployment.
fn build(root: &Path) -> Result<()> {
    let mut build = cargo();
    build.current_dir(root).args(["build", "--release", "--workspace"]);
    for program in PROGRAMS {
        build.args(["--bin", program]);
    }
    for folder in std::fs::read_dir(root.join("functions"))? {
        build.arg("--bin").arg(folder?.file_name());
    }
    run(&mut build)
}

/// Creates a peer's environment. The measurements report what is missing, so a failure does not end the run here.
fn provide(root: &Path, folder: &str, requirements: &str) {
    let mut venv = Command::new("bash");
    venv.current_dir(root).args(["infra/venv.sh", folder, requirements]);
    if let Err(error) = run(&mut venv) {
        eprintln!("  {error:#}");
    }
}

/// The text with the table replaced.
fn published(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(MARKS.0)?;
    let (_, after) = rest.split_once(MARKS.1)?;
    Some(format!("{before}{}\n\n{}\n\n{}{after}", MARKS.0, table.trim(), MARKS.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_replaces_the_one_before_and_nothing_else() {
        let (begin, end) = MARKS;
        let text = format!("# Title\n\n{begin}\nold\n{end}\n\nWhy.\n");
        let new = published(&text, "new\n").unwrap();
        assert_eq!(new, format!("# Title\n\n{begin}\n\nnew\n\n{end}\n\nWhy.\n"));
        assert_eq!(published(&new, "new").unwrap(), new);
        assert_eq!(published("no marks", "new"), None);
    }
}
