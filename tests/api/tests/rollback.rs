//! Rolling a change back in the middle: the earlier files, service and documents are restored.

use crate::changes::{Changed, built, changes, pass, plan, settings, wish};
use api_tests::{Project, World, eventually};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The execution as the API shows it.
async fn progress(project: &Project) -> Value {
    project.get("/execution/progress").await.is(200).json()
}

/// The decision to run the rollback of a step.
fn roll_back(progress: &Value, step_number: &Value, sha256: &Value) -> Value {
    json!({"plan_id": progress["id"], "step_number": step_number, "approved": true, "roll_back": true,
        "rollback_sha256": sha256})
}

/// The files that steps write, without those that the service writes while it runs.
async fn written(project: &Project) -> BTreeMap<String, String> {
    let mut files = project.files().await;
    files.retain(|name, _| !name.ends_with(".log") && !name.ends_with(".pid"));
    files
}

/// The run that has rolled the change back.
async fn rolled_back(project: &Project) -> Value {
    eventually("the change is rolled back", async || {
        let run = progress(project).await["rollback"]["run"].clone();
        assert_ne!(run["status"], "failed", "{run}");
        (run["status"] == "completed").then_some(run)
    })
    .await
}

/// The verdicts of the requirements, each once.
async fn verdicts(project: &Project) -> Vec<String> {
    let shown = project.get("/validation/requirements").await.is(200).json();
    let verdict = |one: &Value| one["verdict"].as_str().unwrap().to_owned();
    let all: BTreeSet<_> = shown["requirements"].as_array().unwrap().iter().map(verdict).collect();
    all.into_iter().collect()
}

#[tokio::test]
async fn a_change_that_fails_is_rolled_back_by_the_script_that_was_shown() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Orders").await;
    built(&project).await;
    let (stood, first) = (written(&project).await, project.progress().await.id);
    let agreed = project.get("/planning/requirements").await.is(200).json()["content"].clone();
    assert_eq!(
        progress(&project).await["rollback"],
        Value::Null,
        "the first build has no rollback"
    );

    project.begin("Let it listen on port 9191").await.is(201);
    wish(&project, "Let it listen on port 9191").await;
    plan(&project).await;
    let waiting = project.step_is(1, "waiting_approval").await;
    let shown = progress(&project).await;
    assert_eq!(shown["rollback"], Value::Null, "nothing has run");
    let rollback = shown["steps"][0]["rollback"].clone();
    let says = |text: &str| rollback["script"].as_str().unwrap().contains(text);
    assert!(says("Port: `9191` becomes `8080`") && says("\"port\": 8080"), "{rollback}");
    assert_eq!(rollback["verdict"]["findings"], json!([]), "{rollback}");
    let approval = |sha256: &Value| {
        json!({"plan_id": shown["id"], "step_number": 1, "approved": true, "attempt": waiting.attempt,
            "command_sha256": waiting.command_sha256, "rollback_sha256": sha256})
    };
    let path = "/execution/approve-step";
    project.post(path, approval(&json!("0".repeat(64)))).await.refuses(409, "command_changed");
    project.post(path, approval(&rollback["sha256"])).await.is(200);
    project.step_is(1, "completed").await;
    project.complete(2).await;
    let third = project.step_is(3, "waiting_approval").await;
    project.decide(&third, false).await.is(200);
    assert_eq!(settings(&project).await["port"], 9191);
    project.abandon(2).await.refuses(409, "has_run");

    let failed = progress(&project).await;
    let offered = &failed["rollback"];
    assert_eq!((&offered["step_number"], &offered["run"]), (&json!(3), &Value::Null));
    let sha256 = &offered["rollback"]["sha256"];
    let other = roll_back(&failed, &json!(3), &json!("0".repeat(64)));
    project.post(path, other).await.refuses(409, "command_changed");
    let earlier = roll_back(&failed, &json!(1), &rollback["sha256"]);
    project.post(path, earlier).await.refuses(409, "command_changed");
    let decision = roll_back(&failed, &json!(3), sha256);
    stranger.project_of(&project).post(path, decision.clone()).await.refuses(404, "not_found");
    project.post(path, decision).await.is(200);
    let run = rolled_back(&project).await;
    let printed = run["output"].as_str().unwrap();
    assert!(printed.contains("Proved: ") && printed.contains("8080"), "{printed}");
    assert_eq!(written(&project).await, stood);
    project.decide(&project.step(3).await, true).await.refuses(409, "rolled_back");

    let ended = project.abandon(2).await.is(200).json();
    assert_eq!(ended["status"], "rolled_back");
    let now = project.get("/planning/requirements").await.is(200).json();
    assert_eq!((&now["content"], &now["ready_to_continue"]), (&agreed, &json!(true)));
    let back = project.progress().await;
    assert_eq!((back.id, back.total_steps), (first, 5));
    let past = project.get(&project.changes_path("/2")).await.is(200).json();
    let ends =
        past["steps"].as_array().unwrap().iter().map(|step| step["status"].as_str().unwrap());
    assert_eq!(ends.take(3).collect::<Vec<_>>(), ["completed", "completed", "failed"]);
    let audit = project.get(&format!("/projects/{}/audit", project.id)).await.is(200).json();
    let entry = |track: &str| {
        let of = |entry: &&Value| entry["track"] == track && entry["verdict"] == "approved";
        audit.as_array().unwrap().iter().find(of).unwrap().clone()
    };
    assert_eq!(entry("rollback")["command_sha256"], *sha256);
    assert_eq!(
        entry("execution")["rollback_sha256"],
        *sha256,
        "the script is the same for each step"
    );

    project.begin("Let it listen on port 9292").await.is(201);
    assert_eq!(changes(&project).await[0]["number"], 3);
}

#[tokio::test]
async fn a_change_that_is_rolled_back_proves_nothing_and_is_not_completed() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Orders").await;
    built(&project).await;
    let proved = verdicts(&project).await;
    assert!(proved.contains(&"proved".to_owned()), "{proved:?}");

    project.begin("Let it listen on port 9191").await.is(201);
    wish(&project, "Let it listen on port 9191").await;
    pass(&project).await;
    assert_eq!(verdicts(&project).await, proved);
    let shown = progress(&project).await;
    let offered = &shown["rollback"];
    let decision = roll_back(&shown, &offered["step_number"], &offered["rollback"]["sha256"]);
    project.post("/execution/approve-step", decision).await.is(200);
    rolled_back(&project).await;

    let pushed = crate::repositories::shown(&project).await;
    let text = pushed["text"].as_str().unwrap();
    assert!(
        text.contains("**This change was rolled back: what its steps did is undone.**"),
        "{text}"
    );
    assert!(!verdicts(&project).await.contains(&"proved".to_owned()));
    let states = project.path("/project-states");
    for stage in ["execution", "validation"] {
        let complete = json!({"is_completed": true});
        let confirmed = project.put(&format!("{states}/stages/{stage}"), complete).await;
        confirmed.refuses(409, "rolled_back");
    }
    assert_eq!(project.abandon(2).await.is(200).json()["status"], "rolled_back");
    assert_eq!(verdicts(&project).await, proved, "what existed before is proved as before");
}
