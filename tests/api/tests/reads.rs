//! Calls that only read: each one is limited, or it is cheap for a stated reason.

use api_tests::World;
use api_tests::contract::{Route, routes};
use api_tests::{Actor, Answer, Settings};
use reqwest::Method;
use std::collections::BTreeSet;

/// The call reads rows whose number does not grow with the project's age.
const ROWS: &str = "reads a few rows of the table";
/// The call reads a project's list, which the store keeps short.
const LIST: &str = "reads a list whose length the store bounds";
/// The call returns at most a page, whatever there is.
const PAGE: &str = "reads one page";

/// The call reads a step; a log in the bucket is limited as a download, which limits.rs tests.
const OUTPUT: &str = "reads one step, and a long log within the limit of downloads";

/// Reads without a limit, and why that is right. Pages poll most of them, so a limit would only count.
const CHEAP: &[(&str, &str)] = &[
    ("GET /devops-helper/commands", LIST),
    ("GET /devops-helper/output/{step_number}", OUTPUT),
    ("GET /documentation/current", ROWS),
    ("GET /execution/output/{step_number}", OUTPUT),
    ("GET /execution/progress", "a poll without news reads the header alone"),
    ("GET /github/guests", ROWS),
    ("GET /github/installations", "reads one row, which only a sign-in in progress has"),
    ("GET /github/user", "reads the session alone"),
    ("GET /health", "reads nothing"),
    ("GET /payments/stripe/return", "limited, but leads to a page: see payments.rs"),
    ("GET /planning/architecture-plan", ROWS),
    ("GET /planning/credentials", ROWS),
    ("GET /planning/documents", ROWS),
    ("GET /planning/documents/{document}/versions", LIST),
    ("GET /planning/documents/{document}/versions/{number}", ROWS),
    ("GET /planning/implementation-plan", ROWS),
    ("GET /planning/requirements", ROWS),
    ("GET /planning/threads/{agent}", "reads the end of a conversation, half a MiB"),
    ("GET /project-states/{id}", ROWS),
    ("GET /projects", LIST),
    ("GET /projects/{id}", ROWS),
    ("GET /projects/{id}/changes", LIST),
    ("GET /projects/{id}/costs", ROWS),
    ("GET /projects/{id}/costs/breakdown", "reads a row for each agent"),
    ("GET /projects/{id}/repository", ROWS),
    ("GET /projects/{id}/shares", LIST),
    ("GET /projects/{id}/token-usage", ROWS),
    ("GET /sandbox/backups/{id}", ROWS),
    ("GET /sandbox/status/{id}", ROWS),
    ("GET /user/credits", ROWS),
    ("GET /user/mail", ROWS),
    ("GET /user/mail/unsubscribe", "reads nothing"),
    ("GET /user/transactions", PAGE),
    ("GET /validation/drift", LIST),
    ("GET /validation/output/{step_number}", OUTPUT),
    ("GET /validation/plan", ROWS),
    ("GET /validation/progress", "a poll without news reads the header alone"),
    ("GET /validation/requirements", LIST),
];

/// The reads whose limit the owner needs in order to sign in.
const SIGN_IN: [&str; 2] = ["GET /github/login", "GET /github/callback"];

async fn called(page: &Actor, route: &Route) -> Answer {
    let path = route.path.split('/').map(|part| if part.starts_with('{') { "1" } else { part });
    let path = path.collect::<Vec<_>>().join("/");
    page.call(Method::GET, &path).send().await
}

#[tokio::test]
async fn every_read_is_limited_or_cheap() {
    // The owner has to sign in first; limits.rs tests the limit of that.
    let limits = Some("every-limit=0,sign-ins-per-address=1000");
    let settings = Settings { rate_limits: limits, ..Settings::default() };
    let World { owner, .. } = World::with_settings(settings).await;
    let page = owner.within(1);
    let (mut unlimited, mut known) = (BTreeSet::new(), BTreeSet::new());
    for route in routes().into_iter().filter(|route| route.method == Method::GET) {
        let name = route.name();
        let cheap = CHEAP.iter().any(|(cheap, _)| *cheap == name);
        if cheap {
            known.insert(name.clone());
        }
        if !SIGN_IN.contains(&name.as_str()) && called(&page, &route).await.status != 429 {
            unlimited.insert(name);
        }
    }
    assert_eq!(
        unlimited, known,
        "left: reads without a limit; right: those that are listed as cheap"
    );
    assert_eq!(CHEAP.len(), known.len(), "the list names a read that is not in the contract");
}
