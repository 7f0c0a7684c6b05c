//! A project's sandbox: what is known of the task and of its agent's connection.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How long asking ECS for a task may take, in seconds; it answers within one or two.
const START_SECONDS: i64 = 5;
/// How long a failed start is reported as such, in seconds; after that it may be tried again.
const FAILURE_SHOWN_SECONDS: i64 = 15;

/// Where the sandbox stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SandboxStatus {
    /// Never asked for.
    #[default]
    Absent,
    /// The task is starting; its agent has not connected yet.
    Creating,
    /// The agent is connected.
    Ready,
    /// It was stopped, or its task ended.
    Stopped,
    /// It could not be started; `detail` says why.
    Failed,
}

/// The words of the initialisation flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum InitialisationStatus {
    /// Its agent is connected.
    Ready,
    /// It is starting.
    Creating,
    /// It has just failed to start.
    Failed,
    /// There is none; it may be started.
    NotCreated,
}

/// The words of the sandbox home.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum ContainerStatus {
    /// Its agent is connected.
    Running,
    /// There is none; its owner can start it.
    NotRunning,
    /// Stopped for good.
    Stopped,
    /// Gone.
    Terminated,
    /// It is starting.
    Pending,
    /// It runs, but its agent's connection is down for the moment.
    Waiting,
}

/// The sandbox of one project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// Where it stands.
    pub status: SandboxStatus,
    /// Counts the starts; messages of an earlier life are told by it.
    pub generation: u64,
    /// The ECS task that carries it.
    pub task_arn: Option<String>,
    /// The WebSocket connection of its agent, while there is one.
    pub connection_id: Option<String>,
    /// Whether its agent confines what runs without approval; without it nothing runs like that.
    #[serde(default)]
    pub confines_readers: bool,
    /// When the task was asked for.
    pub started_at: Option<Timestamp>,
    /// When its agent was last heard.
    pub last_seen_at: Option<Timestamp>,
    /// The number of the last sign of life.
    #[serde(default)]
    pub heartbeat: u64,
    /// Since when nothing has run and nobody has used it; none while somebody does.
    #[serde(default)]
    pub idle_since: Option<Timestamp>,
    /// When the workspace last reached its backup.
    pub last_sync_time: Option<Timestamp>,
    /// Why it failed or stopped, for its owner.
    pub detail: Option<String>,
}

impl Sandbox {
    /// A task exists or is being made.
    pub fn is_up(&self) -> bool {
        matches!(self.status, SandboxStatus::Creating | SandboxStatus::Ready)
    }

    /// Its next life: a task is to be found for it, and whatever is left of this one is told to stop.
    pub fn next_life(&self) -> Self {
        Self {
            status: SandboxStatus::Creating,
            generation: self.generation + 1,
            started_at: Some(Timestamp::now()),
            last_sync_time: self.last_sync_time,
            ..Self::default()
        }
    }

    /// This life is up and nobody has noted which task carries it.
    pub fn lacks_task(&self, generation: u64) -> bool {
        self.is_up() && self.generation == generation && self.task_arn.is_none()
    }

    /// This life is up and this task carries it.
    pub fn is_carried_by(&self, generation: u64, task_arn: &str) -> bool {
        let carrier = self.task_arn.as_deref() == Some(task_arn);
        self.is_up() && self.generation == generation && carrier
    }

    /// Its agent has been connected and of no use to anybody for so many seconds.
    pub fn is_idle_for(&self, seconds: i64) -> bool {
        let idle = self.idle_since.map(|since| Timestamp::now().seconds_since(since));
        self.status == SandboxStatus::Ready && idle.is_some_and(|idle| idle >= seconds)
    }

    /// Whoever began the start is gone and has left no task: it may be begun anew.
    ///
    /// Should the task turn up after all, its agent is told that it belongs to an earlier life.
    pub fn start_was_lost(&self) -> bool {
        let began = self.started_at.filter(|_| self.status == SandboxStatus::Creating);
        self.task_arn.is_none()
            && began.is_some_and(|at| Timestamp::now().seconds_since(at) >= START_SECONDS)
    }

    /// `READY`, `CREATING`, `FAILED` or `NOT_CREATED`: the word of the initialisation flow.
    ///
    /// That flow gives up on `FAILED` before it asks for a start, so a failure that stayed would stay
    /// for ever; it passes after a moment and leaves its `detail`.
    pub fn initialisation_status(&self) -> InitialisationStatus {
        match self.status {
            SandboxStatus::Ready => InitialisationStatus::Ready,
            SandboxStatus::Creating => InitialisationStatus::Creating,
            SandboxStatus::Failed if self.has_just_failed() => InitialisationStatus::Failed,
            SandboxStatus::Failed | SandboxStatus::Absent | SandboxStatus::Stopped => {
                InitialisationStatus::NotCreated
            }
        }
    }

    fn has_just_failed(&self) -> bool {
        self.started_at.is_some_and(|at| Timestamp::now().seconds_since(at) < FAILURE_SHOWN_SECONDS)
    }

    /// The word of the sandbox home: `Running`, `Pending`, `Stopped`, `NotRunning` or `Terminated`.
    ///
    /// A stopped sandbox is `NotRunning`, the state from which its owner can start it again.
    pub fn container_status(&self) -> ContainerStatus {
        match (self.status, self.connection_id.is_some()) {
            (SandboxStatus::Ready, true) => ContainerStatus::Running,
            (SandboxStatus::Ready, false) => ContainerStatus::Waiting,
            (SandboxStatus::Creating, _) => ContainerStatus::Pending,
            (SandboxStatus::Absent | SandboxStatus::Stopped | SandboxStatus::Failed, _) => {
                ContainerStatus::NotRunning
            }
        }
    }
}
