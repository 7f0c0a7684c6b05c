//! Day two: a project that is built and validated is changed, and changed again.

use api_tests::{Actor, Answer, Model, Project, World, eventually};
use reqwest::Method;
use serde_json::{Value, json};

pub(crate) async fn confirm(project: &Project, stage: &str, next: &str) {
    let states = project.path("/project-states");
    let complete = json!({"is_completed": true});
    project.put(&format!("{states}/stages/{stage}"), complete).await.is(200);
    if !next.is_empty() {
        project.put(&format!("{states}/current-stage/{next}"), json!({})).await.is(200);
    }
}

async fn checks(project: &Project) -> Vec<Value> {
    let progress = project.get("/validation/progress").await.is(200).json();
    progress["steps"].as_array().unwrap().clone()
}

async fn check_is(project: &Project, number: usize, status: &str) -> Value {
    eventually(&format!("check {number} is {status}"), async || {
        let check = checks(project).await.swap_remove(number - 1);
        assert!(status == "failed" || check["status"] != "failed", "{check}");
        (check["status"] == status).then_some(check)
    })
    .await
}

/// Takes a project from agreed requirements to its execution.
pub(crate) async fn plan(project: &Project) {
    let asks = [
        ("/planning/cloud-architect", "Generate architecture plan", "requirements", "architecture"),
        (
            "/planning/implementation-planner",
            "Generate implementation plan",
            "architecture",
            "implementation",
        ),
    ];
    for (agent, message, done, next) in asks {
        project.post(agent, json!({"message": message})).await.is(202);
        confirm(project, done, next).await;
        project.plan_is(&format!("{next}-plan"), "ready").await;
    }
    project.sandbox_is_up().await;
    project.trigger().await;
    confirm(project, "implementation", "execution").await;
}

/// Takes a project from agreed requirements through all stages; returns the titles of the steps that ran.
pub(crate) async fn carry_out(project: &Project) -> Vec<String> {
    let titles = pass(project).await;
    confirm(project, "validation", "").await;
    titles
}

/// The same, until all checks have passed and wait for their confirmation.
pub(crate) async fn pass(project: &Project) -> Vec<String> {
    plan(project).await;
    let mut titles = Vec::new();
    for number in 1..=project.progress().await.total_steps {
        let ran = project.complete(number).await;
        titles.push(ran.description);
    }
    confirm(project, "execution", "validation").await;
    project.chat("/validation/agent", "Create a validation plan").await;
    project.post("/validation/trigger", json!({"message": "Start validation"})).await.is(200);
    for number in 1..=checks(project).await.len() {
        let waiting = check_is(project, number, "waiting_approval").await;
        let word = json!({"step_number": number, "approved": true,
            "command_sha256": waiting["command_sha256"]});
        project.post("/validation/approve-step", word).await.is(200);
        check_is(project, number, "completed").await;
    }
    titles
}

pub(crate) async fn changes(project: &Project) -> Value {
    project.get(&project.changes_path("")).await.is(200).json()
}

pub(crate) trait Changed {
    fn changes_path(&self, rest: &str) -> String;
    async fn begin(&self, wish: &str) -> Answer;
    async fn abandon(&self, number: u32) -> Answer;
}

impl Changed for Project {
    fn changes_path(&self, rest: &str) -> String {
        format!("/projects/{}/changes{rest}", self.id)
    }

    async fn abandon(&self, number: u32) -> Answer {
        self.call(Method::DELETE, &self.changes_path(&format!("/{number}"))).send().await
    }

    async fn begin(&self, wish: &str) -> Answer {
        self.post(&self.changes_path(""), json!({"wish": wish})).await
    }
}

/// An agent's question, and the requirements at that time.
pub(crate) async fn wish(project: &Project, wish: &str) -> Value {
    project.chat("/planning/requirements-gatherer", wish).await;
    project.get("/planning/requirements").await.is(200).json()
}

pub(crate) async fn gathered(project: &Project) {
    let first = "A small web service with a health check inside the sandbox itself, named orders, \
                 the other things by default";
    assert_eq!(wish(project, first).await["ready_to_continue"], true);
}

pub(crate) async fn built(project: &Project) {
    gathered(project).await;
    carry_out(project).await;
}

