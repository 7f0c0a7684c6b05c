//! The cost of a poll and of a key, counted at DynamoDB.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use api_tests::{App, World};
use std::collections::BTreeMap;

/// The reaper's sweep, once a minute, may fall into one measurement but not into several.
const LOOKS: usize = 3;

/// Keys that are typed one after the other.
const KEYS: u64 = 60;

/// Everything that a page polls.
const POLLED: [&str; 15] = [
    "/planning/requirements",
    "/planning/architecture-plan",
    "/planning/implementation-plan",
    "/execution/progress",
    "/validation/plan",
    "/validation/progress",
    "/devops-helper/commands",
    "/documentation/current",
    "/sandbox/status/{id}",
    "/projects/{id}/costs",
    "/projects/{id}/costs/breakdown",
    "/projects/{id}/token-usage",
    "/user/credits",
    "/user/transactions",
    "/project-states/{id}",
];

#[tokio::test]
async fn a_poll_costs_one_read_beside_the_two_of_its_session_and_304_when_nothing_changed() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("polled").await;
    for path in POLLED {
        let path = path.replace("{id}", &project.id.to_string());
        let tag = project.get(&path).await.is(200).header("etag");
        let mut least = u64::MAX;
        for _ in 0..LOOKS {
            let before = calls(&app).await;
            let poll = project.call(reqwest::Method::GET, &path).header("if-none-match", &tag);
            assert!(poll.send().await.is(304).body.is_empty(), "{path}");
            least = least.min(calls(&app).await - before);
        }
        assert_eq!(least, 3, "{path}: the session, the ends that it may have, and its own read");
    }
}

#[tokio::test]
async fn a_keystroke_reads_no_table() {
    let World { app, owner, .. } = World::start().await;
    let project = owner.project("typed").await;
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    terminal.types("cat\r").await;
    terminal.shows("cat\r\n").await;
    let before = calls(&app).await;
    for key in 0..KEYS {
        let (key, shown) = (format!("{key},"), terminal.shown.len());
        terminal.types(&key).await;
        while !terminal.shown[shown..].contains(&key) {
            terminal.reads().await;
        }
    }
    let calls = calls(&app).await - before;
    // Every few seconds the gateway checks the session and reads the sandbox, and the agent sends a heartbeat.
    assert!(calls < KEYS / 2, "{calls} calls for {KEYS} keys");
}

/// All calls so far.
async fn calls(app: &App) -> u64 {
    let answer = reqwest::get(format!("{}/_local/dynamodb/calls", app.engines())).await.unwrap();
    let calls: BTreeMap<String, u64> =
        serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
    calls.values().sum()
}
