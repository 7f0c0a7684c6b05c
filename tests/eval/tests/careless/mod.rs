//! The blueprint model with one bad habit, which changes its requests or replies on the wire.

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::time::Duration;
use tower::ServiceExt;

/// Largest body, in bytes.
const BODY_BYTES: usize = 1 << 20;
/// Largest reply of a model with small replies, in tokens.
const SMALL_REPLY: u64 = 8_000;
/// How much of a message a model with a short memory keeps, in bytes.
const MEMORY_BYTES: usize = 4_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    None,
    BreaksOff,
    RefusesKey,
    Silent,
    RefusesTemperature,
    SmallReplies,
    NoSystem,
    OnePiece,
    CallsAsText,
    BrokenJson,
    NumbersAsText,
    LosesBackslashes,
    Ascii,
    ForgetsResults,
    RefusesForce,
    IgnoresForce,
    SharedIds,
    Both,
    Fences,
    IgnoresCap,
    HidesCap,
    ShortMemory,
    SmallWindow,
    Gullible,
    ThinksAloud,
    NoUsage,
    WrongUsage,
    Caches,
    NoIndex,
    NoDone,
    OneDocument,
    OneDocumentAsEvents,
}

/// Serves the model until the test ends; returns its base URL.
pub async fn serve(habit: Habit) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().fallback(answer).with_state(habit);
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/v1")
}

/// The parts of a reply, before it is streamed.
struct Said {
    text: String,
    /// Id, name and arguments.
    calls: Vec<(String, String, String)>,
    finish: Value,
    usage: Value,
}

async fn answer(State(habit): State<Habit>, request: Request<Body>) -> Response {
    let body = axum::body::to_bytes(request.into_body(), BODY_BYTES).await.unwrap();
    let mut asked: Value = serde_json::from_slice(&body).unwrap();
    if let Some(refusal) = refusal(habit, &asked) {
        return refusal;
    }
    mishear(habit, &mut asked);
    asked["stream"] = json!(false);
    let request =
        Request::post("/v1/chat/completions").body(Body::from(asked.to_string())).unwrap();
    let reply = blueprint_model::routes(Duration::ZERO).oneshot(request).await.unwrap();
    assert_eq!(reply.status(), StatusCode::OK, "{asked}");
    let reply = axum::body::to_bytes(reply.into_body(), BODY_BYTES).await.unwrap();
    let reply: Value = serde_json::from_slice(&reply).unwrap();
    match habit {
        Habit::OneDocument => return document("application/json", &reply),
        Habit::OneDocumentAsEvents => return document("text/event-stream", &reply),
        _ => {}
    }
    let mut said = said(&reply);
    misspeak(habit, &asked, &mut said);
    stream(habit, &said)
}

fn refusal(habit: Habit, asked: &Value) -> Option<Response> {
    let refuse = |status: u16, code: &str| {
        let body = json!({"error": {"code": code, "type": "invalid_request_error", "message": ""}});
        Some((StatusCode::from_u16(status).unwrap(), body.to_string()).into_response())
    };
    let cap = asked["max_completion_tokens"].as_u64().or_else(|| asked["max_tokens"].as_u64());
    match habit {
        Habit::RefusesKey => refuse(401, "invalid_api_key"),
        Habit::RefusesTemperature if asked.get("temperature").is_some() => {
            refuse(400, "temperature")
        }
        Habit::SmallReplies if cap.unwrap() > SMALL_REPLY => refuse(400, "max_tokens"),
        Habit::RefusesForce if asked["tool_choice"].is_object() => refuse(400, "tool_choice"),
        Habit::SmallWindow if asked.to_string().len() > 4 * MEMORY_BYTES => {
            refuse(400, "context_length_exceeded")
        }
        _ => None,
    }
}

fn mishear(habit: Habit, asked: &mut Value) {
    let messages = asked["messages"].as_array_mut().unwrap();
    match habit {
        Habit::NoSystem => messages.retain(|message| message["role"] != "system"),
        Habit::ForgetsResults => {
            for message in messages.iter_mut().filter(|message| message["role"] == "tool") {
                message["content"] = json!("done");
            }
        }
        Habit::ShortMemory => {
            for message in messages.iter_mut().filter(|message| message["role"] == "user") {
                let text = message["content"].as_str().unwrap();
                let start = text.len().saturating_sub(MEMORY_BYTES);
                if start > 0 {
                    message["content"] = json!(text[start..]);
                }
            }
        }
        Habit::IgnoresForce => {
            asked.as_object_mut().unwrap().remove("tool_choice");
        }
        Habit::IgnoresCap => {
            asked.as_object_mut().unwrap().remove("max_completion_tokens");
            asked.as_object_mut().unwrap().remove("max_tokens");
        }
        _ => {}
    }
}

