//! The inner role: carries out the agent's orders, among the untrusted processes.
//!
//! It runs inside the confinement as the same user as everything it starts, so a bug in it gives away no more than a
//! script could take. It holds no token, no signed address and no record. As PID 1 of its own namespace it adopts and
//! reaps daemons, and when it ends, all of them end. Without a namespace it is a child subreaper and ends its descendants
//! one by one.
//!
//! Each run and each terminal is a task that owns its pipe or PTY; this loop only distributes orders and exit statuses,
//! and never waits for the agent, so a flood of output cannot keep it from taking an order.

mod answering;
mod backend;
mod disk;
mod files;
mod home;
mod listing;
mod pack;
mod plan;
mod previews;
mod prompt;
mod replace;
mod runs;
mod script;
mod terminals;
mod unpack;

use std::collections::HashMap;
use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use anyhow::Context;
use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::pipe::{self, Event, Frame, Order};
use crate::process::{self, Children};

/// How many messages may be on their way to the agent; a task with more waits.
type Events = mpsc::Sender<Frame<Event>>;

/// How many frames may wait for the agent to read them; each is at most 32 KB.
const WAITING_EVENTS: usize = 4;

/// How long processes have between TERM and KILL.
const GRACE: Duration = Duration::from_secs(5);

const MIB: u64 = 1024 * 1024;

/// How long writing the last reports may take.
const FAREWELL: Duration = Duration::from_secs(1);

/// Serves the agent on stdin and stdout until it closes them or orders a stop.
///
/// Its arguments are the workspace's limit on the disk in bytes and, optionally, `--limited`: then the supervisor applies
/// the limits of a sandbox to itself, and so to everything that it starts.
pub async fn run(arguments: &[String]) -> anyhow::Result<()> {
    let (most, limited) = match arguments {
        [most, limits @ ..] => (most.parse().context("bytes of disk")?, !limits.is_empty()),
        [] => anyhow::bail!("expected the workspace's limit in bytes"),
    };
    if limited {
        crate::confinement::limit_this()?;
    }
    process::adopt_orphans()?;
    let home = home::prepare().context("cannot prepare the home directory")?;
    let (events, waiting) = mpsc::channel(WAITING_EVENTS);
    let writer = tokio::spawn(write_events(waiting, stdout()?));
    send(&events, Event::Ready, Vec::new()).await;
    let mut orders = read_orders(stdin()?);
    let sealed = orders.recv().await;
    if !matches!(sealed.map(|frame| frame.message), Some(Order::Seal)) {
        return Ok(());
    }
    // From here on /proc/1 shows other processes no memory, environment or descriptors.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;

    let mut supervisor = Supervisor {
        backend: backend::start(&events).await.context("cannot listen for Terraform")?,
        files: files::Files::new(home.workspace.clone()),
        previews: previews::Previews::new(),
        home,
        events,
        children: Children::default(),
        runs: HashMap::new(),
        terminals: HashMap::new(),
        incoming: None,
    };
    let mut died = signal(SignalKind::child())?;
    let mut full = disk::watch(supervisor.home.workspace.clone(), most);
    let mut asked = false;
    loop {
        tokio::select! {
            order = orders.recv() => match order {
                Some(Frame { message: Order::Stop, .. }) => { asked = true; break }
                Some(order) => supervisor.obey(order).await,
                None => break,
            },
            _ = died.recv() => supervisor.children.reap(),
            Some(bytes) = full.recv() => supervisor.end_all(bytes, most),
        }
    }
    if asked {
        supervisor.say_goodbye(&mut died).await;
    }
    process::end_descendants();
    let Supervisor { mut children, events, runs, terminals, backend, .. } = supervisor;
    drop((events, runs, terminals, backend));
    let reaping = async {
        while died.recv().await.is_some() {
            children.reap();
        }
    };
    // The last reports are worth a short wait, but not one for a reader that is gone.
    tokio::select! {
        _ = timeout(FAREWELL, writer) => {}
        () = reaping => {}
    }
    Ok(())
}

struct Supervisor {
    home: home::Home,
    backend: backend::Backend,
    files: files::Files,
    previews: previews::Previews,
    events: Events,
    children: Children,
    runs: HashMap<String, runs::Handle>,
    terminals: HashMap<String, terminals::Handle>,
    incoming: Option<unpack::Spool>,
}

