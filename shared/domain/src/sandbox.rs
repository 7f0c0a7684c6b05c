//! A project's sandbox: the state of its task and of its agent's connection.

mod silence;

use crate::Timestamp;
use crate::money::SandboxRate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How long a request to ECS may take, in seconds; ECS answers within one or two.
const START_SECONDS: i64 = 5;
/// How long a failed start is reported as failed, in seconds; afterward the owner may try again.
const FAILURE_SHOWN_SECONDS: i64 = 15;

/// How long a sandbox keeps running after its owner's credits are used up, in seconds: 5 minutes.
const UNPAID_SECONDS: i64 = 5 * 60;
/// The same while a command runs in it, in seconds: half an hour.
const UNPAID_COMMAND_SECONDS: i64 = 30 * 60;
/// How often a backup before a stop is attempted.
const BACKUP_TRIES: u32 = 3;
/// How long to wait for the answer to a backup request, in seconds: a little longer than a sandbox may take to upload
/// it.
const BACKUP_SECONDS: i64 = 16 * 60;
/// The state of the sandbox.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SandboxStatus {
    /// Never requested.
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

/// The sandbox's state in the initialization flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum InitializationStatus {
    /// Its agent is connected.
    Ready,
    /// It is starting.
    Creating,
    /// It has just failed to start.
    Failed,
    /// It does not exist; it may be started.
    NotCreated,
}

/// The sandbox's state on the sandbox home.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum ContainerStatus {
    /// Its agent is connected.
    Running,
    /// It does not exist; its owner can start it.
    NotRunning,
    /// Stopped permanently.
    Stopped,
    /// Terminated.
    Terminated,
    /// It is starting.
    Pending,
    /// It runs, but its agent is not connected at the moment.
    Waiting,
}

/// How long a command may run, in minutes. Prompts and pages state it.
pub const RUN_MINUTES: u64 = 30;

/// The alias by which `ssh/config` of a workspace names its server.
pub const SERVER_ALIAS: &str = "server";

/// The sandbox of one project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// Its status.
    pub status: SandboxStatus,
    /// Counts the starts; identifies messages of an earlier generation.
    pub generation: u64,
    /// Its ECS task.
    pub task_arn: Option<String>,
    /// The WebSocket connection of its agent, if it is connected.
    pub connection_id: Option<String>,
    /// Whether its agent confines commands that run without approval. If not, no command runs without approval.
    #[serde(default)]
    pub confines_readers: bool,
    /// Whether its agent answers questions.
    #[serde(default)]
    pub answers: bool,
    /// Whether its agent looks up documentation.
    #[serde(default)]
    pub looks_up: bool,
    /// Whether its agent shows the services that listen inside.
    #[serde(default)]
    pub previews: bool,
    /// Its system and the versions of its tools, in words, if its image lists them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equipment: Option<String>,
    /// When the task was requested from ECS.
    pub started_at: Option<Timestamp>,
    /// When its agent last said hello or sent a heartbeat.
    pub last_seen_at: Option<Timestamp>,
    /// When the reaper found its agent silent; the agent's next sign of life clears it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspected_at: Option<Timestamp>,
    /// The number of its last hello.
    #[serde(default)]
    pub hello: u64,
    /// The number of its last heartbeat.
    #[serde(default)]
    pub heartbeat: u64,
    /// Since when it has been idle; `None` while a command runs or a person uses it.
    #[serde(default)]
    pub idle_since: Option<Timestamp>,
    /// When the workspace was last backed up.
    pub last_sync_time: Option<Timestamp>,
    /// The reason for its failure or stop, for its owner.
    pub detail: Option<String>,
    /// Its uncharged running time, in this generation and in earlier ones.
    #[serde(default)]
    pub running: RunningTime,
    /// When its owner's credits were used up; `None` while credits remain.
    #[serde(default)]
    pub unpaid_since: Option<Timestamp>,
    /// The backup before its stop: since when it has been tried, and how often it has failed.
    #[serde(default)]
    pub leaving: Option<Leaving>,
    /// The size of the workspace at its last backup.
    #[serde(default)]
    pub workspace: Option<WorkspaceSize>,
}

/// A backup before a stop that has not succeeded yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leaving {
    /// When it was first tried.
    pub since: Timestamp,
    /// How often it has failed.
    pub failures: u32,
}

/// The size of a workspace, and the backup's limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkspaceSize {
    /// Bytes of all files.
    pub bytes: u64,
    /// Files, folders and links.
    pub files: u64,
    /// The most bytes of a backup.
    pub max_bytes: u64,
    /// The most files, folders and links of a backup.
    pub max_files: u64,
}

