#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod alongside;
mod audit;
mod bench;
mod capacity;
mod changed;
mod ci;
mod count;
mod doctor;
mod examples;
mod fetch;
mod lints;
mod load;
mod machine;
mod model;
mod names;
mod new;
mod nextest;
mod openapi;
mod prefetch;
mod readme;
mod rotation;
mod routes;
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
    /// Run only the outside parties, for functions under `cargo lambda watch`
    Engines(up::Engines),
    /// Run what CI runs
    Test(test::Test),
    /// Deploy the template to an emulator of AWS and test it: the section `runbooks` of `test`
    DeployTest,
    /// Report what is missing on this machine or in a deployed stack, and how to get it
    Doctor(doctor::Doctor),
    /// Compare Groundcrew with its targets and its peers
    Bench(bench::Bench),
    /// Check whether the configured model can do what the agents require, and report what does not work
    #[command(disable_help_flag = true)]
    ModelCheck(model::Options),
    /// Walk requests through Groundcrew with a model, score the results and write a report
    #[command(disable_help_flag = true)]
    Eval(model::Options),
    /// Print what that many users cost, and which quotas they reach first
    Capacity(capacity::Capacity),
    /// Write the skeleton of an addition into every file that needs one
    #[command(subcommand)]
    New(new::New),
    /// Run the README's first commands: the section `readme` of `test`
    #[command(hide = true)]
    Readme,
    /// Write web/openapi.json, the routes that follow from it, and the TypeScript types of the API and the WebSocket
    Openapi,
}

fn main() -> ExitCode {
    let result = match Dev::parse().command {
        Command::Up(up) => up.run(),
        Command::Engines(engines) => engines.run(),
        Command::Test(test) => test.run(),
        Command::DeployTest => test::Test::only("runbooks").run(),
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
