//! Exporting and deleting a user's data.

use crate::guests::allowed;
use crate::sign_in::at_github;
use api_tests::{Actor, App, Model, Project, Settings, World, eventually};
use aws_sdk_dynamodb::types::AttributeValue;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use store::deletions::Deletions;

const SECRET: &str = "a-secret-of-the-deployment";

/// The reaper's minute lasts a second, and no sandbox is idle for long enough to be stopped.
fn quick(model: &Model) -> Settings {
    Settings { idle_stop_seconds: Some(3600), ..Settings::with_model(model) }
}

async fn full_project(owner: &Actor) -> Project {
    let project = owner.project("Shop").await;
    let values = json!({"values": {"DEPLOY_TOKEN": SECRET}});
    project.call(Method::PUT, "/planning/credentials/other").json(&values).send().await.is(204);
    project.has_requirements().await;
    project.execute(&["echo kept > file.txt", "true"]).await;
    project.complete(1).await;
    project.step_is(2, "waiting_approval").await;
    project
}

/// Items of a project's partition, except those of the list of deletions.
async fn items(project: &Project) -> usize {
    let scope = project.scope();
    let query = project.app().dynamodb().query().table_name("groundcrew");
    let pk = AttributeValue::S(format!("P#{}#{}", scope.installation, scope.project));
    let found = query.key_condition_expression("pk = :pk").expression_attribute_values(":pk", pk);
    found.send().await.unwrap().items().len()
}

/// Files of the stack's folder whose path names the project.
fn objects(folder: &Path, name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => objects(&entry.path(), name),
            _ => vec![entry.path().display().to_string()],
        })
        .filter(|path| path.contains(name) && (path.contains("backups") || path.contains("logs")))
        .collect()
}

#[tokio::test]
async fn a_deleted_project_is_gone_with_everything_but_its_costs() {
    let model = Model::start().await;
    let World { app, owner, stranger, .. } = World::with_settings(quick(&model)).await;
    let project = full_project(&owner).await;
    let other = full_project(&owner).await;
    let name = format!("{}", project.id);
    eventually("a backup", async || (!objects(app.data(), &name).is_empty()).then_some(())).await;
    let history = owner.get("/user/transactions").await.is(200).json();
    let path = format!("/projects/{}", project.id);
    let delete = async |actor: &Actor| actor.call(Method::DELETE, &path).send().await;
    delete(&stranger).await.refuses(404, "not_found");
    assert!(items(&project).await > 0);
    let waiting = project.step(2).await;
    let approval = json!({
        "plan_id": project.progress().await.id,
        "step_number": 2,
        "approved": true,
        "command_sha256": waiting.command_sha256,
        "attempt": waiting.attempt,
    });
    delete(&owner).await.is(202);
    project.post("/execution/approve-step", approval).await.refuses(404, "not_found");
    delete(&owner).await.refuses(404, "not_found");
    owner.get(&path).await.refuses(404, "not_found");
    for call in ["/execution/progress", "/planning/requirements", "/planning/credentials"] {
        project.get(call).await.refuses(404, "not_found");
    }
    let listed = owner.get("/projects").await.is(200).json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    project.post(&project.path("/sandbox/start"), json!({})).await.refuses(404, "not_found");

    eventually("everything of it is deleted", async || {
        let left = items(&project).await + objects(app.data(), &name).len();
        (left == 0).then_some(())
    })
    .await;
    assert_eq!(owner.get("/user/transactions").await.is(200).json(), history);
    assert_eq!(other.step(2).await.status, "waiting_approval", "others are unchanged");
}

/// Every item of the table as text, with its partition.
async fn table(app: &App) -> Vec<(String, String)> {
    let pages = app.dynamodb().scan().table_name("groundcrew").into_paginator().items().send();
    let items = pages.collect::<Result<Vec<_>, _>>().await.unwrap();
    let described = |item: &HashMap<String, AttributeValue>| {
        (item["pk"].as_s().unwrap().clone(), format!("{item:?}"))
    };
    items.iter().map(described).collect()
}

/// Items that name a text, unless their partition is among those that `keep`.
async fn naming(app: &App, text: &str, keep: &[&str]) -> Vec<String> {
    let items = table(app).await.into_iter();
    let kept = |pk: &str| keep.iter().any(|begin| pk.starts_with(begin));
    items.filter(|(pk, item)| item.contains(text) && !kept(pk)).map(|(_, item)| item).collect()
}

/// What may still name a deleted project: the ledger, the list of deletions, and what has a time to live.
const KEPT: [&str; 6] = ["W#", "DELETIONS", "TOKEN#", "CONNECTION#", "CONNECTIONS#", "PREVIEW#"];

#[tokio::test]
async fn no_other_partition_and_no_object_names_a_deleted_project() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with_settings(quick(&model)).await;
    let project = full_project(&owner).await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    let share = json!({"days": 7, "with_output": true});
    project.post(&format!("/projects/{}/shares", project.id), share).await.is(201);
    project.post(&project.path("/sandbox/sync"), json!({})).await;
    let name = project.id.to_string();
    assert!(!naming(&app, &name, &KEPT).await.is_empty());
    owner.call(Method::DELETE, &format!("/projects/{}", project.id)).send().await.is(202);
    eventually("its items and objects are gone", async || {
        let left = items(&project).await + objects(app.data(), &name).len();
        (left == 0).then_some(())
    })
    .await;
    assert_eq!(naming(&app, &name, &KEPT).await, Vec::<String>::new());
}

