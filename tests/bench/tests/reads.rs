//! The cost of a poll, counted at DynamoDB.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use api_tests::{App, World};
use std::collections::BTreeMap;

/// The reaper's sweep, once a minute, may fall into one measurement but not into several.
const LOOKS: usize = 3;

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
async fn a_poll_costs_one_read_beside_the_sessions_and_304_when_nothing_changed() {
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
        assert_eq!(least, 2, "{path}: the session's read and its own");
    }
}

/// All calls so far.
async fn calls(app: &App) -> u64 {
    let environment = std::fs::read_to_string(app.data().join("engines.env")).unwrap();
    let named = |line: &str| line.strip_prefix("AWS_ENDPOINT_URL_DYNAMODB=").map(str::to_owned);
    let engines = environment.lines().find_map(named).unwrap();
    let answer = reqwest::get(format!("{engines}/_local/dynamodb/calls")).await.unwrap();
    let calls: BTreeMap<String, u64> =
        serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
    calls.values().sum()
}
