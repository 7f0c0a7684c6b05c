//! A project's sandbox: start, stop, backup.

use api_tests::{Model, Project, Settings, World, eventually};
use domain::Timestamp;
use domain::sandbox::{Sandbox, SandboxStatus};
use reqwest::Method;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::time::Duration;
use store::ledger::Ledger;
use store::sandboxes::{Limits, Sandboxes};

pub(crate) async fn status(project: &Project) -> Value {
    project.get(&project.path("/sandbox/status")).await.is(200).json()
}

pub(crate) async fn act(project: &Project, action: &str) -> Value {
    let path = project.path(&format!("/sandbox/{action}"));
    project.post(&path, json!({})).await.is(200).json()
}

/// Both words for a sandbox's state: in the initialization call, and on the sandbox page.
fn words(status: &Value) -> (&str, &str) {
    (status["status"].as_str().unwrap(), status["container_status"].as_str().unwrap())
}

#[tokio::test]
async fn a_sandbox_that_was_never_requested_says_so() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Fresh").await;
    let body = status(&project).await;
    assert_eq!(words(&body), ("NOT_CREATED", "NotRunning"));
    let username = format!("user_{}_{}", owner.installation(), project.id);
    assert_eq!(body["username"], username);
    assert_eq!((&body["last_sync_time"], &body["detail"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn an_initialized_sandbox_is_ready_and_running() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Up").await;
    let body = act(&project, "initialize").await;
    assert_eq!((&body["status"], &body["detail"]), (&json!("success"), &json!("Sandbox is ready")));
    assert_eq!(words(&status(&project).await), ("READY", "Running"));
    let kept = project.kept_sandbox().await;
    assert_eq!((kept.status, kept.generation), (SandboxStatus::Ready, 1));
    // A repeated request starts nothing.
    assert_eq!(act(&project, "initialize").await["status"], "success");
    assert_eq!(act(&project, "start").await["status"], "success");
    assert_eq!(project.kept_sandbox().await.task_arn, kept.task_arn);
}

#[tokio::test]
async fn two_concurrent_initializations_start_one_sandbox() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Twice").await;
    let (one, other) = futures::join!(act(&project, "initialize"), act(&project, "initialize"));
    assert_eq!((&one["status"], &other["status"]), (&json!("success"), &json!("success")));
    assert_eq!(project.kept_sandbox().await.generation, 1);
}

#[tokio::test]
async fn a_project_id_must_be_a_number() {
    let World { owner, .. } = World::start().await;
    for id in ["undefined", "abc", "12a", "-1", "0", "1.5", "99999999999999999999"] {
        let text = owner.get(&format!("/sandbox/status/{id}")).await;
        assert_eq!(text.refuses(422, "invalid_project_id"), "Invalid project ID");
        for action in ["initialize", "start", "stop", "sync"] {
            let answer = owner.post(&format!("/sandbox/{action}/{id}"), json!({})).await;
            assert_eq!(answer.refuses(422, "invalid_project_id"), "Invalid project ID");
        }
    }
}

#[tokio::test]
async fn a_backup_is_recorded_with_its_time_and_restored_at_the_next_start() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Kept").await;
    project.execute(&["echo kept > note.txt", "cat note.txt"]).await;
    project.complete(1).await;
    let body = act(&project, "sync").await;
    assert_eq!(body["status"], "success", "{body}");
    assert!(body.get("error").is_none_or(Value::is_null), "{body}");
    let synced = status(&project).await["last_sync_time"].clone();
    assert!(synced.is_string());
    let object = format!("s3/groundcrew/backups/{}", owner.installation());
    let found = walk(app.data().join(object.trim_end_matches('/')).parent().unwrap());
    assert!(found.iter().any(|path| path.contains(&project.id.to_string())), "{found:?}");

    assert_eq!(act(&project, "stop").await["status"], "success");
    assert_eq!(words(&status(&project).await), ("NOT_CREATED", "NotRunning"));
    assert_eq!(status(&project).await["last_sync_time"], synced, "a stop deletes no backup");
    project.sandbox_is_up().await;
    assert_eq!(project.kept_sandbox().await.generation, 2);
    assert_eq!(project.complete(2).await.output, "kept\n");
}

/// All files below a folder.
pub(crate) fn walk(folder: &std::path::Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let below = |path: std::path::PathBuf| match path.is_dir() {
        true => walk(&path),
        false => vec![path.to_str().unwrap().to_owned()],
    };
    paths.flat_map(below).collect()
}

#[tokio::test]
async fn there_is_nothing_to_back_up_without_a_sandbox() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Down").await;
    let body = act(&project, "sync").await;
    assert_eq!(body["status"], "error");
    assert_eq!(body["error"], "The sandbox is not running.");
    assert_eq!(status(&project).await["last_sync_time"], Value::Null);
}

#[tokio::test]
async fn stopping_a_missing_sandbox_succeeds() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Down").await;
    assert_eq!(act(&project, "stop").await["status"], "success");
    assert_eq!(words(&status(&project).await), ("NOT_CREATED", "NotRunning"));
}

#[tokio::test]
async fn stopping_fails_the_running_step_and_names_the_reason() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Stopped").await;
    project.execute(&["echo begun; sleep 600", "echo never"]).await;
    project.approve(1).await;
    project.step_when(1, "has begun", |step| step.output.contains("begun")).await;
    assert_eq!(act(&project, "stop").await["status"], "success");
    let failed = project.step_when(1, "failed", |step| step.status == "failed").await;
    let text =
        "The sandbox was stopped while this step was running. Re-execute it to run it again.";
    assert_eq!(failed.error_message.as_deref(), Some(text));
    assert_eq!(project.step(2).await.status, "pending");
}

