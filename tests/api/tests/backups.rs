//! The backups of a workspace: their list, their bounds, and restoring one.

use crate::sandbox::{act, status, walk};
use api_tests::{Answer, App, Model, Project, Settings, World, eventually};
use domain::backup::KEPT_BACKUPS;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::BTreeSet;

async fn backups(project: &Project) -> Vec<Value> {
    let list = project.get(&project.path("/sandbox/backups")).await.is(200).json();
    list.as_array().unwrap().clone()
}

fn reasons(backups: &[Value]) -> Vec<&str> {
    backups.iter().map(|backup| backup["reason"].as_str().unwrap()).collect()
}

/// Kills the project's sandbox and starts another one.
async fn replaced(app: &App, project: &Project) {
    app.kill_sandboxes();
    eventually("the sandbox is recorded as gone", async || {
        (status(project).await["container_status"] == "NotRunning").then_some(())
    })
    .await;
    project.sandbox_is_up().await;
}

async fn restore(project: &Project, backup: &Value) -> Answer {
    project.post(&project.path("/sandbox/restore"), json!({"backup_id": backup["id"]})).await
}

#[tokio::test]
async fn every_backup_names_its_reason_and_an_earlier_one_can_be_restored() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Kept").await;
    project.execute(&["echo first > note.txt", "echo second > note.txt; touch more.txt"]).await;
    assert_eq!(backups(&project).await, [Value::Null; 0]);
    project.complete(1).await;
    act(&project, "sync").await;
    project.complete(2).await;
    assert_eq!(project.files().await["note.txt"], "second\n");
    let list = backups(&project).await;
    assert_eq!(reasons(&list), ["download", "step", "manual", "step"]);
    assert_eq!((&list[1]["step_number"], &list[2]["step_number"]), (&json!(2), &Value::Null));
    assert!(list.iter().all(|b| b["bytes"].as_u64().unwrap() > 0 && b["at"].is_string()));

    let body = restore(&project, &list[3]).await.is(200).json();
    let audit = project.get(&format!("/projects/{}/audit", project.id)).await.is(200).json();
    let last = (&audit[0]["verdict"], audit[0]["description"].as_str().unwrap());
    assert!(last.0 == "restored" && last.1.starts_with("Backup of 20"), "{audit}");
    assert_eq!(body["status"], "success", "{body}");
    assert_eq!(reasons(&backups(&project).await)[..2], ["restore", "download"]);
    let files = project.files().await;
    assert_eq!(files["note.txt"], "first\n");
    assert!(!files.contains_key("more.txt"));
    // And back again, from the backup that the restore made.
    let list = backups(&project).await;
    let before = list.iter().find(|backup| backup["reason"] == "restore").unwrap();
    restore(&project, before).await.is(200);
    assert!(project.files().await.contains_key("more.txt"));
    let stop = format!("{}?before_stop=true", project.path("/sandbox/sync"));
    project.post(&stop, json!({})).await.is(200);
    assert_eq!(reasons(&backups(&project).await)[0], "stop");
}

#[tokio::test]
async fn a_restored_backup_fills_the_next_sandbox() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Back").await;
    project.execute(&["echo first > note.txt", "echo second > note.txt"]).await;
    project.complete(1).await;
    project.complete(2).await;
    let list = backups(&project).await;
    restore(&project, &list[1]).await.is(200);
    replaced(&app, &project).await;
    assert_eq!(project.files().await["note.txt"], "first\n");
}

#[tokio::test]
async fn the_oldest_of_all_backups_can_be_restored_and_is_kept() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Full").await;
    project.execute(&["echo first > note.txt", "echo second > note.txt"]).await;
    project.complete(1).await;
    project.complete(2).await;
    for _ in 2..KEPT_BACKUPS {
        act(&project, "sync").await;
    }
    let list = backups(&project).await;
    let oldest = list.last().unwrap();
    assert_eq!((list.len(), &oldest["reason"]), (KEPT_BACKUPS, &json!("step")));
    let restored = restore(&project, oldest).await.is(200).json();
    assert_eq!(restored["status"], "success", "{restored}");
    let list = backups(&project).await;
    assert_eq!(
        (list.first().unwrap()["reason"].as_str(), list.last()),
        (Some("restore"), Some(oldest))
    );
    replaced(&app, &project).await;
    assert_eq!(project.files().await["note.txt"], "first\n");
}

