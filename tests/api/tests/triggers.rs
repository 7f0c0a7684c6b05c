//! Plans that are requested and then written in the background.

use api_tests::{Model, Project, World};
use domain::AgentId;
use domain::chat::Role;
use domain::plan::{Plan, PlanStatus};
use reqwest::Method;
use serde_json::json;
use store::plans::{PlanKind, Plans};

const ARCHITECT: &str = "/planning/cloud-architect";
const PLANNER: &str = "/planning/implementation-planner";
const PLAN: &str = "/planning/architecture-plan";

/// A project whose requirements come from a conversation.
async fn gathered(world: &World) -> Project {
    let project = world.owner.project("Shop").await;
    let wish =
        "A small web service with a health check inside the sandbox itself, use the defaults";
    project.chat("/planning/requirements-gatherer", wish).await;
    project
}

#[tokio::test]
async fn a_plan_is_accepted_only_when_its_sources_exist() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Eager").await;
    let ask = async |path: &str| project.post(path, json!({"message": "Generate"})).await;
    let text = ask(ARCHITECT).await.refuses(409, "stage_gate");
    assert_eq!(text, "You can continue only after the agent is clear about the requirements");
    let text = ask(PLANNER).await.refuses(409, "stage_gate");
    assert_eq!(text, "There is no architecture plan yet.");
    assert_eq!(project.kept_plan(PlanKind::Architecture).await.status, PlanStatus::Empty);
}

#[tokio::test]
async fn an_accepted_plan_is_written_and_read() {
    let world = World::start().await;
    let project = gathered(&world).await;
    let asked = project.post(ARCHITECT, json!({"message": "Generate architecture plan"})).await;
    let asked = asked.is(202).json();
    assert_eq!(asked["status"], "accepted");
    let plan = project.plan_is("architecture-plan", "ready").await;
    assert_eq!(plan.header("content-type"), "text/plain; charset=utf-8");
    assert!(plan.text().starts_with('#'), "{}", plan.text());
    assert!(plan.header("last-modified").ends_with("GMT"));
    assert_eq!(plan.header("plan-detail"), "");

    let kept = project.kept_plan(PlanKind::Architecture).await;
    assert_eq!(kept.text, plan.text());
    assert_eq!(asked["run_id"], kept.run_id.unwrap().to_string());

    project.post(PLANNER, json!({"message": "Generate implementation plan"})).await.is(202);
    project.plan_is("implementation-plan", "ready").await;
    assert!(!project.kept_plan(PlanKind::Implementation).await.steps.is_empty());
}

#[tokio::test]
async fn a_plan_reports_its_status_and_is_sent_again_only_when_that_changes() {
    let model = Model::start().await;
    let world = World::with(&model).await;
    let project = gathered(&world).await;
    let tag = project.get(PLAN).await.header("etag");
    let again = |tag: String| project.call(Method::GET, PLAN).header("if-none-match", &tag).send();
    again(tag.clone()).await.is(304);

    model.stand_still();
    project.post(ARCHITECT, json!({"message": "Generate"})).await.is(202);
    // The text is still empty, but its reader must learn that it is being written.
    let generating = again(tag).await.is(200);
    assert_eq!(
        (generating.header("plan-status"), generating.text()),
        ("generating".into(), "".into())
    );
    let tag = generating.header("etag");
    again(tag.clone()).await.is(304);

    model.go_on();
    let ready = project.plan_is("architecture-plan", "ready").await;
    again(tag).await.is(200);
    let unchanged = again(ready.header("etag")).await.is(304);
    assert!(unchanged.body.is_empty());
}

#[tokio::test]
async fn repeated_requests_give_one_run() {
    let model = Model::start().await;
    let world = World::with(&model).await;
    let project = gathered(&world).await;
    model.stand_still();
    let before = model.times_asked();
    let ask = async || project.post(ARCHITECT, json!({"message": "Generate"})).await.is(202).json();
    let first = ask().await;
    assert_eq!(ask().await["run_id"], first["run_id"]);
    model.go_on();
    project.plan_is("architecture-plan", "ready").await;
    assert_eq!(model.times_asked(), before + 1);
    // Once it is written, a new request writes another one.
    assert_ne!(ask().await["run_id"], first["run_id"]);
    project.plan_is("architecture-plan", "ready").await;
}

#[tokio::test]
async fn concurrent_requests_give_one_run() {
    let model = Model::start().await;
    let world = World::with(&model).await;
    let project = gathered(&world).await;
    model.stand_still();
    let before = model.times_asked();
    let ask = async || project.post(ARCHITECT, json!({"message": "Generate"})).await.is(202).json();
    let (a, b, c) = futures::join!(ask(), ask(), ask());
    assert_eq!((&a["run_id"], &b["run_id"]), (&b["run_id"], &c["run_id"]));
    model.go_on();
    project.plan_is("architecture-plan", "ready").await;
    let said = project.kept_messages(AgentId::CloudArchitect).await;
    assert_eq!(said.iter().filter(|message| message.role == Role::User).count(), 1);
    assert_eq!(model.times_asked(), before + 1);
}

#[tokio::test]
async fn a_plan_that_could_not_be_written_names_the_reason_and_can_be_requested_again() {
    let mut model = Model::start().await;
    let world = World::with(&model).await;
    let project = gathered(&world).await;
    model.leave();
    project.post(ARCHITECT, json!({"message": "Generate"})).await.is(202);
    let failed = project.plan_is("architecture-plan", "failed").await;
    let detail = failed.header("plan-detail");
    assert!(detail.contains("%20") && !detail.contains(' '), "percent-encoded: {detail}");
    let kept = project.kept_plan(PlanKind::Architecture).await;
    assert_eq!(detail.replace("%20", " ").replace("%27", "'"), kept.detail.unwrap());

    model.come_back().await;
    project.post(ARCHITECT, json!({"message": "Generate"})).await.is(202);
    let ready = project.plan_is("architecture-plan", "ready").await;
    assert_eq!(ready.header("plan-detail"), "");
}

#[tokio::test]
async fn only_the_plan_that_was_shown_is_started() {
    let world = World::start().await;
    let project = gathered(&world).await;
    project.post(ARCHITECT, json!({"message": "Generate architecture plan"})).await.is(202);
    assert!(!project.plan_is("architecture-plan", "ready").await.header("plan-id").is_empty());
    project.post(PLANNER, json!({"message": "Generate implementation plan"})).await.is(202);
    let shown = project.plan_is("implementation-plan", "ready").await.header("plan-id").to_owned();

    let plans = Plans::new(&world.app.table());
    let Plan { text, steps, .. } = project.kept_plan(PlanKind::Implementation).await;
    let kind = PlanKind::Implementation;
    plans.put(project.scope(), kind, &text, &steps).await.unwrap().unwrap();
    let start = async |plan: &str| {
        let body = json!({"message": "Start execution", "plan_id": plan});
        project.post("/execution/trigger", body).await
    };
    start(&shown).await.refuses(409, "stale_plan");
    assert_eq!(project.progress().await.steps.len(), 0, "nothing has begun");
    let present =
        project.plan_is("implementation-plan", "ready").await.header("plan-id").to_owned();
    assert_ne!(present, shown);
    assert_eq!(start(&present).await.is(202).json()["plan_id"], present);
}
