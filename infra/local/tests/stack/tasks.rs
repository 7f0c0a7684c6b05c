use crate::local::{Local, options, soon};
use aws_sdk_ecs::types::{ContainerOverride, KeyValuePair, Task, TaskOverride};
use local_stack::Functions;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::sync::mpsc;

/// An agent that writes its environment to the pipe `READY`, and exits with 7 when asked to end.
const AGENT: &str = "#!/bin/sh
trap 'exit 7' TERM
exec 3> \"$READY\"
env >&3
echo working in \"$PWD\"
echo ready >&3
[ -n \"$EXIT\" ] && exit \"$EXIT\"
while :; do sleep 1 & wait $!; done
";

/// The pipe on which a task's agent reports that it runs; it ends when the agent does.
pub struct Ready(BufReader<tokio::fs::File>);

impl Ready {
    pub fn make(folder: &Path) -> PathBuf {
        let pipe = folder.join("ready");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        pipe
    }

    pub async fn open(pipe: &Path) -> Self {
        Self(BufReader::new(soon(tokio::fs::File::open(pipe)).await.unwrap()))
    }

    /// What the agent wrote before it was ready.
    pub async fn lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            soon(self.0.read_line(&mut line)).await.unwrap();
            match line.trim_end() {
                "ready" => return lines,
                line => lines.push(line.to_owned()),
            }
        }
    }

    pub async fn end(mut self) {
        read_to_end(&mut self.0).await;
    }
}

async fn read_to_end(stream: &mut (impl AsyncRead + Unpin)) {
    soon(stream.read_to_end(&mut Vec::new())).await.unwrap();
}

pub fn agent(folder: &Path) -> PathBuf {
    let file = folder.join("agent");
    std::fs::write(&file, AGENT).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file
}

pub async fn run(ecs: &aws_sdk_ecs::Client, token: &str, environment: &[(&str, &str)]) -> Task {
    let pairs = environment
        .iter()
        .map(|(name, value)| KeyValuePair::builder().name(*name).value(*value).build());
    let container =
        ContainerOverride::builder().name("agent").set_environment(Some(pairs.collect())).build();
    let run = ecs
        .run_task()
        .cluster("groundcrew")
        .task_definition("groundcrew-sandbox")
        .client_token(token);
    let run = run.overrides(TaskOverride::builder().container_overrides(container).build());
    let mut answer = run.send().await.unwrap();
    assert!(answer.failures().is_empty(), "{:?}", answer.failures());
    answer.tasks.as_mut().unwrap().remove(0)
}

pub async fn describe(ecs: &aws_sdk_ecs::Client, arn: &str) -> Task {
    let mut answer = ecs.describe_tasks().cluster("groundcrew").tasks(arn).send().await.unwrap();
    answer.tasks.as_mut().unwrap().remove(0)
}

/// A reaper that passes on the task events it gets.
fn reaper() -> (Functions, mpsc::UnboundedReceiver<Value>) {
    let (events, received) = mpsc::unbounded_channel();
    let sandbox_reaper: local_stack::functions::EventFunction = Arc::new(move |event: Value| {
        if event["detail-type"] == "ECS Task State Change" {
            events.send(event["detail"].clone()).unwrap();
        }
        Box::pin(async { Ok(()) })
    });
    (Functions { sandbox_reaper, ..Functions::nothing() }, received)
}

async fn start(functions: Functions) -> (Local, PathBuf) {
    let data = TempDir::new().unwrap();
    let pipe = Ready::make(data.path());
    let mut options = options(data.path());
    options.sandbox_agent = agent(data.path());
    (Local::with_options(data, options, functions).await, pipe)
}