#[tokio::test]
async fn a_slow_backup_and_a_slow_restore_can_be_waited_for_with_another_call() {
    let settings = Settings { faults: true, ..Settings::default() };
    let World { app, owner, .. } = World::with_settings(settings).await;
    let project = owner.project("Slow").await;
    project.sandbox_is_up().await;
    project.writes("note.txt", "first").await;
    app.signal_sandboxes(Signal::STOP);
    let stop = format!("{}?before_stop=true", project.path("/sandbox/sync"));
    let late = project.post(&stop, json!({})).await.is(200).json();
    let transfer = late["transfer"].as_str().unwrap();
    let said = (late["status"].as_str(), late["detail"].as_str());
    assert_eq!(said, (Some("pending"), Some("The workspace is still being backed up")));
    app.signal_sandboxes(Signal::CONT);
    let on = format!("{stop}&transfer={transfer}");
    let body = project.post(&on, json!({})).await.is(200).json();
    assert_eq!((&body["status"], body.get("transfer")), (&json!("success"), None), "{body}");
    let list = backups(&project).await;
    assert_eq!(reasons(&list), ["stop"], "it is one backup");

    project.writes("note.txt", "second").await;
    app.signal_sandboxes(Signal::STOP);
    let late = restore(&project, &list[0]).await.is(200).json();
    assert_eq!(late["status"], "pending", "{late}");
    app.signal_sandboxes(Signal::CONT);
    let body = json!({"backup_id": list[0]["id"], "transfer": late["transfer"]});
    let path = project.path("/sandbox/restore");
    let restored = project.post(&path, body.clone()).await.is(200).json();
    assert_eq!(restored["status"], "success", "{restored}");
    assert_eq!(project.files().await["note.txt"], "first");

    // A result stays known after the sandbox is gone; without one, there is nothing left to wait for.
    act(&project, "stop").await;
    assert_eq!(project.post(&on, json!({})).await.is(200).json()["status"], "success");
    assert_eq!(project.post(&path, body).await.is(200).json()["status"], "success");
    let unknown = json!({"backup_id": list[0]["id"], "transfer": "restore.1.2"});
    project.post(&path, unknown).await.refuses(409, "sandbox_not_running");
}

#[tokio::test]
async fn a_restore_is_refused_while_a_step_runs_or_without_a_sandbox() {
    let model = Model::start().await;
    let World { owner, stranger, .. } = World::with(&model).await;
    let project = owner.project("Busy").await;
    project.execute(&["echo kept > note.txt", "echo begun; sleep 600"]).await;
    project.complete(1).await;
    let list = backups(&project).await;
    project.approve(2).await;
    project.step_when(2, "has begun", |step| step.output.contains("begun")).await;
    restore(&project, &list[0]).await.refuses(409, "step_running");
    act(&project, "stop").await;
    restore(&project, &list[0]).await.refuses(409, "sandbox_not_running");
    restore(&project, &json!({"id": "0123"})).await.refuses(404, "not_found");
    let theirs = stranger.project("Theirs").await;
    restore(&theirs, &list[0]).await.refuses(404, "not_found");
}

#[tokio::test]
async fn the_oldest_backups_are_deleted_with_their_files() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Many").await;
    project.sandbox_is_up().await;
    for _ in 0..KEPT_BACKUPS + 2 {
        act(&project, "sync").await;
    }
    let kept: BTreeSet<_> =
        backups(&project).await.iter().map(|b| b["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kept.len(), KEPT_BACKUPS);
    let folder = format!("s3/groundcrew/backups/{}/{}", owner.installation(), project.id);
    let name =
        |path: String| path.rsplit_once('/').unwrap().1.strip_suffix(".zip").map(str::to_owned);
    let objects =
        || walk(&app.data().join(&folder)).into_iter().filter_map(name).collect::<BTreeSet<_>>();
    let gone = eventually("backups beyond the limit are deleted", async || {
        (objects() == kept).then_some(())
    });
    gone.await;
}
