//! The DevOps helper's commands between replies.

use api_tests::{Project, Settings, World, eventually};
use reqwest::Method;
use serde_json::{Value, json};

async fn open(project: &Project) -> Vec<Value> {
    let list = project.get("/devops-helper/commands").await.is(200).json();
    list.as_array().unwrap().clone()
}

/// Requests a command and disconnects as soon as it is shown.
async fn ask(project: &Project, command: &str) -> Value {
    let mut events = project.says("/devops-helper/chat", &format!("Run `{command}`")).await;
    assert_eq!(events.status, 200);
    loop {
        let event = events.next().await.expect("a command is shown");
        if event["event"] == "on_command" {
            return event["command"].clone();
        }
    }
}

#[tokio::test]
async fn a_reloaded_page_shows_waiting_and_running_commands() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Helped").await;
    project.sandbox_is_up().await;
    assert_eq!(open(&project).await, [Value::Null; 0]);
    let first = ask(&project, "touch one").await;
    let second = ask(&project, "echo begun && touch two && sleep 600").await;
    assert_eq!(open(&project).await, [second.clone(), first.clone()], "as the chat showed them");
    assert_eq!((&second["target"], &second["needs_approval"]), (&json!("sandbox"), &json!(true)));
    stranger.within(project.id).get("/devops-helper/commands").await.refuses(404, "not_found");

    let number = &second["number"];
    let word = json!({"number": number, "approved": true, "command_sha256": second["sha256"]});
    project.post("/devops-helper/approve-command", word).await.is(200);
    let output = format!("/devops-helper/output/{number}");
    eventually("the command prints", async || {
        let output = project.get(&output).await.is(200);
        (output.text() == "begun\n" && output.header("step-status") == "in_progress").then_some(())
    })
    .await;
    let running = &open(&project).await[0];
    assert_eq!(
        (&running["status"], &running["needs_approval"]),
        (&json!("in_progress"), &json!(false))
    );
    project.post("/devops-helper/cancel-command", json!({"number": number})).await.is(200);
    eventually("the command has ended", async || {
        (open(&project).await == [first.clone()]).then_some(())
    })
    .await;
    let ended = project.get(&output).await.is(200);
    assert_eq!(
        (ended.text().as_str(), ended.header("step-status").as_str()),
        ("begun\n", "failed")
    );
    let unknown = project.post("/devops-helper/cancel-command", json!({"number": 99})).await;
    unknown.refuses(404, "not_found");
    let tag = project.get("/devops-helper/commands").await.header("etag");
    let again = project.call(Method::GET, "/devops-helper/commands");
    again.header("if-none-match", &tag).send().await.is(304);
}

#[tokio::test]
async fn a_reading_that_the_sandbox_cannot_confine_asks_for_approval_and_then_runs() {
    let World { app, owner, .. } = World::with_settings(Settings::default()).await;
    let project = owner.project("Unconfined").await;
    app.break_confinement();
    project.sandbox_is_up().await;
    let mut events = project.says("/devops-helper/chat", "Run `echo ran`").await;
    let mut command = async || loop {
        let event = events.next().await.expect("the command is shown");
        if event["event"] == "on_command" {
            return event["command"].clone();
        }
    };
    let begun = command().await;
    assert_eq!(
        (&begun["status"], &begun["needs_approval"]),
        (&json!("in_progress"), &json!(false))
    );
    let asked = command().await;
    assert_eq!(
        (&asked["status"], &asked["needs_approval"]),
        (&json!("waiting_approval"), &json!(true))
    );
    assert_eq!((&asked["number"], &asked["script"]), (&begun["number"], &begun["script"]));
    assert_eq!(
        open(&project).await,
        std::slice::from_ref(&asked),
        "a reloaded page shows the same"
    );
    let audit = format!("/projects/{}/audit", project.id);
    assert_eq!(owner.get(&audit).await.is(200).json(), json!([]), "nothing has run");

    // The sandbox is known not to confine, so the next command asks at once.
    assert_eq!(ask(&project, "uptime").await["needs_approval"], true);
    let word = json!({"number": asked["number"], "approved": true,
        "command_sha256": asked["sha256"], "attempt": asked["attempt"]});
    project.post("/devops-helper/approve-command", word).await.is(200);
    let output = format!("/devops-helper/output/{}", asked["number"]);
    eventually("the command has run", async || {
        let output = project.get(&output).await.is(200);
        (output.text() == "ran\n" && output.header("step-status") == "completed").then_some(())
    })
    .await;
}
