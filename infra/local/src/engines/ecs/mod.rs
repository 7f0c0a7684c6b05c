//! ECS: `RunTask`, `DescribeTasks` and `StopTask`, which start the sandbox agent on this machine.
//!
//! The agent gets what a Fargate task gets: the variables of the container overrides and of the task definition, and
//! none of this process's own environment, which holds credentials. No task outlives the stack: it is killed together
//! with it (see `launch`). The next start finds the task in the task table, marks it STOPPED and notifies the
//! sandbox-reaper, as EventBridge would after a host was lost. Each start delivers the event again until the reaper has
//! handled it.

mod calls;
mod launch;
mod network;
mod table;

pub use table::{Status, Task};

use crate::Options;
use crate::ready::WhenReady;
use anyhow::{Context, Result};
use launch::Launcher;
use rustix::process::Signal;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use table::Table;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Seconds between SIGTERM and SIGKILL: the time that Fargate's `stopTimeout` gives the agent.
const STOP_GRACE: Duration = Duration::from_secs(10);
/// The same when the whole stack stops, which must take less than three seconds.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// Tasks as they are after each change that EventBridge reports.
pub type Events = mpsc::UnboundedReceiver<Task>;

/// The ECS engine.
#[derive(Clone)]
pub struct Ecs(Arc<Inner>);

struct Inner {
    table: Mutex<Table>,
    stops: Mutex<HashMap<String, CancellationToken>>,
    launcher: Launcher,
    events: mpsc::UnboundedSender<Task>,
    running: TaskTracker,
    closing: CancellationToken,
}

impl Ecs {
    /// Opens the task table. Returns the stream of changes, which begins with the tasks of the previous start. Agents
    /// in containers find the WebSocket API in `agents`.
    pub fn open(options: &Options, data: &Path, agents: WhenReady) -> Result<(Self, Events)> {
        let sandboxes = data.join("sandboxes");
        std::fs::create_dir_all(&sandboxes)
            .with_context(|| format!("cannot create {}", sandboxes.display()))?;
        let (table, unannounced) = Table::open(data.join("tasks.json"), &sandboxes)?;
        let (events, receiver) = mpsc::unbounded_channel();
        for task in unannounced {
            events.send(task)?;
        }
        let launcher = Launcher::new(options, sandboxes, agents)?;
        let inner = Inner {
            table: Mutex::new(table),
            stops: Mutex::default(),
            launcher,
            events,
            running: TaskTracker::new(),
            closing: CancellationToken::new(),
        };
        Ok((Self(Arc::new(inner)), receiver))
    }

    /// Records that the reaper has handled the event of this change; only a task's end must not be lost.
    pub fn announced(&self, task: &Task) {
        if task.status == Status::Stopped {
            self.table().update(&task.id, |task| task.announced = true);
        }
    }

    /// Stops every task and waits until all have ended.
    pub async fn shut_down(&self) {
        self.0.closing.cancel();
        self.0.running.close();
        self.0.running.wait().await;
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stops(&self) -> MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.0.stops.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a task and starts it in the background.
    fn start(&self, task: Task) {
        let stop = CancellationToken::new();
        self.stops().insert(task.id.clone(), stop.clone());
        self.table().insert(task.clone());
        let ecs = self.clone();
        self.0.running.spawn(async move {
            let end = ecs.live(&task, &stop).await;
            ecs.stops().remove(&task.id);
            let stopped = ecs.table().update(&task.id, |task| end.apply(task));
            ecs.tell(stopped);
        });
    }

    /// Reports a change.
    fn tell(&self, changed: Option<Task>) {
        if let Some(task) = changed {
            tracing::info!(task = task.id, status = ?task.status, reason = task.stopped_reason, "sandbox task");
            // A stack that serves only the engines has no listener.
            let _ = self.0.events.send(task);
        }
    }

    /// A task's life from start to end.
    async fn live(&self, task: &Task, stop: &CancellationToken) -> End {
        let mut process = match self.0.launcher.launch(task).await {
            Ok(process) => process,
            Err(error) => return End::NotStarted(format!("{error:#}")),
        };
        let running = self.table().update(&task.id, |task| {
            // A task may be asked to stop before its process runs.
            if !task.stopping {
                task.status = Status::Running;
            }
            task.started_ms = Some(crate::ids::now_ms());
        });
        self.tell(running);
        let (signal, grace) = tokio::select! {
            code = process.wait() => return End::Exited(code),
            () = stop.cancelled() => (Signal::TERM, STOP_GRACE),
            // The agent makes no backup: it ends at once when it gets SIGINT.
            () = self.0.closing.cancelled() => (Signal::INT, SHUTDOWN_GRACE),
        };
        End::Stopped(process.stop(signal, grace).await)
    }
}

/// How a task ended, with its exit code if it had one.
enum End {
    NotStarted(String),
    Exited(Option<i32>),
    Stopped(Option<i32>),
}

impl End {
    fn apply(self, task: &mut Task) {
        let (code, reason, exit) = match self {
            Self::NotStarted(reason) => ("TaskFailedToStart", reason, None),
            Self::Exited(exit) => {
                ("EssentialContainerExited", "Essential container in task exited".to_owned(), exit)
            }
            Self::Stopped(exit) => {
                let reason = task
                    .stopped_reason
                    .clone()
                    .unwrap_or_else(|| "The local stack stopped".to_owned());
                ("UserInitiated", reason, exit)
            }
        };
        task.stop(code, reason, exit);
    }
}
