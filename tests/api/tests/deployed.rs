//! Features that only a deployment has. `cargo dev deploy-test` creates one, passes its address, and runs these tests.

use crate::shares::{read, share};
use api_tests::{Actor, Project, World, eventually};
use domain::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};
use std::process::Command;
use store::visits::Visits;

/// Docker's answer, as JSON.
fn docker(arguments: &[&str]) -> Value {
    let said = Command::new("docker")
        .args(arguments)
        .env("DOCKER_HOST", std::env::var("DEPLOYED_DOCKER").unwrap())
        .output()
        .unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    serde_json::from_slice(&said.stdout).unwrap_or(Value::Null)
}

/// The container of the project's task.
async fn container(project: &Project) -> Value {
    let arn = project.kept_sandbox().await.task_arn.expect("a sandbox that runs has a task");
    let label = format!("label=com.amazonaws.ecs.task-arn={arn}");
    let found = docker(&["ps", "--filter", &label, "--format", "{{json .ID}}"]);
    docker(&["inspect", found.as_str().expect("the task is a container")])[0].clone()
}

async fn sandbox_is(project: &Project, status: &str) {
    eventually(&format!("the sandbox is {status}"), async || {
        let body = project.get(&project.path("/sandbox/status")).await.is(200).json();
        (body["container_status"] == status).then_some(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a deployment"]
async fn a_call_is_signed_in_through_api_gateway() {
    let World { owner, visitor, .. } = World::start().await;
    owner.get("/projects").await.is(200);
    visitor.get("/projects").await.is(401);
}

#[tokio::test]
#[ignore = "needs a deployment"]
async fn a_suspended_installation_ends_the_session_by_githubs_webhook() {
    let World { app, owner, stranger, .. } = World::start().await;
    let page = format!("/_local/github/settings/installations/{}/suspend", owner.installation());
    owner.press(&app.url(&page)).await.is(302);
    eventually("the session has ended", async || {
        (owner.get("/projects").await.status == 401).then_some(())
    })
    .await;
    stranger.get("/projects").await.is(200);
}

#[tokio::test]
#[ignore = "needs a deployment"]
async fn an_answer_of_api_gateway_itself_differs_from_a_functions() {
    let World { app, .. } = World::start().await;
    let answer = Actor::visitor(&app).get("/no-such-path").await;
    assert!([403, 404].contains(&answer.status), "{}", answer.status);
    assert_eq!(answer.header("x-request-id"), "", "no function was asked");
}

#[tokio::test]
#[ignore = "needs a deployment"]
async fn a_sandbox_is_a_container_with_the_limits_of_its_task_definition() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Contained").await;
    project.sandbox_is_up().await;
    let container = container(&project).await;
    let host = &container["HostConfig"];
    assert_eq!(
        (&host["ReadonlyRootfs"], &host["Privileged"]),
        (&json!(true), &json!(false)),
        "{host}"
    );
    assert_eq!(host["Memory"], 2048 * 1024 * 1024_u64);
    let dropped = host["CapDrop"].as_array().unwrap();
    assert!(dropped.iter().any(|name| name.as_str().unwrap().ends_with("NET_RAW")), "{dropped:?}");

    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal
        .types(
            "id -u; awk '/CapEff/ {print $2}' /proc/self/status; touch /planted; env | grep -c AWS; echo e''nd\r",
        )
        .await;
    terminal.shows("end\r\n").await;
    for wanted in ["1000\r\n", "\n0000000000000000\r\n", "Read-only file system", "\r\n0\r\n"] {
        assert!(terminal.shown.contains(wanted), "{wanted} in {}", terminal.shown);
    }
}

#[tokio::test]
#[ignore = "needs a deployment"]
async fn a_restored_backup_is_what_the_next_container_begins_with() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Kept").await;
    let path = |call: &str| project.path(&format!("/sandbox/{call}"));
    project.sandbox_is_up().await;
    project.writes("note.txt", "first").await;
    project.post(&path("sync"), json!({})).await.is(200);
    project.writes("note.txt", "second").await;
    let kept = project.get(&path("backups")).await.is(200).json();
    let restored =
        project.post(&path("restore"), json!({"backup_id": kept[0]["id"]})).await.is(200);
    assert_eq!(restored.json()["status"], "success");
    assert_eq!(project.files().await["note.txt"], "first");
    project.post(&path("stop"), json!({})).await.is(200);
    sandbox_is(&project, "NotRunning").await;
    project.sandbox_is_up().await;
    assert_eq!(project.files().await["note.txt"], "first");
}

#[tokio::test]
#[ignore = "needs a deployment"]
async fn a_sandbox_whose_container_dies_is_recorded_as_gone() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Dies").await;
    project.sandbox_is_up().await;
    let container = container(&project).await;
    docker(&["kill", container["Id"].as_str().unwrap()]);
    sandbox_is(&project, "NotRunning").await;
    project.sandbox_is_up().await;
}

#[tokio::test]
#[ignore = "needs a deployment"]
async fn a_sandbox_whose_task_is_stopped_backs_up_its_workspace_first() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Ended").await;
    project.sandbox_is_up().await;
    project.writes("note.txt", "late").await;
    let arn = project.kept_sandbox().await.task_arn.unwrap();
    operate(&["stop", &arn]);
    sandbox_is(&project, "NotRunning").await;
    assert_eq!(project.files().await["note.txt"], "late");
}

