//! An approval applies to the command that was shown, counts once, and is recorded.

use crate::changes::{Changed, validated_by};
use api_tests::{Answer, Model, Project, Step, World};
use domain::audit::Verdict;
use domain::step::Failure;
use serde_json::{Value, json};
use store::audit::Audit;

const APPROVE: &str = "/execution/approve-step";

/// The call in the specification's form, without the attempt and the command.
async fn decide_unnamed(project: &Project, plan_id: &str, approved: bool) -> Answer {
    let decision = json!({"plan_id": plan_id, "step_number": 1, "approved": approved});
    project.post(APPROVE, decision).await
}

/// Counts in a file how often it ran.
const COUNTING: &str = "echo run >> runs.txt; wc -l < runs.txt";

#[tokio::test]
async fn a_repeated_approval_gets_the_first_ones_answer_and_runs_nothing() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&[COUNTING, "true"]).await;
    let shown = project.step_is(1, "waiting_approval").await;
    let first = project.decide(&shown, true).await.is(200).json();
    let ran = project.step_is(1, "completed").await;
    assert_eq!(ran.output.trim(), "1");
    let again = project.decide(&shown, true).await.is(200).json();
    assert_eq!(again, first, "the first call's answer, whatever happened since");
    assert_eq!(project.step(1).await.attempt, ran.attempt);

    // Executing it again is a decision on the completed attempt, and also counts once.
    project.decide(&ran, true).await.is(200);
    let twice = project.step_when(1, "ran again", |step| step.output.trim() == "2").await;
    for seen in [&shown, &ran] {
        project.decide(seen, true).await.is(200);
    }
    let still = project.step_is(1, "completed").await;
    assert_eq!((still.attempt, still.output), (twice.attempt, twice.output));
    assert_eq!(project.files().await["runs.txt"], "run\nrun\n");
}

#[tokio::test]
async fn a_call_without_an_attempt_applies_only_to_the_first_attempt() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let plan_id = project.execute(&[COUNTING]).await;
    project.step_is(1, "waiting_approval").await;
    decide_unnamed(&project, &plan_id, true).await.is(200);
    let ran = project.step_is(1, "completed").await;
    decide_unnamed(&project, &plan_id, true).await.refuses(409, "attempt_unnamed");
    let half =
        json!({"plan_id": plan_id, "step_number": 1, "approved": true, "attempt": ran.attempt});
    project.post(APPROVE, half).await.refuses(409, "attempt_unnamed");
    assert_eq!(project.step(1).await.attempt, ran.attempt);
}

#[tokio::test]
async fn a_command_prepared_after_a_rejection_does_not_run_unseen() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let plan_id = project.execute(&[COUNTING]).await;
    let shown = project.step_is(1, "waiting_approval").await;
    project.decide(&shown, false).await.is(200);
    let repeated = project.decide(&shown, false).await.is(200).json();
    assert_eq!(repeated["failure"], "rejected");
    let rejected = project.step(1).await;
    assert_eq!(rejected.failure.as_deref(), Some("rejected"));
    project.decide(&rejected, true).await.is(200);
    let waiting = project.step_when(1, "waits again", Step::is_waiting).await;
    decide_unnamed(&project, &plan_id, true).await.refuses(409, "attempt_unnamed");
    decide_unnamed(&project, &plan_id, false).await.refuses(409, "attempt_unnamed");
    // A late rejection applies only to the command that it names.
    project.decide(&shown, false).await.is(200);
    assert_eq!(project.step(1).await.status, "waiting_approval");
    project.decide(&waiting, true).await.is(200);
    assert_eq!(project.step_is(1, "completed").await.output.trim(), "1");
}

#[tokio::test]
async fn a_late_cancellation_leaves_the_next_attempt_alone() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let plan_id = project.execute(&["echo begun; until [ -e go ]; do sleep 0.05; done"]).await;
    project.approve(1).await;
    let begun = |step: &Step| step.output.contains("begun");
    let running = project.step_when(1, "has begun", begun).await;
    let name = json!({"plan_id": plan_id, "step_number": 1, "attempt": running.attempt});
    let cancel = async || project.post("/execution/cancel-step", name.clone()).await;
    cancel().await.is(200);
    let cancelled = project.step_is(1, "failed").await;
    assert_eq!(cancelled.failure.as_deref(), Some("cancelled"));
    cancel().await.is(200);
    // The exact command that was approved runs again at once.
    project.decide(&cancelled, true).await.is(200);
    let again = project.step_when(1, "has begun again", |s| s.is_running() && begun(s)).await;
    cancel().await.is(200);
    let still = project.step(1).await;
    assert!(still.is_running() && still.attempt == again.attempt, "{still:?}");
}

