//! `cargo dev test`: sections in turn, their output shown as it comes, their counts summed at the end.

use crate::count::{self, Count};
use crate::root;
use crate::sections::{SECTIONS, Section};
use crate::step::duration;
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
}

impl Test {
    /// Runs the sections and says how they went.
    pub fn run(self) -> Result<()> {
        let root = root();
        let start = Instant::now();
        let mut total = Count::default();
        let mut lines = Vec::new();
        for section in SECTIONS {
            if !self.only.is_empty() && !self.only.iter().any(|name| name == section.name) {
                continue;
            }
            let begun = Instant::now();
            println!("\n=== {}: {}", section.name, section.title);
            let count = run(&root, section).unwrap_or_else(|error| {
                println!("{error:#}");
                Count { passed: 0, failed: 1 }
            });
            let line = format!(
                "{:<10} {} passed, {} failed, {}",
                section.name,
                count.passed,
                count.failed,
                duration(begun)
            );
            println!("--- {line}");
            lines.push(line);
            total += count;
        }
        println!("\n=== All sections, {}", duration(start));
        lines.iter().for_each(|line| println!("{line}"));
        println!("{} passed, {} failed", total.passed, total.failed);
        if total.failed > 0 {
            bail!("tests failed");
        }
        Ok(())
    }
}

/// Runs a section up to its first failing command. A section that counts no tests counts as one.
fn run(root: &Path, section: &Section) -> Result<Count> {
    let commands = (section.commands)(root)?;
    if commands.is_empty() {
        println!("nothing to check here");
        return Ok(Count::default());
    }
    let mut total = Count::default();
    for command in commands {
        let (success, count) = show(command)?;
        total += count;
        if !success {
            total.failed = total.failed.max(1);
            return Ok(total);
        }
    }
    total.passed = total.passed.max(1);
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
    let mut count = Count::default();
    std::thread::scope(|scope| {
        let readers = [scope.spawn(|| pass_on(out)), scope.spawn(|| pass_on(err))];
        for reader in readers {
            count += reader.join().unwrap_or_default();
        }
    });
    Ok((child.wait()?.success(), count))
}

fn pass_on(stream: Option<impl Read>) -> Count {
    let mut count = Count::default();
    let Some(stream) = stream else { return count };
    let mut lines = BufReader::new(stream);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        let _ = std::io::stdout().write_all(&line);
        count += count::of(&String::from_utf8_lossy(&line)).unwrap_or_default();
        line.clear();
    }
    let _ = std::io::stdout().flush();
    count
}
