//! Evidence: a check proves what it saw, until a step runs again.

use crate::drift::{all_pass, audit, by_hand, check_is, drift, named, statuses};
use api_tests::{Model, Project, Step, World, eventually};
use domain::requirement::{Fate, Wish};
use serde_json::{Value, json};
use store::plans::Plans;

/// The first requirement's verdict, and the checks that are outdated, by number.
async fn proof(project: &Project) -> (String, Vec<u64>) {
    let shown = project.get("/validation/requirements").await.is(200).json();
    let numbers = |list: &Value| {
        let list = list.as_array().unwrap();
        list.iter().map(|check| check["step_number"].as_u64().unwrap()).collect()
    };
    let verdict = shown["requirements"][0]["verdict"].as_str().unwrap().to_owned();
    (verdict, numbers(&shown["outdated"]))
}

#[tokio::test]
async fn a_check_proves_nothing_about_what_a_step_did_after_it() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Again").await;
    let wish =
        Wish { wish: "a shop".into(), fate: Fate::Built, how: String::new(), words: String::new() };
    let plans = Plans::new(&project.app().table());
    plans.put_requirements(project.scope(), "# A shop", &[wish], true).await.unwrap();
    project.sandbox_is_up().await;
    project.execute(&["test ! -e broken"]).await;
    project.complete(1).await;
    let plan = project.has_proofs(&[("test ! -e opened", &["R1"]), ("true", &[])]).await;
    all_pass(&project, &plan, 2).await;
    let is = async |verdict: &str, outdated: &[u64]| {
        assert_eq!(proof(&project).await, (verdict.to_owned(), outdated.to_vec()));
    };
    is("proved", &[]).await;
    let first = &drift(&project).await[..1];
    project.post("/validation/drift/approve", named(first)).await.is(200);

    let again = async |status: &str| {
        let done = project.step(1).await;
        project.decide(&done, true).await.is(200);
        let ended = |step: &Step| step.status == status && step.attempt > done.attempt;
        project.step_when(1, &format!("is {status} again"), ended).await;
    };
    again("completed").await;
    is("outdated", &[1, 2]).await;
    assert_eq!(statuses(&drift(&project).await), ["outdated", "outdated"]);
    project.post("/validation/drift/check", json!({})).await.is(200);
    let ended = async || (proof(&project).await.1 == [2]).then_some(());
    eventually("the first check has run under its standing approval", ended).await;
    is("proved", &[2]).await;
    assert_eq!(statuses(&drift(&project).await), ["as_described", "outdated"]);

    by_hand(&project, "touch opened").await;
    again("completed").await;
    is("outdated", &[1, 2]).await;
    let outdated = project.get("/validation/requirements").await.is(200).json()["outdated"].clone();
    let start = json!({"message": "Again", "passed": outdated});
    for _ in 0..2 {
        project.post("/validation/trigger", start.clone()).await.is(200);
    }
    check_is(&project, 1, "failed").await;
    check_is(&project, 2, "completed").await;
    is("failed", &[]).await;
    let audit = audit(&project).await;
    let second = |e: &&Value| {
        e["track"] == "validation" && e["step_number"] == 2 && e["verdict"] == "approved"
    };
    let approved = audit.iter().filter(second).count();
    assert_eq!(approved, 2, "a repeated call runs nothing twice");

    project.post("/validation/drift/check", json!({})).await.refuses(409, "not_validated");
}

#[tokio::test]
async fn checks_run_again_only_while_every_step_is_completed() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Open").await;
    project.sandbox_is_up().await;
    project.execute(&["test ! -e broken"]).await;
    project.complete(1).await;
    let plan = project.has_proofs(&[("true", &[])]).await;
    all_pass(&project, &plan, 1).await;
    project.post("/validation/drift/approve", named(&drift(&project).await)).await.is(200);
    by_hand(&project, "touch broken").await;
    let done = project.step(1).await;
    project.decide(&done, true).await.is(200);
    project.step_when(1, "has failed", |step: &Step| step.status == "failed").await;
    project.post("/validation/drift/check", json!({})).await.refuses(409, "steps_open");
}
