//! Access ends when the session ends.

use crate::sign_in::{Delivery, SESSION, at_github, choose, ends};
use api_tests::{Actor, Events, Model, Project, Socket, Terminal, World, soon};
use futures::future::join;
use protocol::ToBrowser;
use reqwest::Method;
use serde_json::json;
use std::time::{Duration, Instant};
use store::sessions::Sessions;

/// A message that gets text for an answer.
const WISH: &str =
    "A small web service with a health check inside the sandbox itself, use the defaults";

/// How long an ended session's access may last.
const WITHIN: Duration = Duration::from_secs(5);

async fn shell(project: &Project) -> Terminal {
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("echo a''live\r").await;
    terminal.shows("alive\r\n").await;
    terminal
}

/// Waits for the end of a terminal's socket.
async fn closed(mut terminal: Terminal) {
    let since = Instant::now();
    while terminal.socket.next::<ToBrowser>().await.is_some() {}
    assert!(since.elapsed() < WITHIN, "closed after {:?}", since.elapsed());
}

#[tokio::test]
async fn signing_out_closes_the_shell_of_that_browser_and_no_other() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    project.sandbox_is_up().await;
    let other = Actor::signed_in(&app, "owner").await;
    let (first, mut second) = (shell(&project).await, shell(&other.project_of(&project)).await);
    let unused = project.ticket().await;
    owner.post("/github/logout", json!({})).await.is(200);
    closed(first).await;
    Socket::open(&unused).await.err().expect("a ticket ends with its session");
    second.types("echo st''ill\r").await;
    second.shows("still\r\n").await;
    other.post("/github/logout-everywhere", json!({})).await.is(200);
    closed(second).await;
}

#[tokio::test]
async fn a_shell_whose_close_was_lost_is_refused_as_well() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    project.sandbox_is_up().await;
    let mut terminal = shell(&project).await;
    // The session ends, and the function that ended it crashes before it closes anything.
    let user = owner.user_id().await;
    let ended = Sessions::new(&app.table()).end_user(user).await.unwrap();
    assert_eq!(ended.0.len(), 1);
    tokio::time::sleep(WITHIN).await;
    terminal.types("touch seen\r").await;
    closed(terminal).await;
    let back = Actor::signed_in(&app, "owner").await;
    assert!(!back.project_of(&project).files().await.contains_key("seen"));
}

#[tokio::test]
async fn an_event_stream_ends_with_its_session() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    let mut stream = project.call(Method::GET, "/terminal/commands").events().await;
    assert_eq!(stream.status, 200);
    let user = owner.user_id().await;
    let ended = Sessions::new(&app.table()).end_user(user).await.unwrap();
    assert_eq!(ended.0.len(), 1);
    let since = Instant::now();
    assert_eq!(soon("the stream's end", stream.next()).await, None);
    assert!(since.elapsed() < WITHIN, "{:?}", since.elapsed());
}

/// Waits for the end of a stream whose access has ended; it may say things until then.
async fn ended(mut stream: Events) {
    let since = Instant::now();
    while soon("the stream's end", stream.next()).await.is_some() {}
    assert!(since.elapsed() < WITHIN, "ended after {:?}", since.elapsed());
}

#[derive(Debug, Clone, Copy)]
enum Loss {
    SignedOutEverywhere,
    Suspended,
    LeftTheOrganization,
    AuthorizationWithdrawn,
    AccountDeleted,
}

impl Loss {
    async fn strike(self, owner: &Actor) {
        let (app, user) = (owner.app(), owner.user_id().await);
        let delivery = async |event, mut body: serde_json::Value| {
            body["installation"] = json!({"id": owner.installation()});
            Delivery::of(app, "d-1", event, body).to(app).await.is(204);
        };
        match self {
            Self::SignedOutEverywhere => {
                owner.post("/github/logout-everywhere", json!({})).await.is(200);
            }
            Self::Suspended => at_github(owner, owner.installation(), "suspend").await,
            Self::LeftTheOrganization => {
                let left =
                    json!({"action": "member_removed", "membership": {"user": {"id": user}}});
                delivery("organization", left).await;
            }
            Self::AuthorizationWithdrawn => {
                let revoked = json!({"action": "revoked", "sender": {"id": user}});
                delivery("github_app_authorization", revoked).await;
            }
            Self::AccountDeleted => {
                let delete = owner.call(Method::DELETE, "/github/user?login=owner");
                delete.send().await.is(202);
            }
        }
    }
}

async fn everything_ends_with(loss: Loss) {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shell").await;
    project.sandbox_is_up().await;
    let terminal = shell(&project).await;
    let unused = project.ticket().await;
    let commands = project.call(Method::GET, "/terminal/commands").events().await;
    model.stand_still();
    let mut reply = project.says("/planning/requirements-gatherer", WISH).await;
    assert_eq!((commands.status, reply.status), (200, 200), "{loss:?}");
    reply.text_begins().await;

    loss.strike(&owner).await;
    join(closed(terminal), join(ended(commands), ended(reply))).await;
    Socket::open(&unused).await.err().expect("a ticket ends with its session");
    project.get("/execution/progress").await.refuses(401, "signed_out");
    model.go_on();
}

#[tokio::test]
async fn the_shell_and_the_streams_end_when_their_user_signs_out_everywhere() {
    everything_ends_with(Loss::SignedOutEverywhere).await;
}

#[tokio::test]
async fn the_shell_and_the_streams_end_when_their_installation_is_suspended() {
    everything_ends_with(Loss::Suspended).await;
}

#[tokio::test]
async fn the_shell_and_the_streams_end_when_their_user_leaves_the_organization() {
    everything_ends_with(Loss::LeftTheOrganization).await;
}

#[tokio::test]
async fn the_shell_and_the_streams_end_when_their_user_withdraws_the_authorization() {
    everything_ends_with(Loss::AuthorizationWithdrawn).await;
}

#[tokio::test]
async fn the_shell_and_the_streams_end_with_their_account() {
    everything_ends_with(Loss::AccountDeleted).await;
}

#[tokio::test]
async fn the_shell_and_the_streams_end_with_their_project() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shell").await;
    project.sandbox_is_up().await;
    let mut terminal = shell(&project).await;
    terminal.types("while sleep 0.2; do echo more; done\r").await;
    let unused = project.ticket().await;
    let commands = project.call(Method::GET, "/terminal/commands").events().await;
    model.stand_still();
    let mut reply = project.says("/planning/requirements-gatherer", WISH).await;
    reply.text_begins().await;

    let delete = owner.call(Method::DELETE, &format!("/projects/{}", project.id));
    delete.send().await.is(202);
    join(closed(terminal), join(ended(commands), ended(reply))).await;
    Socket::open(&unused).await.err().expect("a ticket ends with its project");
    model.go_on();
}

#[tokio::test]
async fn a_choice_that_was_open_when_its_user_signed_out_everywhere_opens_no_session() {
    let World { app, visitor, .. } = World::start().await;
    assert_eq!(ends(&visitor, "several-ann").await, "/github-choose");
    let offered = visitor.get("/github/installations").await.is(200).json();
    let other = Actor::visitor(&app);
    let other = other.claiming(Some(choose(&other, 0).await));
    other.post("/github/logout-everywhere", json!({})).await.is(200);
    let choice = json!({"installation_id": offered[0]["installation_id"]});
    visitor.post("/github/installations", choice).await.refuses(401, "sign_in_over");
    assert_eq!(visitor.cookie(SESSION), None);
    choose(&Actor::visitor(&app), 0).await;
}
