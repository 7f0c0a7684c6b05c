#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod audit;
mod bench;
mod beside;
mod capacity;
mod changed;
mod count;
mod doctor;
mod load;
mod machine;
mod model;
mod new;
mod openapi;
mod readme;
mod sections;
mod slow;
mod stamp;
mod step;
mod tail;
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
    /// Deploy the template to an emulator of AWS and drive it: the section `deploy` of `test`
    DeployTest,
    /// Say what is missing on this machine or in a deployed stack, and what brings it
    Doctor(doctor::Doctor),
    /// Measure Groundcrew beside its targets and its peers
    Bench(bench::Bench),
    /// Try the configured model against what the agents ask of one, and say what does not work
    #[command(disable_help_flag = true)]
    ModelCheck(model::Options),
    /// Walk requests through Groundcrew with a model, score the results and write a report
    #[command(disable_help_flag = true)]
    Eval(model::Options),
    /// Print what so many users cost, and which quotas bind first
    Capacity(capacity::Capacity),
    /// Write the skeleton of something new, in every file that has to know of it
    #[command(subcommand)]
    New(new::New),
    /// Run what the README begins with: the section `readme` of `test`
    #[command(hide = true)]
    Readme,
    /// Write web/openapi.json and the TypeScript types of the API and the WebSocket
    Openapi,
}

fn main() -> ExitCode {
    let result = match Dev::parse().command {
        Command::Up(up) => up.run(),
        Command::Engines(engines) => engines.run(),
        Command::Test(test) => test.run(),
        Command::DeployTest => test::Test::only("deploy").run(),
        Command::Doctor(doctor) => doctor.run(),
        Command::Bench(bench) => bench.measure(),
        Command::ModelCheck(options) => options.hand_to("model-check"),
        Command::Eval(options) => options.hand_to("eval"),
        Command::Capacity(capacity) => capacity.print(),
        Command::New(new) => new.write(),
        Command::Readme => readme::check(),
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
