//! A project's sandbox: starting, stopping, backing up.

use api_tests::{Model, Project, World, eventually};
use domain::sandbox::SandboxStatus;
use reqwest::Method;
use serde_json::{Value, json};

async fn status(project: &Project) -> Value {
    project.get(&project.path("/sandbox/status")).await.is(200).json()
}

async fn act(project: &Project, action: &str) -> Value {
    let path = project.path(&format!("/sandbox/{action}"));
    project.post(&path, json!({})).await.is(200).json()
}

/// Both words of a sandbox's state: of the initialisation, and of the sandbox home.
fn words(status: &Value) -> (&str, &str) {
    (status["status"].as_str().unwrap(), status["container_status"].as_str().unwrap())
}

#[tokio::test]
async fn a_sandbox_that_was_never_asked_for_says_so() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Fresh").await;
    let body = status(&project).await;
    assert_eq!(words(&body), ("NOT_CREATED", "NotRunning"));
    let username = format!("user_{}_{}", owner.installation(), project.id);
    assert_eq!(body["username"], username);
    assert_eq!((&body["last_sync_time"], &body["detail"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn an_initialised_sandbox_is_ready_and_running() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Up").await;
    let body = act(&project, "initialize").await;
    assert_eq!((&body["status"], &body["detail"]), (&json!("success"), &json!("Sandbox is ready")));
    assert_eq!(words(&status(&project).await), ("READY", "Running"));
    let kept = project.kept_sandbox().await;
    assert_eq!((kept.status, kept.generation), (SandboxStatus::Ready, 1));
    // Asking again starts nothing again.
    assert_eq!(act(&project, "initialize").await["status"], "success");
    assert_eq!(act(&project, "start").await["status"], "success");
    assert_eq!(project.kept_sandbox().await.task_arn, kept.task_arn);
}

#[tokio::test]
async fn two_initialisations_at_once_start_one_sandbox() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Twice").await;
    let (one, other) = futures::join!(act(&project, "initialize"), act(&project, "initialize"));
    assert_eq!((&one["status"], &other["status"]), (&json!("success"), &json!("success")));
    assert_eq!(project.kept_sandbox().await.generation, 1);
}

#[tokio::test]
async fn an_id_that_is_no_number_is_no_project_id() {
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
async fn a_backup_is_noted_with_its_time_and_restored_at_the_next_start() {
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
    assert_eq!(status(&project).await["last_sync_time"], synced, "a stop takes no backup away");
    project.sandbox_is_up().await;
    assert_eq!(project.kept_sandbox().await.generation, 2);
    assert_eq!(project.complete(2).await.output, "kept\n");
}

/// All files below a folder.
fn walk(folder: &std::path::Path) -> Vec<String> {
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
async fn stopping_what_is_not_there_is_no_error() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Down").await;
    assert_eq!(act(&project, "stop").await["status"], "success");
    assert_eq!(words(&status(&project).await), ("NOT_CREATED", "NotRunning"));
}

#[tokio::test]
async fn stopping_fails_the_running_step_and_says_so() {
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
    let down = eventually("the sandbox is noted as gone", async || {
        let body = status(&project).await;
        (body["container_status"] == "NotRunning").then_some(body)
    });
    assert_eq!(down.await["detail"], "The sandbox stopped unexpectedly.");
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
