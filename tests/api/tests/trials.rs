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
async fn a_credential_among_others_is_tried_by_its_usual_name() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Cloud").await;
    let values = json!({"values": {"GITHUB_TOKEN": "a".repeat(40), "SMTP_PASSWORD": "unusual"}});
    project.put("/planning/credentials/other", values).await.is(204);
    let trial = json!({"provider": "other", "name": "GITHUB_TOKEN"});
    let command = project.post(TRY, trial.clone()).await.is(200).json();
    assert!(command["script"].as_str().unwrap().contains("api.github.com"), "{command}");
    assert_eq!(command["needs_approval"], true);
    let cloud = json!({"provider": "other", "name": "HCLOUD_TOKEN"});
    project.post(TRY, cloud).await.refuses(409, "credentials_missing");
    has_token(&project).await;
    let cloud = json!({"provider": "other", "name": "HCLOUD_TOKEN"});
    project.post(TRY, cloud).await.is(200);
}

#[tokio::test]
async fn an_ssh_key_is_tried_with_the_workspaces_configuration() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Server").await;
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key").display().to_string();
    let args = ["-q", "-t", "ed25519", "-C", "", "-N", "", "-f", &key];
    assert!(std::process::Command::new("ssh-keygen").args(args).status().unwrap().success());
    let key = std::fs::read_to_string(&key).unwrap();
    let values = json!({"values": {"SSH_PRIVATE_KEY": key}});
    project.put("/planning/credentials/ssh", values).await.is(204);
    project.sandbox_is_up().await;
    let tried = async || {
        let command = project.post(TRY, json!({"provider": "ssh"})).await.is(200).json();
        let number = &command["number"];
        let word = json!({"number": number, "approved": true, "command_sha256": command["sha256"]});
        project.post("/devops-helper/approve-command", word).await.is(200);
        let output = format!("/devops-helper/output/{number}");
        eventually("the trial has ended", async || {
            let output = project.get(&output).await.is(200);
            let status = output.header("step-status").to_owned();
            ["completed", "failed"].contains(&&*status).then(|| (status, output.text()))
        })
        .await
    };
    let (status, early) = tried().await;
    assert_eq!(status, "completed", "{early}");
    assert!(early.contains("No step has written ssh/config yet"), "{early}");

    let mut socket = project.socket().await;
    // Nothing listens there, in a sandbox of these tests either.
    let write = json!({"type": "files.write", "request": "w", "path": "ssh/config", "base_sha256": null,
        "content": "Host server\n  HostName 127.0.0.1\n  Port 1\n"});
    socket.send(&write).await;
    let written = |answer: Value| (answer["request"] == "w").then_some(answer);
    assert_eq!(socket.wait(written).await["type"], "files.written");
    let (status, refused) = tried().await;
    assert_eq!(status, "failed", "{refused}");
    assert!(refused.contains("without a passphrase") && refused.contains("port 1"), "{refused}");
    assert!(!refused.contains("lets it sign in"), "{refused}");
}

#[tokio::test]
async fn a_missing_credential_or_one_without_a_harmless_call_is_not_tried() {
    let World { owner, .. } = World::start().await;
    let project = owner.project("Cloud").await;
    has_token(&project).await;
    let aws = project.post(TRY, json!({"provider": "aws"})).await;
    let detail = aws.refuses(409, "credentials_missing");
    assert!(detail.contains("AWS_ACCESS_KEY_ID"), "{detail}");
    let ssh = project.post(TRY, json!({"provider": "ssh"})).await;
    assert!(ssh.refuses(409, "credentials_missing").contains("SSH_PRIVATE_KEY"));
    for provider in ["other", "chat"] {
        for name in [Value::Null, json!("SMTP_PASSWORD")] {
            let trial = json!({"provider": provider, "name": name});
            project.post(TRY, trial).await.refuses(422, "cannot_be_tried");
        }
    }
    let open = project.get("/devops-helper/commands").await.is(200).json();
    assert_eq!(open, json!([]));
}
