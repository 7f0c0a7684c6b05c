//! A command that its owner edits before approving it.

use api_tests::{Answer, Model, Project, Step, World};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::secret_token::sha256_hex;
use serde_json::{Value, json};

/// The command that was shown, with some words replaced.
fn with(shown: &Step, from: &str, to: &str) -> String {
    let script = shown.command.as_deref().unwrap();
    assert!(script.contains(from), "{script}");
    script.replace(from, to)
}

async fn edit(project: &Project, shown: &Step, script: &str) -> Answer {
    let edit = json!({
        "plan_id": project.progress().await.id,
        "step_number": shown.step_number,
        "attempt": shown.attempt,
        "command_sha256": shown.command_sha256,
        "script": script,
    });
    project.post("/execution/edit-step", edit).await
}

#[tokio::test]
async fn the_owners_edit_runs_and_is_attributed_to_them_everywhere() {
    let model = Model::start().await;
    let World { owner, stranger, visitor, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo from-the-agent"]).await;
    let shown = project.step_is(1, "waiting_approval").await;
    let body = json!({"plan_id": project.progress().await.id, "step_number": 1, "attempt": 1,
        "command_sha256": shown.command_sha256, "script": "echo theirs"});
    let path = "/execution/edit-step";
    stranger.within(project.id).post(path, body.clone()).await.refuses(404, "not_found");
    visitor.within(project.id).post(path, body).await.refuses(401, "signed_out");
    assert_eq!(project.step(1).await.command, shown.command);

    let theirs = with(&shown, "from-the-agent", "from-its-owner");
    let typed = format!("{}\r\n\r\n", theirs.trim_end().replace('\n', "\r\n"));
    let now = edit(&project, &shown, &typed).await.is(200).json();
    assert_eq!(now["command"], json!(theirs));
    assert_eq!(now["command_sha256"], json!(sha256_hex(theirs.as_bytes())));
    assert_eq!((&now["attempt"], &now["status"]), (&json!(1), &json!("waiting_approval")));
    let mark = &now["edited"];
    assert_eq!((&mark["by"]["login"], &mark["written"]), (&json!("owner"), &json!(shown.command)));
    assert_eq!(mark["sha256_before"], json!(shown.command_sha256));
    assert_eq!(now["verdict"]["sha256"], now["command_sha256"]);

    project.decide(&shown, true).await.refuses(409, "command_changed");
    let unnamed =
        json!({"plan_id": project.progress().await.id, "step_number": 1, "approved": true});
    project.post("/execution/approve-step", unnamed).await.refuses(409, "command_changed");
    project.complete(1).await;
    assert_eq!(project.step(1).await.output, "from-its-owner\n");

    let audit = owner.get(&format!("/projects/{}/audit", project.id)).await.is(200).json();
    let [approved, edited] = &audit.as_array().unwrap()[..] else { panic!("{audit}") };
    assert_eq!((&approved["verdict"], &edited["verdict"]), (&json!("approved"), &json!("edited")));
    assert_eq!(edited["by"]["login"], "owner");
    assert_eq!(edited["command_sha256_before"], json!(shown.command_sha256));
    assert_eq!(edited["command_sha256"], approved["command_sha256"]);
    let file = owner.get(&format!("/projects/{}/audit?format=csv", project.id)).await.is(200);
    let digests = format!(",edited,owner,{}", now["command_sha256"].as_str().unwrap());
    assert!(file.text().contains(&digests), "{}", file.text());
}

#[tokio::test]
async fn an_invalid_script_is_refused_with_a_reason_and_changes_nothing() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo hello"]).await;
    let shown = project.step_is(1, "waiting_approval").await;
    let refusal = async |script: &str, code: &str| {
        let refused = edit(&project, &shown, script).await;
        let detail = refused.json()["detail"].as_str().unwrap_or_default().to_owned();
        refused.refuses(422, code);
        detail
    };
    refusal(" \n", "invalid_script").await;
    refusal(&with(&shown, "echo hello", "if true; then"), "invalid_script").await;
    let unproved = refusal("echo hello\n", "invalid_script").await;
    assert!(unproved.starts_with("The proof is missing."), "{unproved}");
    let long = refusal(&"# line\n".repeat(3_500), "invalid_script").await;
    assert!(long.contains("24000 are allowed"), "{long}");
    let reordered = with(&shown, "echo hello", "true\necho a\u{202e}; rm -rf x #\u{2066} ok");
    let detail = refusal(&reordered, "invalid_script").await;
    assert!(detail.contains("U+202E in line 2"), "{detail}");
    let secret = with(&shown, "echo hello", "true\nexport DB_PASSWORD=Tr0ub4dor-and-3");
    let detail = refusal(&secret, "secret_in_script").await;
    assert!(detail.starts_with("Line 2 ") && !detail.contains("Tr0ub4dor"), "{detail}");
    assert_eq!(project.step(1).await.command, shown.command);
    let audit = owner.get(&format!("/projects/{}/audit", project.id)).await.is(200).json();
    assert_eq!(audit, json!([]));
    // The name of a credential appears there instead.
    edit(&project, &shown, &with(&shown, "hello", "${#DB_PASSWORD}")).await.is(200);
}

