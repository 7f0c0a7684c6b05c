//! Rewritten documents: their earlier versions are kept, compared and restored, and documents written from an older
//! source say so.

use crate::changes::{Changed, validated_by};
use api_tests::{Model, Project, World};
use domain::document::MAX_FORMER_VERSIONS;
use domain::plan::PlanStatus;
use domain::step::{Phase, Track};
use domain::{RunId, Scope};
use serde_json::{Value, json};
use store::documentation::{Documents, sources};
use store::executions::Executions;
use store::plans::{PlanKind, Plans, Writing, Written};

const DOCUMENTS: &str = "/planning/documents";

fn plans(project: &Project) -> Plans {
    Plans::new(&project.app().table())
}

async fn require(project: &Project, text: &str) {
    assert!(plans(project).put_requirements(project.scope(), text, &[], true).await.unwrap());
}

/// Writes a plan as its agent does: from its current sources.
async fn plan(project: &Project, kind: PlanKind, text: &str) {
    let (plans, scope) = (plans(project), project.scope());
    let from = match kind {
        PlanKind::Architecture => plans.requirements(scope).await.unwrap().unwrap().fingerprint(),
        PlanKind::Implementation => {
            plans.get(scope, PlanKind::Architecture).await.unwrap().unwrap().fingerprint()
        }
        PlanKind::Validation => Executions::new(&project.app().table())
            .load(scope)
            .await
            .unwrap()
            .unwrap()
            .fingerprint(),
    };
    let writing = Writing { text, steps: &[], written_from: Some(&from) };
    assert!(matches!(plans.write(scope, kind, writing).await.unwrap(), Written::As(_)));
}

async fn numbers(project: &Project, document: &str) -> Vec<u64> {
    let list = project.get(&format!("{DOCUMENTS}/{document}/versions")).await.is(200).json();
    let versions = list["versions"].as_array().unwrap();
    versions.iter().map(|version| version["number"].as_u64().unwrap()).collect()
}

async fn said(project: &Project, document: &str, number: u64) -> Value {
    let path = format!("{DOCUMENTS}/{document}/versions/{number}");
    project.get(&path).await.is(200).json()["parts"][0]["text"].clone()
}

/// The documents that are out of date, by name, each with its newer source.
async fn out_of_date(project: &Project) -> Vec<(String, String)> {
    let body = project.get(DOCUMENTS).await.is(200).json();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let documents = body["documents"].as_array().unwrap().iter();
    let mut found: Vec<_> = documents
        .filter_map(|one| Some((text(&one["document"])?, text(&one["out_of_date"])?)))
        .collect();
    found.extend(text(&body["steps_out_of_date"]).map(|stage| ("steps".to_owned(), stage)));
    found
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[tokio::test]
async fn a_documents_former_text_is_kept_and_can_be_restored() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Shop").await;
    assert_eq!(numbers(&project, "requirements").await, [0_u64; 0]);
    require(&project, "# Port 8080").await;
    require(&project, "# Port 9090").await;
    require(&project, "# Port 9090").await;
    assert_eq!(
        numbers(&project, "requirements").await,
        [2, 1],
        "the same words are not a new version"
    );
    assert_eq!(said(&project, "requirements", 1).await, "# Port 8080");

    let restore = format!("{DOCUMENTS}/requirements/versions/1/restore");
    stranger.project_of(&project).post(&restore, json!({})).await.refuses(404, "not_found");
    assert_eq!(project.post(&restore, json!({})).await.is(200).json(), json!({"version": 3}));
    let now = project.get("/planning/requirements").await.is(200).json();
    assert_eq!(now, json!({"content": "# Port 8080", "ready_to_continue": true}));
    let list = project.get(&format!("{DOCUMENTS}/requirements/versions")).await.is(200).json();
    assert_eq!(numbers(&project, "requirements").await, [3, 2, 1]);
    assert_eq!(
        (&list["versions"][0]["restored_from"], &list["versions"][0]["present"]),
        (&json!(1), &json!(true))
    );
    assert_eq!(
        said(&project, "requirements", 2).await,
        "# Port 9090",
        "the replaced version is kept"
    );

    for path in ["requirements/versions/9", "requirements/versions/x", "recipes/versions/1"] {
        project.get(&format!("{DOCUMENTS}/{path}")).await.refuses(404, "not_found");
    }
}

#[tokio::test]
async fn a_new_version_replaces_the_oldest_one() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Talkative").await;
    let written = u64::from(MAX_FORMER_VERSIONS) + 5;
    for number in 1..=written {
        require(&project, &format!("# Wish {number}")).await;
    }
    let kept = numbers(&project, "requirements").await;
    assert_eq!(kept, (5..=written).rev().collect::<Vec<_>>());
    assert_eq!(said(&project, "requirements", 5).await, "# Wish 5");
    let path = format!("{DOCUMENTS}/requirements/versions/4");
    project.get(&path).await.refuses(404, "not_found");
    let items = project.kept().await;
    let items = items.keys().filter(|key| key.starts_with("VERSION#")).count();
    assert_eq!(items, MAX_FORMER_VERSIONS as usize);
}

