//! Drift: a validated project is checked again under standing approvals, and differences are named.

use crate::compute::spend_everything;
use crate::mail;
use api_tests::{Answer, Model, Project, Settings, World, eventually};
use domain::audit::Actor;
use domain::requirement::{Fate, Wish};
use domain::schedule::Every;
use domain::step::Track;
use domain::{PlanId, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};
use store::executions::Executions;
use store::plans::Plans;
use store::schedules::Schedules;

const DRIFT: &str = "/validation/drift";

/// A project with two checks that passed: one of a file, and one of nothing.
pub async fn validated(project: &Project) {
    project.sandbox_is_up().await;
    let first = "test ! -e away || exit 75; test ! -e opened || { echo port 8443; exit 3; }";
    let plan = project.has_checks(&[first, "true"]).await;
    all_pass(project, &plan, 2).await;
}

/// Runs that many checks of a plan, all of which pass.
pub async fn all_pass(project: &Project, plan: &str, checks: usize) {
    project.post("/validation/trigger", json!({"message": "Start"})).await.is(200);
    for number in 1..=checks {
        let waiting = check_is(project, number, "waiting_approval").await;
        let word = json!({"plan_id": plan, "step_number": number, "approved": true,
            "command_sha256": waiting["command_sha256"]});
        project.post("/validation/approve-step", word).await.is(200);
        check_is(project, number, "completed").await;
    }
}

pub async fn check_is(project: &Project, number: usize, status: &str) -> Value {
    eventually(&format!("check {number} is {status}"), async || {
        let progress = project.get("/validation/progress").await.is(200).json();
        let check = progress["steps"][number - 1].clone();
        (check["status"] == status).then_some(check)
    })
    .await
}

pub async fn drift(project: &Project) -> Vec<Value> {
    let drift = project.get(DRIFT).await.is(200).json();
    drift["checks"].as_array().unwrap().clone()
}

/// Runs the checks again; returns what they find.
async fn checked(project: &Project) -> Vec<Value> {
    project.post("/validation/drift/check", json!({})).await.is(200);
    eventually("the checks have ended", async || {
        let checks = drift(project).await;
        let over = |c: &Value| !["waiting", "checking"].contains(&c["status"].as_str().unwrap());
        checks.iter().all(over).then_some(checks)
    })
    .await
}

pub fn statuses(checks: &[Value]) -> Vec<&str> {
    checks.iter().map(|check| check["status"].as_str().unwrap()).collect()
}

pub fn named(checks: &[Value]) -> Value {
    let name =
        |c: &Value| json!({"step_number": c["step_number"], "command_sha256": c["command_sha256"]});
    json!({"checks": checks.iter().map(name).collect::<Vec<_>>()})
}

/// Creates or removes the file that the first check looks for, in a terminal and not by a step, as a person on a server
/// would.
pub async fn by_hand(project: &Project, command: &str) {
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    // The terminal still shows earlier commands, so each command prints its own mark.
    let name = command.split(' ').next().unwrap();
    terminal.types(&format!("{command} && echo {name}''-done\r")).await;
    terminal.shows(&format!("{name}-done")).await;
}

async fn tokens(project: &Project) -> Value {
    project.get(&format!("/projects/{}/token-usage", project.id)).await.is(200).json()
}

pub async fn check(project: &Project) -> Answer {
    project.post("/validation/drift/check", json!({})).await
}

async fn schedule(project: &Project, every: &str) -> Answer {
    project.post("/validation/drift/schedule", json!({"every": every})).await
}

pub async fn audit(project: &Project) -> Vec<Value> {
    let path = format!("/projects/{}/audit", project.id);
    project.get(&path).await.is(200).json().as_array().unwrap().clone()
}

async fn listed(project: &Project, owner: &api_tests::Actor) -> Value {
    let all = owner.get("/projects").await.is(200).json();
    all.as_array().unwrap().iter().find(|p| p["id"] == project.id).unwrap()["drifted_checks"]
        .clone()
}