/// Builds a project in one step and validates it by one check; its model proposes the script in the step's prompt.
pub(crate) async fn validated_by(project: &Project, step: &str, check: &str) {
    project.has_requirements().await;
    project.has_architecture().await;
    project.execute(&[step]).await;
    for (stage, next) in [
        ("requirements", "architecture"),
        ("architecture", "implementation"),
        ("implementation", "execution"),
    ] {
        confirm(project, stage, next).await;
    }
    project.complete(1).await;
    confirm(project, "execution", "validation").await;
    project.has_checks(&[check]).await;
    project.post("/validation/trigger", json!({"message": "Start"})).await.is(200);
    let waiting = check_is(project, 1, "waiting_approval").await;
    let word =
        json!({"step_number": 1, "approved": true, "command_sha256": waiting["command_sha256"]});
    project.post("/validation/approve-step", word).await.is(200);
    check_is(project, 1, "completed").await;
    confirm(project, "validation", "").await;
}

async fn tear_down(project: &Project) -> Answer {
    project.post(&project.changes_path(""), json!({"wish": "", "kind": "tear_down"})).await
}

pub(crate) async fn settings(project: &Project) -> Value {
    let files = project.files().await;
    serde_json::from_str(&files["orders/service.json"]).unwrap()
}

#[tokio::test]
async fn a_change_runs_its_difference_and_the_one_before_stays_readable() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Orders").await;
    let login = owner.get("/github/user").await.is(200).json()["login"].clone();
    project.begin("use port 9191").await.refuses(409, "not_validated");
    built(&project).await;
    let first = changes(&project).await;
    assert_eq!((&first[0]["status"], &first[0]["number"]), (&json!("completed"), &json!(1)));
    let pages = project.get("/planning/architecture-plan").await.is(200).text();

    let ask = "Let it listen on port 9191";
    let begun = project.begin(ask).await.is(201).json();
    assert_eq!((&begun["number"], &begun["status"]), (&json!(2), &json!("in_progress")));
    assert_eq!(begun["begun_by"]["login"], login);
    project.begin("and something else").await.refuses(409, "change_under_way");
    project.post("/validation/drift/check", json!({})).await.refuses(409, "change_under_way");
    assert_eq!(
        project.progress().await.total_steps,
        0,
        "none of the first change's data is current"
    );
    let state = project.get(&project.path("/project-states")).await.is(200).json();
    assert_eq!(state["current_stage_index"], 0);
    assert_eq!((&state["change"]["number"], &state["change"]["wish"]), (&json!(2), &json!(ask)));

    let agreed = wish(&project, ask).await;
    assert_eq!(agreed["ready_to_continue"], true, "{agreed}");
    assert!(agreed["content"].as_str().unwrap().contains("| Port | `8080` | `9191` |"), "{agreed}");
    let ran = carry_out(&project).await;
    assert!(ran.len() < 5 && ran[0].starts_with("Write the service"), "{ran:?}");
    assert_eq!(settings(&project).await["port"], 9191);

    let both = changes(&project).await;
    let listed = |at: usize| (both[at]["number"].as_u64(), both[at]["status"].as_str());
    assert_eq!(
        [listed(0), listed(1)],
        [(Some(2), Some("completed")), (Some(1), Some("completed"))]
    );
    let dollars = |change: &Value| change["cost"].as_str().unwrap().parse::<f64>().unwrap();
    assert!(dollars(&both[0]) > 0.0 && dollars(&both[1]) > 0.0, "{both}");

    let past = project.get(&project.changes_path("/1")).await.is(200).json();
    let steps = past["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 5);
    assert!(steps.iter().all(|step| step["status"] == "completed"
        && step["approved_by"]["login"] == login
        && !step["output"].as_str().unwrap().is_empty()));
    assert_eq!(past["checks"].as_array().unwrap().len(), 6);
    assert_eq!(past["documents"][1]["parts"][0]["text"], pages);
    project.get(&project.changes_path("/2")).await.refuses(404, "not_found");
}

#[tokio::test]
async fn only_the_last_change_can_be_undone_by_a_reverse_change() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Orders").await;
    built(&project).await;
    let (stood, documents) = (settings(&project).await, owner.within(project.id).documents().await);
    project.begin("Let it listen on port 9191").await.is(201);
    wish(&project, "Let it listen on port 9191").await;
    carry_out(&project).await;
    assert_ne!(settings(&project).await, stood);
    assert_eq!(duplicated(&owner, &project).await, documents, "a change has no first build");

    project.begin("Undo change 2").await.is(201);
    let agreed = wish(&project, "Undo change 2").await;
    assert_eq!(agreed["ready_to_continue"], true, "{agreed}");
    assert!(agreed["content"].as_str().unwrap().contains("| Port | `9191` | `8080` |"), "{agreed}");
    carry_out(&project).await;
    assert_eq!(settings(&project).await, stood);

    project.begin("Undo change 2").await.is(201);
    let agreed = wish(&project, "Undo change 2").await;
    assert_eq!(agreed["ready_to_continue"], false, "{agreed}");
}

