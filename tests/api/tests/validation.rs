//! Checks, as their owner sees and controls them.

use api_tests::{Model, Project, World, eventually};
use domain::plan::PlannedStep;
use domain::requirement::{Fate, Wish};
use serde_json::{Value, json};

async fn check_when(project: &Project, what: &str, wish: impl Fn(&Value) -> bool) -> Value {
    eventually(&format!("the check {what}"), async || {
        let progress = project.get("/validation/progress").await.is(200).json();
        let check = progress["steps"][0].clone();
        wish(&check).then_some(check)
    })
    .await
}

async fn trigger(project: &Project) {
    let answer = project.post("/validation/trigger", json!({"message": "Start"})).await.is(200);
    assert_eq!(answer.json()["status"], "success");
}

async fn approve(project: &Project, plan_id: &str) {
    let waiting = check_when(project, "waits", |c| c["status"] == "waiting_approval").await;
    let word = json!({"plan_id": plan_id, "step_number": 1, "approved": true,
        "command_sha256": waiting["command_sha256"]});
    project.post("/validation/approve-step", word).await.is(200);
}

#[tokio::test]
async fn a_checks_whole_output_is_available_and_a_running_check_can_be_canceled() {
    let model = Model::start().await;
    let World { owner, stranger, .. } = World::with(&model).await;
    let project = owner.project("Checked").await;
    let plan =
        project.has_checks(&["seq 1 20000; test -f stay || { touch stay; sleep 600; }"]).await;
    trigger(&project).await;
    approve(&project, &plan).await;
    check_when(&project, "prints", |c| c["output_bytes"].as_u64() > Some(100_000)).await;
    let name = json!({"plan_id": plan, "step_number": 1});
    stranger
        .within(project.id)
        .post("/validation/cancel-step", name.clone())
        .await
        .refuses(404, "not_found");
    project.post("/validation/cancel-step", name.clone()).await.is(200);
    let failed = check_when(&project, "failed", |c| c["status"] == "failed").await;
    assert_eq!(failed["error"], "Canceled by user");
    project.post("/validation/cancel-step", name).await.refuses(409, "illegal_transition");
    let output = project.get("/validation/output/1").await.is(200);
    let all: String = (1..=20_000).map(|n| format!("{n}\n")).collect();
    assert_eq!((output.text() == all, output.header("step-status").as_str()), (true, "failed"));
    project.get("/validation/output/2").await.refuses(404, "not_found");
}

#[tokio::test]
async fn requesting_a_failed_check_again_starts_its_sandbox() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Again").await;
    let plan = project.has_checks(&["test -f second || { touch second; exit 1; }"]).await;
    trigger(&project).await;
    approve(&project, &plan).await;
    check_when(&project, "failed", |c| c["status"] == "failed").await;
    project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    trigger(&project).await;
    check_when(&project, "completed", |c| c["status"] == "completed").await;
    assert_eq!(project.kept_sandbox().await.generation, 2);
}

#[tokio::test]
async fn a_check_that_failed_as_a_reading_is_one_again_when_it_is_triggered_again() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Read").await;
    let values = json!({"values": {"DEPLOY_TOKEN": "a-value-of-some-length"}});
    project.put("/planning/credentials/other", values).await.is(204);
    project.sandbox_is_up().await;
    // The very words in which a reading runs, so that the next attempt has the digest of the last one.
    let script = "set -euo pipefail\ncat missing.txt\n";
    let plan = project.has_checks(&[script]).await;
    trigger(&project).await;
    check_when(&project, "waits", |c| c["status"] == "waiting_approval").await;
    let wish = json!({"plan_id": plan, "autonomy": "ask_for_changes"});
    project.post("/validation/autonomy", wish).await.is(200);
    let failed = check_when(&project, "failed", |c| c["status"] == "failed").await;
    assert_eq!(failed["command"], script, "the test proposes what a reading runs");
    trigger(&project).await;
    let later = |c: &Value| c["status"] == "failed" && c["attempt"] != failed["attempt"];
    let again = check_when(&project, "failed again", later).await;
    assert_eq!(again["command"], script);
    let rows = owner.get(&format!("/projects/{}/audit", project.id)).await.is(200).json();
    let ran: Vec<_> = rows.as_array().unwrap().iter().filter(|r| r["run"].is_object()).collect();
    assert_eq!(ran.len(), 2, "{rows:#}");
    for run in ran {
        let unasked = (&run["verdict"], &run["credentials"]);
        assert_eq!(unasked, (&Value::Null, &json!([])), "it has no approval: {run:#}");
    }
}

#[tokio::test]
async fn a_report_is_read_with_its_plan() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Reported").await;
    project.has_checks(&["true"]).await;
    let plans = store::plans::Plans::new(&app.table());
    let kind = store::plans::PlanKind::Validation;
    assert!(plans.put_report(project.scope(), kind, "# All is well").await.unwrap());
    let plan = project.get("/validation/plan").await.is(200).json();
    let expected = json!({"status": "success", "plan": "# Checks", "report": "# All is well"});
    assert_eq!(plan, expected);
}

#[tokio::test]
async fn only_the_owner_sees_the_proof_of_each_requirement() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Proved").await;
    let path = "/validation/requirements";
    let nothing = project.get(path).await.is(200);
    assert_eq!(nothing.json(), json!({"requirements": [], "outdated": []}));
    let tag = nothing.header("etag");
    let again = project.call(reqwest::Method::GET, path).header("if-none-match", &tag);
    assert!(again.send().await.is(304).body.is_empty());

    let plans = store::plans::Plans::new(&owner.app().table());
    let wish = |wish: &str, fate| Wish {
        wish: wish.into(),
        fate,
        how: String::new(),
        words: String::new(),
    };
    let wishes = [wish("a blog", Fate::Built), wish("Redis", Fate::Not)];
    assert!(plans.put_requirements(project.scope(), "# A blog", &wishes, true).await.unwrap());
    let step = |requirements: &[&str]| PlannedStep {
        description: "Write it".into(),
        prompt: "now".into(),
        requirements: requirements.iter().map(|id| id.to_string()).collect(),
    };
    project.has_steps(&[step(&["R1"])]).await;
    let covered = project.get(path).await.is(200).json();
    let blog = json!({"id": "R1", "wish": "a blog", "fate": "built", "how": "", "checks": [],
        "steps": [{"number": 1, "status": "pending", "outdated": false}], "verdict": "not_proved"});
    let redis = json!({"id": "R2", "wish": "Redis", "fate": "not", "how": "", "checks": [],
        "steps": [], "verdict": "not_built"});
    assert_eq!(covered, json!({"requirements": [blog, redis], "outdated": []}));
    stranger.within(project.id).get(path).await.refuses(404, "not_found");
}
