//! The headers that the API itself sends.

use api_tests::{Answer, World};
use serde_json::json;

const STRICT: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
    ),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
];

#[track_caller]
fn is_strict(answer: &Answer) {
    for (name, value) in STRICT {
        assert_eq!(answer.header(name), value, "{}: {name}", answer.call);
    }
}

#[tokio::test]
async fn every_answer_forbids_type_guessing_and_caching() {
    let World { owner, visitor, .. } = World::start().await;
    let project = owner.project("Headers").await;
    let page = owner.within(project.id);
    for answer in [
        visitor.get("/health").await,
        visitor.get("/github/user").await,
        visitor.get("/nothing").await,
        visitor.get("/github/login").await,
        owner.post("/projects", json!({})).await,
    ] {
        is_strict(&answer);
        assert_eq!(answer.header("cache-control"), "no-store", "{}", answer.call);
    }
    // A reader may keep a polled answer, but must ask each time whether it is still valid.
    for polled in [owner.get("/projects").await, page.get("/planning/requirements").await] {
        let polled = polled.is(200);
        is_strict(&polled);
        assert_eq!(polled.header("cache-control"), "private, no-cache", "{}", polled.call);
    }
}
