//! Rejecting a step, with a reason.

use api_tests::{Model, World};
use serde_json::json;

#[tokio::test]
async fn a_rejected_step_fails_with_a_reason_and_its_next_command_waits() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo hello"]).await;
    let shown = project.step_is(1, "waiting_approval").await;
    let rejected = project.decide(&shown, false).await.is(200).json();
    assert_eq!(
        (&rejected["status"], &rejected["error_message"]),
        (&json!("failed"), &json!("Rejected by user"))
    );

    // Executing it again prepares it again; the same command was rejected, so it waits.
    project.decide(&project.step(1).await, true).await.is(200);
    let again = project.step_when(1, "waits again", |step| step.is_waiting()).await;
    assert_eq!((again.attempt, again.command_sha256.as_ref()), (2, shown.command_sha256.as_ref()));
    assert_eq!(
        (again.output.as_str(), again.error_message),
        ("", None),
        "the rejection no longer shows"
    );
    project.complete(1).await;
}

#[tokio::test]
async fn the_reason_of_a_rejection_reaches_the_agent_and_stays_beside_its_next_command() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo hello"]).await;
    let shown = project.step_is(1, "waiting_approval").await;
    let word = json!({"plan_id": project.progress().await.id, "step_number": 1, "approved": false,
        "attempt": 1, "command_sha256": shown.command_sha256,
        "reason": "  listen on localhost only; the password is Tr0ub4dor-and-3 "});
    let rejected = project.post("/execution/approve-step", word).await.is(200).json();
    let reason = rejected["reason"].as_str().unwrap().to_owned();
    assert!(reason.starts_with("listen on localhost only"), "{reason}");
    assert!(!reason.contains("Tr0ub4dor"), "a secret in it is sealed: {reason}");
    assert_eq!(rejected["error_message"], "Rejected by user");

    project.decide(&project.step(1).await, true).await.is(200);
    let again = project.step_when(1, "waits again", |step| step.is_waiting()).await;
    assert_eq!(again.error_message, None);
    let progress = project.get("/execution/progress").await.is(200).json();
    let earlier = &progress["steps"][0]["earlier"];
    assert_eq!(earlier["reason"], json!(reason));
    assert_eq!(earlier["command"], json!(shown.command));
    let asked = model.requests().into_iter().map(|asked| asked.to_string());
    let asked: Vec<_> = asked.filter(|asked| asked.contains("<previous_attempt>")).collect();
    assert!(asked.iter().any(|asked| asked.contains("listen on localhost only")), "{asked:?}");
}

#[tokio::test]
async fn a_reason_has_at_most_1_000_characters() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo hello"]).await;
    project.step_is(1, "waiting_approval").await;
    let word = json!({"plan_id": project.progress().await.id, "step_number": 1, "approved": false,
        "reason": "x".repeat(1_001)});
    project.post("/execution/approve-step", word).await.refuses(422, "reason_too_long");
    project.step_is(1, "waiting_approval").await;
}
