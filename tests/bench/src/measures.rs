//! The measurements, each as a user would make them.

use crate::samples::Samples;
use api_tests::{Actor, Project};
use reqwest::Method;
use serde_json::json;
use std::time::Instant;
use tokio::time::{Duration, sleep};

const HEALTH_CALLS: usize = 200;
const CHATS: usize = 20;
const RUNS: usize = 20;
const KEYS: usize = 200;
const POLLS: usize = 200;
const STARTS: usize = 20;
/// Pause between two looks while waiting for output: the resolution of the measurement.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// A call that only crosses the gateway: the yardstick.
pub async fn health(owner: &Actor) -> Samples {
    let mut taken = Vec::new();
    for _ in 0..HEALTH_CALLS {
        let begin = Instant::now();
        owner.get("/health").await.is(200);
        taken.push(begin.elapsed());
    }
    Samples::of(taken)
}

/// From sending a message to the first text of the reply.
pub async fn first_text(owner: &Actor) -> Samples {
    let mut taken = Vec::new();
    for _ in 0..CHATS {
        let project = owner.project("bench").await;
        let message = json!({"message": "A small web service, use the defaults"});
        let call = project.call(Method::POST, "/planning/requirements-gatherer").json(&message);
        let begin = Instant::now();
        let mut events = call.events().await;
        events.text_begins().await;
        taken.push(begin.elapsed());
        events.all().await;
    }
    Samples::of(taken)
}

/// From approving a step to the first output in its progress.
pub async fn approve_to_output(owner: &Actor) -> Samples {
    let mut taken = Vec::new();
    let project = owner.project("bench").await;
    project.sandbox_is_up().await;
    project.execute(&["echo here; sleep 0.2"]).await;
    for _ in 0..RUNS {
        let step = project.step(1).await;
        let step = if step.status == "completed" {
            step
        } else {
            project.step_is(1, "waiting_approval").await
        };
        let begin = Instant::now();
        project.decide(&step, true).await.is(200);
        while !begun(&project).await {
            sleep(LOOK_EVERY).await;
        }
        taken.push(begin.elapsed());
        project.step_is(1, "completed").await;
    }
    Samples::of(taken)
}

/// Whether the present run has printed something.
async fn begun(project: &Project) -> bool {
    let step = project.step(1).await;
    !step.output.is_empty()
}

/// From sending a key to its echo.
pub async fn key_to_echo(owner: &Actor) -> Samples {
    let project = owner.project("bench").await;
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("stty -echoctl; PS1=''; cat\r").await;
    terminal.shows("cat\r\n").await;
    let mut taken = Vec::new();
    for number in 0..KEYS {
        let mark = format!("<{number}>");
        let begin = Instant::now();
        terminal.types(&mark).await;
        terminal.shows(&mark).await;
        taken.push(begin.elapsed());
    }
    Samples::of(taken)
}

/// From requesting a project's sandbox to its readiness; `before` is awaited and not measured.
pub async fn start_to_ready(owner: &Actor, before: impl AsyncFn()) -> Samples {
    let mut taken = Vec::new();
    for _ in 0..STARTS {
        let project = owner.project("bench").await;
        before().await;
        let begin = Instant::now();
        project.post(&project.path("/sandbox/start"), json!({})).await.is(200);
        let status = project.path("/sandbox/status");
        while project.get(&status).await.is(200).json()["status"] != "READY" {
            sleep(LOOK_EVERY).await;
        }
        taken.push(begin.elapsed());
        // The next one must not share the machine with this one.
        project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    }
    Samples::of(taken)
}

/// A poll that finds nothing new.
pub async fn poll(owner: &Actor) -> Samples {
    let project = owner.project("bench").await;
    let tag = project.get("/execution/progress").await.is(200).header("etag");
    let mut taken = Vec::new();
    for _ in 0..POLLS {
        let call = project.call(Method::GET, "/execution/progress").header("if-none-match", &tag);
        let begin = Instant::now();
        call.send().await.is(304);
        taken.push(begin.elapsed());
    }
    Samples::of(taken)
}
