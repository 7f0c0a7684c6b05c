//! Tests how long a call waits for a provider that is silent or busy, on a clock that jumps from timer to timer.

use super::*;
use crate::exchange::Message;
use crate::pipe::pipe;
use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use domain::ThreadId;
use futures::StreamExt;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::time::Instant;

/// How a provider behaves.
#[derive(Clone, Copy)]
enum Behavior {
    /// It answers, and says nothing more after the first word.
    FallsSilent,
    /// It refuses with this status.
    Refuses(u16),
}

/// A model that behaves like this, and the number of calls that it got.
async fn provider(behavior: Behavior) -> (Model, Arc<AtomicU32>) {
    let calls = Arc::new(AtomicU32::new(0));
    let counted = calls.clone();
    let answer = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        async move {
            match behavior {
                Behavior::FallsSilent => {
                    let word = "data: {\"choices\": [{\"delta\": {\"content\": \"Hm\"}}]}\n\n";
                    let word = futures::stream::iter([Ok::<_, std::io::Error>(word)]);
                    Response::new(Body::from_stream(word.chain(futures::stream::pending())))
                }
                Behavior::Refuses(status) => StatusCode::from_u16(status).unwrap().into_response(),
            }
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let router = Router::new().route("/v1/chat/completions", post(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let model = Model::new(ModelConfig::new(Provider::OpenAi, "m", Some(&url), "k")).unwrap();
    (model, calls)
}

/// How long one call took to fail, and with what.
async fn fails(model: &Model, patience: Patience) -> (Duration, ModelError) {
    let (mut reader, turn) = pipe(ThreadId::from("t"));
    let drained = tokio::spawn(turn.for_each(async |_| {}));
    let messages = vec![Message::user("Hi")];
    let request = Request { system: "Be brief.".to_owned(), messages, tools: Vec::new() };
    let mut progress = Progress::of_at_most(1_000);
    let began = Instant::now();
    let called = model.with_patience(patience).call(&request, &mut reader, &mut progress).await;
    let took = began.elapsed();
    drop(reader);
    drained.await.unwrap();
    match called {
        Err(Stop::Failed(error)) => (took, error),
        _ => panic!("the call did not fail"),
    }
}

#[tokio::test]
async fn a_silent_model_fails_a_queued_call_after_five_minutes_and_a_chat_after_one() {
    let (model, calls) = provider(Behavior::FallsSilent).await;
    tokio::time::pause();
    for (patience, minutes) in
        [(Patience::Reader, 1), (Patience::Queue, 5), (Patience::Relieved, 5)]
    {
        let before = calls.load(Ordering::Relaxed);
        let (took, error) = fails(&model, patience).await;
        assert_eq!(error.kind, Kind::Interrupted, "{patience:?}: {error}");
        let limit = Duration::from_secs(60 * minutes);
        assert!(took >= limit && took < limit + Duration::from_secs(2), "{patience:?}: {took:?}");
        assert_eq!(
            calls.load(Ordering::Relaxed) - before,
            1,
            "a reply that has begun is not asked for again"
        );
    }
}

#[tokio::test]
async fn a_call_from_the_queue_tries_a_busy_provider_for_minutes_and_a_reader_for_seconds() {
    for status in [429, 503, 529] {
        let (model, calls) = provider(Behavior::Refuses(status)).await;
        tokio::time::pause();
        let (took, error) = fails(&model, Patience::Queue).await;
        assert!(matches!(error.kind, Kind::RateLimited(None) | Kind::Overloaded(None)), "{error}");
        let (least, most) = (Duration::from_secs(4 * 60), Duration::from_secs(5 * 60 + 5));
        assert!(took >= least && took < most, "{status}: {took:?}");
        let tries = calls.swap(0, Ordering::Relaxed);
        assert!((9..=20).contains(&tries), "{status}: {tries}");
        for patience in [Patience::Reader, Patience::Relieved] {
            let (took, _) = fails(&model, patience).await;
            assert!(took < Duration::from_secs(15), "{status} {patience:?}: {took:?}");
            assert_eq!(calls.swap(0, Ordering::Relaxed), 3, "{status} {patience:?}");
        }
        tokio::time::resume();
    }
}
