//! The model becomes unavailable in the middle of something.

use api_tests::{Model, Project, World};
use domain::AgentId;
use serde_json::json;

const GATHERER: &str = "/planning/requirements-gatherer";
const WISH: &str =
    "A small web service with a health check inside the sandbox itself, use the defaults";

async fn gathered(world: &World) -> Project {
    let project = world.owner.project("Outage").await;
    project.chat(GATHERER, WISH).await;
    project
}

#[tokio::test]
async fn a_reply_that_breaks_off_is_reported_and_its_text_is_kept() {
    let mut model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Outage").await;
    model.stand_still();
    let mut reply = project.says(GATHERER, WISH).await;
    let begun = reply.text_begins().await["chunk"]["content"].as_str().unwrap().to_owned();
    model.leave();
    let rest = reply.all().await;
    let names: Vec<_> = rest.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert!(names.ends_with(&["error", "on_chat_model_end"]), "{names:?}");
    let kept = project.kept_messages(AgentId::RequirementsGatherer).await;
    assert!(kept[1].partial && kept[1].text.starts_with(&begun), "{kept:?}");

    model.come_back().await;
    model.go_on();
    let events = project.chat(GATHERER, WISH).await;
    assert!(events.iter().all(|event| event["event"] != "error"), "{events:?}");
    let requirements = project.get("/planning/requirements").await.json();
    assert_eq!(requirements["ready_to_continue"], true);
}

#[tokio::test]
async fn a_plan_whose_model_becomes_unreachable_fails_and_can_be_requested_again() {
    let mut model = Model::start().await;
    let world = World::with(&model).await;
    let project = gathered(&world).await;
    model.stand_still();
    let before = model.times_asked();
    let ask = || project.post("/planning/cloud-architect", json!({"message": "Generate"}));
    ask().await.is(202);
    model.asked_after(before).await;
    model.leave();
    let failed = project.plan_is("architecture-plan", "failed").await;
    assert!(!failed.header("plan-detail").is_empty());
    assert_eq!(failed.text(), "");

    model.come_back().await;
    model.go_on();
    ask().await.is(202);
    project.plan_is("architecture-plan", "ready").await;
}

#[tokio::test]
async fn a_new_plan_that_fails_leaves_the_former_one_readable() {
    let mut model = Model::start().await;
    let world = World::with(&model).await;
    let project = gathered(&world).await;
    let ask = || project.post("/planning/cloud-architect", json!({"message": "Generate"}));
    ask().await.is(202);
    let former = project.plan_is("architecture-plan", "ready").await.text();
    model.leave();
    ask().await.is(202);
    assert_eq!(project.plan_is("architecture-plan", "failed").await.text(), former);
}

#[tokio::test]
async fn a_step_that_could_not_be_prepared_fails_with_a_reason_and_is_prepared_again() {
    let mut model = Model::start().await;
    let world = World::with(&model).await;
    let project = world.owner.project("Outage").await;
    model.stand_still();
    project.execute(&["echo one", "echo two"]).await;
    model.asked_after(0).await;
    model.leave();
    let failed = project.step_is(1, "failed").await;
    let text = failed.error_message.clone().unwrap();
    assert!(text.starts_with("The command could not be prepared."), "{text}");
    assert_eq!((failed.command.as_deref(), failed.exit_code), (None, None));

    model.come_back().await;
    model.go_on();
    project.decide(&failed, true).await.is(200);
    // No command was ever approved for it, so it waits.
    project.step_when(1, "waits", |step| step.is_waiting()).await;
    project.complete(1).await;
    project.complete(2).await;
}

#[tokio::test]
async fn a_step_that_cannot_be_prepared_leaves_completed_ones_as_they_are() {
    let mut model = Model::start().await;
    let world = World::with(&model).await;
    let project = world.owner.project("Outage").await;
    project.execute(&["echo one > one.txt", "cat one.txt"]).await;
    project.step_is(1, "waiting_approval").await;
    model.leave();
    project.complete(1).await;
    let failed = project.step_is(2, "failed").await;
    assert_eq!(project.step(1).await.status, "completed");
    model.come_back().await;
    project.decide(&failed, true).await.is(200);
    project.step_when(2, "waits", |step| step.is_waiting()).await;
    assert_eq!(project.complete(2).await.output, "one\n");
}