/// Runs an operator's command on the stack, and waits until it is finished.
fn operate(arguments: &[&str]) {
    let operator = std::env::var("DEPLOYED_OPERATOR").unwrap();
    let mut words = operator.split(' ');
    let done = Command::new(words.next().unwrap()).args(words).args(arguments).output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

#[tokio::test]
#[ignore = "needs a deployment"]
async fn a_deleted_account_leaves_no_session_no_socket_and_nothing_of_its_projects() {
    let World { app, owner, stranger, .. } = World::start().await;
    let (first, second) = (owner.project("First").await, owner.project("Second").await);
    first.sandbox_is_up().await;
    first.writes("note.txt", "mine").await;
    first.post(&first.path("/sandbox/sync"), json!({})).await.is(200);
    owner.get("/user/mail").await.is(200);
    let address = json!({"address": "owner@example.com"});
    owner.put("/user/mail", address).await.refuses(409, "no_mail");
    let delete = async |path: &str| owner.call(Method::DELETE, path).send().await.is(202);
    let link = share(&first, 7, false).await;
    read(&app, &link.key).await.is(200);
    let mut watching = first.socket().await;
    // The scheduled sweep may delete the project's items at any time after this.
    assert!(!first.kept().await.is_empty());
    delete(&format!("/projects/{}", first.id)).await;
    while watching.next::<Value>().await.is_some() {}
    read(&app, &link.key).await.is(404);
    let mut socket = second.socket().await;
    let login = owner.get("/github/user").await.is(200).json()["login"].clone();
    assert!(!second.kept().await.is_empty());
    delete(&format!("/github/user?login={}", login.as_str().unwrap())).await;
    owner.get("/projects").await.is(401);
    // Waits until the sandbox ends.
    while socket.next::<Value>().await.is_some() {}
    eventually("everything is deleted", async || {
        operate(&["sweep"]);
        (first.kept().await.is_empty() && second.kept().await.is_empty()).then_some(())
    })
    .await;
    stranger.get("/projects").await.is(200);
}

#[tokio::test]
#[ignore = "needs a deployment"]
async fn a_visit_is_counted() {
    let World { app, visitor, .. } = World::start().await;
    let viewed = async || {
        let (day, visits) = (Timestamp::now().to_string(), Visits::new(&app.table()));
        visits.on(&day[..10], "/").await.unwrap().views
    };
    let before = viewed().await;
    let report = json!({"visitor_id": "6f1b2c3d-0000-4000-8000-00000000000c", "page": "/",
        "events": [{"type": "view"}]});
    let beacon = visitor.call(Method::POST, "/analytics/events");
    beacon.body("text/plain;charset=UTF-8", report.to_string()).send().await.is(204);
    // A new day may begin at midnight.
    assert_ne!(viewed().await, before);
}

#[tokio::test]
#[ignore = "needs a deployment"]
async fn a_plan_is_written_by_way_of_the_queue() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Planned").await;
    let mut page = project.terminal().await;
    page.attach().await;
    let wish =
        "A small web service with a health check inside the sandbox itself, use the defaults";
    project.chat("/planning/requirements-gatherer", wish).await;
    let ask = json!({"message": "Generate architecture plan"});
    project.post("/planning/cloud-architect", ask).await.is(202);
    project.plan_is("architecture-plan", "ready").await;
    page.socket.wait_for_change().await;
}

#[tokio::test]
#[ignore = "needs a deployment, and changes it"]
async fn a_sandbox_continues_while_its_stack_is_updated_and_rolled_back() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Lasting").await;
    project.sandbox_is_up().await;
    let task = project.kept_sandbox().await.task_arn;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("echo be''fore > note.txt; cat note.txt\r").await;
    terminal.shows("before\r\n").await;
    operate(&["update", "LogLevel=debug"]);
    terminal.types("echo up''dated\r").await;
    terminal.shows("updated\r\n").await;
    operate(&["fail"]);
    terminal.types("echo rolled''back\r").await;
    terminal.shows("rolledback\r\n").await;
    assert_eq!(project.files().await["note.txt"], "before\n");
    assert_eq!(project.kept_sandbox().await.task_arn, task);
}

#[tokio::test]
#[ignore = "needs a deployment, and changes it"]
async fn a_start_takes_the_waiting_container_of_the_pool() {
    let World { app, owner, .. } = World::start().await;
    operate(&["update", "SandboxPoolSize=1"]);
    operate(&["sweep"]);
    let waiting = app.pooled(1).await.remove(0);
    let project = owner.project("Warm").await;
    project.sandbox_is_up().await;
    assert_eq!(project.kept_sandbox().await.task_arn, waiting.task_arn);
    project.writes("note.txt", "mine").await;
    assert_eq!(project.files().await["note.txt"], "mine");
    operate(&["update", "SandboxPoolSize=0"]);
}
