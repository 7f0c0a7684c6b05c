//! Calls beyond a limit. The store's tests cover the counters; here each limit is zero.

use api_tests::{Answer, Model, Project, Settings, World};
use protocol::{FromBrowser, ToBrowser};
use serde_json::json;
use store::rates::LONGEST_WAIT;

async fn limited_to(rate_limits: &'static str) -> World {
    World::with_settings(Settings { rate_limits: Some(rate_limits), ..Settings::default() }).await
}

/// The answer to a call beyond its limit.
#[track_caller]
fn is_limited(answer: Answer) {
    let wait: u32 = answer.header("retry-after").parse().expect("seconds to wait");
    assert!((1..=LONGEST_WAIT).contains(&wait), "{wait}");
    let text = answer.refuses(429, "rate_limited");
    assert_eq!(text, format!("Too many requests. Try again in {wait} seconds."));
}

#[tokio::test]
async fn a_chat_beyond_the_limit_of_its_session_or_of_its_address_reaches_no_model() {
    for limits in ["chats-per-session=0", "chats-per-address=0"] {
        let World { owner, .. } = limited_to(limits).await;
        let project: Project = owner.project("Limited").await;
        let page = owner.within(project.id);
        for path in [
            "/planning/requirements-gatherer",
            "/planning/cloud-architect",
            "/planning/implementation-planner",
            "/execution/trigger",
            "/validation/agent",
            "/validation/trigger",
            "/documentation/generate",
            "/devops-helper/chat",
        ] {
            is_limited(page.post(path, json!({"message": "Hello"})).await);
        }
        is_limited(page.get("/execution/agent?message=Hello").await);
        is_limited(page.post("/execution/agent", json!({"message": "Hello"})).await);
        // Calls without a model call are not limited.
        page.get("/planning/requirements").await.is(200);
        let thread = page.get("/planning/threads/requirements-gatherer").await.is(200).json();
        assert_eq!(thread["messages"], json!([]));
    }
}

#[tokio::test]
async fn drafts_are_checked_a_limited_number_of_times_a_minute() {
    for limits in ["drafts-per-session=0", "drafts-per-address=0"] {
        let World { owner, .. } = limited_to(limits).await;
        let project: Project = owner.project("Limited").await;
        let page = owner.within(project.id);
        is_limited(page.post("/planning/draft-secrets", json!({"message": "Hello"})).await);
    }
}

#[tokio::test]
async fn a_socket_that_sends_too_much_is_closed() {
    let World { owner, .. } = limited_to("messages-per-session=100").await;
    let project = owner.project("Limited").await;
    let (mut flood, mut other) = (project.socket().await, project.socket().await);
    let terminal = protocol::MAIN_TERMINAL.to_owned();
    let attach = FromBrowser::Attach { terminal, offset: 0, rows: 24, cols: 80 };
    for _ in 0..100 {
        flood.send(&attach).await;
        flood.wait(|message| matches!(message, ToBrowser::Status { .. }).then_some(())).await;
    }
    // The session's messages are counted, on whatever socket they come.
    for _ in 0..50 {
        other.send(&attach).await;
    }
    while other.next::<ToBrowser>().await.is_some() {}
}

#[tokio::test]
async fn files_are_moved_a_limited_number_of_times_a_minute_in_every_direction() {
    for limits in ["downloads-per-session=0", "downloads-per-address=0"] {
        let World { owner, .. } = limited_to(limits).await;
        let project: Project = owner.project("Limited").await;
        let of = |call: &str| format!("/projects/{}/{call}", project.id);
        is_limited(owner.get(&of("workspace/download")).await);
        for path in [
            of("repository/import"),
            of("repository/push"),
            project.path("/sandbox/sync"),
            project.path("/sandbox/restore"),
        ] {
            is_limited(owner.post(&path, json!({})).await);
        }
    }
}

#[tokio::test]
async fn only_the_log_of_a_long_output_counts_as_a_download() {
    let model = Model::start().await;
    let rate_limits = Some("downloads-per-session=0");
    let settings = Settings { rate_limits, ..Settings::with_model(&model) };
    let World { owner, .. } = World::with_settings(settings).await;
    let project = owner.project("Outputs").await;
    project.execute(&["echo short", "seq 1 20000"]).await;
    project.complete(1).await;
    assert_eq!(project.get("/execution/output/1").await.is(200).text(), "short\n");
    project.complete(2).await;
    is_limited(project.get("/execution/output/2").await);
}

#[tokio::test]
async fn a_caller_without_a_session_is_not_counted() {
    let World { owner, stranger, visitor, .. } = limited_to("chats-per-address=0").await;
    let project = owner.project("Limited").await;
    let body = json!({"message": "Hello"});
    let path = "/planning/requirements-gatherer";
    visitor.within(project.id).post(path, body.clone()).await.refuses(401, "signed_out");
    stranger.post(path, body).await.refuses(400, "project_missing");
}

#[tokio::test]
async fn signing_in_too_often_from_one_address_has_to_wait() {
    let World { app, visitor, .. } = World::start().await;
    let callback = visitor.follow_until(&app.url("/api/github/login"), "/callback").await;
    visitor.open(&callback).await.is(302);
    drop(app);
    let settings = Settings { rate_limits: Some("sign-ins-per-address=0"), ..Settings::default() };
    let app = api_tests::App::start(settings).await;
    let visitor = api_tests::Actor::visitor(&app);
    // A browser follows these two links as pages, without a script, so its user must get a page.
    for path in ["/github/login", "/github/callback?code=1&state=1"] {
        let page = visitor.get(path).await.is(302).header("location");
        let start = app.url("/github-success?error=rate_limited&retry_after=");
        let wait: u32 = page.strip_prefix(&start).expect(&page).parse().expect("seconds to wait");
        assert!((1..=LONGEST_WAIT).contains(&wait), "{wait}");
        assert_eq!(visitor.cookie("groundcrew-login"), None, "no sign-in begins");
    }
    is_limited(visitor.post("/github/installations", json!({"installation_id": 1})).await);
    visitor.get("/github/user").await.refuses(401, "signed_out");
}
