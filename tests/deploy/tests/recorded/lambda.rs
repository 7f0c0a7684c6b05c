//! Simulates Lambda for one event: a function's own binary asks for it, and posts its answer.

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use deploy_tests::repository;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::sync::{Mutex, mpsc};

/// How long a function may take: far longer than it does.
const PATIENCE: Duration = Duration::from_secs(60);
/// The largest answer, in bytes: Lambda's own limit.
const ANSWER_BYTES: usize = 6 * 1024 * 1024;
/// The separator between the head of a streamed answer and its body.
const PRELUDE_END: [u8; 8] = [0; 8];

/// A function's response to an event.
#[derive(Debug)]
pub enum Answer {
    /// The answer to a call or a message of a browser.
    Http {
        /// The HTTP status.
        status: u64,
        /// Where a browser is redirected; otherwise empty.
        location: String,
        /// The body.
        body: String,
        /// Whether it arrived as a stream.
        streamed: bool,
    },
    /// Whatever else it returned.
    Json(Value),
    /// It failed.
    Error(String),
}

#[derive(Clone)]
struct Runtime {
    event: Arc<Mutex<Option<String>>>,
    answers: mpsc::Sender<Answer>,
}

/// Starts a function, hands it one event and waits for its answer.
pub async fn invoke(
    function: &str,
    event: &Value,
    environment: &BTreeMap<String, String>,
) -> Answer {
    let (answers, mut answered) = mpsc::channel(1);
    let event = Arc::new(Mutex::new(Some(event.to_string())));
    let runtime = Router::new().fallback(serve).with_state(Runtime { event, answers });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let serving = tokio::spawn(async move { axum::serve(listener, runtime).await });

    let mut command = Command::new(repository().join("target/debug").join(function));
    command.env_clear().envs(environment).env("AWS_LAMBDA_RUNTIME_API", address);
    command.env("AWS_LAMBDA_FUNCTION_NAME", function).env("AWS_LAMBDA_FUNCTION_VERSION", "1");
    command.env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512");
    command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
    let mut process = command.spawn().unwrap();
    let answer = tokio::time::timeout(PATIENCE, async {
        tokio::select! {
            answer = answered.recv() => answer.unwrap(),
            ended = process.wait() => Answer::Error(format!("it ended: {ended:?}")),
        }
    });
    let answer = answer.await.unwrap_or_else(|_| Answer::Error("it does not answer".to_owned()));
    process.kill().await.ok();
    serving.abort();
    answer
}

async fn serve(State(runtime): State<Runtime>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    if path.ends_with("/invocation/next") {
        return match runtime.event.lock().await.take() {
            Some(event) => next(event),
            // There is no second event.
            None => std::future::pending().await,
        };
    }
    let streamed = request.headers().get("lambda-runtime-function-response-mode");
    let streamed = streamed.is_some_and(|mode| mode == "streaming");
    let body = to_bytes(request.into_body(), ANSWER_BYTES).await.unwrap();
    let answer = match path.ends_with("/response") {
        true if streamed => of_stream(&body),
        true => of_json(&body),
        false => Answer::Error(String::from_utf8_lossy(&body).into_owned()),
    };
    runtime.answers.send(answer).await.ok();
    StatusCode::ACCEPTED.into_response()
}

fn next(event: String) -> Response {
    let headers = [
        ("lambda-runtime-aws-request-id", "8476a536-e9f4-11e8-9739-2dfe598c3fcd"),
        // The year 2099, in milliseconds.
        ("lambda-runtime-deadline-ms", "4070908800000"),
        ("lambda-runtime-invoked-function-arn", "arn:aws:lambda:us-east-1:000000000000:function:f"),
    ];
    (headers, Body::from(event)).into_response()
}

fn of_stream(bytes: &Bytes) -> Answer {
    let end = bytes.windows(PRELUDE_END.len()).position(|window| window == PRELUDE_END);
    let Some(end) = end else { return Answer::Error("a stream without a head".to_owned()) };
    let head: Value = serde_json::from_slice(&bytes[..end]).unwrap();
    let body = String::from_utf8_lossy(&bytes[end + PRELUDE_END.len()..]).into_owned();
    http(&head, body, true)
}

fn of_json(bytes: &Bytes) -> Answer {
    let answer: Value = serde_json::from_slice(bytes).unwrap_or(json!(null));
    match answer["statusCode"].is_u64() {
        true => http(&answer, answer["body"].as_str().unwrap_or_default().to_owned(), false),
        false => Answer::Json(answer),
    }
}

fn http(head: &Value, body: String, streamed: bool) -> Answer {
    let location = ["headers", "multiValueHeaders"].iter().find_map(|of| {
        let value = &head[*of]["location"];
        value.as_str().or_else(|| value[0].as_str()).map(str::to_owned)
    });
    let location = location.unwrap_or_default();
    Answer::Http { status: head["statusCode"].as_u64().unwrap_or(0), location, body, streamed }
}