#[tokio::test]
async fn drift_from_manual_changes_is_named_until_it_is_gone() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Watched").await;
    project.post("/validation/drift/check", json!({})).await.refuses(409, "not_validated");
    assert_eq!(drift(&project).await, Vec::<Value>::new());
    validated(&project).await;
    project.post("/validation/drift/check", json!({})).await.refuses(409, "no_standing_approval");
    let evidence = project.get("/validation/progress").await.is(200).json();
    let spent = tokens(&project).await;

    let passed = drift(&project).await;
    project.post("/validation/drift/approve", named(&passed)).await.is(200);
    assert_eq!(statuses(&checked(&project).await), ["as_described", "as_described"]);
    assert_eq!(listed(&project, &owner).await, 0);

    by_hand(&project, "touch opened").await;
    let found = checked(&project).await;
    assert_eq!(statuses(&found), ["drifted", "as_described"], "the check after it ran, too");
    assert_eq!(found[0]["output"], "port 8443\n");
    assert_eq!(found[0]["error_message"], "The command exited with code 3.");
    assert!(found[0]["drifted_since"].is_string());
    assert_eq!(listed(&project, &owner).await, 1);
    let again = checked(&project).await;
    assert_eq!(again[0]["drifted_since"], found[0]["drifted_since"], "since it was found first");
    assert_ne!(again[0]["checked_at"], found[0]["checked_at"]);

    by_hand(&project, "rm opened").await;
    let mended = checked(&project).await;
    assert_eq!(statuses(&mended), ["as_described", "as_described"]);
    assert_eq!(mended[0]["drifted_since"], Value::Null);
    assert_eq!(listed(&project, &owner).await, 0);
    let now = project.get("/validation/progress").await.is(200).json();
    assert_eq!(now, evidence, "the validation keeps its own evidence");
    assert_eq!(tokens(&project).await, spent, "no agent writes anything");
}

#[tokio::test]
async fn a_standing_approval_is_for_one_script_recorded_and_withdrawn_at_will() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Approved").await;
    validated(&project).await;
    let login = owner.get("/github/user").await.is(200).json()["login"].clone();
    let passed = drift(&project).await;
    assert_eq!(passed[0]["approved_by"], Value::Null);
    let other =
        json!({"checks": [{"step_number": 1, "command_sha256": passed[1]["command_sha256"]}]});
    project.post("/validation/drift/approve", other).await.refuses(409, "command_changed");

    for _ in 0..2 {
        project.post("/validation/drift/approve", named(&passed)).await.is(200);
    }
    checked(&project).await;
    by_hand(&project, "touch opened").await;
    assert_eq!(statuses(&checked(&project).await), ["drifted", "as_described"]);
    let withdrawal = json!({"step_number": 1});
    let left = project.post("/validation/drift/withdraw", withdrawal).await.is(200).json();
    assert_eq!(left["checks"][0]["approved_by"], Value::Null);
    assert_eq!(left["checks"][1]["approved_by"], login);
    assert_eq!(listed(&project, &owner).await, 0, "it is no longer checked");
    assert_eq!(statuses(&checked(&project).await), ["as_described", "as_described"]);

    let audit = audit(&project).await;
    let of_first = |verdict: Value| {
        let entries = audit.iter();
        let mine = |e: &&Value| e["track"] == "drift" && e["step_number"] == 1;
        entries.filter(mine).filter(|e| e["verdict"] == verdict).count()
    };
    assert_eq!(of_first(json!("approved")), 1, "approving again is answered from the record");
    assert_eq!(of_first(json!("approval_withdrawn")), 1);
    assert_eq!(of_first(Value::Null), 2, "each run is an entry, and none after the withdrawal");
}

