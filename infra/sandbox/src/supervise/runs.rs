//! One run: a script and its proof in a process group, with a deadline.
//!
//! stdout and stderr are one pipe, so their order is the script's own. A run ends with its `bash`: its background
//! processes live on for later steps to use, and their output is read and dropped so that a closed pipe does not kill
//! them. If a run is canceled or exceeds its deadline, its whole process group ends. [`super::script`] defines how the
//! scripts are read and what makes a run fail.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

use protocol::{Outcome, WorkspaceFile};
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tempfile::TempDir;
use tokio::net::unix::pipe::Receiver;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until};

use super::home::Home;
use super::script::{self, Script};
use super::{Events, GRACE, listing, plan, send};
use crate::pipe::Event;
use crate::process::{Children, Exit};
use crate::reader::{self, Terms};

/// How much of a run's output is read at once, in bytes. Small, so that a flood delays the echo of a key only briefly.
const READ_BYTES: usize = 16 * 1024;

/// How much a pipe holds, in bytes.
const PIPE_BYTES: usize = 64 * 1024;

/// How often the process group of a killed run is checked.
const GROUP_CHECK: Duration = Duration::from_millis(10);

/// After this much output, which the agent no longer keeps, a run's output is read slowly so that it cannot occupy a
/// core.
const FAST_BYTES: u64 = crate::OUTPUT_BYTES;

/// The pause between two reads of a flood.
const FLOOD_PAUSE: Duration = Duration::from_millis(10);

/// A run to start.
pub struct Run {
    pub run_id: String,
    pub script: Script,
    /// Variables for Terraform's backend.
    pub backend: Vec<(&'static str, String)>,
    pub env: BTreeMap<String, String>,
    pub deadline: Duration,
    /// Set for a command without approval: it runs as a reader.
    pub reading: Option<Terms>,
}

/// Files that are removed with the run.
enum Kept {
    /// The script, its proof, and the record of their progress.
    Script {
        folder: TempDir,
        script: Vec<u8>,
    },
    Reader {
        session: reader::Session,
    },
}

/// Why a run is stopped before its end.
enum Stop {
    /// The owner canceled it.
    Cancel,
    /// The sandbox has to stop it, for this reason.
    End(String),
}

/// A started run.
pub struct Handle {
    stop: Option<oneshot::Sender<Stop>>,
    task: JoinHandle<()>,
}

impl Handle {
    /// Ends the run's group: TERM, and KILL after [`GRACE`].
    pub fn cancel(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(Stop::Cancel);
        }
    }

    /// Kills the run's group; the report gives this reason.
    pub fn end(&mut self, reason: &str) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(Stop::End(reason.to_owned()));
        }
    }

    /// Whether the run's end has been reported and no background process holds its output open.
    pub fn is_over(&self) -> bool {
        self.task.is_finished()
    }
}

impl Run {
    /// Starts the run; a failure to start is reported like any other end.
    pub fn start(self, home: &Home, children: &mut Children, events: Events) -> Handle {
        let (stop, stopped) = oneshot::channel();
        // If a reading cannot start, it is reported as not confined, so that its owner is asked instead.
        let refused = match self.reading {
            Some(_) => Outcome::NotConfined,
            None => Outcome::Refused,
        };
        let task = match self.spawn(home, children) {
            Ok(started) => tokio::spawn(follow(started, stopped, events)),
            Err(error) => tokio::spawn(async move {
                let detail = Some(match error.get_ref() {
                    Some(other) if other.is::<plan::Unfit>() => other.to_string(),
                    _ => format!("The sandbox could not start the script: {error}"),
                });
                let ended = Event::Ended {
                    run_id: self.run_id,
                    outcome: refused,
                    exit_code: None,
                    duration_ms: 0,
                    files: Vec::new(),
                    detail,
                    saved_plan: None,
                };
                send(&events, ended, Vec::new()).await;
            }),
        };
        Handle { stop: Some(stop), task }
    }

