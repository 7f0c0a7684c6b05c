//! A model between the product and the real one. It records the replies, or repeats recorded ones.
//!
//! A recording holds the replies but not the prompts, because changes to the product change the prompts. Each call is
//! answered with the next recorded reply to the same role, which the offered tools identify. Prompts may therefore
//! change, and the run reports that; but a loop that calls more often than in the recording finds no reply left and
//! fails.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// Offered only while a sandbox is running, so they say nothing about the role.
const NO_SIGN: [&str; 2] = ["look_in_sandbox", "look_up_documentation"];
/// How many characters of a digest are kept.
const DIGEST_CHARS: usize = 16;

/// One reply, and the request that it answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Exchange {
    /// The offered tools, which identify the role.
    pub tools: String,
    /// Digest of the instructions.
    pub instructions: String,
    /// The text of the reply.
    pub text: String,
    /// The calls: id, name and arguments.
    pub calls: Vec<(String, String, String)>,
    /// Why the reply ended.
    pub finish: Value,
    /// The token counts.
    pub usage: Value,
}

enum Source {
    /// Passes calls on to this base URL.
    Model(String),
    /// The replies that are left.
    Recording(Mutex<Vec<Exchange>>),
}

struct Shared {
    source: Source,
    exchanges: Mutex<Vec<Exchange>>,
    drift: Mutex<BTreeSet<String>>,
    http: reqwest::Client,
}

/// The model in the middle, which is served until the program ends.
pub struct Tape {
    /// The value for `MODEL_BASE_URL`.
    pub base_url: String,
    shared: Arc<Shared>,
}

impl Tape {
    /// Starts it in front of the model at this base URL.
    pub async fn of_model(base_url: &str) -> Self {
        Self::serve(Source::Model(base_url.trim_end_matches('/').to_owned())).await
    }

    /// Starts it with a recording.
    pub async fn of_recording(exchanges: Vec<Exchange>) -> Self {
        Self::serve(Source::Recording(Mutex::new(exchanges))).await
    }

    async fn serve(source: Source) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().expect("a client");
        let (exchanges, drift) = (Mutex::default(), Mutex::default());
        let shared = Arc::new(Shared { source, exchanges, drift, http });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("bound");
        let router = Router::new().fallback(answer).with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { base_url: format!("http://{address}/v1"), shared }
    }

    /// Every exchange so far.
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.shared.exchanges.lock().expect("unpoisoned").clone()
    }

    /// The roles whose instructions have changed since the recording.
    pub fn drift(&self) -> Vec<String> {
        self.shared.drift.lock().expect("unpoisoned").iter().cloned().collect()
    }
}

async fn answer(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    match &shared.source {
        Source::Model(base_url) => passed_on(&shared, base_url, &headers, &asked, body).await,
        Source::Recording(left) => again(&shared, left, &asked),
    }
}

async fn passed_on(
    shared: &Shared,
    base_url: &str,
    headers: &HeaderMap,
    asked: &Value,
    body: Bytes,
) -> Response {
    let mut call = shared.http.post(format!("{base_url}/chat/completions")).body(body);
    for name in ["authorization", "content-type"] {
        if let Some(value) = headers.get(name) {
            call = call.header(name, value);
        }
    }
    let Ok(reply) = call.send().await else {
        return StatusCode::BAD_GATEWAY.into_response();
    };
    let status = reply.status();
    let Ok(bytes) = reply.bytes().await else { return StatusCode::BAD_GATEWAY.into_response() };
    if status.is_success() {
        let exchange = exchange(asked, &String::from_utf8_lossy(&bytes));
        shared.exchanges.lock().expect("unpoisoned").push(exchange);
    }
    (status, [("content-type", "text/event-stream")], bytes).into_response()
}

fn again(shared: &Shared, left: &Mutex<Vec<Exchange>>, asked: &Value) -> Response {
    let (tools, instructions) = (tools(asked), instructions(asked));
    let mut left = left.lock().expect("unpoisoned");
    let Some(next) = left.iter().position(|exchange| exchange.tools == tools) else {
        let error = json!({"error": {"type": "invalid_request_error", "code": "not_recorded",
            "message": format!("no reply is left for {tools}")}});
        return (StatusCode::BAD_REQUEST, error.to_string()).into_response();
    };
    let exchange = left.remove(next);
    if exchange.instructions != instructions {
        shared.drift.lock().expect("unpoisoned").insert(tools);
    }
    shared.exchanges.lock().expect("unpoisoned").push(exchange.clone());
    ([("content-type", "text/event-stream")], spoken(&exchange)).into_response()
}

