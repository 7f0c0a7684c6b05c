//! A model provider on its own port: it answers as scripted, keeps its requests, and fails a test if a real provider
//! would have refused one of them.

use super::reply::{Answer, Ending, Protocol};
use super::{converse, invariants};
use agents::{Model, ModelConfig, Provider};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use axum::routing::post;
use futures::StreamExt;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};

/// The limit in tests about silence: short enough to notice within the test, and long enough for a busy machine.
const SHORT_IDLE: Duration = Duration::from_secs(1);
/// The limit everywhere else: no test may depend on the speed of its machine.
const LONG_IDLE: Duration = Duration::from_secs(60);

pub struct FakeModel {
    pub protocol: Protocol,
    idle_timeout: Duration,
    url: String,
    shared: Arc<Shared>,
}

struct Shared {
    protocol: Protocol,
    answers: Mutex<VecDeque<Answer>>,
    requests: Mutex<Vec<Value>>,
    /// For each request, the number of marks, before which its provider caches the input.
    marks: Mutex<Vec<usize>>,
    violations: Mutex<Vec<String>>,
    /// Whether it has refused to count a stream.
    counts_no_streams: AtomicBool,
    hung_up: Notify,
    /// Events that may be sent; unlimited unless a test releases them one by one.
    released: Semaphore,
}

