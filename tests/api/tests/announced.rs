//! Changes that the gateway announces to open pages, which poll less because of them.

use api_tests::{Actor, Model, Project, Socket, World};
use protocol::ToBrowser;
use serde_json::json;
use std::time::Duration;

/// How long a test checks that nothing arrives: an announcement takes milliseconds.
const QUIET: Duration = Duration::from_secs(1);

/// A page whose terminal is attached, and which has been promised announcements.
async fn page(project: &Project) -> Socket {
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    let promised = |message| match message {
        ToBrowser::Status { announces, .. } => Some(announces),
        _ => None,
    };
    assert!(terminal.socket.wait(promised).await);
    terminal.socket
}

async fn receives_nothing(page: &mut Socket) {
    let announced = tokio::time::timeout(QUIET, page.wait_for_change()).await;
    assert!(announced.is_err(), "a change was announced");
}

/// Waits until nothing more arrives.
async fn settles(page: &mut Socket) {
    while tokio::time::timeout(QUIET, page.wait_for_change()).await.is_ok() {}
}

#[tokio::test]
async fn only_the_pages_of_a_project_get_its_announcements() {
    let model = Model::start().await;
    let World { owner, stranger, .. } = World::with(&model).await;
    let (project, other) = (owner.project("Shop").await, owner.project("Other").await);
    let (mut first, mut second) = (page(&project).await, page(&project).await);
    let mut elsewhere = page(&other).await;
    let mut strangers = page(&stranger.project("Shop").await).await;

    project.execute(&["echo hello", "echo second"]).await;
    for page in [&mut first, &mut second] {
        page.wait_for_change().await;
    }
    project.step_is(1, "waiting_approval").await;
    for page in [&mut first, &mut second] {
        settles(page).await;
    }
    project.complete(1).await;
    for page in [&mut first, &mut second] {
        page.wait_for_change().await;
    }
    receives_nothing(&mut elsewhere).await;
    receives_nothing(&mut strangers).await;
}

#[tokio::test]
async fn after_the_last_announcement_of_a_step_the_page_reads_its_end() {
    let model = Model::start().await;
    let World { owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    project.execute(&["echo hello"]).await;
    project.step_is(1, "waiting_approval").await;
    let mut page = page(&project).await;
    project.approve(1).await;
    // In this test a page reads only after an announcement.
    while project.step(1).await.status != "completed" {
        page.wait_for_change().await;
    }
}

#[tokio::test]
async fn a_closed_page_is_removed_and_a_signed_out_one_gets_no_announcement() {
    let model = Model::start().await;
    let World { app, owner, .. } = World::with(&model).await;
    let project = owner.project("Shop").await;
    let connections = store::connections::Connections::new(&app.table());
    let listed = || async { connections.of_project(project.scope()).await.unwrap().len() };
    let closing = page(&project).await;
    let mut staying = page(&project).await;
    assert_eq!(listed().await, 2);
    closing.close().await;
    api_tests::eventually("the closed page is removed", async || {
        (listed().await == 1).then_some(())
    })
    .await;

    let other_browser = Actor::signed_in(&app, "owner").await;
    owner.post("/github/logout", json!({})).await.is(200);
    assert!(staying.next::<ToBrowser>().await.is_none(), "the session's end closes its page");
    let project = other_browser.project_of(&project);
    project.execute(&["echo hello"]).await;
    project.step_is(1, "waiting_approval").await;
    assert_eq!(connections.of_project(project.scope()).await.unwrap().len(), 0);
}
