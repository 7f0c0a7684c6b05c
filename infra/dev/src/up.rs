//! `cargo dev up` and `cargo dev engines`.

use crate::step::{build_programs, built, run, step};
use crate::{machine, root, web};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use std::fs::{File, TryLockError};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the stack listens and where it keeps its data.
#[derive(Args)]
struct StackOptions {
    /// Port of the site
    #[arg(long, default_value_t = 3000)]
    port: u16,
    /// Port of the AWS engines [default: the site's port + 1]
    #[arg(long)]
    engines_port: Option<u16>,
    /// Folder for all data of the stack [default: .groundcrew in the workspace]
    #[arg(long)]
    data_dir: Option<PathBuf>,
    /// How to confine the commands of a sandbox
    #[arg(long, value_enum, default_value_t = Sandbox::Bubblewrap)]
    sandbox: Sandbox,
}

/// What separates a sandbox's commands from this machine.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sandbox {
    /// Separate namespaces for each command (Linux)
    Bubblewrap,
    /// A container per task, from the image `groundcrew-sandbox`
    Docker,
    /// Nothing: commands run as you, with all of your permissions
    None,
}

/// Options of `cargo dev up`.
#[derive(Args)]
pub struct Up {
    #[command(flatten)]
    place: StackOptions,
}

/// Options of `cargo dev engines`.
#[derive(Args)]
pub struct Engines {
    #[command(flatten)]
    place: StackOptions,
    /// Where the functions are served: the site's requests under `/api` are passed on there. `cargo lambda watch`
    /// listens at the default
    #[arg(long, value_name = "ADDRESS", default_value = "http://127.0.0.1:9000")]
    api: String,
}

impl Up {
    /// Prepares the machine and becomes the local stack.
    pub fn run(self) -> Result<()> {
        let root = root();
        self.place.check(&root)?;
        machine::check_node()?;
        self.place.provide();
        web::packages(&root, "web")?;
        web::build(&root)?;
        build(&root)?;
        self.place.become_stack(&root, &[])
    }
}

impl Engines {
    /// Builds and becomes the local stack without the functions.
    pub fn run(self) -> Result<()> {
        let root = root();
        self.place.check(&root)?;
        self.place.provide();
        build(&root)?;
        let environment = self.place.data_dir(&root).join("engines.env");
        if !machine::is_there("cargo-lambda") {
            eprintln!(
                "  cargo-lambda is missing: run infra/lint.sh --tools-only and add target/venv/bin to PATH"
            );
        }
        eprintln!("  Functions: cargo lambda watch --env-file {}", environment.display());
        let recorded = root.join("events/state.json").display().to_string();
        let alone = ["--engines-only", "--api", &self.api, "--recorded", &recorded];
        self.place.become_stack(&root, &alone)
    }
}

impl StackOptions {
    fn data_dir(&self, root: &Path) -> PathBuf {
        self.data_dir.clone().unwrap_or_else(|| root.join(".groundcrew"))
    }

    fn sandbox(&self) -> &'static str {
        match self.sandbox {
            Sandbox::Bubblewrap => "bubblewrap",
            Sandbox::Docker => "docker",
            Sandbox::None => "none",
        }
    }

    /// Checks now, before minutes of building, everything that would make the stack refuse to start.
    fn check(&self, root: &Path) -> Result<()> {
        let data = self.data_dir(root);
        std::fs::create_dir_all(&data)
            .with_context(|| format!("cannot create {}", data.display()))?;
        match File::create(data.join("lock"))?.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!(
                    "another stack is using {}: stop it or choose another folder with --data-dir",
                    data.display()
                )
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", data.display()));
            }
        }
        let engines = self.engines_port.unwrap_or(if self.port == 0 {
            0
        } else {
            self.port.saturating_add(1)
        });
        for (port, option) in [(self.port, "--port"), (engines, "--engines-port")] {
            if std::net::TcpListener::bind(("127.0.0.1", port)).is_err() {
                bail!(
                    "port {port} is taken by another program: stop it or choose another port with {option}"
                );
            }
        }
        Ok(())
    }

    fn provide(&self) {
        match self.sandbox {
            Sandbox::Bubblewrap if !cfg!(target_os = "linux") => {
                eprintln!(
                    "  bubblewrap runs only on Linux, so sandboxes will not start. Build the image of \
                     docs/sandbox.md and choose --sandbox docker."
                );
            }
            Sandbox::Bubblewrap => {
                machine::provide(machine::BUBBLEWRAP);
                if let Err(error) = machine::require(machine::BUBBLEWRAP) {
                    eprintln!("  Sandboxes need {error}");
                    eprintln!("  Until then, sandboxes will not start (or try --sandbox docker).");
                }
            }
            Sandbox::Docker | Sandbox::None => {}
        }
    }

    /// Replaces this process with the stack, so that stopping it stops the stack.
    fn become_stack(&self, root: &Path, more: &[&str]) -> Result<()> {
        let built = built(root);
        let mut stack = Command::new(built.join("local-stack"));
        stack.arg("--port").arg(self.port.to_string());
        if let Some(port) = self.engines_port {
            stack.arg("--engines-port").arg(port.to_string());
        }
        stack.arg("--data-dir").arg(self.data_dir(root)).args(["--sandbox", self.sandbox()]);
        stack.arg("--sandbox-agent").arg(built.join("sandbox-agent"));
        stack.arg("--web").arg(root.join("web/dist")).args(more);
        Err(stack.exec()).context("cannot start the local stack")
    }
}

fn build(root: &Path) -> Result<()> {
    step("Building the local stack and the sandbox agent", || run(&mut build_programs(root)))
}