#[tokio::test]
async fn a_built_project_is_torn_down_in_approved_steps_and_nothing_follows() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Orders").await;
    tear_down(&project).await.refuses(409, "nothing_ran");
    built(&project).await;
    let documents = owner.within(project.id).documents().await;
    tear_down(&stranger.project_of(&project)).await.refuses(404, "not_found");

    let begun = tear_down(&project).await.is(201).json();
    assert_eq!((&begun["kind"], &begun["number"]), (&json!("tear_down"), &json!(2)));
    assert_eq!(begun["wish"], "Tear down everything that was built");
    let state = project.get(&project.path("/project-states")).await.is(200).json();
    assert_eq!(state["change"]["kind"], "tear_down");
    let agreed = wish(&project, begun["wish"].as_str().unwrap()).await;
    assert_eq!(agreed["ready_to_continue"], true, "{agreed}");
    assert!(agreed["content"].as_str().unwrap().contains("## What goes"), "{agreed}");
    assert!(project.files().await.contains_key("orders/service.py"), "nothing ran yet");

    let ran = carry_out(&project).await;
    assert_eq!(ran, ["Stop the service", "Remove its files"]);
    let knocked = checks(&project).await[0]["output"].as_str().unwrap().to_owned();
    assert!(knocked.contains("nothing answers on 127.0.0.1:8080"), "{knocked}");
    assert!(project.files().await.keys().all(|name| !name.starts_with("orders/")));
    let all = changes(&project).await;
    assert_eq!((&all[0]["kind"], &all[0]["status"]), (&json!("tear_down"), &json!("completed")));
    assert_eq!(all[1]["kind"], "change");
    assert_eq!(owner.get("/projects").await.is(200).json()[0]["torn_down"], true);
    project.begin("Let it listen on port 9191").await.refuses(409, "torn_down");
    tear_down(&project).await.refuses(409, "torn_down");
    assert_eq!(duplicated(&owner, &project).await, documents, "what was built");
}

/// The documents of a duplicate.
async fn duplicated(owner: &Actor, project: &Project) -> [String; 3] {
    let path = format!("/projects/{}/duplicate", project.id);
    let copy = owner.post(&path, json!({"name": "2"})).await.is(201).json();
    owner.within(&copy["id"]).documents().await
}

#[tokio::test]
async fn a_half_built_project_can_be_torn_down_or_completed() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Half").await;
    gathered(&project).await;
    plan(&project).await;
    project.step_is(1, "waiting_approval").await;
    tear_down(&project).await.refuses(409, "nothing_ran");
    project.complete(1).await;
    project.complete(2).await;
    let waiting = project.step_is(3, "waiting_approval").await;
    project.begin("use port 9191").await.refuses(409, "not_validated");

    assert_eq!(tear_down(&project).await.is(201).json()["number"], 2);
    tear_down(&project).await.refuses(409, "change_under_way");
    project.abandon(2).await.is(200);
    let state = project.get(&project.path("/project-states")).await.is(200).json();
    assert_eq!((&state["current_stage_index"], &state["change"]), (&json!(3), &Value::Null));
    let again = project.step_is(3, "waiting_approval").await;
    assert_eq!(again.command_sha256, waiting.command_sha256);
    project.complete(3).await;
    project.step_is(4, "waiting_approval").await;

    let asked = tear_down(&project).await.is(201).json()["wish"].as_str().unwrap().to_owned();
    assert_eq!(wish(&project, &asked).await["ready_to_continue"], true);
    assert!(project.files().await.contains_key("orders/service.py"), "nothing is removed yet");
    assert_eq!(carry_out(&project).await, ["Stop the service", "Remove its files"]);
    assert!(project.files().await.keys().all(|name| !name.starts_with("orders/")));
    let all = changes(&project).await;
    let ends = all.as_array().unwrap().iter().map(|change| change["status"].as_str().unwrap());
    assert_eq!(ends.collect::<Vec<_>>(), ["completed", "abandoned", "unfinished"]);
    let past = project.get(&project.changes_path("/1")).await.is(200).json();
    let step = |number: usize| past["steps"][number - 1]["status"].as_str().unwrap();
    assert_eq!((step(3), step(4), step(5)), ("completed", "waiting_approval", "pending"));
    project.begin("use port 9191").await.refuses(409, "torn_down");
}

