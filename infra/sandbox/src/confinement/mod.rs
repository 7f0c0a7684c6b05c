//! Confines the supervisor and everything it starts.
//!
//! The agent holds a token that gives access to the project; a model wrote the commands, and the user who approved them
//! may not have read them. One of these confinements keeps the two apart:
//!
//! - `bubblewrap`: separate namespaces for users, processes, mounts, network, IPC and host name, no capability, a
//!   read-only system, and a network that does not reach this machine. For a developer's own machine.
//! - `user`: another user of the same container, who cannot read the agent's memory, environment or files. Fargate does
//!   not support user namespaces, and the container holds nothing else.
//! - `none`: only the supervisor. It must be requested by name.

mod bubblewrap;
mod etc;
mod limits;
mod network;
mod plain;
mod seccomp;
mod user;
mod ways;

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, bail};
use clap::ValueEnum;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc;

use crate::pipe::{self, Event, Frame, Order};
pub use limits::limit_this;
pub use ways::close as close_ways;

/// The kind of confinement that separates the agent's children from the agent and the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Confinement {
    Bubblewrap,
    User,
    None,
}

/// The parameters of a confinement.
#[derive(Debug, Clone)]
pub struct Plan {
    pub confinement: Confinement,
    /// `user_{installation}_{project}`.
    pub user: String,
    /// The agent's own directory; the workspace is below it unless the home is a real one.
    pub state: PathBuf,
    /// More host paths to make visible inside, read-only.
    pub visible: Vec<PathBuf>,
    /// How much of the disk the workspace may take, in bytes.
    pub workspace_bytes: u64,
}

/// A running supervisor, and the two ends of its pipe.
pub struct Inside {
    pub orders: mpsc::Sender<(Order, Vec<u8>)>,
    pub events: mpsc::Receiver<Frame<Event>>,
    child: Child,
    _network: Option<network::Network>,
    /// Declared after the child, because the child is in it.
    _cgroup: Option<limits::Cgroup>,
}

/// How many orders may wait for the supervisor; each is at most 1 MiB and nearly all are tiny.
const WAITING_ORDERS: usize = 64;

/// How many events may wait for the agent.
const WAITING_EVENTS: usize = 4;

/// How many of the supervisor's last lines on stderr are kept for the text of a failure.
const LAST_WORDS: usize = 8;

impl Plan {
    /// The home of the workspace's owner, the value of `HOME`.
    fn home(&self) -> PathBuf {
        match self.confinement {
            Confinement::Bubblewrap | Confinement::User => Path::new("/home").join(&self.user),
            Confinement::None => self.state.join("home").join(&self.user),
        }
    }

    /// Starts a supervisor in the confinement; an error is a text for the operator.
    pub async fn start(&self) -> anyhow::Result<Inside> {
        match self.confinement {
            Confinement::Bubblewrap => bubblewrap::start(self).await,
            Confinement::User => user::start(self).await,
            Confinement::None => plain::start(self).await,
        }
    }
}

impl Inside {
    /// Ends the supervisor at once, and everything inside with it.
    pub async fn kill(mut self) {
        let _ = self.child.kill().await;
    }

    /// Waits for the supervisor's end after [`Order::Stop`].
    pub async fn ended(&mut self) {
        let _ = self.child.wait().await;
    }
}

/// A supervisor that was started and still waits to begin.
struct Starting {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    stderr: tokio::io::Lines<BufReader<ChildStderr>>,
}

/// Starts the command that leads to a supervisor.
fn spawn(command: &mut Command) -> anyhow::Result<Starting> {
    let program = command.as_std().get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("cannot start `{program}`"))?;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(stdin), Some(stdout), Some(stderr)) => {
            Ok(Starting { child, stdin, stdout, stderr: BufReader::new(stderr).lines() })
        }
        _ => bail!("a child without pipes"),
    }
}

impl Starting {
    /// Waits until the supervisor is ready; fails with its last lines.
    async fn ready(&mut self) -> anyhow::Result<()> {
        if let Ok(Some(frame)) = pipe::read::<Event>(&mut self.stdout).await
            && matches!(frame.message, Event::Ready)
        {
            return Ok(());
        }
        let _ = self.child.start_kill();
        let mut words = Vec::new();
        while let Ok(Some(line)) = self.stderr.next_line().await {
            words.push(line);
        }
        let from = words.len().saturating_sub(LAST_WORDS);
        bail!("{}", words[from..].join("; "))
    }

    /// Lets the supervisor begin.
    fn begin(
        mut self,
        network: Option<network::Network>,
        cgroup: Option<limits::Cgroup>,
    ) -> Inside {
        let (orders, mut given) = mpsc::channel::<(Order, Vec<u8>)>(WAITING_ORDERS);
        let (happened, events) = mpsc::channel(WAITING_EVENTS);
        tokio::spawn(async move {
            let mut written = pipe::write(&mut self.stdin, &Order::Seal, &[]).await;
            while written.is_ok()
                && let Some((order, data)) = given.recv().await
            {
                written = pipe::write(&mut self.stdin, &order, &data).await;
            }
        });
        tokio::spawn(async move {
            let mut stdout = BufReader::with_capacity(64 * 1024, self.stdout);
            loop {
                match pipe::read(&mut stdout).await {
                    Ok(Some(frame)) => {
                        if happened.send(frame).await.is_err() {
                            break;
                        }
                    }
                    Ok(None) => break,
                    Err(error) => {
                        tracing::error!(%error, "the supervisor sent an unreadable frame");
                        break;
                    }
                }
            }
        });
        tokio::spawn(async move {
            while let Ok(Some(line)) = self.stderr.next_line().await {
                tracing::warn!(line, "supervisor");
            }
        });
        Inside { orders, events, child: self.child, _network: network, _cgroup: cgroup }
    }
}

/// The path of this program, which is also the supervisor.
fn this_program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find this program's own file")
}

/// Looks a program up on `PATH`.
fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}