#[tokio::test]
async fn documents_after_a_changed_one_are_out_of_date_until_they_are_renewed() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    require(&project, "# Port 8080").await;
    plan(&project, PlanKind::Architecture, "# One server").await;
    plan(&project, PlanKind::Implementation, "# Steps").await;
    assert_eq!(out_of_date(&project).await, []);

    require(&project, "# Port 9090").await;
    let both = [("architecture", "requirements"), ("implementation", "requirements")];
    assert_eq!(out_of_date(&project).await, pairs(&both));
    plan(&project, PlanKind::Architecture, "# Another server").await;
    assert_eq!(out_of_date(&project).await, pairs(&[("implementation", "architecture")]));
    plan(&project, PlanKind::Implementation, "# Other steps").await;
    assert_eq!(out_of_date(&project).await, []);

    // Restoring their source makes the newest ones out of date, and the former ones current again.
    let back = |document| format!("{DOCUMENTS}/{document}/versions/1/restore");
    project.post(&back("requirements"), json!({})).await.is(200);
    assert_eq!(out_of_date(&project).await, pairs(&both));
    project.post(&back("architecture"), json!({})).await.is(200);
    project.post(&back("implementation"), json!({})).await.is(200);
    assert_eq!(out_of_date(&project).await, []);
}

#[tokio::test]
async fn steps_of_another_plan_and_documentation_of_older_results_are_out_of_date() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.has_requirements().await;
    project.has_architecture().await;
    project.execute(&["echo one", "echo two"]).await;
    project.complete(1).await;
    project.step_is(2, "waiting_approval").await;
    let (table, scope) = (project.app().table(), project.scope());
    let executions = Executions::new(&table);
    let (steps, checks) = (
        executions.load(scope).await.unwrap().unwrap(),
        executions.on(Track::Validation).load(scope).await.unwrap().unwrap(),
    );
    let mut before = steps.clone();
    before.steps[1].phase = Phase::Pending;
    before.steps[1].attempt = 0;
    let of_both = [sources(&before, &checks), sources(&steps, &checks)];
    assert_eq!(of_both[0], of_both[1], "a waiting step has not run yet");
    let documents = Documents::new(&table);
    let written = documents.change(scope, |documents| {
        documents.documentation = "# Two steps, one done".to_owned();
        documents.written_from = Some(sources(&steps, &checks));
    });
    assert!(written.await.unwrap());
    plan(&project, PlanKind::Validation, "# Checks").await;
    assert_eq!(out_of_date(&project).await, []);

    project.complete(2).await;
    assert_eq!(out_of_date(&project).await, pairs(&[("documentation", "execution")]));
    project.has_steps(&[]).await;
    let all = [
        ("validation", "implementation"),
        ("documentation", "execution"),
        ("steps", "implementation"),
    ];
    assert_eq!(out_of_date(&project).await, pairs(&all));
    project
        .post(&format!("{DOCUMENTS}/implementation/versions/1/restore"), json!({}))
        .await
        .is(200);
    assert_eq!(
        out_of_date(&project).await,
        pairs(&[("documentation", "execution")]),
        "a restored plan is the one that was executed"
    );
}

#[tokio::test]
async fn a_change_makes_the_documentation_out_of_date_only_once_a_step_has_run() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    validated_by(&project, "echo built", "echo proved").await;
    let (table, scope) = (project.app().table(), project.scope());
    let executions = Executions::new(&table);
    let (steps, checks) = (
        executions.load(scope).await.unwrap().unwrap(),
        executions.on(Track::Validation).load(scope).await.unwrap().unwrap(),
    );
    let documents = Documents::new(&table);
    let written = documents.change(scope, |documents| {
        documents.documentation = "# One step".to_owned();
        documents.written_from = Some(sources(&steps, &checks));
    });
    assert!(written.await.unwrap());
    let documentation = async || {
        let mut found = out_of_date(&project).await;
        found.retain(|(document, _)| document == "documentation");
        found
    };

    project.begin("bigger disk").await.is(201);
    assert_eq!(documentation().await, []);
    project.execute(&["echo changed"]).await;
    project.step_is(1, "waiting_approval").await;
    assert_eq!(documentation().await, [], "nothing has run yet");
    project.complete(1).await;
    assert_eq!(documentation().await, pairs(&[("documentation", "execution")]));
}

#[tokio::test]
async fn a_plan_that_is_being_written_is_not_restored() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let (plans, scope): (Plans, Scope) = (plans(&project), project.scope());
    for text in ["# One server", "# Two servers"] {
        plans.put(scope, PlanKind::Architecture, text, &[]).await.unwrap().unwrap();
    }
    assert!(plans.generating(scope, PlanKind::Architecture, &RunId::random()).await.unwrap());
    let restore = format!("{DOCUMENTS}/architecture/versions/1/restore");
    project.post(&restore, json!({})).await.refuses(409, "being_written");
    let kept = project.kept_plan(PlanKind::Architecture).await;
    assert_eq!((kept.status, kept.text.as_str()), (PlanStatus::Generating, "# Two servers"));
}

#[tokio::test]
async fn agents_record_the_sources_of_a_document() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Shop").await;
    let wish =
        "A small web service with a health check inside the sandbox itself, use the defaults";
    project.chat("/planning/requirements-gatherer", wish).await;
    for (agent, plan) in [
        ("cloud-architect", "architecture-plan"),
        ("implementation-planner", "implementation-plan"),
    ] {
        let path = format!("/planning/{agent}");
        project.post(&path, json!({"message": "Generate the plan"})).await.is(202);
        project.plan_is(plan, "ready").await;
    }
    assert_eq!(out_of_date(&project).await, []);
    require(&project, "# Something else").await;
    let both = [("architecture", "requirements"), ("implementation", "requirements")];
    assert_eq!(out_of_date(&project).await, pairs(&both));
}
