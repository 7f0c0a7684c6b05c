//! What every page waits for: a call that only passes through the gateway, a poll that finds nothing new, and the first
//! words of an agent.

use crate::Bench;
use crate::figure::Figure;
use crate::report::Report;
use crate::samples::Samples;
use api_tests::{Actor, World};
use reqwest::Method;
use serde_json::json;
use std::time::Instant;

const CALLS: usize = 100;
const CHATS: usize = 10;

pub async fn measure(bench: &Bench, report: &mut Report) {
    let World { owner, app: _app, .. } = World::start().await;
    let (mut health, mut polls, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..bench.rounds {
        health.push(calls_health(&owner).await);
        polls.push(poll(&owner).await);
        texts.push(first_text(&owner).await);
    }
    report.add(Figure::quantile("pages: GET /api/health, p50", 0.5, &health));
    report.add(Figure::quantile("pages: progress poll, unchanged, p50", 0.5, &polls));
    report.add(Figure::quantile("pages: progress poll, unchanged, p99", 0.99, &polls));
    let chat = "pages: first text of a chat with the blueprint model, p50";
    report.add(Figure::quantile(chat, 0.5, &texts).at_most(100.0));
}

/// A call that only passes through the gateway: the baseline of the machine.
async fn calls_health(owner: &Actor) -> Samples {
    let mut taken = Vec::new();
    for _ in 0..CALLS {
        let begin = Instant::now();
        owner.get("/health").await.is(200);
        taken.push(begin.elapsed());
    }
    Samples::of(taken)
}

/// A poll that finds nothing new.
async fn poll(owner: &Actor) -> Samples {
    let project = owner.project("bench").await;
    let tag = project.get("/execution/progress").await.is(200).header("etag");
    let mut taken = Vec::new();
    for _ in 0..CALLS {
        let call = project.call(Method::GET, "/execution/progress").header("if-none-match", &tag);
        let begin = Instant::now();
        call.send().await.is(304);
        taken.push(begin.elapsed());
    }
    Samples::of(taken)
}

/// From sending a message to the first text of the reply.
async fn first_text(owner: &Actor) -> Samples {
    let mut taken = Vec::new();
    for _ in 0..CHATS {
        let project = owner.project("bench").await;
        let message = json!({"message": "A small web service, use the defaults"});
        let call = project.call(Method::POST, "/planning/requirements-gatherer").json(&message);
        let begin = Instant::now();
        let mut events = call.events().await;
        events.text_begins().await;
        taken.push(begin.elapsed());
        events.all().await;
    }
    Samples::of(taken)
}