#[tokio::test]
async fn a_step_of_the_former_change_cannot_be_approved_again_and_is_not_in_the_way() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    validated_by(&project, COUNTING, "echo proved").await;
    let plan_id = project.progress().await.id;
    let step = project.step(1).await;
    let checks = project.get("/validation/progress").await.is(200).json();
    project.begin("bigger disk").await.is(201);
    // A page that has not noticed the change.
    let again = |plan_id: &Value, attempt: &Value, sha256: &Value| {
        json!({"plan_id": plan_id, "step_number": 1, "approved": true, "attempt": attempt,
            "command_sha256": sha256})
    };
    let old_step = again(&json!(plan_id), &json!(step.attempt), &json!(step.command_sha256));
    project.post(APPROVE, old_step).await.refuses(409, "stale_plan");
    let check = &checks["steps"][0];
    let old_check = again(&checks["id"], &check["attempt"], &check["command_sha256"]);
    project.post("/validation/approve-step", old_check).await.refuses(409, "stale_plan");

    project.execute(&["cat runs.txt"]).await;
    assert_eq!(project.complete(1).await.output, "run\n", "the former step ran once");
}

#[tokio::test]
async fn an_approval_is_recorded_with_who_what_and_the_names_of_its_credentials() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let keep = async |name: &str| {
        let values = json!({"values": {name: "a-value-of-some-length"}});
        project.put("/planning/credentials/other", values).await.is(204);
    };
    keep("DEPLOY_TOKEN").await;
    project.execute(&["echo ${#DEPLOY_TOKEN}; exit 4"]).await;
    let shown = project.step_is(1, "waiting_approval").await;
    project.decide(&shown, true).await.is(200);
    let failed = project.step_is(1, "failed").await;
    assert_eq!((failed.failure.as_deref(), failed.output.trim()), (Some("exit_code"), "22"));

    let audit = Audit::new(&owner.app().table());
    let decisions = audit.decisions(project.scope()).await.unwrap();
    let [approved] = &decisions[..] else { panic!("{decisions:?}") };
    assert_eq!((approved.verdict, approved.attempt), (Verdict::Approved, shown.attempt));
    assert_eq!(approved.command.as_ref().map(|c| &c.sha256), shown.command_sha256.as_ref());
    assert_eq!(
        (approved.by.login.as_str(), &*approved.credentials),
        ("owner", &["DEPLOY_TOKEN".to_owned()][..])
    );
    let runs = audit.runs(project.scope()).await.unwrap();
    let [run] = &runs[..] else { panic!("{runs:?}") };
    assert_eq!((run.failure, run.exit_code), (Some(Failure::ExitCode), Some(4)));
    assert_eq!(run.approval.as_ref().map(|approval| approval.attempt), Some(approved.attempt));
    let kept: Value = serde_json::to_value((&decisions, &runs)).unwrap();
    assert!(!kept.to_string().contains("a-value-of-some-length"));
}

#[tokio::test]
async fn the_audit_shows_its_owner_who_approved_what_and_how_it_ended() {
    let model = Model::start().await;
    let World { owner, stranger, visitor, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo fine", "exit 3"]).await;
    project.complete(1).await;
    let failing = project.approve(2).await;
    project.step_is(2, "failed").await;
    let path = format!("/projects/{}/audit", project.id);
    let audit = owner.get(&path).await.is(200).json();
    let [second, first] = &audit.as_array().unwrap()[..] else { panic!("{audit}") };
    assert_eq!((&first["step_number"], &first["verdict"]), (&json!(1), &json!("approved")));
    assert_eq!((&first["by"]["login"], &first["run"]["failure"]), (&json!("owner"), &Value::Null));
    assert_eq!(second["command_sha256"], json!(failing.command_sha256));
    let run = &second["run"];
    assert_eq!((&run["failure"], &run["exit_code"]), (&json!("exit_code"), &json!(3)));

    let file = owner.get(&format!("{path}?format=csv")).await.is(200);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    let lines: Vec<_> = file.text().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines[1].contains(",approved,owner,") && lines[1].contains(",exit_code,3,"),
        "{lines:?}"
    );
    for format in ["", "?format=csv"] {
        stranger.get(&format!("{path}{format}")).await.refuses(404, "not_found");
        visitor.get(&format!("{path}{format}")).await.refuses(401, "signed_out");
    }
}