    fn command(&self, home: &Home) -> io::Result<(Command, Kept)> {
        if let Some(terms) = &self.reading {
            let script = str::from_utf8(&self.script.script).map_err(io::Error::other)?;
            let (command, session) = reader::command(&home.workspace, terms, script)?;
            return Ok((command, Kept::Reader { session }));
        }
        plan::check(&home.workspace, &self.script.script)?;
        let folder = self.script.write()?;
        let mut command = home.command("bash");
        // A program that reads stdin gets an error here rather than an end of file, which many programs accept as an
        // answer. A reader arranges the same for its script.
        let unreadable = OpenOptions::new().write(true).open("/dev/null")?;
        command
            .stdin(unreadable)
            .arg(script::runner(folder.path()))
            .arg(self.script.rules())
            .envs(self.backend.iter().map(|(name, value)| (*name, value)))
            .envs(self.env.iter().filter(|(name, _)| script::leaves_bash_alone(name)));
        Ok((command, Kept::Script { folder, script: self.script.script.clone() }))
    }

    fn spawn(&self, home: &Home, children: &mut Children) -> io::Result<Started> {
        let (mut command, kept) = self.command(home)?;
        let (output, input) = io::pipe()?;
        command.stdout(input.try_clone()?).stderr(input).process_group(0);
        let began = Instant::now();
        let (group, exit) = children.start(&mut command)?;
        // The command still holds the write end, which would keep the pipe open.
        drop(command);
        Ok(Started {
            run_id: self.run_id.clone(),
            workspace: home.workspace.clone(),
            kept,
            output: Receiver::from_owned_fd(OwnedFd::from(output))?,
            group,
            exit,
            began,
            deadline: began + self.deadline,
        })
    }
}

struct Started {
    run_id: String,
    workspace: std::path::PathBuf,
    kept: Kept,
    output: Receiver,
    group: Pid,
    exit: oneshot::Receiver<Exit>,
    began: Instant,
    deadline: Instant,
}

impl Started {
    /// Why a reading, whose process has ended, was not confined and has not run.
    fn not_confined(&self) -> Option<String> {
        match &self.kept {
            Kept::Reader { session } => session.failure(),
            Kept::Script { .. } => None,
        }
    }
}

