//! The command line.

use crate::names;
use clap::{Parser, ValueEnum};
use std::path::PathBuf;

/// Runs Groundcrew and every outside party it speaks to, in one process.
#[derive(Clone, Debug, Parser)]
#[command(name = "local-stack", version)]
pub struct Options {
    /// Port of the site, its API and its WebSocket; 0 takes any free one.
    #[arg(long, default_value_t = 3000)]
    pub port: u16,
    /// Port of the AWS engines [default: the site's port + 1].
    #[arg(long)]
    pub engines_port: Option<u16>,
    /// Folder for all data of the stack.
    #[arg(long, default_value = ".groundcrew")]
    pub data_dir: PathBuf,
    /// How to confine the commands of a sandbox.
    #[arg(long, value_enum, default_value_t = Sandbox::Bubblewrap)]
    pub sandbox: Sandbox,
    /// The image of `--sandbox docker`.
    #[arg(long, default_value = names::SANDBOX_IMAGE)]
    pub sandbox_image: String,
    /// File with the GitHub App's private key, created if it is missing, which stacks can share [default: each data
    /// folder has its own key].
    #[arg(long, value_name = "FILE")]
    pub github_key: Option<PathBuf>,
    /// The agent binary that RunTask starts.
    #[arg(long, default_value = "target/debug/sandbox-agent")]
    pub sandbox_agent: PathBuf,
    /// The built web application.
    #[arg(long, default_value = "web/dist")]
    pub web: PathBuf,
    /// Seconds between calls of the schedule, which the cloud makes each minute.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub schedule_seconds: u64,
    /// Milliseconds between two pieces of the blueprint model's texts; tests do not need the delay and set 0.
    #[arg(long, default_value_t = blueprint_model::PACE.as_millis() as u64)]
    pub model_pace: u64,
    /// Serve only the outside parties, for functions that run elsewhere.
    #[arg(long)]
    pub engines_only: bool,
    /// Where those functions are served; the site's requests under `/api` are passed on there.
    #[arg(long, requires = "engines_only", value_name = "ADDRESS")]
    pub api: Option<String>,
    /// File with the state that recorded events need, to put into the engines; `POST /_local/recorded` restores it.
    #[arg(long, requires = "engines_only", conflicts_with = "aws", value_name = "FILE")]
    pub recorded: Option<PathBuf>,
    /// Address of other engines for DynamoDB, S3, SQS, Secrets Manager and KMS; the stack's own by default.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "faults")]
    pub aws: Option<String>,
    /// Fail at the outside call that a test names, and let the test move the clock forward.
    #[arg(long, hide = true, conflicts_with = "engines_only")]
    pub faults: bool,
}

impl Options {
    /// The engines' port as asked for; 0 means any free one.
    pub fn engines_port(&self) -> u16 {
        match (self.engines_port, self.port) {
            (Some(port), _) => port,
            (None, 0) => 0,
            (None, port) => port.saturating_add(1),
        }
    }
}

/// What separates a sandbox's commands from this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sandbox {
    /// Separate namespaces for each command, by bubblewrap (Linux).
    Bubblewrap,
    /// One container per task, from the image `groundcrew-sandbox`.
    Docker,
    /// Nothing: commands run as you, with all of your permissions.
    None,
}
