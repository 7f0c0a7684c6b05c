#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod bench;
mod count;
mod machine;
mod openapi;
mod sections;
mod stamp;
mod step;
mod test;
mod up;
mod web;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs, tests and maintains Groundcrew on this machine.
#[derive(Parser)]
#[command(name = "cargo dev", bin_name = "cargo dev")]
struct Dev {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run Groundcrew with every outside party on this machine
    Up(up::Up),
    /// Run the outside parties alone, for functions under `cargo lambda watch`
    Engines(up::Engines),
    /// Run what CI runs
    Test(test::Test),
    /// Measure what a user waits for
    Bench,
    /// Write web/openapi.json and the TypeScript types made from it
    Openapi,
}

fn main() -> ExitCode {
    let result = match Dev::parse().command {
        Command::Up(up) => up.run(),
        Command::Engines(engines) => engines.run(),
        Command::Test(test) => test.run(),
        Command::Bench => bench::measure(),
        Command::Openapi => openapi::write(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cargo dev: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the workspace.
fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.ancestors().nth(2).map_or(here.clone(), Into::into)
}