impl Supervisor {
    async fn obey(&mut self, frame: Frame<Order>) {
        self.runs.retain(|_, run| !run.is_over());
        self.terminals.retain(|_, terminal| !terminal.is_over());
        let data = frame.data;
        match frame.message {
            Order::Start { run_id, deadline_ms, env, reading, strict, proof, backend } => {
                let deadline = Duration::from_millis(deadline_ms);
                let proof = proof.map(String::into_bytes);
                let script = script::Script { script: data, proof, strict };
                let backend = self.variables(backend.as_deref());
                let run =
                    runs::Run { run_id: run_id.clone(), script, backend, env, deadline, reading };
                let handle = run.start(&self.home, &mut self.children, self.events.clone());
                self.runs.insert(run_id, handle);
            }
            Order::Cancel { run_id } => {
                if let Some(run) = self.runs.get_mut(&run_id) {
                    run.cancel();
                }
            }
            Order::Open { terminal, rows, cols, backend } => {
                let opened = terminals::open(
                    &terminal,
                    (rows, cols),
                    (&self.home, self.variables(backend.as_deref())),
                    &mut self.children,
                    self.events.clone(),
                );
                match opened {
                    Ok(handle) => drop(self.terminals.insert(terminal, handle)),
                    Err(error) => {
                        tracing::error!(%error, "a terminal could not be opened");
                        let events = self.events.clone();
                        tokio::spawn(async move {
                            let closed = Event::Closed { terminal, exit_code: 1 };
                            send(&events, closed, Vec::new()).await;
                        });
                    }
                }
            }
            Order::Type { terminal, run_typed, part } => {
                self.tell(&terminal, terminals::Order::Type(data, part));
                if let Some(command) = run_typed {
                    self.tell(&terminal, terminals::Order::Run(command));
                }
            }
            Order::Resize { terminal, rows, cols } => {
                self.tell(&terminal, terminals::Order::Resize(rows, cols))
            }
            Order::Grant { terminal, bytes } => {
                self.tell(&terminal, terminals::Order::Grant(bytes));
            }
            Order::Files { job, ask } => self.files.start(job, ask, data, self.events.clone()),
            Order::Answer { request_id, asked } => {
                let events = self.events.clone();
                answering::start(request_id, &asked, &self.home, &mut self.children, events);
            }
            Order::Preview { job, ask } => {
                self.previews.start(job, ask, data, self.events.clone());
            }
            Order::Respond { job, status, last } => self.backend.respond(job, (status, data, last)),
            Order::Pack { job } => {
                pack::start(job, self.home.workspace.clone(), self.events.clone())
            }
            Order::Unpack { last, replace } => {
                let workspace = &self.home.workspace;
                unpack::take(&mut self.incoming, workspace, &data, (last, replace), &self.events);
            }
            Order::Seal | Order::Stop => {}
        }
    }

    /// Terraform's variables for a command with this password for its backend.
    fn variables(&self, password: Option<&str>) -> Vec<(&'static str, String)> {
        password.into_iter().flat_map(|password| self.backend.environment(password)).collect()
    }

    /// Ends everything inside because the workspace takes more of the disk than it may.
    fn end_all(&mut self, bytes: u64, most: u64) {
        let reason = format!(
            "The workspace takes {} MiB of the disk, more than the {} MiB that it may. Everything that ran in the sandbox \
             was ended. Delete what you do not need.",
            bytes.div_ceil(MIB),
            most.div_ceil(MIB)
        );
        tracing::warn!(bytes, most, "the workspace is too large");
        self.runs.values_mut().for_each(|run| run.end(&reason));
        process::kill_descendants();
    }

    fn tell(&self, terminal: &str, order: terminals::Order) {
        if let Some(handle) = self.terminals.get(terminal) {
            handle.tell(order);
        }
    }

    /// Ends runs and shells as closing a terminal would, and waits for them for at most [`GRACE`].
    async fn say_goodbye(&mut self, died: &mut tokio::signal::unix::Signal) {
        self.runs.values_mut().for_each(runs::Handle::cancel);
        self.children.signal_all(Signal::HUP);
        let all_gone = async {
            while !self.children.is_empty() {
                died.recv().await;
                self.children.reap();
            }
        };
        let _ = timeout(GRACE, all_gone).await;
    }
}

/// Sends an event; if the agent is gone, drops it.
async fn send(events: &Events, message: Event, data: Vec<u8>) {
    let _ = events.send(Frame { message, data }).await;
}

/// Reads orders in a separate task, because reading a frame must not be canceled.
fn read_orders(stdin: Receiver) -> mpsc::Receiver<Frame<Order>> {
    let (orders, received) = mpsc::channel(1);
    tokio::spawn(async move {
        let mut stdin = tokio::io::BufReader::new(stdin);
        while let Ok(Some(order)) = pipe::read(&mut stdin).await {
            if orders.send(order).await.is_err() {
                break;
            }
        }
    });
    received
}

async fn write_events(
    mut waiting: mpsc::Receiver<Frame<Event>>,
    mut stdout: Sender,
) -> io::Result<()> {
    while let Some(frame) = waiting.recv().await {
        pipe::write(&mut stdout, &frame.message, &frame.data).await?;
    }
    Ok(())
}

/// Tokio's own stdin reads in a thread, which costs a wake-up per frame and outlives the loop.
fn stdin() -> io::Result<Receiver> {
    Receiver::from_owned_fd(io::stdin().as_fd().try_clone_to_owned()?)
}

fn stdout() -> io::Result<Sender> {
    Sender::from_owned_fd(io::stdout().as_fd().try_clone_to_owned()?)
}
