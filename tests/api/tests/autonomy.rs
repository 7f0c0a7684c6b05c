//! Autonomy: what the owner of each plan is asked about.

use api_tests::{Answer, Model, Project, Step, World, eventually, proved_script};
use serde_json::{Value, json};

async fn wish(project: &Project, plan_id: &str, autonomy: &str) -> Answer {
    let wish = json!({"plan_id": plan_id, "autonomy": autonomy});
    project.post("/execution/autonomy", wish).await
}

#[tokio::test]
async fn reading_steps_run_confined_and_without_credentials_and_other_steps_wait() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let values = json!({"values": {"DEPLOY_TOKEN": "a-value-of-some-length"}});
    project.put("/planning/credentials/other", values).await.is(204);
    let reads = proved_script("# Look\ncat 'state.txt'", "grep -q ready state.txt");
    let plan_id = project.execute(&["echo ready > state.txt", &reads, "rm state.txt"]).await;
    let now = wish(&project, &plan_id, "ask_for_changes").await.is(200).json();
    assert_eq!(now["autonomy"], "ask_for_changes");
    project.complete(1).await;
    let read = project.step_is(2, "completed").await;
    assert_eq!(read.output, "ready\n");
    let ran = "set -euo pipefail\ncat state.txt\ngrep -q ready state.txt\n";
    assert_eq!(read.command.as_deref(), Some(ran), "the words that were judged, and no others");
    project.step_is(3, "waiting_approval").await;

    let rows = owner.get(&format!("/projects/{}/audit", project.id)).await.is(200).json();
    let rows = rows.as_array().unwrap();
    let reading = rows.iter().find(|row| row["step_number"] == 2).unwrap();
    assert_eq!((&reading["verdict"], &reading["credentials"]), (&Value::Null, &json!([])));
    assert_eq!(reading["run"]["failure"], Value::Null);
    let said = rows.iter().find(|row| row["verdict"] == "autonomy").unwrap();
    assert_eq!(said["description"], "Ask before commands that change something");
    assert_eq!(said["by"]["login"], "owner");
}

#[tokio::test]
async fn a_reading_step_that_the_sandbox_cannot_confine_waits_with_its_own_script() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    app.break_confinement();
    let project = owner.project("Shop").await;
    let reads = proved_script("# Look\ncat 'state.txt'", "grep -q ready state.txt");
    let plan_id = project.execute(&["echo ready > state.txt", &reads]).await;
    wish(&project, &plan_id, "ask_for_changes").await.is(200);
    project.complete(1).await;
    // Before it runs as a reading, it waits for a moment, too.
    eventually("the sandbox is known not to confine", async || {
        (!project.kept_sandbox().await.confines_readers).then_some(())
    })
    .await;
    let waits = project.step_is(2, "waiting_approval").await;
    let shown = waits.command.unwrap();
    assert!(shown.contains("# Look") && shown.contains("grep -q ready"), "{shown}");
    // The owner is asked once, not over and over.
    project.approve(2).await;
    assert_eq!(project.step_is(2, "completed").await.output, "ready\n");
}

#[tokio::test]
async fn a_script_that_looks_harmless_and_fails_does_not_count_as_done() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.sandbox_is_up().await;
    let reads = proved_script("cat missing.txt | sort", "ls");
    let plan_id = project.execute(&[&reads]).await;
    wish(&project, &plan_id, "ask_for_changes").await.is(200);
    let failed = project.step_when(1, "failed", |step| step.status == "failed").await;
    assert_eq!(failed.failure.as_deref(), Some("exit_code"), "{failed:?}");
}

#[tokio::test]
async fn a_script_whose_last_line_fails_is_not_done_whoever_starts_it() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.sandbox_is_up().await;
    let reads = proved_script("ls\ntest -f missing.txt && grep -q ready missing.txt", "ls");
    for autonomy in ["ask_for_changes", "ask_for_everything"] {
        let plan_id = project.execute(&[&reads]).await;
        wish(&project, &plan_id, autonomy).await.is(200);
        if autonomy == "ask_for_everything" {
            project.approve(1).await;
        }
        let ended = |step: &Step| ["completed", "failed"].contains(&step.status.as_str());
        let failed = project.step_when(1, "has ended", ended).await;
        assert_eq!(failed.failure.as_deref(), Some("exit_code"), "{autonomy}: {failed:?}");
        assert_eq!(failed.exit_code, Some(1), "{autonomy}");
    }
}

#[tokio::test]
async fn every_step_needs_approval_until_the_owner_decides_otherwise_for_this_plan() {
    let model = Model::start().await;
    let World { owner, stranger, visitor, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.sandbox_is_up().await;
    let reads = proved_script("ls", "ls");
    let plan_id = project.execute(&[&reads]).await;
    let shown = project.step_is(1, "waiting_approval").await;
    let path = "/execution/autonomy";
    let body = json!({"plan_id": plan_id, "autonomy": "ask_for_changes"});
    stranger.within(project.id).post(path, body.clone()).await.refuses(404, "not_found");
    visitor.within(project.id).post(path, body).await.refuses(401, "signed_out");
    wish(&project, "another-plan", "run_all").await.refuses(409, "stale_plan");
    wish(&project, &plan_id, "everything").await.is(422);
    // The page approves for its owner, and only if they said so: this setting alone runs nothing.
    wish(&project, &plan_id, "run_all").await.is(200);
    assert_eq!(project.step(1).await.attempt, shown.attempt);
    // A command that already waits and only reads starts with the setting.
    wish(&project, &plan_id, "ask_for_changes").await.is(200);
    project.step_is(1, "completed").await;
    project.execute(&[&reads]).await;
    let again = project.step_is(1, "waiting_approval").await;
    assert!(again.is_waiting());
    let now = project.get("/execution/progress").await.is(200).json();
    assert_eq!(now["autonomy"], "ask_for_everything");
}