impl FakeModel {
    pub async fn new(protocol: Protocol, answers: impl IntoIterator<Item = Answer>) -> Self {
        let answers: VecDeque<Answer> = answers.into_iter().collect();
        let silent = |answer: &Answer| match answer {
            Answer::Stream(reply) => reply.ending == Ending::Silent,
            Answer::Raw { ending, .. } => *ending == Ending::Silent,
            Answer::Refusal { .. } => false,
        };
        let idle_timeout = if answers.iter().any(silent) { SHORT_IDLE } else { LONG_IDLE };
        let shared = Arc::new(Shared {
            protocol,
            answers: Mutex::new(answers),
            requests: Mutex::default(),
            marks: Mutex::default(),
            violations: Mutex::default(),
            counts_no_streams: AtomicBool::default(),
            hung_up: Notify::new(),
            released: Semaphore::new(Semaphore::MAX_PERMITS),
        });
        let path = match protocol {
            Protocol::OpenAi => "/v1/chat/completions",
            Protocol::Anthropic => "/v1/messages",
            Protocol::Bedrock => "/v1/model/{model}/converse-stream",
        };
        let router = Router::new().route(path, post(answer)).with_state(shared.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { protocol, idle_timeout, url, shared }
    }

    /// A handle of the product on this fake.
    pub fn model(&self) -> Model {
        Model::new(self.config()).unwrap()
    }

    /// The configuration of that handle.
    pub fn config(&self) -> ModelConfig {
        let url = Some(self.url.as_str());
        let config = match self.protocol {
            Protocol::OpenAi => ModelConfig::new(Provider::OpenAi, "a-model", url, "a-key"),
            Protocol::Anthropic => ModelConfig::new(Provider::Anthropic, "a-model", url, "a-key"),
            Protocol::Bedrock => {
                let model = converse::named("a-model");
                ModelConfig::new(Provider::Bedrock, model, url, converse::signer())
            }
        };
        config.with_idle_timeout(self.idle_timeout)
    }

    /// Where it answers.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// How many marks each request had.
    pub fn marks(&self) -> Vec<usize> {
        self.shared.marks.lock().unwrap().clone()
    }

    /// The requests so far, as JSON.
    pub fn requests(&self) -> Vec<Value> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// The text of the last user message of a request, in any protocol.
    pub fn last_user_text(&self, request: usize) -> String {
        let request = &self.requests()[request];
        let messages = request["messages"].as_array().unwrap();
        let user = messages.iter().rev().find(|m| m["role"] == "user" && m["content"].is_string());
        user.unwrap()["content"].as_str().unwrap().to_owned()
    }

    /// A section of the last user message that holds JSON.
    pub fn shown_json(&self, request: usize, section: &str) -> Value {
        let text = self.last_user_text(request);
        let (_, inside) = text.split_once(&format!("<{section}>\n")).unwrap();
        serde_json::from_str(inside.split_once(&format!("\n</{section}>")).unwrap().0).unwrap()
    }

    /// The results of tools in a request, in order, in any protocol.
    pub fn tool_results(&self, request: usize) -> Vec<String> {
        let request = &self.requests()[request];
        let messages = request["messages"].as_array().unwrap();
        let text = |value: &Value| value["content"].as_str().unwrap().to_owned();
        match self.protocol {
            Protocol::OpenAi => messages.iter().filter(|m| m["role"] == "tool").map(text).collect(),
            Protocol::Anthropic | Protocol::Bedrock => messages
                .iter()
                .filter_map(|m| m["content"].as_array())
                .flatten()
                .filter(|block| block["type"] == "tool_result")
                .map(text)
                .collect(),
        }
    }

    /// Returns once a caller has left a stream that had not ended.
    pub async fn hung_up(&self) {
        self.shared.hung_up.notified().await;
    }

    /// Discards the answers that are left, for a test that cannot say how many are requested.
    pub fn discard_answers(&self) {
        self.shared.answers.lock().unwrap().clear();
    }

    /// From now on, no event is sent before [`FakeModel::release`].
    pub fn hold(&self) {
        self.shared.released.forget_permits(Semaphore::MAX_PERMITS);
    }

    pub fn release(&self, events: usize) {
        self.shared.released.add_permits(events);
    }
}

impl Drop for FakeModel {
    fn drop(&mut self) {
        let violations = self.shared.violations.lock().unwrap();
        if !std::thread::panicking() {
            assert!(violations.is_empty(), "a provider would refuse this request: {violations:#?}");
            let left = self.shared.answers.lock().unwrap().len();
            assert_eq!(left, 0, "unused answers of the fake model");
        }
    }
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let mut request = match shared.protocol {
        Protocol::OpenAi | Protocol::Anthropic => serde_json::from_slice(&body).unwrap(),
        Protocol::Bedrock => {
            let found = converse::violations(uri.path(), &headers, &body);
            shared.violations.lock().unwrap().extend(found);
            converse::as_messages(uri.path(), &body)
        }
    };
    shared.marks.lock().unwrap().push(body_marks(&mut request));
    let counts = !shared.counts_no_streams.load(Ordering::Relaxed);
    let found = invariants::violations(shared.protocol, &headers, &request, counts);
    shared.violations.lock().unwrap().extend(found);
    shared.requests.lock().unwrap().push(request);
    let answer = shared.answers.lock().unwrap().pop_front();
    match answer {
        Some(Answer::Stream(reply)) => {
            let events = reply.events(shared.protocol);
            let packets = match reply.packet {
                Some(bytes) => events.concat().chunks(bytes).map(Bytes::copy_from_slice).collect(),
                None => events.into_iter().map(Bytes::from).collect(),
            };
            let body = stream(shared, packets, reply.ending);
            Response::builder().header("content-type", "text/event-stream").body(body).unwrap()
        }
        Some(Answer::Raw { content_type, body, ending }) => {
            let body = stream(shared, vec![Bytes::from(body)], ending);
            Response::builder().header("content-type", content_type).body(body).unwrap()
        }
        Some(Answer::Refusal { status, headers, body }) => {
            let names_counts = body.to_string().contains("stream_options");
            shared.counts_no_streams.fetch_or(names_counts, Ordering::Relaxed);
            let builder = Response::builder().status(status);
            let builder = headers.iter().fold(builder, |b, (name, value)| b.header(*name, value));
            builder.body(Body::from(body.to_string())).unwrap()
        }
        None => {
            shared.violations.lock().unwrap().push("a call that the test did not expect".into());
            Response::builder().status(400).body(Body::empty()).unwrap()
        }
    }
}

/// Removes the marks and counts them. A text that is a block only because of its mark becomes plain text again, because
/// its provider treats both the same.
fn body_marks(request: &mut Value) -> usize {
    let (mut marks, mut contents) = (0, Vec::new());
    if let Value::Object(fields) = request {
        for (name, field) in fields {
            match name.as_str() {
                "system" => contents.push(field),
                "messages" => {
                    let messages = field.as_array_mut().unwrap().iter_mut();
                    contents.extend(messages.filter_map(|message| message.get_mut("content")));
                }
                _ => {}
            }
        }
    }
    for content in contents {
        let Value::Array(blocks) = content else { continue };
        for block in blocks.iter_mut().filter_map(Value::as_object_mut) {
            marks += usize::from(block.remove("cache_control").is_some());
        }
        if let [Value::Object(block)] = blocks.as_slice()
            && block.len() == 2
            && let Some(text) = block.get("text").cloned()
        {
            *content = text;
        }
    }
    marks
}

fn stream(shared: Arc<Shared>, events: Vec<Bytes>, ending: Ending) -> Body {
    let watch = HangUp { shared: shared.clone(), ended: ending != Ending::Silent };
    let events = futures::stream::iter(events).then(move |event| {
        let shared = shared.clone();
        async move {
            shared.released.acquire().await.unwrap().forget();
            Ok(event)
        }
    });
    let after = futures::stream::once(async move {
        match ending {
            Ending::Broken => {
                // Text that was written before leaves the server while the body has nothing ready.
                tokio::task::yield_now().await;
                Err(std::io::Error::other("broken"))
            }
            Ending::Silent => {
                let _watch = watch;
                std::future::pending().await
            }
            _ => Ok(Bytes::new()),
        }
    });
    Body::from_stream(events.chain(after))
}

/// Notices when the body of a stream is dropped before its end.
struct HangUp {
    shared: Arc<Shared>,
    ended: bool,
}

impl Drop for HangUp {
    fn drop(&mut self) {
        if !self.ended {
            self.shared.hung_up.notify_one();
        }
    }
}
