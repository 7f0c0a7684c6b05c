//! The content of the security log, and what it must never contain.

use api_tests::{Actor, App, Model, Settings, Socket, eventually};
use reqwest::Method;
use serde_json::json;

/// The lines of the security log so far; the local stack writes them as text.
fn lines(app: &App) -> Vec<String> {
    let log = std::fs::read_to_string(app.data().join("stack.log")).unwrap();
    log.lines().filter(|line| line.contains(" security=\"")).map(str::to_owned).collect()
}

/// Waits for the line of an event with this detail.
async fn logged(app: &App, event: &str, detail: &str) -> String {
    let named = format!(" security=\"{event}\"");
    eventually(&format!("{event} with {detail}"), async || {
        lines(app).into_iter().find(|line| line.contains(&named) && line.contains(detail))
    })
    .await
}

#[tokio::test]
async fn sign_ins_refusals_and_approvals_are_logged_without_a_secret() {
    const SECRET: &str = "a-secret-of-the-deployment";
    let model = Model::start().await;
    let app = App::start(Settings { log_to_file: true, ..Settings::with_model(&model) }).await;
    let owner = Actor::signed_in(&app, "owner").await;
    let stranger = Actor::signed_in(&app, "stranger").await;
    let project = owner.project("Shop").await;
    let opened = logged(&app, "session.opened", "").await;
    assert!(opened.contains(&format!("installation={}", owner.installation().0)), "{opened}");

    let values = json!({"values": {"DEPLOY_TOKEN": SECRET}});
    project.call(Method::PUT, "/planning/credentials/other").json(&values).send().await.is(204);
    logged(&app, "credentials.set", "names=DEPLOY_TOKEN").await;
    project.execute(&["echo marked-command"]).await;
    let approved = project.approve(1).await;
    let digest = format!("sha256={}", approved.command_sha256.unwrap());
    let decided = logged(&app, "step.decided", &digest).await;
    let by = format!("project={} user=", project.id);
    assert!(decided.contains(&by) && decided.contains("login=\"owner\""), "{decided}");
    logged(&app, "credentials.used", "names=DEPLOY_TOKEN").await;

    Actor::visitor(&app).get("/projects").await.refuses(401, "signed_out");
    logged(&app, "call.refused", "status=401").await;
    stranger.get(&format!("/projects/{}", project.id)).await.refuses(404, "not_found");
    let refused = logged(&app, "call.refused", "status=404").await;
    assert!(refused.contains("login=\"stranger\""), "{refused}");
    let foreign = owner.call(Method::POST, "/projects").header("origin", "https://evil.example");
    foreign.json(&json!({"name": "x"})).send().await.refuses(403, "cross_origin");
    logged(&app, "call.refused", "status=403").await;
    let ticket = project.ticket().await;
    Socket::open_from(&ticket, Some("null")).await.err().unwrap();
    logged(&app, "connection.refused", "status=403").await;
    for (path, whose) in [("/github/webhook", "github"), ("/payments/stripe/webhook", "stripe")] {
        let forged = Actor::visitor(&app).call(Method::POST, path).json(&json!({})).send().await;
        assert!(matches!(forged.status, 400 | 401), "{path}");
        logged(&app, "webhook.forged", whose).await;
    }
    owner.post("/github/logout", json!({})).await.is(200);
    logged(&app, "session.closed", "sessions=1").await;

    let all = lines(&app).join("\n");
    for secret in [SECRET, "marked-command", ticket.split('=').next_back().unwrap()] {
        assert!(!all.contains(secret), "{secret} is in the security log");
    }
}
