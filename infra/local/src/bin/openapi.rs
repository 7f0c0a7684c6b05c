//! Prints the API's contract, or with `--check FILE` compares a file with it.

use anyhow::{Context, Result, ensure};
use clap::Parser;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Prints the API's contract.
#[derive(Parser)]
struct Arguments {
    /// Compare this file with it instead
    #[arg(long)]
    check: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("openapi: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let text = local_stack::openapi::text()?;
    match Arguments::parse().check {
        None => Ok(std::io::stdout().write_all(text.as_bytes())?),
        Some(file) => {
            let kept = std::fs::read_to_string(&file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            let stale = "is not the functions' contract: run cargo dev openapi";
            ensure!(kept == text, "{} {stale}", file.display());
            Ok(())
        }
    }
}
