//! `cargo dev test`: runs sections in turn, shows their output as it arrives, and sums their counts at the end. A whole run
//! has some sections run next to others.

use crate::alongside::{Alongside, Ended, idle};
use crate::changed::Affected;
use crate::ci;
use crate::count::{self, Count};
use crate::load::Load;
use crate::prefetch::{self, Prefetch};
use crate::rotation;
use crate::sections::{Concurrency, SECTIONS, Section};
use crate::slow::Slowest;
use crate::step::{duration, outside_a_package};
use crate::tail::Tail;
use crate::{machine, root};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Options of `cargo dev test`.
#[derive(Args)]
pub struct Test {
    /// Run only this section; can be given several times
    #[arg(long, value_name = "NAME", value_parser = SECTIONS.iter().map(|section| section.name).collect::<Vec<_>>())]
    only: Vec<String>,

    /// Run only the tests next to what this branch changed, committed or not: for use between edits
    #[arg(long, conflicts_with = "only")]
    changed: bool,

    /// Also run what only a release needs: every kind of fault, the runbooks of docs/operations.md, the
    /// skeletons of `cargo dev new`, and deployments on a server
    #[arg(long, conflicts_with_all = ["only", "changed"])]
    release: bool,

    /// Install what the sections need from Debian and npm, and run none of them
    #[arg(long, conflicts_with = "changed")]
    prepare: bool,

    /// Fail where a section could be skipped, and lint and document the code while it is built: what `.ci/run` does
    #[arg(long)]
    ci: bool,
}

impl Test {
    /// Runs one section only.
    pub fn only(section: &str) -> Self {
        Self {
            only: vec![section.to_owned()],
            changed: false,
            release: false,
            prepare: false,
            ci: false,
        }
    }

    /// Runs the sections and reports the result.
    pub fn run(self) -> Result<()> {
        let root = root();
        if self.ci {
            ci::enter(&root)?;
        }
        if self.changed {
            return changed(&root);
        }
        let chosen = |section: &&Section| {
            match section.concurrency {
                // The section `runbooks` deploys as well.
                _ if self.only.is_empty() && self.release => section.name != "deploy",
                Concurrency::Release if self.only.is_empty() => self.prepare,
                _ => self.only.is_empty() || self.only.iter().any(|name| name == section.name),
            }
        };
        let sections = SECTIONS.iter().filter(chosen);
        let waits = sections.clone().any(|section| section.concurrency == Concurrency::Waits);
        let (alongside, turn): (Vec<_>, Vec<_>) = sections.partition(|section| {
            waits && matches!(section.concurrency, Concurrency::Alongside(..))
        });
        if self.prepare {
            return prepare(&root, turn.into_iter().chain(alongside));
        }
        let sum = Sum { takes_turns: self.ci && !self.release, ..Sum::default() };
        sum.sections(&root, turn, alongside).end()
    }
}

/// Installs what the sections need; an error names what is still missing afterward.
fn prepare(root: &Path, sections: impl Iterator<Item = &'static Section> + Clone) -> Result<()> {
    let needs: Vec<_> = sections.clone().flat_map(|section| section.needs).copied().collect();
    machine::provide(&needs);
    machine::require(&needs)?;
    for section in sections {
        let done = prefetch::fetch(root, section).and_then(|()| (section.commands)(root));
        done.with_context(|| format!("cannot prepare {}", section.name))?;
    }
    println!("This machine has what the sections need.");
    Ok(())
}

/// Runs the tests next to the changes.
fn changed(root: &Path) -> Result<()> {
    let affected = Affected::here(root)?;
    if affected.is_empty() {
        println!("No tests are next to the changes.");
        return Ok(());
    }
    let chosen = |section: &&Section| affected.sections.contains(section.name);
    let chosen = SECTIONS.iter().filter(chosen).collect();
    let mut sum = Sum::default().sections(root, chosen, Vec::new());
    machine::require(machine::SANDBOXES)?;
    let begun = Instant::now();
    println!("\n=== changed: The tests next to the changes");
    let commands = affected.commands(root);
    let outcome = commands.and_then(|commands| run_all(commands, &screen));
    sum.add("changed", &duration(begun), outcome, Tail::default());
    println!(
        "\nOnly a full run includes clippy, the contract, the blueprint model's scripts and the tests of the code that \
         uses the changed parts."
    );
    sum.end()
}

/// The results of the sections.
struct Sum {
    start: Instant,
    total: Count,
    lines: Vec<String>,
    /// How busy the processors were during each section.
    busy: Vec<String>,
    /// How many sections ran next to others.
    alongside: usize,
    /// Whether costly sections take turns where the machine is slow.
    takes_turns: bool,
    /// The sections that failed, with the end of each one's output.
    failures: Vec<(String, Vec<u8>)>,
}

impl Default for Sum {
    fn default() -> Self {
        let (lines, busy, failures) = (Vec::new(), Vec::new(), Vec::new());
        let (start, total) = (Instant::now(), Count::default());
        Self { start, total, lines, busy, alongside: 0, takes_turns: false, failures }
    }
}