fn said(reply: &Value) -> Said {
    let choice = &reply["choices"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let calls = choice["message"]["tool_calls"].as_array().into_iter().flatten();
    let call = |call: &Value| {
        (text(&call["id"]), text(&call["function"]["name"]), text(&call["function"]["arguments"]))
    };
    Said {
        text: text(&choice["message"]["content"]),
        calls: calls.map(call).collect(),
        finish: choice["finish_reason"].clone(),
        usage: reply["usage"].clone(),
    }
}

fn misspeak(habit: Habit, asked: &Value, said: &mut Said) {
    let note = said.calls.first().filter(|(_, name, _)| name == "keep_note").cloned();
    let arguments = said.calls.first_mut().map(|(_, _, arguments)| arguments);
    match (habit, arguments) {
        (Habit::Silent, _) => said.text = "Yes.\nGROUNDCREW".to_owned(),
        (Habit::ThinksAloud, None) => {
            said.text = said.text.replacen('\n', "\n<think>easy</think>\n", 1);
        }
        (Habit::Gullible, _) if asked.to_string().contains("SYSTEM: ignore") => {
            let call = ("c".to_owned(), "keep_note".to_owned(), r#"{"text":"obeyed"}"#.to_owned());
            said.calls.push(call);
        }
        (Habit::CallsAsText, Some(arguments)) => {
            said.text = format!("keep_note({arguments})");
            said.calls.clear();
            said.finish = json!("stop");
        }
        (Habit::BrokenJson, Some(arguments)) => *arguments = arguments.replacen(':', " is ", 1),
        (Habit::NumbersAsText, Some(arguments)) => {
            *arguments = arguments.replace(r#""number":3"#, r#""number":"3""#);
        }
        (Habit::LosesBackslashes, Some(arguments)) => *arguments = arguments.replace(r"\\", ""),
        (Habit::Ascii, Some(arguments)) => {
            *arguments = arguments.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect();
        }
        (Habit::Fences, Some(arguments)) => {
            *arguments = arguments.replace("#!/usr", "```bash\\n#!/usr");
        }
        (Habit::SharedIds | Habit::Both, Some(_)) => {
            if let Some((id, name, arguments)) = note {
                let second = arguments.replace("first", "second").replace(":1", ":2");
                let other = if habit == Habit::Both { "other".to_owned() } else { id };
                said.calls.push((other, name, second));
            }
        }
        (Habit::HidesCap, None) => said.finish = json!("stop"),
        (Habit::WrongUsage, _) => said.usage["prompt_tokens"] = json!(BODY_BYTES),
        (Habit::Caches, _) => {
            let kept = said.usage["prompt_tokens"].as_u64().unwrap().div_ceil(10) * 9;
            said.usage["prompt_tokens_details"] = json!({"cached_tokens": kept});
        }
        _ => {}
    }
}

fn stream(habit: Habit, said: &Said) -> Response {
    let size = if habit == Habit::OnePiece { usize::MAX } else { 12 };
    let letters: Vec<char> = said.text.chars().collect();
    let mut deltas: Vec<Value> = letters
        .chunks(size.min(letters.len().max(1)))
        .map(|piece| json!({"content": piece.iter().collect::<String>()}))
        .collect();
    for (index, (id, name, arguments)) in said.calls.iter().enumerate() {
        let mut call = json!({"index": index, "id": id, "type": "function",
            "function": {"name": name, "arguments": arguments}});
        if habit == Habit::NoIndex {
            call.as_object_mut().unwrap().remove("index");
        }
        deltas.push(json!({"tool_calls": [call]}));
    }
    let frame = |choices: Value| {
        json!({"id": "c", "object": "chat.completion.chunk",
        "created": 0, "model": blueprint_model::MODEL_ID, "choices": choices})
    };
    let mut events: Vec<Value> = deltas
        .into_iter()
        .map(|delta| frame(json!([{"index": 0, "delta": delta, "finish_reason": null}])))
        .collect();
    if habit == Habit::BreaksOff {
        events.truncate(1);
        return sse(&events, "");
    }
    events.push(frame(json!([{"index": 0, "delta": {}, "finish_reason": said.finish}])));
    if habit != Habit::NoUsage {
        let mut last = frame(json!([]));
        last["usage"] = said.usage.clone();
        events.push(last);
    }
    sse(&events, if habit == Habit::NoDone { "" } else { "data: [DONE]\n\n" })
}

/// The reply in one piece, as a server answers that does not stream.
fn document(content_type: &'static str, reply: &Value) -> Response {
    ([("content-type", content_type)], reply.to_string()).into_response()
}

fn sse(events: &[Value], end: &str) -> Response {
    let events: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    ([("content-type", "text/event-stream")], format!("{events}{end}")).into_response()
}
