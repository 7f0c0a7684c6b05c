//! Access ends when the session ends.

use api_tests::{Actor, Project, Socket, Terminal, World, soon};
use protocol::ToBrowser;
use reqwest::Method;
use serde_json::json;
use std::time::{Duration, Instant};
use store::sessions::Sessions;

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
