//! Idle sandboxes.

use api_tests::{Project, Settings, World, eventually};
use domain::sandbox::SandboxStatus;
use serde_json::Value;

/// Seconds without use after which a sandbox is stopped here.
const IDLE: u32 = 5;

async fn world() -> World {
    World::with_settings(Settings { idle_stop_seconds: Some(IDLE), ..Settings::default() }).await
}

async fn status(project: &Project) -> Value {
    project.get(&project.path("/sandbox/status")).await.is(200).json()
}

async fn stopped(project: &Project) -> Value {
    eventually("the sandbox is stopped", async || {
        let status = status(project).await;
        (status["container_status"] == "NotRunning").then_some(status)
    })
    .await
}

#[tokio::test]
async fn an_idle_sandbox_is_backed_up_and_stopped() {
    let World { owner, .. } = world().await;
    let project = owner.project("Idle").await;
    project.sandbox_is_up().await;
    project.writes("note.txt", "kept").await;

    let status = stopped(&project).await;
    let detail =
        "Stopped after 5 seconds without use. Your files are backed up; start it to continue.";
    assert_eq!(status["detail"], detail);
    assert_eq!(status["status"], "NOT_CREATED", "it can be started again");
    let backups = project.get(&project.path("/sandbox/backups")).await.is(200).json();
    assert_eq!(backups[0]["reason"], "idle", "{backups}");
    assert_eq!(project.files().await["note.txt"], "kept");
    project.sandbox_is_up().await;
    assert_eq!(project.files().await["note.txt"], "kept");
}

#[tokio::test]
async fn a_workspace_too_large_to_be_backed_up_does_not_keep_its_sandbox() {
    let World { owner, .. } = world().await;
    let project = owner.project("Immortal").await;
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("truncate -s 60G hole; echo do''ne\r").await;
    terminal.shows("done").await;
    terminal.socket.close().await;
    let status = stopped(&project).await;
    let detail = status["detail"].as_str().unwrap();
    assert!(detail.starts_with("Stopped after 5 seconds without use. Its files could not be backed up (the workspace has 64424509440 bytes"), "{detail}");
    assert!(detail.ends_with("; it will start from the previous backup."), "{detail}");
    assert_eq!(status["workspace"]["bytes"], 60_u64 << 30);
    assert_eq!(status["workspace"]["max_bytes"], 8_u64 << 30);
}

#[tokio::test]
async fn a_terminals_viewer_keeps_the_sandbox_until_they_leave() {
    let World { owner, .. } = world().await;
    let (watched, other) = (owner.project("Watched").await, owner.project("Other").await);
    watched.sandbox_is_up().await;
    let mut terminal = watched.terminal().await;
    terminal.attach().await;
    terminal.types("echo he''re\r").await;
    terminal.shows("here").await;
    // Another project's sandbox is used and stopped twice in the meantime: this one is idle for that long.
    for _ in 0..2 {
        other.sandbox_is_up().await;
        stopped(&other).await;
    }
    assert_eq!(watched.kept_sandbox().await.status, SandboxStatus::Ready);
    terminal.types("echo st''ill\r").await;
    terminal.shows("still").await;
    terminal.socket.close().await;
    stopped(&watched).await;
}
