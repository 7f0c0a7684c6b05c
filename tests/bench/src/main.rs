#![doc = include_str!("../README.md")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failed measurement must stop the program"
)]

mod figure;
mod functions;
mod load;
mod machine;
mod pages;
mod redaction;
mod relay;
mod report;
mod samples;
mod screen;
mod steps;
mod terminal;

use clap::{Parser, ValueEnum};
use report::Report;
use std::process::{Command, ExitCode};

/// Compares Groundcrew with its targets and its peers.
#[derive(Parser)]
#[command(name = "cargo dev bench")]
struct Bench {
    /// Measure only this part; can be given several times
    #[arg(long, value_enum)]
    only: Vec<Part>,
    /// Rounds of each measurement: their median counts, and half of their range is the noise
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// How much a terminal prints in a flood, in megabytes
    #[arg(long, default_value_t = 100)]
    megabytes: usize,
    /// Words that pass the relay at 128 streams, in all rounds together
    #[arg(long, default_value_t = 120_000)]
    chunks: usize,
    /// Number of users in the load
    #[arg(long, default_value_t = 50)]
    users: usize,
    /// How long the load lasts, in seconds
    #[arg(long, default_value_t = 30)]
    seconds: u64,
}

/// A part of the run.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Pages,
    Redaction,
    Terminal,
    Screen,
    Relay,
    Functions,
    Steps,
    Load,
}

#[tokio::main]
async fn main() -> ExitCode {
    let bench = Bench::parse();
    end_children_on_panic();
    let mut report = Report::default();
    for part in Part::value_variants() {
        if bench.only.is_empty() || bench.only.contains(part) {
            part.measure(&bench, &mut report).await;
        }
    }
    println!("{}", report.markdown());
    if report.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A panic aborts an optimized program without running destructors: its stacks and peers would keep running.
fn end_children_on_panic() {
    let say = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        say(panic);
        let own = std::process::id().to_string();
        let _ = Command::new("pkill").args(["-KILL", "-P", &own]).status();
    }));
}

impl Part {
    async fn measure(self, bench: &Bench, report: &mut Report) {
        match self {
            Self::Pages => pages::measure(bench, report).await,
            Self::Redaction => redaction::measure(bench, report),
            Self::Terminal => terminal::measure(bench, report).await,
            Self::Screen => screen::measure(bench, report).await,
            Self::Relay => relay::measure(bench, report).await,
            Self::Functions => functions::measure(bench, report).await,
            Self::Steps => steps::measure(bench, report).await,
            Self::Load => load::measure(bench, report).await,
        }
    }
}
