//! The calls of the ECS API, from and to JSON.

use super::{Ecs, Status, Task};
use crate::engines::wire::{ApiError, JsonReply};
use crate::names;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How many tasks one call may start: ECS's own limit.
const TASKS_PER_CALL: usize = 10;

impl Ecs {
    /// Answers one call.
    pub async fn answer(&self, operation: &str, body: &[u8]) -> Response {
        let reply = match operation {
            "RunTask" => self.run_task(body).await,
            "DescribeTasks" => self.describe_tasks(body),
            "StopTask" => self.stop_task(body),
            _ => Err(ApiError::new(
                "InvalidParameterException",
                format!("the local stack does not support {operation}"),
            )),
        };
        reply.map(JsonReply).into_response()
    }

    async fn run_task(&self, body: &[u8]) -> Result<Value, ApiError> {
        let call: RunTask = read(body)?;
        let count = call.count.unwrap_or(1);
        if !(1..=TASKS_PER_CALL).contains(&count) {
            return Err(invalid("Count must be between 1 and 10."));
        }
        if let Some(token) = &call.client_token {
            let before = self.table().with_token(token);
            if before.iter().any(|task| !call.is_of(task)) {
                return Err(conflict(&before));
            }
            if !before.is_empty() {
                return Ok(
                    json!({"tasks": before.iter().map(Task::to_api).collect::<Vec<_>>(), "failures": []}),
                );
            }
        }
        if let Err(problem) = self.0.launcher.check().await {
            let failure = json!({"reason": format!("{problem:#}"), "detail": "The local stack cannot start a sandbox."});
            return Ok(json!({"tasks": [], "failures": [failure]}));
        }
        let tasks: Vec<_> = (0..count).map(|_| call.task()).collect();
        let reply: Vec<_> = tasks.iter().map(Task::to_api).collect();
        tasks.into_iter().for_each(|task| self.start(task));
        Ok(json!({"tasks": reply, "failures": []}))
    }

    fn describe_tasks(&self, body: &[u8]) -> Result<Value, ApiError> {
        let call: DescribeTasks = read(body)?;
        let table = self.table();
        let (mut tasks, mut failures) = (Vec::new(), Vec::new());
        for asked in &call.tasks {
            match table.find(asked) {
                Some(task) => tasks.push(task.to_api()),
                None => failures.push(json!({"arn": asked, "reason": "MISSING"})),
            }
        }
        Ok(json!({"tasks": tasks, "failures": failures}))
    }

    fn stop_task(&self, body: &[u8]) -> Result<Value, ApiError> {
        let call: StopTask = read(body)?;
        let id = self.table().find(&call.task).map(|task| task.id.clone());
        let id = id.ok_or_else(|| invalid("The referenced task was not found."))?;
        let task = self.table().update(&id, |task| task.asked_to_stop(call.reason));
        if let Some(stop) = self.stops().get(&id) {
            stop.cancel();
        }
        Ok(json!({"task": task.map(|task| task.to_api())}))
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body)
        .map_err(|error| ApiError::new("SerializationException", error.to_string()))
}

/// The answer to a client token that was used with another call: an error that names its tasks, as only this one of
/// ECS's errors does.
fn conflict(before: &[Task]) -> ApiError {
    let message = "The provided clientToken is already in use with a different RunTask request.";
    let arns: Vec<_> = before.iter().map(Task::arn).collect();
    ApiError::new("ConflictException", message).with("resourceIds", json!(arns))
}

fn invalid(message: &str) -> ApiError {
    ApiError::new("InvalidParameterException", message)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RunTask {
    cluster: Option<String>,
    task_definition: String,
    count: Option<usize>,
    client_token: Option<String>,
    started_by: Option<String>,
    #[serde(default)]
    overrides: Overrides,
}

impl RunTask {
    /// Whether this same call started the task.
    fn is_of(&self, task: &Task) -> bool {
        let asked = self.task();
        let same = asked.definition == task.definition && asked.started_by == task.started_by;
        same && asked.environment == task.environment
    }

    fn task(&self) -> Task {
        let container = self.overrides.container_overrides.first();
        let name = container.map_or(names::SANDBOX_CONTAINER, |container| container.name.as_str());
        let environment: BTreeMap<_, _> = container
            .into_iter()
            .flat_map(|container| &container.environment)
            .map(|pair| (pair.name.clone(), pair.value.clone()))
            .collect();
        Task {
            id: crate::ids::task_id(),
            cluster: last(self.cluster.as_deref().unwrap_or("default")),
            definition: last(&self.task_definition)
                .split(':')
                .next()
                .unwrap_or_default()
                .to_owned(),
            container: name.to_owned(),
            environment,
            client_token: self.client_token.clone(),
            started_by: self.started_by.clone(),
            status: Status::Provisioning,
            stopping: false,
            created_ms: crate::ids::now_ms(),
            started_ms: None,
            stopped_ms: None,
            stop_code: None,
            stopped_reason: None,
            exit_code: None,
            announced: false,
        }
    }
}

/// A name, given as such or as an ARN.
fn last(name_or_arn: &str) -> String {
    name_or_arn.rsplit('/').next().unwrap_or_default().to_owned()
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Overrides {
    #[serde(default)]
    container_overrides: Vec<ContainerOverride>,
}

#[derive(Deserialize)]
struct ContainerOverride {
    name: String,
    #[serde(default)]
    environment: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    name: String,
    value: String,
}

#[derive(Deserialize)]
struct DescribeTasks {
    #[serde(default)]
    tasks: Vec<String>,
}

#[derive(Deserialize)]
struct StopTask {
    task: String,
    reason: Option<String>,
}
