//! The five stages of a project, and what opens each of them.

use api_tests::{Project, World};
use domain::plan::PlannedStep;
use reqwest::Method;
use serde_json::{Value, json};
use store::pipelines::Pipelines;

const STAGES: [&str; 5] =
    ["requirements", "architecture", "implementation", "execution", "validation"];

async fn state(project: &Project) -> Value {
    project.get(&project.path("/project-states")).await.is(200).json()
}

/// The stages with this flag.
fn flagged(state: &Value, flag: &str) -> Vec<String> {
    let stages = state["stages"].as_array().unwrap().iter();
    let flagged = stages.filter(|stage| stage[flag] == true);
    flagged.map(|stage| stage["stage_id"].as_str().unwrap().to_owned()).collect()
}

fn stage_path(project: &Project, stage: &str) -> String {
    format!("/project-states/{}/stages/{stage}", project.id)
}

fn current_path(project: &Project, stage: &str) -> String {
    format!("/project-states/{}/current-stage/{stage}", project.id)
}

/// Confirms a stage and moves to the next, as the page does.
async fn confirm(project: &Project, stage: &str, next: &str) {
    project.put(&stage_path(project, stage), json!({"is_completed": true})).await.is(200);
    project.put(&current_path(project, next), json!({})).await.is(200);
}

fn a_step() -> PlannedStep {
    PlannedStep {
        description: "Look around".into(),
        prompt: "List the files.".into(),
        ..PlannedStep::default()
    }
}

#[tokio::test]
async fn a_new_project_is_at_the_first_of_five_stages() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("New").await;
    let state = state(&project).await;
    let stages = state["stages"].as_array().unwrap();
    let of = |name: &str| stages.iter().map(|stage| stage[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("stage_id"), STAGES);
    assert_eq!(of("order"), [0, 1, 2, 3, 4]);
    let agents = [
        "requirements-gatherer",
        "cloud-architect",
        "implementation-planner",
        "executor",
        "validator",
    ];
    assert_eq!(of("agent_id"), agents);
    assert_eq!(flagged(&state, "is_enabled"), STAGES);
    assert_eq!(flagged(&state, "is_active"), ["requirements"]);
    assert!(flagged(&state, "is_completed").is_empty());
    assert_eq!(state["current_stage_index"], 0);
    for name in ["name", "description"] {
        assert!(of(name).iter().all(|text| !text.as_str().unwrap().is_empty()), "{state}");
    }
}

#[tokio::test]
async fn a_stage_stays_locked_until_the_one_before_it_is_completed() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Eager").await;
    for stage in &STAGES[1..] {
        let answer = project.put(&current_path(&project, stage), json!({})).await;
        let text = answer.refuses(409, "stage_locked");
        assert_eq!(text, "This stage opens when the one before it is completed.");
        let complete = json!({"is_completed": true});
        project.put(&stage_path(&project, stage), complete).await.refuses(409, "stage_locked");
    }
    assert_eq!(flagged(&state(&project).await, "is_active"), ["requirements"]);
}

#[tokio::test]
async fn a_stage_is_completed_by_its_artifact_and_not_by_a_click() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Gates").await;
    let complete = async |stage: &str| {
        project.put(&stage_path(&project, stage), json!({"is_completed": true})).await
    };
    let missing = "There is no plan to confirm yet. Wait for the agent to write it.";

    let text = complete("requirements").await.refuses(409, "stage_gate");
    assert_eq!(text, "You can continue only after the agent is clear about the requirements");
    project.has_requirements().await;
    confirm(&project, "requirements", "architecture").await;

    assert_eq!(complete("architecture").await.refuses(409, "stage_gate"), missing);
    project.has_architecture().await;
    confirm(&project, "architecture", "implementation").await;

    assert_eq!(complete("implementation").await.refuses(409, "stage_gate"), missing);
    project.has_steps(&[a_step()]).await;
    confirm(&project, "implementation", "execution").await;

    let text = complete("execution").await.refuses(409, "stage_gate");
    assert_eq!(text, "Execution is completed when every step is completed.");
    let state = state(&project).await;
    assert_eq!(flagged(&state, "is_active"), STAGES[..4]);
    assert_eq!(flagged(&state, "is_completed"), STAGES[..3]);
    assert_eq!(state["current_stage_index"], 3);
    let kept = Pipelines::new(&owner.app().table()).get(project.scope()).await.unwrap().unwrap();
    assert_eq!(kept.value.completed, [true, true, true, false, false]);
}

#[tokio::test]
async fn going_back_keeps_reached_stages_open() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Back").await;
    project.has_requirements().await;
    confirm(&project, "requirements", "architecture").await;
    project.has_architecture().await;
    confirm(&project, "architecture", "implementation").await;

    let back = project.put(&current_path(&project, "requirements"), json!({})).await.is(200).json();
    assert_eq!(back["current_stage_index"], 0);
    assert_eq!(flagged(&back, "is_active"), STAGES[..3]);
    assert_eq!(back, state(&project).await, "the answer is the state");
    let forth =
        project.put(&current_path(&project, "implementation"), json!({})).await.is(200).json();
    assert_eq!(forth["current_stage_index"], 2);
}

#[tokio::test]
async fn a_change_of_a_stage_returns_its_new_state_and_ignores_other_fields() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Stage").await;
    project.has_requirements().await;
    let path = stage_path(&project, "requirements");
    let wish = json!({"is_completed": true, "name": "Hacked", "is_enabled": false, "order": 9});
    let stage = project.put(&path, wish).await.is(200).json();
    assert_eq!((&stage["is_completed"], &stage["name"]), (&json!(true), &json!("Requirements")));
    assert_eq!((&stage["is_enabled"], &stage["order"]), (&json!(true), &json!(0)));
    let unchanged = project.put(&path, json!({})).await.is(200).json();
    assert_eq!(unchanged, stage, "a request without fields changes nothing");
    let taken_back = project.put(&path, json!({"is_completed": false})).await.is(200).json();
    assert_eq!(taken_back["is_completed"], false);
    for (body, problem) in [
        (json!({"is_completed": "yes"}), "`is_completed` must be true or false"),
        (json!([]), "the body must be an object"),
    ] {
        let text = project.put(&path, body).await.refuses(422, "invalid_body");
        assert_eq!(text, format!("The request body is invalid: {problem}."));
    }
}

#[tokio::test]
async fn an_unknown_stage_is_not_found() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Other").await;
    let wish = json!({"is_completed": true});
    project.put(&stage_path(&project, "deployment"), wish).await.refuses(404, "not_found");
    project.put(&current_path(&project, "Requirements"), json!({})).await.refuses(404, "not_found");
}

#[tokio::test]
async fn a_state_that_has_not_changed_is_not_sent_again() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Polled").await;
    let path = project.path("/project-states");
    let tag = project.get(&path).await.header("etag");
    let again = || project.call(Method::GET, &path).header("if-none-match", &tag).send();
    again().await.is(304);
    project.has_requirements().await;
    again().await.is(304);
    confirm(&project, "requirements", "architecture").await;
    again().await.is(200);
}
