//! The functions' own binaries, under `cargo lambda watch`, against the local stack's engines.
//!
//! The other suites call the routers in one process. Here each function is a separate process that speaks the Lambda
//! runtime protocol, as in the cloud. This test notices a streaming function that buffers, incorrect wiring in a
//! `main.rs`, and a missing variable.
mod model;
mod processes;
mod visitor;

use futures::{Stream, StreamExt};
use model::Model;
use processes::Watch;
use serde_json::Value;
use std::pin::Pin;
use std::time::Duration;
use visitor::Visitor;

/// How long an event may take: far longer than it does. A delayed stream never sends it.
const PATIENCE: Duration = Duration::from_secs(30);

/// The model's reply, piece by piece.
const PIECES: [&str; 4] = ["What ", "shall ", "we ", "build?"];

#[tokio::test(flavor = "multi_thread")]
async fn functions_answer_and_stream_under_cargo_lambda_watch() {
    let mut model = Model::start().await;
    let watch = Watch::start(&model.base_url()).await;

    let health = reqwest::get(watch.url("/health")).await.unwrap();
    assert_eq!(health.status(), 200);
    assert_eq!(health.text().await.unwrap(), r#"{"status":"ok"}"#);

    let visitor = Visitor::sign_in(&watch).await;
    let project = visitor.create_project("Shop").await;

    let chat = visitor.chat(project, "Hello");
    let reply =
        tokio::time::timeout(PATIENCE, chat).await.expect("something delays the answer's head");
    assert_eq!(reply.status(), 200);
    assert_eq!(reply.headers()["content-type"], "text/event-stream");
    let mut events = Box::pin(visitor::events(reply));
    // The model sends a piece only after the previous one has arrived here: if anything on the way waited for more, or
    // for the end, nothing would ever arrive.
    for piece in PIECES {
        model.say(piece).await;
        let event = next(&mut events).await.expect("the stream continues");
        assert_eq!(event["event"], "on_chat_model_stream", "{event}");
        assert_eq!(event["chunk"]["content"], piece);
    }
    model.finish().await;
    let last = next(&mut events).await.expect("a stream ends with its end");
    assert_eq!(last["event"], "on_chat_model_end");
    assert!(next(&mut events).await.is_none());
}

async fn next<Events: Stream<Item = Value>>(events: &mut Pin<Box<Events>>) -> Option<Value> {
    tokio::time::timeout(PATIENCE, events.next()).await.expect("something delays the stream")
}