#[tokio::test]
async fn a_task_lives_from_run_to_stop_and_its_changes_are_reported() {
    let (functions, mut changes) = reaper();
    let (local, pipe) = start(functions).await;
    let ecs = local.clients.ecs();
    let task =
        run(&ecs, "t", &[("READY", pipe.to_str().unwrap()), ("GROUNDCREW_TOKEN", "secret")]).await;
    let arn = task.task_arn().unwrap();
    let environment = Ready::open(&pipe).await.lines().await;

    let has = |line: &str| environment.iter().any(|found| found == line);
    assert!(
        has("GROUNDCREW_TOKEN=secret") && has("GROUNDCREW_CONFINEMENT=none"),
        "{environment:?}"
    );
    assert!(environment.iter().any(|line| line.starts_with("GROUNDCREW_STATE_DIR=/")));
    assert!(
        !environment.iter().any(|line| line.starts_with("AWS_") || line.starts_with("CARGO")),
        "{environment:?}"
    );
    assert_eq!(soon(changes.recv()).await.unwrap()["lastStatus"], "RUNNING");
    assert_eq!(describe(&ecs, arn).await.last_status(), Some("RUNNING"));

    ecs.stop_task().cluster("groundcrew").task(arn).reason("idle").send().await.unwrap();
    let end = soon(changes.recv()).await.unwrap();
    assert_eq!(end["lastStatus"], "STOPPED");
    assert_eq!(end["taskArn"], arn);
    assert_eq!(end["stoppedReason"], "idle");
    let stopped = describe(&ecs, arn).await;
    assert_eq!(stopped.containers()[0].exit_code(), Some(7));
    let id = arn.rsplit('/').next().unwrap();
    let log =
        std::fs::read_to_string(local.data.path().join(format!("sandboxes/{id}.log"))).unwrap();
    assert!(log.starts_with("working in"), "{log}");
}

#[tokio::test]
async fn a_task_that_exits_is_reported_with_its_exit_code() {
    let (functions, mut changes) = reaper();
    let (local, pipe) = start(functions).await;
    run(&local.clients.ecs(), "t", &[("READY", pipe.to_str().unwrap()), ("EXIT", "3")]).await;
    Ready::open(&pipe).await.end().await;
    soon(changes.recv()).await.unwrap();
    let end = soon(changes.recv()).await.unwrap();
    assert_eq!(end["stopCode"], "EssentialContainerExited");
    assert_eq!(end["containers"][0]["exitCode"], 3);
}

#[tokio::test]
async fn a_repeated_call_starts_one_task() {
    let (local, pipe) = start(Functions::nothing()).await;
    let (ecs, environment) = (local.clients.ecs(), [("READY", pipe.to_str().unwrap())]);
    let first = run(&ecs, "same", &environment).await;
    let second = run(&ecs, "same", &environment).await;
    assert_eq!(first.task_arn(), second.task_arn());
    let mut agent = Ready::open(&pipe).await;
    agent.lines().await;
    local.stack.shut_down().await;
    agent.end().await;
}

#[tokio::test]
async fn the_next_start_reports_the_tasks_of_the_previous_one() {
    let data = TempDir::new().unwrap();
    let pipe = Ready::make(data.path());
    let mut alone = options(data.path());
    alone.sandbox_agent = agent(data.path());
    // There is no listener while only the engines run.
    alone.engines_only = true;
    let local = Local::with_options(data, alone, Functions::nothing()).await;
    let arn = run(&local.clients.ecs(), "t", &[("READY", pipe.to_str().unwrap())])
        .await
        .task_arn
        .unwrap();
    let mut ready = Ready::open(&pipe).await;
    ready.lines().await;
    let Local { stack, data, .. } = local;
    stack.shut_down().await;
    ready.end().await;

    let (functions, mut changes) = reaper();
    let next = options(data.path());
    let next = Local::with_options(data, next, functions).await;
    // Its start was not reported either, but only its end matters now.
    let end = soon(changes.recv()).await.unwrap();
    assert_eq!(
        (&end["taskArn"], &end["lastStatus"]),
        (&Value::from(arn.clone()), &Value::from("STOPPED"))
    );
    assert_eq!(describe(&next.clients.ecs(), &arn).await.last_status(), Some("STOPPED"));
}

#[tokio::test]
async fn a_task_whose_agent_cannot_start_fails_with_instructions() {
    let local = Local::start().await;
    let run =
        local.clients.ecs().run_task().cluster("groundcrew").task_definition("groundcrew-sandbox");
    let answer = run.send().await.unwrap();
    assert!(answer.tasks().is_empty());
    let reason = answer.failures()[0].reason().unwrap();
    assert!(reason.contains("cargo build --package sandbox-agent"), "{reason}");
}

#[tokio::test]
async fn an_unknown_task_is_reported_as_missing() {
    let local = Local::start().await;
    let answer = local
        .clients
        .ecs()
        .describe_tasks()
        .cluster("groundcrew")
        .tasks("nothing")
        .send()
        .await
        .unwrap();
    assert_eq!(answer.failures()[0].reason(), Some("MISSING"));
}