fn tools(asked: &Value) -> String {
    let tools = asked["tools"].as_array().into_iter().flatten();
    let names = tools.filter_map(|tool| tool["function"]["name"].as_str());
    names.filter(|name| !NO_SIGN.contains(name)).collect::<Vec<_>>().join(" ")
}

fn instructions(asked: &Value) -> String {
    let messages = asked["messages"].as_array().into_iter().flatten();
    let system = messages.filter(|message| message["role"] == "system");
    let text: String = system.filter_map(|message| message["content"].as_str()).collect();
    let mut digest = hex::encode(Sha256::digest(text));
    digest.truncate(DIGEST_CHARS);
    digest
}

/// The reply in a stream.
fn exchange(asked: &Value, stream: &str) -> Exchange {
    let mut exchange = Exchange {
        tools: tools(asked),
        instructions: instructions(asked),
        text: String::new(),
        calls: Vec::new(),
        finish: json!("stop"),
        usage: Value::Null,
    };
    let events = stream.lines().filter_map(|line| line.strip_prefix("data:"));
    for event in events.filter_map(|data| serde_json::from_str::<Value>(data.trim()).ok()) {
        if event["usage"].is_object() {
            exchange.usage = event["usage"].clone();
        }
        let choice = &event["choices"][0];
        if choice["finish_reason"].is_string() {
            exchange.finish = choice["finish_reason"].clone();
        }
        exchange.text += choice["delta"]["content"].as_str().unwrap_or_default();
        for call in choice["delta"]["tool_calls"].as_array().into_iter().flatten() {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let index = call["index"].as_u64().and_then(|index| usize::try_from(index).ok());
            let index = index.unwrap_or_default().min(exchange.calls.len());
            if index == exchange.calls.len() {
                exchange.calls.push(Default::default());
            }
            let (id, name, arguments) = &mut exchange.calls[index];
            *id += &text(&call["id"]);
            *name += &text(&call["function"]["name"]);
            *arguments += &text(&call["function"]["arguments"]);
        }
    }
    exchange
}

/// The reply as a stream.
fn spoken(exchange: &Exchange) -> String {
    let frame = |choices: Value| {
        json!({"id": "recorded", "object": "chat.completion.chunk", "created": 0,
        "model": "recorded", "choices": choices})
    };
    let delta = |delta: Value| frame(json!([{"index": 0, "delta": delta, "finish_reason": null}]));
    let mut events = Vec::new();
    if !exchange.text.is_empty() {
        events.push(delta(json!({"content": exchange.text})));
    }
    for (index, (id, name, arguments)) in exchange.calls.iter().enumerate() {
        events.push(delta(json!({"tool_calls": [{"index": index, "id": id, "type": "function",
            "function": {"name": name, "arguments": arguments}}]})));
    }
    events.push(frame(json!([{"index": 0, "delta": {}, "finish_reason": exchange.finish}])));
    if exchange.usage.is_object() {
        let mut last = frame(json!([]));
        last["usage"] = exchange.usage.clone();
        events.push(last);
    }
    let events: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    format!("{events}data: [DONE]\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replayed_exchange_equals_the_recorded_one() {
        let asked = json!({"tools": [{"function": {"name": "a"}}, {"function": {"name": NO_SIGN[0]}},
            {"function": {"name": NO_SIGN[1]}}],
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]});
        let said = Exchange {
            tools: "a".to_owned(),
            instructions: instructions(&asked),
            text: "Grüße\n".to_owned(),
            calls: vec![
                ("1".into(), "a".into(), "{\"x\":1}".into()),
                ("2".into(), "a".into(), "{}".into()),
            ],
            finish: json!("tool_calls"),
            usage: json!({"prompt_tokens": 3}),
        };
        let again = exchange(&asked, &spoken(&said));
        assert_eq!(serde_json::to_value(&again).unwrap(), serde_json::to_value(&said).unwrap());
        assert_eq!(said.instructions.len(), DIGEST_CHARS);
    }
}
