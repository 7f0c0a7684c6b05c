#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod agent;
mod answer;
mod confinement;
mod pipe;
mod process;
mod reader;
mod supervise;
mod tools;

use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;

/// How much output of a run is kept, in bytes; the rest is only counted.
const OUTPUT_BYTES: u64 = 64 * 1024 * 1024;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .json()
        .with_writer(std::io::stderr)
        .with_env_filter(
            EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info")),
        )
        .init();
    let mut arguments: Vec<_> = std::env::args().collect();
    let done = match arguments.get(1).map(String::as_str) {
        Some("read") => return reader::become_reader(arguments.get(2..).unwrap_or_default()),
        Some("answer") => return answered(arguments.get(2..).unwrap_or_default()).await,
        Some("close-ways") => confinement::close_ways(arguments.get(2..).unwrap_or_default()),
        Some("supervise") => supervise::run(arguments.get(2..).unwrap_or_default()).await,
        Some("agent") => {
            arguments.remove(1);
            agent::run(agent::Settings::parse_from(arguments)).await
        }
        _ => agent::run(agent::Settings::parse_from(arguments)).await,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // For the operator who looks up why the task stopped, not for a log pipeline.
            eprintln!("sandbox-agent: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn answered(arguments: &[String]) -> ExitCode {
    answer::run(arguments).await.unwrap_or_else(|error| {
        eprintln!("sandbox-agent answer: {error:#}");
        ExitCode::FAILURE
    })
}
