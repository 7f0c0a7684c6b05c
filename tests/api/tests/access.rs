//! Access ends when the session ends.

use crate::sign_in::{Delivery, SESSION, at_github, choose, ends};
use api_tests::{Actor, App, Events, Model, Project, Socket, Terminal, World, soon};
use aws_sdk_dynamodb::types::AttributeValue;
use domain::Timestamp;
use domain::secret_token::SecretToken;
use futures::future::join;
use protocol::ToBrowser;
use reqwest::Method;
use serde_json::{Value, json};
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
async fn an_event_stream_ends_with_its_session_and_no_other_does() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("Shell").await;
    project.sandbox_is_up().await;
    let of = async |actor: &Actor| {
        let stream =
            actor.project_of(&project).call(Method::GET, "/terminal/commands").events().await;
        assert_eq!(stream.status, 200);
        stream
    };
    let mut stream = of(&owner).await;
    // One process checks both streams.
    let other = Actor::signed_in(&app, "owner").await;
    let mut others = of(&other).await;
    owner.post("/github/logout", json!({})).await.is(200);
    let since = Instant::now();
    assert_eq!(soon("the stream's end", stream.next()).await, None);
    assert!(since.elapsed() < WITHIN, "{:?}", since.elapsed());
    tokio::time::timeout(WITHIN, others.next()).await.expect_err("the other stream goes on");
    // The call that ends these sessions dies before it closes anything.
    let user = other.user_id().await;
    drop(Sessions::new(&app.table()).end_user(user).await.unwrap());
    let since = Instant::now();
    assert_eq!(soon("the stream's end", others.next()).await, None);
    assert!(since.elapsed() < WITHIN, "{:?}", since.elapsed());
    // A stream that opens when none is left is checked as well.
    let back = Actor::signed_in(&app, "owner").await;
    let mut last = of(&back).await;
    back.post("/github/logout-everywhere", json!({})).await.is(200);
    let since = Instant::now();
    assert_eq!(soon("the stream's end", last.next()).await, None);
    assert!(since.elapsed() < WITHIN, "{:?}", since.elapsed());
}

/// Waits for the end of a stream whose access has ended; it may say things until then.
async fn ended(mut stream: Events) {
    let since = Instant::now();
    while soon("the stream's end", stream.next()).await.is_some() {}
    assert!(since.elapsed() < WITHIN, "ended after {:?}", since.elapsed());
}

/// Every way in which access ends.
#[derive(Debug, Clone, Copy)]
enum Loss {
    SignedOut,
    SignedOutEverywhere,
    Suspended,
    Uninstalled,
    LeftTheOrganization,
    LeftATeam,
    RemovedFromARepository,
    AuthorizationWithdrawn,
    ProjectDeleted,
    AccountDeleted,
    SessionExpired,
    /// The function that ended the session crashed before it closed anything.
    EndLost,
}

impl Loss {
    const ALL: [Self; 12] = [
        Self::SignedOut,
        Self::SignedOutEverywhere,
        Self::Suspended,
        Self::Uninstalled,
        Self::LeftTheOrganization,
        Self::LeftATeam,
        Self::RemovedFromARepository,
        Self::AuthorizationWithdrawn,
        Self::ProjectDeleted,
        Self::AccountDeleted,
        Self::SessionExpired,
        Self::EndLost,
    ];