/// The uncharged running time of a sandbox. It changes with the sandbox's state, in the same write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningTime {
    /// The start of the current run; `None` while it is down.
    since: Option<Timestamp>,
    /// Seconds of earlier runs.
    seconds: i64,
}

impl RunningTime {
    /// The seconds to charge.
    pub fn uncharged(self, now: Timestamp) -> i64 {
        let lately = self.since.map_or(0, |since| now.seconds_since(since).max(0));
        self.seconds.saturating_add(lately)
    }

    /// The running time when the sandbox goes up or down now.
    #[must_use]
    pub fn followed(self, is_up: bool, now: Timestamp) -> Self {
        match (self.since, is_up) {
            (Some(_), true) | (None, false) => self,
            (None, true) => Self { since: Some(now), ..self },
            (Some(_), false) => Self { since: None, seconds: self.uncharged(now) },
        }
    }

    /// The running time after this many of its seconds until now are charged.
    #[must_use]
    pub fn charged(self, seconds: i64, now: Timestamp) -> Self {
        let left = self.uncharged(now).saturating_sub(seconds).max(0);
        Self { since: self.since.map(|since| since.max(now)), seconds: left }
    }
}

/// Why a sandbox may not start; the texts are for its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StartRefusal {
    /// The balance is not positive.
    #[error("Your credits are used up. Add credits to start the sandbox.")]
    NoCredit,
    /// As many sandboxes as allowed are running.
    #[error("You have {0} running sandboxes, which is the limit. Stop one to start another.")]
    TooMany(u32),
}

/// How often a running sandbox is charged, in seconds: each charge is a line of the history.
const CHARGED_EVERY_SECONDS: i64 = 15 * 60;
/// How often its time is counted while it is free, in seconds.
const COUNTED_EVERY_SECONDS: i64 = 60;

impl Sandbox {
    /// Seconds to charge now: after an interval, at the end of a generation, or before the money runs out.
    pub fn seconds_due(&self, rate: SandboxRate, last: bool, now: Timestamp) -> Option<i64> {
        let seconds = self.running.uncharged(now);
        let every = if rate.is_zero() { COUNTED_EVERY_SECONDS } else { CHARGED_EVERY_SECONDS };
        let due = seconds >= every || !self.is_up() || last;
        (due && seconds > 0).then_some(seconds)
    }

    /// Ends it: its agent is not connected any longer, and no backup or payment is pending.
    pub fn stop(&mut self, detail: Option<&str>) {
        self.status = SandboxStatus::Stopped;
        self.connection_id = None;
        self.detail = detail.map(str::to_owned);
        self.leaving = None;
        self.unpaid_since = None;
    }

    /// A warning to its owner before it stops.
    pub fn warning(&self) -> Option<String> {
        let stops_at = self.unpaid_since.filter(|_| self.is_up())?.plus_seconds(UNPAID_SECONDS);
        let left = stops_at.seconds_since(Timestamp::now());
        let when = match left.max(0).unsigned_abs().div_ceil(60) {
            0 => "now".to_owned(),
            1 => "in a minute".to_owned(),
            minutes => format!("in {minutes} minutes"),
        };
        Some(format!(
            "Your credits are used up. The sandbox is backed up and stopped {when}; add credits to keep it."
        ))
    }

    /// Whether it has run without credits for as long as allowed. A running command may finish first, within limits.
    pub fn is_unpaid_for_too_long(&self, command_runs: bool, now: Timestamp) -> bool {
        let grace = if command_runs { UNPAID_COMMAND_SECONDS } else { UNPAID_SECONDS };
        let waited = self.unpaid_since.map(|since| now.seconds_since(since));
        self.is_up() && waited.is_some_and(|waited| waited >= grace)
    }

    /// Records that its backup before a stop failed again; returns whether it now stops without one. If the agent did
    /// not answer the request, the next try waits longer than a sandbox takes to upload a large backup.
    pub fn backup_failed(&mut self, answered: bool, now: Timestamp) -> bool {
        let leaving = self.leaving.get_or_insert(Leaving { since: now, failures: 0 });
        leaving.failures = leaving.failures.saturating_add(u32::from(answered));
        leaving.failures >= BACKUP_TRIES || now.seconds_since(leaving.since) >= BACKUP_SECONDS
    }

    /// Whether a task exists or is being created.
    pub fn is_up(&self) -> bool {
        matches!(self.status, SandboxStatus::Creating | SandboxStatus::Ready)
    }

    /// Its next generation, which waits for a task; the gateway stops the agent of the current one.
    pub fn next_life(&self) -> Self {
        Self {
            status: SandboxStatus::Creating,
            generation: self.generation + 1,
            started_at: Some(Timestamp::now()),
            last_sync_time: self.last_sync_time,
            running: self.running,
            workspace: self.workspace,
            ..Self::default()
        }
    }