async fn follow(mut run: Started, stopped: oneshot::Receiver<Stop>, events: Events) {
    let mut buffer = vec![0; READ_BYTES];
    let mut end = wait(&mut run, stopped, &mut buffer, &events).await;
    if end.outcome != Outcome::Exited {
        end_group(run.group, end.until).await;
    }
    collect_rest(&run, &mut buffer, &events).await;
    let duration_ms = u64::try_from(run.began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (files, spent) = left(&mut run).await;
    let saved_plan = match &run.kept {
        Kept::Script { folder, .. } => plan::saved(folder.path().to_owned()).await,
        Kept::Reader { .. } => None,
    };
    let detail = detail(&mut end, &run, spent);
    let ended = Event::Ended {
        run_id: run.run_id,
        outcome: end.outcome,
        exit_code: match end.exit {
            Some(Exit::Code(code)) if end.outcome != Outcome::NotConfined => Some(code),
            _ => None,
        },
        duration_ms,
        files,
        detail,
        saved_plan,
    };
    send(&events, ended, Vec::new()).await;
    drop(events);
    drain(run.output, buffer).await;
}

/// How a run's process ended.
struct End {
    exit: Option<Exit>,
    outcome: Outcome,
    /// Why the supervisor ended it.
    why: Option<String>,
    /// When what is left of its group is killed.
    until: Instant,
}

/// Forwards the output of a run until its process ends, and ends it if it is stopped or takes too long.
async fn wait(
    run: &mut Started,
    mut stopped: oneshot::Receiver<Stop>,
    buffer: &mut [u8],
    events: &Events,
) -> End {
    let mut end = End { exit: None, outcome: Outcome::Exited, why: None, until: run.deadline };
    let mut silent = false;
    let mut read_bytes = 0;
    loop {
        tokio::select! {
            // A flood of output must not delay the other branches.
            biased;
            Ok(stop) = &mut stopped, if end.outcome == Outcome::Exited && end.why.is_none() => {
                let signal = match stop {
                    Stop::Cancel => {
                        end.outcome = Outcome::Cancelled;
                        Signal::TERM
                    }
                    Stop::End(reason) => {
                        end.why = Some(reason);
                        Signal::KILL
                    }
                };
                let _ = kill_process_group(run.group, signal);
                end.until = Instant::now() + GRACE;
            }
            exit = &mut run.exit => return End { exit: exit.ok(), ..end },
            () = sleep_until(end.until) => {
                let mut signal = Signal::KILL;
                if end.outcome == Outcome::Exited {
                    end.outcome = Outcome::TimedOut;
                    signal = Signal::TERM;
                }
                let _ = kill_process_group(run.group, signal);
                end.until = Instant::now() + GRACE;
            }
            readable = run.output.readable(), if !silent => {
                match readable.and_then(|()| run.output.try_read(buffer)) {
                    Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
                    Ok(0) | Err(_) => silent = true,
                    Ok(n) => {
                        read_bytes += n as u64;
                        forward(&run.run_id, &buffer[..n], events).await;
                        if read_bytes > FAST_BYTES {
                            sleep(FLOOD_PAUSE).await;
                        }
                    }
                }
            }
        }
    }
}

/// Forwards what an ended script has left in the pipe. Later output comes from the background and does not belong to the
/// run.
async fn collect_rest(run: &Started, buffer: &mut [u8], events: &Events) {
    for _ in 0..PIPE_BYTES / READ_BYTES {
        match run.output.try_read(buffer) {
            Ok(n) if n > 0 => forward(&run.run_id, &buffer[..n], events).await,
            _ => break,
        }
    }
}

/// What its owner reads about a run that did not simply succeed. A reading that could not be confined has not run.
fn detail(end: &mut End, run: &Started, spent: Option<&'static str>) -> Option<String> {
    let mut detail = end.why.take();
    if end.outcome == Outcome::Exited && detail.is_none() {
        if let Some(failure) = run.not_confined() {
            (end.outcome, detail) = (Outcome::NotConfined, Some(failure));
        } else {
            detail = end.exit.and_then(|exit| reason(exit, run));
        }
    }
    if end.outcome == Outcome::Exited && end.exit == Some(Exit::Code(0)) {
        return detail;
    }
    let parts: Vec<String> = detail.into_iter().chain(spent.map(str::to_owned)).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// What the run leaves in the workspace, without the plan to which it was bound; and a sentence about that plan.
async fn left(run: &mut Started) -> (Vec<WorkspaceFile>, Option<&'static str>) {
    let workspace = run.workspace.clone();
    let script = match &mut run.kept {
        Kept::Script { script, .. } => std::mem::take(script),
        Kept::Reader { .. } => Vec::new(),
    };
    let left = move || {
        let spent = plan::spend(&workspace, &script);
        (listing::list(&workspace), spent)
    };
    tokio::task::spawn_blocking(left).await.unwrap_or_default()
}

/// The reason why a run failed, if its exit code does not show it.
fn reason(exit: Exit, run: &Started) -> Option<String> {
    match exit {
        Exit::Code(0) => None,
        Exit::Code(code) => match &run.kept {
            Kept::Script { folder, .. } => script::reason(folder.path(), code),
            Kept::Reader { .. } => None,
        },
        Exit::Signal(signal) => Some(format!("The script was ended by signal {signal}.")),
    }
}

async fn forward(run_id: &str, output: &[u8], events: &Events) {
    let run_id = run_id.to_owned();
    send(events, Event::Output { run_id }, output.to_vec()).await;
}

/// Waits until the group is empty, and kills its remaining processes at `until`.
async fn end_group(group: Pid, until: Instant) {
    while test_kill_process_group(group).is_ok() {
        if Instant::now() >= until {
            let _ = kill_process_group(group, Signal::KILL);
        }
        sleep(GROUP_CHECK).await;
    }
}

/// Reads the output of background processes until the last of them closes the pipe.
async fn drain(output: Receiver, mut buffer: Vec<u8>) {
    while output.readable().await.is_ok() {
        match output.try_read(&mut buffer) {
            Ok(0) => break,
            Err(e) if e.kind() != io::ErrorKind::WouldBlock => break,
            _ => sleep(FLOOD_PAUSE).await,
        }
    }
}
