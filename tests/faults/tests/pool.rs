//! Kills around the claim of a sandbox from the warm pool.

use api_tests::{App, Project, Settings, World, eventually};
use domain::sandbox::{Sandbox, SandboxStatus};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout_at};

/// When the process is killed after a start was requested, in milliseconds: a claim takes a few milliseconds, and the
/// agent needs a few dozen to reconnect as the project's.
const MOMENTS: [u64; 7] = [0, 3, 6, 12, 25, 60, 200];

/// The tasks that ECS reports as running.
fn running(app: &App) -> BTreeSet<String> {
    let kept = std::fs::read(app.data().join("tasks.json")).unwrap();
    let tasks: Value = serde_json::from_slice(&kept).unwrap_or_default();
    let tasks = tasks.as_object().into_iter().flatten();
    tasks.filter(|(_, task)| task["status"] == "RUNNING").map(|(id, _)| id.clone()).collect()
}

fn id(arn: &str) -> String {
    arn.rsplit('/').next().unwrap().to_owned()
}

/// Requests a start until the sandbox is running; nothing else may run except it and what waits for the next project.
async fn settles(app: &App, project: &Project) -> Sandbox {
    let path = project.path("/sandbox/initialize");
    eventually("it is up, and no task is left over", async || {
        // The request after the kill may be reported as a success or as a failure.
        project.post(&path, json!({})).await.is(200);
        let sandbox = project.kept_sandbox().await;
        let waiting = app.pool().tasks().await.unwrap();
        let known = waiting.iter().map(|task| &task.task_arn).chain([&sandbox.task_arn]);
        let known: BTreeSet<_> = known.flatten().map(|arn| id(arn)).collect();
        let up = sandbox.status == SandboxStatus::Ready && known.len() == 2;
        (up && running(app) == known).then_some(sandbox)
    })
    .await
}

#[tokio::test]
async fn a_kill_around_a_claim_loses_no_start_and_leaves_no_task_behind() {
    let settings = Settings { pool_size: Some(1), ..Settings::default() };
    let World { app, owner, .. } = World::with_settings(settings).await;
    let project = owner.project("Claims").await;
    for moment in MOMENTS {
        app.pooled(1).await;
        let kill_at = Instant::now() + Duration::from_millis(moment);
        let path = project.path("/sandbox/initialize");
        timeout_at(kill_at, project.post(&path, json!({}))).await.ok();
        sleep_until(kill_at).await;
        app.kill().await;
        app.start_again().await;
        let sandbox = settles(&app, &project).await;
        eprintln!("killed after {moment} ms: life {}", sandbox.generation);
        let claims = app.pool().claims().await.unwrap();
        assert!(claims.iter().filter(|claim| claim.holds(&sandbox)).count() <= 1, "{claims:?}");
        project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    }
    eventually("no claim is left", async || {
        app.pool().claims().await.unwrap().is_empty().then_some(())
    })
    .await;
}