    /// The name of a user who suffers it.
    fn user(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    async fn strike(self, project: &Project) {
        let owner: &Actor = project;
        let (app, user) = (owner.app(), owner.user_id().await);
        let delivery = async |event, mut body: Value| {
            body["installation"] = json!({"id": owner.installation()});
            Delivery::of(app, &format!("d-{self:?}"), event, body).to(app).await.is(204);
        };
        match self {
            Self::SignedOut => drop(owner.post("/github/logout", json!({})).await.is(200)),
            Self::SignedOutEverywhere => {
                owner.post("/github/logout-everywhere", json!({})).await.is(200);
            }
            Self::Suspended => at_github(owner, owner.installation(), "suspend").await,
            Self::Uninstalled => at_github(owner, owner.installation(), "delete").await,
            Self::LeftTheOrganization => {
                let left =
                    json!({"action": "member_removed", "membership": {"user": {"id": user}}});
                delivery("organization", left).await;
            }
            Self::LeftATeam => {
                delivery("membership", json!({"action": "removed", "member": {"id": user}})).await;
            }
            Self::RemovedFromARepository => {
                delivery("member", json!({"action": "removed", "member": {"id": user}})).await;
            }
            Self::AuthorizationWithdrawn => {
                let revoked = json!({"action": "revoked", "sender": {"id": user}});
                delivery("github_app_authorization", revoked).await;
            }
            Self::ProjectDeleted => {
                let path = project.path("/projects");
                owner.call(Method::DELETE, &path).send().await.is(202);
            }
            Self::AccountDeleted => {
                let path = format!("/github/user?login={}", self.user());
                owner.call(Method::DELETE, &path).send().await.is(202);
            }
            Self::SessionExpired => expire(owner).await,
            Self::EndLost => {
                let ended = Sessions::new(&app.table()).end_user(user).await.unwrap();
                assert_eq!(ended.0.len(), 1);
            }
        }
    }
}

/// Sets the end of an actor's session to a moment ago.
async fn expire(actor: &Actor) {
    let (app, token) = (actor.app(), SecretToken::presented(&actor.cookie(SESSION).unwrap()));
    let key = |value: String| AttributeValue::S(value);
    let ended = key(Timestamp::now().plus_seconds(-1).to_string());
    let update = app.dynamodb().update_item().table_name(app.table_name());
    let update =
        update.key("pk", key(format!("SESSION#{}", token.hash()))).key("sk", key("SESSION".into()));
    let update = update.update_expression("SET ends_at = :ended");
    update.expression_attribute_values(":ended", ended).send().await.unwrap();
}

/// A socket over which a page has listed files.
async fn files(project: &Project) -> Socket {
    let mut socket = project.socket().await;
    socket.send(&json!({"type": "files.list", "request": "l", "path": ""})).await;
    let listed = |answer: Value| (answer["type"] == "files.listed").then_some(());
    socket.wait(listed).await;
    socket
}

/// Waits for the end of a silent socket.
async fn dropped(mut socket: Socket) {
    let since = Instant::now();
    while socket.next::<Value>().await.is_some() {}
    assert!(since.elapsed() < WITHIN, "closed after {:?}", since.elapsed());
}

async fn everything_ends_with(app: &App, model: &Model, loss: Loss) {
    let owner = Actor::signed_in(app, &loss.user()).await;
    let project = owner.project("Shell").await;
    project.sandbox_is_up().await;
    let (terminal, files) = (shell(&project).await, files(&project).await);
    let (unused, silent) = (project.ticket().await, project.socket().await);
    let commands = project.call(Method::GET, "/terminal/commands").events().await;
    model.stand_still();
    let mut reply = project.says("/planning/requirements-gatherer", WISH).await;
    assert_eq!((commands.status, reply.status), (200, 200), "{loss:?}");
    reply.text_begins().await;

    loss.strike(&project).await;
    let sockets = join(closed(terminal), join(dropped(files), dropped(silent)));
    join(sockets, join(ended(commands), ended(reply))).await;
    Socket::open(&unused).await.err().expect("a ticket ends with its session and its project");
    let progress = project.get("/execution/progress").await;
    let refused = match loss {
        Loss::ProjectDeleted => (404, "not_found"),
        _ => (401, "signed_out"),
    };
    progress.refuses(refused.0, refused.1);
    model.go_on();
}

/// No user types, and no command prints: only the end of the access can end these connections.
#[tokio::test]
async fn however_access_ends_its_silent_connections_end_within_seconds() {
    let model = Model::start().await;
    let World { app, .. } = World::with(&model).await;
    for loss in Loss::ALL {
        println!("{loss:?}");
        everything_ends_with(&app, &model, loss).await;
    }
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