#[tokio::test]
async fn exactly_one_of_a_concurrent_edit_and_approval_wins() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo first"; 6]).await;
    let (mut edits, mut approvals) = (0, 0);
    for number in 1..=6 {
        let shown = project.step_is(number, "waiting_approval").await;
        let theirs = with(&shown, "first", "second");
        let (edited, approved) =
            tokio::join!(edit(&project, &shown, &theirs), project.decide(&shown, true));
        match (edited.status, approved.status) {
            (200, 409) => {
                edits += 1;
                assert_eq!(approved.json()["code"], "command_changed");
                project.complete(number).await;
                assert_eq!(project.step(number).await.output, "second\n");
            }
            (409, 200) => {
                approvals += 1;
                assert_eq!(project.step_is(number, "completed").await.output, "first\n");
            }
            both => panic!("{both:?}: {:?} {:?}", edited.json(), approved.json()),
        }
    }
    assert_eq!(edits + approvals, 6);
}

#[tokio::test]
async fn an_edit_applies_to_what_was_shown_and_checks_are_edited_like_steps() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo first"]).await;
    let shown = project.step_is(1, "waiting_approval").await;
    let second = with(&shown, "first", "second");
    edit(&project, &shown, &second).await.is(200);
    edit(&project, &shown, &second).await.is(200);
    edit(&project, &shown, &with(&shown, "first", "third")).await.refuses(409, "command_changed");
    let back = project.step(1).await;
    let again = edit(&project, &back, shown.command.as_deref().unwrap()).await.is(200).json();
    assert_eq!(again.get("edited"), None, "it is the agent's text again: {again}");
    project.complete(1).await;
    edit(&project, &project.step(1).await, &second).await.refuses(409, "illegal_transition");
    let none = json!({"plan_id": "x", "step_number": 1, "attempt": 1, "command_sha256": "x",
        "script": "true"});
    let refused = project.post("/validation/edit-step", none).await;
    refused.refuses(404, "not_found");
    let audit = owner.get(&format!("/projects/{}/audit", project.id)).await.is(200).json();
    let edits = audit.as_array().unwrap().iter().filter(|one| one["verdict"] == "edited");
    assert_eq!(edits.count(), 2, "each edit has its row, a repeated one has none: {audit}");
    assert!(matches!(audit[0]["run"], Value::Object(_)));
}

#[tokio::test]
async fn an_attempt_that_was_edited_too_often_is_decided_but_not_edited() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo hello"]).await;
    let shown = project.step_is(1, "waiting_approval").await;
    edit(&project, &shown, &with(&shown, "hello", "once")).await.is(200);
    let (scope, plan) = (project.scope(), project.progress().await.id);
    let count = project.app().dynamodb().update_item().table_name("groundcrew");
    let text = |text: String| AttributeValue::S(text);
    let count = count.key("pk", text(format!("P#{}#{}", scope.installation, scope.project)));
    let count = count.key("sk", text(format!("EDITS#execution#{plan}#000001#000001")));
    let count = count.update_expression("SET edits = edits + :more");
    let more = AttributeValue::N("99".to_owned());
    count.expression_attribute_values(":more", more).send().await.unwrap();
    let shown = project.step(1).await;
    edit(&project, &shown, &with(&shown, "once", "twice")).await.refuses(409, "too_many_edits");
    project.complete(1).await;
    assert_eq!(project.step(1).await.output, "once\n");
}