    /// Whether this generation is up but no task is recorded for it.
    pub fn lacks_task(&self, generation: u64) -> bool {
        self.is_up() && self.generation == generation && self.task_arn.is_none()
    }

    /// Whether this generation is up with this task.
    pub fn is_carried_by(&self, generation: u64, task_arn: &str) -> bool {
        let carrier = self.task_arn.as_deref() == Some(task_arn);
        self.is_up() && self.generation == generation && carrier
    }

    /// Whether its agent has been connected but idle for this many seconds.
    pub fn is_idle_for(&self, seconds: i64) -> bool {
        let idle = self.idle_since.map(|since| Timestamp::now().seconds_since(since));
        self.status == SandboxStatus::Ready && idle.is_some_and(|idle| idle >= seconds)
    }

    /// Whether its start was abandoned without a task, so that it may start again.
    ///
    /// If the task appears after all, the gateway stops its agent as one of an earlier generation.
    pub fn start_was_lost(&self) -> bool {
        let began = self.started_at.filter(|_| self.status == SandboxStatus::Creating);
        self.task_arn.is_none()
            && began.is_some_and(|at| Timestamp::now().seconds_since(at) >= START_SECONDS)
    }

    /// The status in the initialization flow: `READY`, `CREATING`, `FAILED` or `NOT_CREATED`.
    ///
    /// That flow stops at `FAILED` before it asks for a start, so it could never leave a permanent failure. The status
    /// therefore changes after a moment, and only `detail` remains.
    pub fn initialization_status(&self) -> InitializationStatus {
        match self.status {
            SandboxStatus::Ready => InitializationStatus::Ready,
            SandboxStatus::Creating => InitializationStatus::Creating,
            SandboxStatus::Failed if self.has_just_failed() => InitializationStatus::Failed,
            SandboxStatus::Failed | SandboxStatus::Absent | SandboxStatus::Stopped => {
                InitializationStatus::NotCreated
            }
        }
    }

    fn has_just_failed(&self) -> bool {
        self.started_at.is_some_and(|at| Timestamp::now().seconds_since(at) < FAILURE_SHOWN_SECONDS)
    }

    /// The status on the sandbox's home: `Running`, `Pending`, `Stopped`, `NotRunning` or `Terminated`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_second_that_a_sandbox_runs_is_due_once_across_restarts() {
        let start = Timestamp::now();
        let at = |seconds| start.plus_seconds(seconds);
        let running = RunningTime::default().followed(true, at(0)).followed(true, at(5));
        assert_eq!(running.uncharged(at(30)), 30);
        let down = running.followed(false, at(40)).followed(false, at(50));
        assert_eq!(down.uncharged(at(1_000)), 40);
        let again = down.followed(true, at(1_000));
        assert_eq!(again.uncharged(at(1_010)), 50);
        let charged = again.charged(50, at(1_010));
        assert_eq!((charged.uncharged(at(1_010)), charged.uncharged(at(1_020))), (0, 10));
        // A clock that runs behind the one that charged must not charge a second twice.
        assert_eq!(charged.charged(0, at(1_005)).uncharged(at(1_020)), 10);
        assert_eq!(down.charged(40, at(1_020)).uncharged(at(2_000)), 0);
        // The rest of a charge for a part stays due.
        let part = again.charged(45, at(1_010));
        assert_eq!((part.uncharged(at(1_010)), part.uncharged(at(1_020))), (5, 15));
        assert_eq!(down.charged(30, at(1_020)).uncharged(at(2_000)), 10);
    }

    #[test]
    fn a_running_sandbox_is_charged_at_intervals_and_a_stopped_one_at_once() {
        let (now, rate) = (Timestamp::now(), SandboxRate::per_hour(crate::MicroDollars(3_600)));
        let since = now.plus_seconds(-61);
        let running = RunningTime::default().followed(true, since);
        let up = Sandbox { status: SandboxStatus::Ready, running, ..Sandbox::default() };
        assert_eq!(up.seconds_due(rate, false, now), None);
        assert_eq!(up.seconds_due(rate, true, now), Some(61));
        assert_eq!(up.seconds_due(SandboxRate::default(), false, now), Some(61));
        assert_eq!(up.seconds_due(rate, false, now.plus_seconds(900)), Some(961));
        let down = Sandbox { status: SandboxStatus::Stopped, ..up };
        assert_eq!(down.seconds_due(rate, false, now), Some(61));
        assert_eq!(Sandbox::default().seconds_due(rate, true, now), None);
    }
}