impl Sum {
    /// Runs sections in turn, and other sections next to those that wait.
    fn sections(
        mut self,
        root: &Path,
        turn: Vec<&'static Section>,
        alongside: Vec<&'static Section>,
    ) -> Self {
        let mut prefetch = Prefetch::of(root, turn.iter().chain(&alongside).copied().collect());
        let (mut waiting, mut started) = (alongside, 0);
        let alongside = Alongside::new();
        for section in turn {
            prefetch.wait_for(section);
            if section.concurrency == Concurrency::Waits {
                prefetch.wait_for_all();
                let mut sections = std::mem::take(&mut waiting);
                if self.takes_turns {
                    let (chosen, left) = rotation::take(sections, self.start.elapsed());
                    left.into_iter().for_each(|section| self.skip(section));
                    sections = chosen;
                }
                started += sections.len();
                alongside.start(root, &sections, run);
            }
            let (begun, before) = (Instant::now(), Load::now());
            println!("\n=== {}: {}", section.name, section.title);
            let tail = Tail::default();
            let show = |output: &[u8]| {
                screen(output);
                tail.add(output);
            };
            let outcome = run(root, section, &show, false);
            self.add(section.name, &duration(begun), outcome, tail);
            let percent = Load::now().zip(before).and_then(|(now, then)| now.percent_since(then));
            self.busy.extend(percent.map(|percent| format!("{} {percent} %", section.name)));
            alongside.ended().for_each(|ended| self.show(ended));
        }
        alongside.rest().for_each(|ended| self.show(ended));
        if self.alongside != started {
            let lost =
                anyhow!("only {} of {started} sections next to others have ended", self.alongside);
            self.add("alongside", "no time", Err(lost), Tail::default());
        }
        self
    }

    /// Prints a section that ran next to others.
    fn show(&mut self, ended: Ended) {
        println!("\n=== {}: {} (next to others)", ended.section.name, ended.section.title);
        screen(&ended.output);
        self.alongside += 1;
        let tail = Tail::default();
        tail.add(&ended.output);
        self.add(ended.section.name, &ended.took, ended.outcome, tail);
    }

    /// Lists a section that does not run because the machine is slow and others have their turn.
    fn skip(&mut self, section: &Section) {
        let line = format!(
            "{:<10} skipped: the machine is slow, and others have their turn",
            section.name
        );
        println!("--- {line}");
        self.lines.push(line);
        self.total.skipped += 1;
    }

    fn add(&mut self, name: &str, took: &str, outcome: Result<Count>, printed: Tail) {
        let count = outcome.unwrap_or_else(|error| {
            let reason = format!("{error:#}\n");
            screen(reason.as_bytes());
            printed.add(reason.as_bytes());
            Count { failed: 1, ..Count::default() }
        });
        if count.failed > 0 {
            self.failures.push((name.to_owned(), printed.text()));
        }
        let Count { passed, failed, skipped } = count;
        let line =
            format!("{name:<10} {passed} passed, {failed} failed, {skipped} skipped, {took}");
        println!("--- {line}");
        self.lines.push(line);
        self.total += count;
    }

    fn end(self) -> Result<()> {
        for (name, printed) in &self.failures {
            println!("\n=== {name} failed; the end of its output:");
            screen(printed);
        }
        println!("\n=== All sections, {}", duration(self.start));
        self.lines.iter().for_each(|line| println!("{line}"));
        if !self.busy.is_empty() {
            println!("Processors were busy: {}", self.busy.join(", "));
        }
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

/// A function that takes lines of output.
type Out<'a> = &'a (dyn Fn(&[u8]) + Sync);

/// Prints output as it arrives.
fn screen(output: &[u8]) {
    let mut screen = std::io::stdout().lock();
    let _ = screen.write_all(output).and_then(|()| screen.flush());
}

/// Runs a section up to its first failing command. A section that counts no tests counts as one; a section that reports
/// that it is skipped counts as none.
fn run(root: &Path, section: &Section, out: Out<'_>, as_idle: bool) -> Result<Count> {
    prefetch::fetch(root, section)?;
    machine::require(section.needs)?;
    let mut commands = (section.commands)(root)?;
    if commands.is_empty() {
        out(b"There is nothing to check here.\n");
        return Ok(Count::default());
    }
    if as_idle {
        commands = commands.iter().map(idle).collect();
    }
    run_all(commands, out)
}

/// Runs commands up to the first that fails.
fn run_all(commands: Vec<Command>, out: Out<'_>) -> Result<Count> {
    let mut total = Count::default();
    for command in commands {
        let (success, count) = show(command, out)?;
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
fn show(mut command: Command, out: Out<'_>) -> Result<(bool, Count)> {
    if std::io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always").env("FORCE_COLOR", "1");
    }
    outside_a_package(&mut command);
    let program = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot run {program}"))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (mut count, mut slowest) = (Count::default(), Slowest::default());
    std::thread::scope(|scope| {
        let readers = [scope.spawn(|| pass_on(stdout, out)), scope.spawn(|| pass_on(stderr, out))];
        for reader in readers {
            let (counted, slow) = reader.join().unwrap_or_default();
            count += counted;
            slowest.join(slow);
        }
    });
    let slowest = slowest.lines();
    if !slowest.is_empty() {
        out(format!("\nThe slowest tests:\n{}\n", slowest.join("\n")).as_bytes());
    }
    Ok((child.wait()?.success(), count))
}

/// Passes a stream on as it arrives; returns the tests in it and how long they took.
fn pass_on(stream: Option<impl Read>, out: Out<'_>) -> (Count, Slowest) {
    let (mut count, mut slowest) = (Count::default(), Slowest::default());
    let Some(stream) = stream else { return (count, slowest) };
    let mut lines = BufReader::new(stream);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        out(&line);
        let text = String::from_utf8_lossy(&line);
        count += count::of(&text).unwrap_or_default();
        slowest.note(&count::plain(&text));
        line.clear();
    }
    (count, slowest)
}
