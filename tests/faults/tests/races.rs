//! Two calls at the same moment.

use api_tests::{Answer, Model, Project, World};
use domain::AgentId;
use domain::chat::Role;
use serde_json::json;

/// A project with a step that leaves a line each time it runs, waiting for its owner.
async fn waiting(model: &Model) -> Project {
    let World { owner, .. } = World::with(model).await;
    let project = owner.project("Race").await;
    project.sandbox_is_up().await;
    project.execute(&["echo ran >> runs.txt", "cat runs.txt"]).await;
    project.step_is(1, "waiting_approval").await;
    project
}

fn statuses(answers: &[Answer]) -> Vec<u16> {
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    statuses
}

#[tokio::test]
async fn approvals_at_the_same_moment_run_the_command_once() {
    let model = Model::start().await;
    let project = waiting(&model).await;
    let shown = project.step(1).await;
    let answers = futures::future::join_all((0..5).map(|_| project.decide(&shown, true))).await;
    assert_eq!(
        statuses(&answers),
        [200; 5],
        "a repeated approval is answered as the first one was"
    );
    assert_eq!(project.step_is(1, "completed").await.attempt, 2, "prepared and run");
    assert_eq!(project.complete(2).await.output, "ran\n");
}

#[tokio::test]
async fn only_one_of_a_concurrent_approval_and_rejection_counts() {
    let model = Model::start().await;
    let project = waiting(&model).await;
    let shown = project.step(1).await;
    let (yes, no) = futures::join!(project.decide(&shown, true), project.decide(&shown, false));
    let end = project.step_when(1, "ended", |step| !step.is_running() && !step.is_waiting()).await;
    match (yes.status, no.status) {
        (200, 409) => assert_eq!(end.status, "completed"),
        (409, 200) => assert_eq!(end.error_message.as_deref(), Some("Rejected by user")),
        // An approval after a rejection asks to have the step prepared again.
        (200, 200) => assert_eq!(end.attempt, 2),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn re_executions_at_the_same_moment_run_the_command_once_more() {
    let model = Model::start().await;
    let project = waiting(&model).await;
    project.complete(1).await;
    let done = project.step(1).await;
    let answers = futures::future::join_all((0..3).map(|_| project.decide(&done, true))).await;
    assert_eq!(statuses(&answers), [200; 3], "all three name the same attempt");
    project.step_when(1, "ran", |step| step.status == "completed" && step.attempt == 3).await;
    assert_eq!(project.files().await["runs.txt"].lines().count(), 2, "once, and once more");
}

#[tokio::test]
async fn concurrent_messages_are_all_kept() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Talk").await;
    let say = |n: usize| {
        let project = project.clone();
        async move { project.chat("/planning/requirements-gatherer", &format!("message {n}")).await }
    };
    let replies = futures::future::join_all((0..4).map(say)).await;
    for events in replies {
        assert_eq!(events.last().unwrap()["event"], "on_chat_model_end");
    }
    let kept = project.kept_messages(AgentId::RequirementsGatherer).await;
    let mut said: Vec<_> =
        kept.iter().filter(|message| message.role == Role::User).map(|m| m.text.clone()).collect();
    said.sort();
    assert_eq!(said, ["message 0", "message 1", "message 2", "message 3"]);
    // The conversation can continue after it.
    let events = project.chat("/planning/requirements-gatherer", "and one more").await;
    assert!(events.iter().all(|event| event["event"] != "error"), "{events:?}");
}

#[tokio::test]
async fn stopping_while_starting_leaves_it_stopped() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Hasty").await;
    let (start, stop) = (project.path("/sandbox/start"), project.path("/sandbox/stop"));
    for _ in 0..3 {
        project.post(&start, json!({})).await.is(200);
        let stopped = project.post(&stop, json!({})).await.is(200).json();
        assert_eq!(stopped["status"], "success");
        let status = project.get(&project.path("/sandbox/status")).await.is(200).json();
        assert_eq!(status["container_status"], "NotRunning");
    }
    project.sandbox_is_up().await;
}
