//! The task table: ECS's record of each task, kept in a file.

use crate::{files, names};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How long a stopped task can still be described, in milliseconds: ECS's own hour.
const STOPPED_MS: i64 = 60 * 60 * 1000;

/// A task's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// Recorded, about to start.
    Provisioning,
    /// Its process runs.
    Running,
    /// Its process was asked to end.
    Stopping,
    /// Ended.
    Stopped,
}

/// One task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The last part of its ARN.
    pub id: String,
    /// The cluster it runs in.
    pub cluster: String,
    /// The task definition it was started from.
    pub definition: String,
    /// The container that the overrides name.
    pub container: String,
    /// The variables of the container overrides.
    pub environment: BTreeMap<String, String>,
    /// The token that identifies repetitions of the same call.
    pub client_token: Option<String>,
    /// Who started it, in the caller's words.
    pub started_by: Option<String>,
    /// Its status.
    pub status: Status,
    /// Whether it has been asked to stop.
    pub stopping: bool,
    /// When it was recorded, in milliseconds since 1970.
    pub created_ms: i64,
    /// When its process started.
    pub started_ms: Option<i64>,
    /// When it ended.
    pub stopped_ms: Option<i64>,
    /// ECS's code for why it stopped.
    pub stop_code: Option<String>,
    /// Why it stopped, in words.
    pub stopped_reason: Option<String>,
    /// The exit code of its process; `None` if a signal ended it.
    pub exit_code: Option<i32>,
    /// Whether the reaper has been notified that it stopped.
    pub announced: bool,
}

impl Task {
    /// ARN of the task.
    pub fn arn(&self) -> String {
        format!(
            "arn:aws:ecs:{}:{}:task/{}/{}",
            names::REGION,
            names::ACCOUNT,
            self.cluster,
            self.id
        )
    }

    /// Records that the task was asked to stop; one that has stopped keeps its reason.
    pub fn asked_to_stop(&mut self, reason: Option<String>) {
        if self.status != Status::Stopped {
            self.status = Status::Stopping;
            self.stopping = true;
            self.stopped_reason = Some(reason.unwrap_or_else(|| "Task stopped by user".to_owned()));
        }
    }

    /// Marks the task as stopped.
    pub fn stop(&mut self, code: &str, reason: String, exit_code: Option<i32>) {
        self.status = Status::Stopped;
        self.stopping = true;
        self.stopped_ms = Some(crate::ids::now_ms());
        self.stop_code = Some(code.to_owned());
        self.stopped_reason = Some(reason);
        self.exit_code = exit_code;
    }

    /// The task as `DescribeTasks` shows it; `time` formats its times, given in milliseconds.
    fn describe(&self, time: impl Fn(i64) -> Value) -> Value {
        let at = |ms: Option<i64>| ms.map_or(Value::Null, &time);
        let environment: Vec<_> = self
            .environment
            .iter()
            .map(|(name, value)| json!({"name": name, "value": value}))
            .collect();
        let mut task = json!({
            "taskArn": self.arn(),
            "clusterArn": format!("arn:aws:ecs:{}:{}:cluster/{}", names::REGION, names::ACCOUNT, self.cluster),
            "taskDefinitionArn":
                format!("arn:aws:ecs:{}:{}:task-definition/{}:1", names::REGION, names::ACCOUNT, self.definition),
            "launchType": "FARGATE",
            "lastStatus": self.status,
            "desiredStatus": if self.stopping { "STOPPED" } else { "RUNNING" },
            "createdAt": time(self.created_ms),
            "startedAt": at(self.started_ms),
            "stoppedAt": at(self.stopped_ms),
            "stopCode": self.stop_code,
            "stoppedReason": self.stopped_reason,
            "startedBy": self.started_by,
            "overrides": {"containerOverrides": [{"name": self.container, "environment": environment}]},
            "containers": [{
                "name": self.container,
                "taskArn": self.arn(),
                "lastStatus": self.status,
                "exitCode": self.exit_code,
            }],
        });
        if let Some(fields) = task.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        task
    }

    /// The task in the ECS API's form, with times in seconds since 1970.
    pub fn to_api(&self) -> Value {
        self.describe(|ms| json!(ms as f64 / 1000.0))
    }

    /// The task as EventBridge reports its change, with times as text.
    pub fn to_event(&self) -> Value {
        let at = self.stopped_ms.unwrap_or(self.created_ms);
        json!({
            "version": "0",
            "id": crate::ids::request_id(),
            "detail-type": "ECS Task State Change",
            "source": "aws.ecs",
            "account": names::ACCOUNT,
            "region": names::REGION,
            "time": crate::ids::rfc3339(at),
            "resources": [self.arn()],
            "detail": self.describe(|ms| json!(crate::ids::rfc3339(ms))),
        })
    }
}

/// Every task that can still be described.
pub struct Table {
    file: PathBuf,
    tasks: BTreeMap<String, Task>,
}

impl Table {
    /// Reads the table; returns the stopped tasks that were not reported, including those of the previous start.
    pub fn open(file: PathBuf, sandboxes: &Path) -> Result<(Self, Vec<Task>)> {
        let tasks =
            files::read_json(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut table = Self { file, tasks: tasks.unwrap_or_default() };
        for task in table.tasks.values_mut().filter(|task| task.status != Status::Stopped) {
            task.stop(
                "EssentialContainerExited",
                "The local stack ended and its tasks with it".to_owned(),
                None,
            );
        }
        table.forget(sandboxes);
        table.keep();
        let unannounced = table.tasks.values().filter(|task| !task.announced).cloned().collect();
        Ok((table, unannounced))
    }

    /// Adds a task.
    pub fn insert(&mut self, task: Task) {
        self.tasks.insert(task.id.clone(), task);
        self.keep();
    }

    /// Changes a task and returns the result.
    pub fn update(&mut self, id: &str, change: impl FnOnce(&mut Task)) -> Option<Task> {
        let task = self.tasks.get_mut(id)?;
        change(task);
        let task = task.clone();
        self.keep();
        Some(task)
    }

    /// Finds a task by ARN or id.
    pub fn find(&self, arn_or_id: &str) -> Option<&Task> {
        self.tasks.get(arn_or_id.rsplit('/').next()?)
    }

    /// The tasks that were started with this token.
    pub fn with_token(&self, token: &str) -> Vec<Task> {
        self.tasks
            .values()
            .filter(|task| task.client_token.as_deref() == Some(token))
            .cloned()
            .collect()
    }

    /// Removes tasks that stopped long ago, and deletes the leftovers of their sandboxes.
    fn forget(&mut self, sandboxes: &Path) {
        let before = crate::ids::now_ms() - STOPPED_MS;
        let old = |task: &Task| task.announced && task.stopped_ms.is_some_and(|at| at < before);
        for task in self.tasks.values().filter(|task| old(task)) {
            let _ = std::fs::remove_dir_all(sandboxes.join(&task.id));
            let _ = std::fs::remove_file(sandboxes.join(format!("{}.log", task.id)));
        }
        self.tasks.retain(|_, task| !old(task));
    }

    fn keep(&self) {
        if let Err(error) = files::write_json(&self.file, &self.tasks) {
            tracing::error!(file = %self.file.display(), %error, "could not write the task table");
        }
    }
}