#[tokio::test]
async fn each_check_names_its_requirements_and_one_that_changes_something_runs_only_once() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Traced").await;
    project.sandbox_is_up().await;
    let wish = |wish: &str| Wish {
        wish: wish.into(),
        fate: Fate::Built,
        how: String::new(),
        words: String::new(),
    };
    let plans = Plans::new(&project.app().table());
    let wishes = [wish("a shop"), wish("port 8443 closed")];
    plans.put_requirements(project.scope(), "# A shop", &wishes, true).await.unwrap();
    let checks: [(&str, &[&str]); 3] =
        [("test ! -e opened", &["R2", "r1"]), ("touch visited", &["R1"]), ("true", &[])];
    let plan = project.has_proofs(&checks).await;
    all_pass(&project, &plan, checks.len()).await;

    let passed = drift(&project).await;
    let (shop, port) =
        (json!({"id": "R1", "wish": "a shop"}), json!({"id": "R2", "wish": "port 8443 closed"}));
    assert_eq!(passed[0]["requirements"], json!([shop, port]));
    assert_eq!(passed[1]["requirements"], json!([shop]));
    assert_eq!(passed[2]["requirements"], json!([]));
    assert_eq!((&passed[0]["changes"], &passed[2]["changes"]), (&Value::Null, &Value::Null));
    let why = passed[1]["changes"].as_str().unwrap();
    assert!(why.contains("`touch` changes the file `visited`"), "{why}");

    let all = project.post("/validation/drift/approve", named(&passed)).await;
    all.refuses(409, "check_changes_something");
    assert!(drift(&project).await.iter().all(|check| check["approved_by"].is_null()));
    let reading = [passed[0].clone(), passed[2].clone()];
    project.post("/validation/drift/approve", named(&reading)).await.is(200);
    // As if it had been allowed before the rule existed.
    let executions = Executions::new(&project.app().table());
    let validated = executions.on(Track::Validation).load(project.scope()).await.unwrap().unwrap();
    let (plan_id, by) =
        (PlanId::from(plan.as_str()), Actor { user_id: 1, login: "ada".to_owned() });
    let standing = executions.on(Track::Drift);
    standing.give_standing(project.scope(), &plan_id, &validated.steps, &by, &[]).await.unwrap();
    by_hand(&project, "rm visited; touch opened").await;
    let found = checked(&project).await;
    assert_eq!(statuses(&found)[0], "drifted");
    assert_eq!(found[0]["requirements"], json!([shop, port]));
    assert_eq!(found[1]["checked_at"], passed[1]["checked_at"], "it did not run again");
    by_hand(&project, "test ! -e visited").await;
}

#[tokio::test]
async fn a_check_starts_a_stopped_sandbox() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Stopped").await;
    validated(&project).await;
    project.post("/validation/drift/approve", named(&drift(&project).await)).await.is(200);
    project.post(&project.path("/sandbox/stop"), json!({})).await.is(200);
    assert_eq!(statuses(&checked(&project).await), ["as_described", "as_described"]);
    assert_eq!(project.kept_sandbox().await.generation, 2);
}

#[tokio::test]
async fn a_check_that_cannot_tell_finds_no_drift_and_the_next_one_runs() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Away").await;
    validated(&project).await;
    project.post("/validation/drift/approve", named(&drift(&project).await)).await.is(200);
    by_hand(&project, "touch away").await;
    let found = checked(&project).await;
    assert_eq!(statuses(&found), ["unknown", "as_described"]);
    assert_eq!(found[0]["error_message"], "The command exited with code 75.");
    assert_eq!(listed(&project, &owner).await, 0);

    by_hand(&project, "rm away; touch opened").await;
    let found = checked(&project).await;
    assert_eq!(statuses(&found), ["drifted", "as_described"]);
    by_hand(&project, "test -e opened && touch away").await;
    let blind = checked(&project).await;
    assert_eq!(statuses(&blind), ["unknown", "as_described"]);
    assert_eq!(blind[0]["drifted_since"], found[0]["drifted_since"], "the earlier finding stays");
}

