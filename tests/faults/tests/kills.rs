//! The process is killed at a chosen moment, and started again over the data it left.

use api_tests::{App, Model, Project, World, eventually};
use domain::AgentId;
use domain::chat::Role;
use serde_json::{Value, json};

const GATHERER: &str = "/planning/requirements-gatherer";
const WISH: &str =
    "A small web service with a health check inside the sandbox itself, use the defaults";

async fn next_life(app: &App) {
    app.kill().await;
    app.start_again().await;
}

/// Everything that must be the same after a kill, as its owner sees it.
async fn belongings(project: &Project) -> Vec<Value> {
    let mut projects = project.get("/projects").await.is(200).json();
    for listed in projects.as_array_mut().unwrap() {
        // Its sandbox was killed.
        listed.as_object_mut().unwrap().remove("container_status");
    }
    let mut seen = vec![projects];
    seen.push(project.get(&project.path("/project-states")).await.is(200).json());
    seen.push(project.get("/planning/requirements").await.is(200).json());
    for plan in ["architecture-plan", "implementation-plan"] {
        let plan = project.get(&format!("/planning/{plan}")).await.is(200);
        seen.push(json!([plan.header("plan-status"), plan.text()]));
    }
    for agent in ["requirements-gatherer", "cloud-architect", "implementation-planner", "executor"]
    {
        seen.push(project.get(&format!("/planning/threads/{agent}")).await.is(200).json());
    }
    seen.push(project.get("/execution/progress").await.is(200).json());
    let mut costs = project.get(&format!("/projects/{}/costs", project.id)).await.is(200).json();
    // A sandbox that was killed has accrued cost in the meantime.
    for moving in ["sandbox_seconds", "last_updated"] {
        costs.as_object_mut().unwrap().remove(moving);
    }
    seen.push(costs);
    seen
}

#[tokio::test]
async fn without_a_kill_nothing_changes() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Peace").await;
    project.chat(GATHERER, WISH).await;
    project.post("/planning/cloud-architect", json!({"message": "Generate"})).await.is(202);
    project.plan_is("architecture-plan", "ready").await;
    project.execute(&["echo one > one.txt", "cat one.txt"]).await;
    project.complete(1).await;
    project.step_is(2, "waiting_approval").await;
    let before = belongings(&project).await;
    next_life(&app).await;
    // The session survives as well: the owner does not sign in again.
    assert_eq!(belongings(&project).await, before);
    assert_eq!(project.complete(2).await.output, "one\n", "the files are back in the new sandbox");
}

#[tokio::test]
async fn a_kill_during_a_reply_keeps_the_message_and_the_conversation_continues() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Chat").await;
    project.chat(GATHERER, "Hello").await;
    let before = project.kept_messages(AgentId::RequirementsGatherer).await;
    model.stand_still();
    let mut reply = project.says(GATHERER, WISH).await;
    reply.text_begins().await;
    app.kill().await;
    assert!(reply.all().await.iter().all(|event| event["event"] != "on_chat_model_end"));
    app.start_again().await;

    let kept = project.kept_messages(AgentId::RequirementsGatherer).await;
    assert_eq!(kept[..before.len()], before);
    assert_eq!((kept[before.len()].role, kept[before.len()].text.as_str()), (Role::User, WISH));
    model.go_on();
    let events = project.chat(GATHERER, WISH).await;
    assert!(events.iter().all(|event| event["event"] != "error"), "{events:?}");
    assert_eq!(project.get("/planning/requirements").await.json()["ready_to_continue"], true);
}

#[tokio::test]
async fn a_plan_is_completed_after_a_kill_while_it_is_written() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Plan").await;
    project.chat(GATHERER, WISH).await;
    model.stand_still();
    let before = model.times_asked();
    let asked = project.post("/planning/cloud-architect", json!({"message": "Generate"})).await;
    let run_id = asked.is(202).json()["run_id"].clone();
    model.asked_after(before).await;
    next_life(&app).await;
    model.go_on();
    project.plan_is("architecture-plan", "ready").await;
    let kept = project.kept_plan(store::plans::PlanKind::Architecture).await;
    assert_eq!(json!(kept.run_id), run_id, "the run that was accepted");
    let said = project.kept_messages(AgentId::CloudArchitect).await;
    assert_eq!(said.iter().filter(|message| message.role == Role::User).count(), 1);
}

#[tokio::test]
async fn a_step_is_prepared_again_after_a_kill_during_its_preparation() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Prepare").await;
    model.stand_still();
    project.execute(&["echo one"]).await;
    model.asked_after(0).await;
    next_life(&app).await;
    assert_eq!(project.step(1).await.status, "in_progress");
    model.go_on();
    let waiting = project.step_is(1, "waiting_approval").await;
    assert_eq!(waiting.attempt, 1, "the same attempt");
    project.complete(1).await;
}