#[tokio::test]
async fn a_sandbox_that_dies_is_noticed_and_its_step_fails() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Dies").await;
    project.execute(&["echo begun; sleep 600"]).await;
    project.approve(1).await;
    project.step_when(1, "has begun", |step| step.output.contains("begun")).await;
    app.kill_sandboxes();
    let failed = project.step_when(1, "failed", |step| step.status == "failed").await;
    let text = failed.error_message.unwrap();
    assert!(text.contains("Re-execute it"), "{text}");
    let down = eventually("the sandbox is recorded as gone", async || {
        let body = status(&project).await;
        (body["container_status"] == "NotRunning").then_some(body)
    });
    assert_eq!(down.await["detail"], "The sandbox stopped unexpectedly.");
}

/// Simulates that time passes for a sandbox.
async fn pretend(project: &Project, passes: impl Fn(&mut Sandbox)) {
    let sandboxes = Sandboxes::new(&project.app().table());
    let changed = sandboxes.change(project.scope(), |sandbox| {
        passes(sandbox);
        true
    });
    changed.await.unwrap();
}

#[tokio::test]
async fn a_sandbox_whose_agent_falls_silent_is_ended_and_not_charged_for_the_silence() {
    let model = Model::start().await;
    let variables = vec![("SANDBOX_RATE", "36".to_owned())];
    let settings = Settings { faults: true, variables, ..Settings::with_model(&model) };
    let World { app, owner, .. } = World::with_settings(settings).await;
    let project = owner.project("Silent").await;
    project.execute(&["echo begun; sleep 600"]).await;
    project.approve(1).await;
    project.step_when(1, "has begun", |step| step.output.contains("begun")).await;
    app.signal_sandboxes(Signal::STOP);
    let ago = |seconds: i64| Some(Timestamp::now().plus_seconds(-seconds));
    pretend(&project, |sandbox| sandbox.last_seen_at = ago(400)).await;
    // The first look only suspects the agent, and so does another one soon after.
    for _ in 0..2 {
        app.minute_passes().await;
        assert_eq!(status(&project).await["container_status"], "Running");
        assert!(project.kept_sandbox().await.suspected_at.is_some());
    }
    pretend(&project, |sandbox| sandbox.suspected_at = ago(120)).await;
    app.minute_passes().await;
    let body = status(&project).await;
    assert_eq!(words(&body), ("NOT_CREATED", "NotRunning"));
    let detail = "The sandbox stopped answering. Start it to continue from the last backup.";
    assert_eq!(body["detail"], detail);
    let failed = project.step_when(1, "failed", |step| step.status == "failed").await;
    assert!(failed.error_message.unwrap().contains("Re-execute it"));
    // All seconds of this run are later than the pretended last sign of life.
    app.minute_passes().await;
    let costs = project.get(&format!("/projects/{}/costs", project.id)).await.is(200).json();
    assert_eq!(costs["sandbox_seconds"], 0);
    project.sandbox_is_up().await;
}

#[tokio::test]
async fn a_start_whose_agent_never_connects_is_not_charged() {
    let variables = vec![("SANDBOX_RATE", "36".to_owned())];
    let settings = Settings { faults: true, variables, ..Settings::default() };
    let World { app, owner, .. } = World::with_settings(settings).await;
    let project = owner.project("Mute").await;
    let ledger = Ledger::new(&app.table());
    let before = ledger.balance(owner.installation()).await.unwrap();
    let sandboxes = Sandboxes::new(&app.table());
    let limits = Limits { running: 3, starts: 10 };
    let begun = sandboxes.begin(project.scope(), limits, |sandbox| {
        *sandbox = sandbox.next_life();
        sandbox.task_arn = Some("arn:aws:ecs:us-east-1:000000000000:task/ended".to_owned());
        true
    });
    assert!(begun.await.unwrap().unwrap().1);
    // Only the clock makes running time.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    app.minute_passes().await;
    let body = status(&project).await;
    assert_eq!(body["container_status"], "NotRunning", "{body}");
    app.minute_passes().await;
    assert_eq!(ledger.balance(owner.installation()).await.unwrap(), before);
    let costs = project.get(&format!("/projects/{}/costs", project.id)).await.is(200).json();
    assert_eq!(costs["sandbox_seconds"], 0);
}

#[tokio::test]
async fn a_sandbox_that_is_being_stopped_saves_its_files_before_it_counts_as_gone() {
    let settings = Settings { faults: true, ..Settings::default() };
    let World { app, owner, .. } = World::with_settings(settings).await;
    let project = owner.project("Retired").await;
    project.sandbox_is_up().await;
    project.writes("note.txt", "late").await;
    let before = project.kept_sandbox().await;
    // The agent cannot begin its last backup yet.
    app.signal_sandboxes(Signal::STOP);
    let call = json!({"task": before.task_arn.unwrap(), "reason": "Retired by its host"});
    let stopping = app.ecs("StopTask", &call).await;
    assert_eq!(stopping["task"]["lastStatus"], "STOPPING");
    app.minute_passes().await;
    let body = status(&project).await;
    assert_eq!(body["container_status"], "Running", "{body}");
    assert_eq!(project.kept_sandbox().await.generation, before.generation);
    app.signal_sandboxes(Signal::CONT);
    eventually("the sandbox is recorded as gone", async || {
        (status(&project).await["container_status"] == "NotRunning").then_some(())
    })
    .await;
    assert_eq!(project.files().await["note.txt"], "late");
}

#[tokio::test]
async fn a_status_that_has_not_changed_is_not_sent_again() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Polled").await;
    let path = project.path("/sandbox/status");
    let tag = project.get(&path).await.header("etag");
    let again = || project.call(Method::GET, &path).header("if-none-match", &tag).send();
    again().await.is(304);
    project.sandbox_is_up().await;
    again().await.is(200);
}
