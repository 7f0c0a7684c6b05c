//! `cargo dev test`: sections in turn, their output shown as it comes, their counts summed at the end.

use crate::changed::Affected;
use crate::count::{self, Count};
use crate::sections::{SECTIONS, Section};
use crate::slow::Slowest;
use crate::step::duration;
use crate::{machine, root};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Options of `cargo dev test`.
#[derive(Args)]
pub struct Test {
    /// Run one section alone; can be given several times
    #[arg(long, value_name = "NAME", value_parser = SECTIONS.iter().map(|section| section.name).collect::<Vec<_>>())]
    only: Vec<String>,

    /// Run only the tests next to what this branch changed, committed or not: for between two edits
    #[arg(long, conflicts_with = "only")]
    changed: bool,
}

impl Test {
    /// One section alone.
    pub fn only(section: &str) -> Self {
        Self { only: vec![section.to_owned()], changed: false }
    }

    /// Runs the sections and says how they went.
    pub fn run(self) -> Result<()> {
        let root = root();
        if self.changed {
            return changed(&root);
        }
        let chosen = |section: &&Section| {
            self.only.is_empty() || self.only.iter().any(|name| name == section.name)
        };
        Sum::default().sections(&root, SECTIONS.iter().filter(chosen)).end()
    }
}

/// Runs what is next to the changes.
fn changed(root: &Path) -> Result<()> {
    let affected = Affected::here(root)?;
    if affected.is_empty() {
        println!("Nothing changed that a test is next to.");
        return Ok(());
    }
    let chosen = |section: &&Section| affected.sections.contains(section.name);
    let mut sum = Sum::default().sections(root, SECTIONS.iter().filter(chosen));
    machine::require(machine::SANDBOXES)?;
    let begun = Instant::now();
    println!("\n=== changed: The tests next to what changed");
    sum.add("changed", begun, affected.commands(root).and_then(run_all));
    println!(
        "\nLeft to the whole run: clippy, the contract, and the tests of what uses the changed parts."
    );
    sum.end()
}

/// How the sections went.
struct Sum {
    start: Instant,
    total: Count,
    lines: Vec<String>,
}

impl Default for Sum {
    fn default() -> Self {
        Self { start: Instant::now(), total: Count::default(), lines: Vec::new() }
    }
}

impl Sum {
    fn sections<'a>(
        mut self,
        root: &Path,
        sections: impl Iterator<Item = &'a Section> + Clone,
    ) -> Self {
        let needs: Vec<_> = sections.clone().flat_map(|section| section.needs).copied().collect();
        machine::provide(&needs);
        for section in sections {
            let begun = Instant::now();
            println!("\n=== {}: {}", section.name, section.title);
            self.add(section.name, begun, run(root, section));
        }
        self
    }

    fn add(&mut self, name: &str, begun: Instant, outcome: Result<Count>) {
        let count = outcome.unwrap_or_else(|error| {
            println!("{error:#}");
            Count { failed: 1, ..Count::default() }
        });
        let Count { passed, failed, skipped } = count;
        let took = duration(begun);
        let line =
            format!("{name:<10} {passed} passed, {failed} failed, {skipped} skipped, {took}");
        println!("--- {line}");
        self.lines.push(line);
        self.total += count;
    }

    fn end(self) -> Result<()> {
        println!("\n=== All sections, {}", duration(self.start));
        self.lines.iter().for_each(|line| println!("{line}"));
        println!(
            "{} passed, {} failed, {} sections skipped",
            self.total.passed, self.total.failed, self.total.skipped
        );
        if self.total.failed > 0 {
            bail!("tests failed");
        }
        Ok(())
    }
}

/// Runs a section up to its first failing command. A section that counts no tests counts as one, and one that
/// says that it is skipped as none.
fn run(root: &Path, section: &Section) -> Result<Count> {
    machine::require(section.needs)?;
    let commands = (section.commands)(root)?;
    if commands.is_empty() {
        println!("nothing to check here");
        return Ok(Count::default());
    }
    run_all(commands)
}

/// Runs commands up to the first that fails.
fn run_all(commands: Vec<Command>) -> Result<Count> {
    let mut total = Count::default();
    for command in commands {
        let (success, count) = show(command)?;
        total += count;
        if !success {
            total.failed = total.failed.max(1);
            return Ok(total);
        }
    }
    if total.skipped == 0 {
        total.passed = total.passed.max(1);
    }
    Ok(total)
}

/// Runs a command, passes its output on and counts the tests in it.
fn show(mut command: Command) -> Result<(bool, Count)> {
    if std::io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always").env("FORCE_COLOR", "1");
    }
    let program = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot run {program}"))?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (mut count, mut slowest) = (Count::default(), Slowest::default());
    std::thread::scope(|scope| {
        let readers = [scope.spawn(|| pass_on(out)), scope.spawn(|| pass_on(err))];
        for reader in readers {
            let (counted, slow) = reader.join().unwrap_or_default();
            count += counted;
            slowest.join(slow);
        }
    });
    let slowest = slowest.lines();
    if !slowest.is_empty() {
        println!("\nThe slowest of them:\n{}", slowest.join("\n"));
    }
    Ok((child.wait()?.success(), count))
}

/// Prints a stream as it comes; the tests in it, and how long they took.
fn pass_on(stream: Option<impl Read>) -> (Count, Slowest) {
    let (mut count, mut slowest) = (Count::default(), Slowest::default());
    let Some(stream) = stream else { return (count, slowest) };
    let mut lines = BufReader::new(stream);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        let _ = std::io::stdout().write_all(&line);
        let text = String::from_utf8_lossy(&line);
        count += count::of(&text).unwrap_or_default();
        slowest.note(&count::plain(&text));
        line.clear();
    }
    let _ = std::io::stdout().flush();
    (count, slowest)
}