#[tokio::test]
async fn no_item_names_the_user_of_a_deleted_account() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with_settings(quick(&model)).await;
    let marked = Actor::signed_in(&app, "marked-user-name").await;
    let project = full_project(&marked).await;
    assert!(!naming(&app, "marked-user-name", &[]).await.is_empty());
    let delete = marked.call(Method::DELETE, "/github/user?login=marked-user-name");
    delete.send().await.is(202);
    eventually("everything of it is deleted", async || (items(&project).await == 0).then_some(()))
        .await;
    assert_eq!(naming(&app, "marked-user-name", &[]).await, Vec::<String>::new());
    owner.get("/projects").await.is(200);
}

#[tokio::test]
async fn a_deletion_continues_after_a_kill() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with_settings(quick(&model)).await;
    let project = full_project(&owner).await;
    owner.call(Method::DELETE, &format!("/projects/{}", project.id)).send().await.is(202);
    app.kill().await;
    app.start_again().await;
    let name = format!("{}", project.id);
    eventually("everything of it is deleted", async || {
        let left = items(&project).await + objects(app.data(), &name).len();
        (left == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_export_has_everything_of_the_account_and_no_secret() {
    let model = Model::start().await;
    let World { owner, stranger, .. } = World::with(&model).await;
    let project = full_project(&owner).await;
    let file = owner.get("/user/export").await.is(200);
    assert!(file.header("content-disposition").contains("groundcrew-account.json"));
    let exported: Value = file.json();
    assert_eq!(exported["account"]["login"], "owner");
    let [one] = &exported["projects"].as_array().unwrap()[..] else { panic!("{exported}") };
    assert_eq!(one["project"]["id"], json!(project.id));
    assert!(one["kept"]["REQUIREMENTS"].to_string().contains("# A blog"));
    assert!(one["kept"]["CREDENTIAL#other"]["values"]["DEPLOY_TOKEN"]["bytes"].is_number());
    let text = exported.to_string();
    assert!(!text.contains(SECRET) && !text.contains("\"sealed\""), "{text}");
    let theirs = stranger.get("/user/export").await.is(200).json();
    assert_eq!(theirs["projects"], json!([]));
}

#[tokio::test]
async fn a_deleted_account_is_signed_out_and_its_projects_go() {
    let model = Model::start().await;
    let World { app, owner, stranger, .. } = World::with_settings(quick(&model)).await;
    let project = full_project(&owner).await;
    let theirs = stranger.project("Theirs").await;
    let delete = async |login: &str| {
        owner.call(Method::DELETE, &format!("/github/user?login={login}")).send().await
    };
    delete("somebody").await.refuses(422, "not_confirmed");
    let token = owner.cookie_value();
    delete("owner").await.is(202);
    let late = Actor::visitor(&app).claiming(Some(owner.installation()));
    late.set_cookie(&token.0, &token.1);
    late.get("/projects").await.refuses(401, "signed_out");
    eventually("everything of it is deleted", async || (items(&project).await == 0).then_some(()))
        .await;
    let again = Actor::signed_in(&app, "owner").await;
    assert_eq!(again.get("/projects").await.is(200).json(), json!([]));
    theirs.get("/execution/progress").await.is(200);
}

#[tokio::test]
async fn a_deletion_that_dies_before_it_ends_the_sessions_still_deletes_everything() {
    let model = Model::start().await;
    let settings = Settings { faults: true, ..Settings::with_model(&model) };
    let World { app, owner, stranger, .. } = World::with_settings(settings).await;
    let project = owner.project("Shop").await;
    let deletions = Deletions::new(&app.table());
    deletions.begin_account(owner.installation()).await.unwrap();
    let new = json!({"name": "Late", "description": null});
    for sweep in 0..2 {
        owner.post("/projects", new.clone()).await.refuses(409, "account_deleted");
        eventually("its projects are deleted", async || {
            app.minute_passes().await;
            (items(&project).await == 0).then_some(())
        })
        .await;
        assert_eq!(deletions.accounts().await.unwrap().len(), 1, "sweep {sweep}");
    }
    assert_eq!(owner.get("/projects").await.is(200).json(), json!([]));
    stranger.post("/projects", new).await.is(201);
}

#[tokio::test]
async fn uninstalling_the_app_deletes_everything_of_the_account_and_suspending_it_nothing() {
    let model = Model::start().await;
    let settings = Settings { faults: true, ..Settings::with_model(&model) };
    let World { app, owner, stranger, .. } = World::with_settings(settings).await;
    let project = full_project(&owner).await;
    let theirs = stranger.project("Theirs").await;
    at_github(&owner, owner.installation(), "suspend").await;
    owner.get("/projects").await.refuses(401, "signed_out");
    app.minute_passes().await;
    assert!(items(&project).await > 0, "a suspension may end");
    at_github(&owner, owner.installation(), "delete").await;
    let name = format!("{}", project.id);
    eventually("everything of it is deleted", async || {
        app.minute_passes().await;
        let left = items(&project).await + objects(app.data(), &name).len();
        (left == 0).then_some(())
    })
    .await;
    assert_eq!(naming(&app, &name, &KEPT).await, Vec::<String>::new());
    theirs.get("/execution/progress").await.is(200);
}

#[tokio::test]
async fn a_guest_of_an_account_cannot_delete_it() {
    let World { owner, .. } = World::start().await;
    owner.project("Theirs").await;
    let guest = allowed(&owner).await;
    assert_eq!(guest.installation(), owner.installation());
    let delete = guest.call(Method::DELETE, "/github/user?login=guest-of-owner");
    delete.send().await.refuses(409, "shared_account");
    guest.get("/projects").await.is(200);
    assert_eq!(owner.get("/projects").await.is(200).json().as_array().unwrap().len(), 1);
}