#[tokio::test]
async fn a_password_is_added_to_the_running_page_and_rotated() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Orders").await;
    built(&project).await;
    let mut passwords = Vec::new();
    for (ask, access) in
        [("Protect the page with a password", "password-1"), ("Rotate the password", "password-2")]
    {
        project.begin(ask).await.is(201);
        let agreed = wish(&project, ask).await;
        assert_eq!(agreed["ready_to_continue"], true, "{agreed}");
        carry_out(&project).await;
        assert_eq!(settings(&project).await["access"], access);
        let files = project.files().await;
        passwords.push(files[&format!("orders/access/{access}")].clone());
    }
    assert_ne!(passwords[0], passwords[1]);
}

#[tokio::test]
async fn an_impossible_change_is_reported_and_can_be_abandoned() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Orders").await;
    built(&project).await;
    let documents = project.get("/planning/requirements").await.is(200).json();
    let steps = project.progress().await;
    let plan = project.get("/planning/implementation-plan").await.is(200).text();

    project.begin("also add Redis").await.is(201);
    let agreed = wish(&project, "also add Redis").await;
    assert_eq!(agreed["ready_to_continue"], false, "{agreed}");
    let hers = stranger.project_of(&project);
    hers.abandon(2).await.refuses(404, "not_found");
    project.abandon(1).await.refuses(409, "not_under_way");
    let abandoned = project.abandon(2).await.is(200).json();
    assert_eq!(abandoned["status"], "abandoned");
    project.abandon(2).await.refuses(409, "not_under_way");

    let now = project.get("/planning/requirements").await.is(200).json();
    assert_eq!((&now["content"], &now["ready_to_continue"]), (&documents["content"], &json!(true)));
    assert_eq!(project.progress().await.id, steps.id);
    assert_eq!(project.get("/planning/implementation-plan").await.is(200).text(), plan);
    let all = changes(&project).await;
    assert_eq!((&all[0]["status"], &all[1]["is_current"]), (&json!("abandoned"), &json!(true)));

    project.begin("Let it listen on port 9292").await.is(201);
    assert_eq!(changes(&project).await[0]["number"], 3);
    wish(&project, "Let it listen on port 9292").await;
    for (agent, message, done, next) in [
        ("/planning/cloud-architect", "Generate architecture plan", "requirements", "architecture"),
        (
            "/planning/implementation-planner",
            "Generate implementation plan",
            "architecture",
            "implementation",
        ),
    ] {
        project.post(agent, json!({"message": message})).await.is(202);
        confirm(&project, done, next).await;
        project.plan_is(&format!("{next}-plan"), "ready").await;
    }
    project.trigger().await;
    project.step_is(1, "waiting_approval").await;
    project.abandon(3).await.is(200);
    let back = project.progress().await;
    assert_eq!((back.id, back.total_steps), (steps.id, 5));
    assert!(back.steps.iter().all(|step| step.status == "completed"));

    project.begin("Let it listen on port 9393").await.is(201);
    wish(&project, "Let it listen on port 9393").await;
    assert_eq!(carry_out(&project).await.len(), 4);
    assert_eq!(settings(&project).await["port"], 9393);
}

#[tokio::test]
async fn only_one_of_two_concurrent_changes_begins() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Raced").await;
    validated_by(&project, "echo built", "echo proved").await;

    let (one, other) = tokio::join!(project.begin("bigger disk"), project.begin("smaller disk"));
    let (won, lost) = if one.status == 201 { (one, other) } else { (other, one) };
    let won = won.is(201).json();
    let detail = lost.refuses(409, "change_under_way");
    assert_eq!(detail, "Change 2 is under way. Complete or abandon it before you begin another.");
    let all = changes(&project).await;
    assert_eq!((all.as_array().unwrap().len(), &all[0]["wish"]), (2, &won["wish"]));
    project.begin(" ").await.refuses(422, "wish_missing");
    project.begin("use AKIAIOSFODNN7EXAMPLE").await.refuses(422, "secret_in_text");
    let past = project.get(&project.changes_path("/1")).await.is(200).json();
    assert_eq!(past["steps"][0]["output"].as_str().map(str::trim_end), Some("built"));
}