#[tokio::test]
async fn a_waiting_step_still_waits_after_a_kill() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Wait").await;
    project.execute(&["echo one", "echo two"]).await;
    let shown = project.step_is(1, "waiting_approval").await;
    next_life(&app).await;
    assert_eq!(project.step(1).await.command_sha256, shown.command_sha256);
    assert_eq!(model.times_asked(), 1, "and is not prepared again");
    project.complete(1).await;
    project.complete(2).await;
}

#[tokio::test]
async fn a_step_that_a_kill_interrupts_fails_with_a_reason_and_can_be_executed_again() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Run").await;
    // The first time, it blocks for longer than the test runs.
    let script = "echo start; [ -e again ] || sleep 600; echo done";
    project.execute(&["echo kept > kept.txt", script, "cat kept.txt"]).await;
    let first = project.complete(1).await;
    project.approve(2).await;
    project.step_when(2, "has begun", |step| step.output.contains("start")).await;
    next_life(&app).await;

    let failed = project.step_is(2, "failed").await;
    let text = "The sandbox stopped while this step was running. Re-execute it to run it again.";
    assert_eq!(failed.error_message.as_deref(), Some(text));
    assert_eq!(failed.output, "start\n", "what it had printed is still there");
    let before = project.step(1).await;
    assert_eq!((before.status.as_str(), &before.output), ("completed", &first.output));
    assert_eq!(project.step(3).await.status, "pending");

    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("touch again && echo tou''ched\r").await;
    terminal.shows("touched").await;
    project.decide(&failed, true).await.is(200);
    let ran = project.step_when(2, "ran again", |step| step.status == "completed").await;
    assert_eq!(ran.output, "start\ndone\n");
    assert_eq!(project.complete(3).await.output, "kept\n");
}

#[tokio::test]
async fn executing_a_lost_step_again_starts_its_sandbox() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Lost").await;
    project.execute(&["echo before > kept.txt", "cat kept.txt; sleep 3"]).await;
    project.complete(1).await;
    project.approve(2).await;
    project.step_when(2, "has begun", |step| step.output.contains("before")).await;
    next_life(&app).await;
    let failed = project.step_is(2, "failed").await;
    // No call starts the sandbox: executing the step again does.
    project.decide(&failed, true).await.is(200);
    project.step_when(2, "ran again", |step| step.status == "completed").await;
}

#[tokio::test]
async fn an_approved_step_that_lost_its_sandbox_to_a_kill_runs_in_the_next_one() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Start").await;
    project.execute(&["echo ran >> runs.txt; cat runs.txt"]).await;
    // Killed as soon as the approval is answered, so the sandbox has at most begun to start.
    project.approve(1).await;
    next_life(&app).await;
    let end = project.step_when(1, "ended", |step| !step.is_running()).await;
    if end.status == "failed" {
        assert!(end.error_message.clone().unwrap().contains("Re-execute it"), "{end:?}");
        project.decide(&end, true).await.is(200);
    }
    let ran = project.step_when(1, "ran", |step| step.status == "completed").await;
    assert_eq!(ran.output, "ran\n");
}

#[tokio::test]
async fn a_completed_step_keeps_its_files_and_its_output_after_a_kill() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Done").await;
    project.execute(&["seq 1 20000 | tee numbers.txt", "wc -l < numbers.txt"]).await;
    project.approve(1).await;
    let done = project.step_is(1, "completed").await;
    // Immediately, so the work after a step's end has had no time to begin.
    next_life(&app).await;
    let kept = project.step(1).await;
    assert_eq!((kept.status.as_str(), &kept.output), ("completed", &done.output));
    let whole = project.get("/execution/output/1").await.is(200).text();
    assert_eq!(whole.lines().count(), 20_000);
    assert_eq!(project.complete(2).await.output.trim(), "20000");
}

#[tokio::test]
async fn a_terminal_reconnects_after_its_owner_starts_a_sandbox() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Terminal").await;
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("echo fi''rst\r").await;
    terminal.shows("first").await;
    next_life(&app).await;
    eventually("the sandbox is recorded as gone", async || {
        let status = project.get(&project.path("/sandbox/status")).await.is(200).json();
        (status["container_status"] == "NotRunning").then_some(())
    })
    .await;
    project.sandbox_is_up().await;
    // The browser returns with its earlier position, far beyond the new shell's output.
    let mut again = project.terminal().await;
    again.next = terminal.next;
    again.attach().await;
    again.types("echo sec''ond\r").await;
    again.shows("second").await;
}