#[tokio::test]
async fn checks_of_another_plan_are_asked_about_again() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Planned again").await;
    validated(&project).await;
    project.post("/validation/drift/approve", named(&drift(&project).await)).await.is(200);
    by_hand(&project, "touch opened").await;
    assert_eq!(statuses(&checked(&project).await), ["drifted", "as_described"]);
    by_hand(&project, "rm opened").await;

    project.has_checks(&["true", "true"]).await;
    project.post("/validation/trigger", json!({"message": "Start"})).await.is(200);
    check_is(&project, 1, "waiting_approval").await;
    check(&project).await.refuses(409, "not_validated");
    assert_eq!(drift(&project).await, Vec::<Value>::new());
    assert_eq!(listed(&project, &owner).await, 0, "the drift belonged to another plan");
    validated(&project).await;
    assert!(drift(&project).await.iter().all(|check| check["approved_by"].is_null()));
    check(&project).await.refuses(409, "no_standing_approval");
}

#[tokio::test]
async fn nothing_runs_without_credits_or_a_project() {
    let model = Model::start().await;
    let World { owner, stranger, .. } = World::with(&model).await;
    let project = owner.project("Refused").await;
    validated(&project).await;
    let passed = drift(&project).await;
    project.post("/validation/drift/approve", named(&passed)).await.is(200);
    check(&stranger.project_of(&project)).await.refuses(404, "not_found");
    spend_everything(&project).await;
    check(&project).await.refuses(402, "insufficient_credits");
    assert_eq!(drift(&project).await[0]["checked_at"], passed[0]["checked_at"]);
    project.call(Method::DELETE, &format!("/projects/{}", project.id)).send().await.is(202);
    check(&project).await.refuses(404, "not_found");
    schedule(&project, "daily").await.refuses(404, "not_found");
}

/// Lets a day pass, so that the automatic check is due; also for a project whose owner is signed out.
pub async fn a_day_passes(project: &Project) {
    let yesterday = Timestamp::now().plus_seconds(-25 * 60 * 60);
    let (plan_id, by) = (PlanId::from("p"), Actor { user_id: 1, login: "ada".to_owned() });
    let schedules = Schedules::new(&project.app().table());
    for every in [Every::Off, Every::Daily] {
        schedules.set(project.scope(), &plan_id, every, yesterday, &by).await.unwrap();
    }
}

#[tokio::test]
async fn a_schedule_runs_what_its_owner_allowed_and_nothing_else() {
    let model = Model::start().await;
    let settings = Settings { hurried: true, ..Settings::with_model(&model) };
    let World { app, owner, .. } = World::with_settings(settings).await;
    mail::turn_on(&owner, "ada@example.com").await;
    let project = owner.project("Scheduled").await;
    schedule(&project, "daily").await.refuses(409, "not_validated");
    validated(&project).await;
    let passed = drift(&project).await;
    project.post("/validation/drift/approve", named(&passed[..1])).await.is(200);
    for _ in 0..2 {
        let set = schedule(&project, "daily").await.is(200).json();
        assert_eq!(set["every"], "daily");
        assert!(set["due_at"].is_string());
    }
    let records = |audit: &[Value]| audit.iter().filter(|e| e["verdict"] == "scheduled").count();
    assert_eq!(records(&audit(&project).await), 1, "the same again changes nothing");

    by_hand(&project, "touch opened").await;
    a_day_passes(&project).await;
    let found = eventually("drift is found", async || {
        let checks = drift(&project).await;
        (checks[0]["status"] == "drifted").then_some(checks)
    })
    .await;
    assert_eq!(found[1]["checked_at"], passed[1]["checked_at"], "the owner did not allow this one");
    assert_eq!(listed(&project, &owner).await, 1);
    let runs = |audit: &[Value]| {
        audit.iter().filter(|e| e["track"] == "drift" && e["verdict"].is_null()).count()
    };
    assert_eq!(runs(&audit(&project).await), 1, "one sweep ran it, once");
    let due: Timestamp =
        serde_json::from_value(project.get(DRIFT).await.is(200).json()["due_at"].clone()).unwrap();
    assert!(due > Timestamp::now(), "the next time is in the future");
    let letter = "Check 1 finds a difference from what was built · Scheduled";
    mail::letters_saying(&app, "ada@example.com", letter).await;
    let off = schedule(&project, "off").await.is(200).json();
    assert_eq!((&off["every"], &off["due_at"]), (&json!("off"), &Value::Null));
}
