//! Trying a provider's credentials before a step needs them.

use api_tests::{Project, World, eventually};
use reqwest::Method;
use serde_json::{Value, json};

const TRY: &str = "/devops-helper/try-credentials";

async fn has_token(project: &Project) {
    let values = json!({"values": {"HCLOUD_TOKEN": "a".repeat(64)}});
    let path = "/planning/credentials/hetzner";
    project.call(Method::PUT, path).json(&values).send().await.is(204);
}

async fn trial(project: &Project) -> Value {
    project.post(TRY, json!({"provider": "hetzner"})).await.is(200).json()
}

#[tokio::test]
async fn a_trial_waits_for_its_owner_and_gets_the_credentials_once_approved() {
    let World { owner, stranger, .. } = World::start().await;
    let project = owner.project("Cloud").await;
    has_token(&project).await;
    project.sandbox_is_up().await;
    let command = trial(&project).await;
    assert_eq!((&command["needs_approval"], &command["target"]), (&json!(true), &json!("sandbox")));
    assert!(command["script"].as_str().unwrap().contains("api.hetzner.cloud"), "{command}");
    assert_eq!(trial(&project).await, command, "one that waits is not repeated");
    let open = project.get("/devops-helper/commands").await.is(200).json();
    assert_eq!(open, json!([command]), "the helper's page shows it too");
    let strange = stranger.project_of(&project);
    strange.post(TRY, json!({"provider": "hetzner"})).await.refuses(404, "not_found");

    let number = &command["number"];
    let word = json!({"number": number, "approved": true, "command_sha256": command["sha256"]});
    project.post("/devops-helper/approve-command", word).await.is(200);
    // The token is not a real Hetzner token, and a sandbox of these tests need not reach the provider.
    let output = format!("/devops-helper/output/{number}");
    let ended = eventually("the trial has ended", async || {
        let output = project.get(&output).await.is(200);
        (output.header("step-status") == "failed").then_some(output)
    })
    .await;
    assert!(ended.text().starts_with("curl: ("), "{}", ended.text());
    let audit = project.get(&format!("/projects/{}/audit", project.id)).await.is(200).json();
    let decision = &audit[0];
    assert_eq!(decision["description"], "Try the Hetzner Cloud token");
    assert_eq!(decision["credentials"], json!(["HCLOUD_TOKEN"]));
    assert_ne!(trial(&project).await["number"], *number, "it can be tried again");
}

#[tokio::test]
async fn a_missing_credential_or_one_without_a_harmless_call_is_not_tried() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Cloud").await;
    has_token(&project).await;
    let aws = project.post(TRY, json!({"provider": "aws"})).await;
    let detail = aws.refuses(409, "credentials_missing");
    assert!(detail.contains("AWS_ACCESS_KEY_ID"), "{detail}");
    for provider in ["ssh", "other", "chat"] {
        project.post(TRY, json!({"provider": provider})).await.refuses(422, "cannot_be_tried");
    }
    let open = project.get("/devops-helper/commands").await.is(200).json();
    assert_eq!(open, json!([]));
}
