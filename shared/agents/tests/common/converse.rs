//! The fake as Bedrock: its requests in the form that the tests check, its replies as AWS's event stream.
//!
//! AWS's own libraries write the frames and make the signature that a request must carry.

use super::reply::{Ending, Piece, Reply, parts};
use aws_config::{Region, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4::SigningParams;
use aws_smithy_eventstream::frame::write_message_to;
use aws_smithy_types::event_stream::{Header, HeaderValue, Message};
use axum::http::HeaderMap;
use bedrock::Signer;
use serde_json::{Value, json};
use std::time::SystemTime;
use time::PrimitiveDateTime;
use time::macros::format_description;

const REGION: &str = "eu-central-1";
/// The text around a model's name: a profile across regions, Claude's family, which takes marks, and a version.
const AROUND: (&str, &str) = ("eu.anthropic.", "-v1:0");

fn credentials() -> Credentials {
    Credentials::new("an-id", "a-secret", Some("a-session".to_owned()), None, "tests")
}

/// The product's signer, in a region and with its own credentials.
pub fn signer() -> Signer {
    let provider = SharedCredentialsProvider::new(credentials());
    let sdk = SdkConfig::builder().region(Region::new(REGION)).credentials_provider(provider);
    Signer::new(&sdk.build())
}

/// A model's name as Bedrock spells it.
pub fn named(model: &str) -> String {
    format!("{}{model}{}", AROUND.0, AROUND.1)
}

/// What Bedrock would refuse in a request.
pub fn violations(path: &str, headers: &HeaderMap, body: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let request: Value = serde_json::from_slice(body).unwrap();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            found.push(format!("{what}: {headers:?} {request}"));
        }
    };
    must(text("authorization") == signature(path, headers, body), "is signed by the role");
    must(text("x-amz-security-token") == "a-session", "shows the role's session");
    must(text("content-type") == "application/json", "says what it sends");
    let plain = |value: &Value| {
        let letter = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        let fits = |id: &str| (1..=64).contains(&id.len()) && id.bytes().all(letter);
        value.as_str().is_some_and(fits)
    };
    let messages = request["messages"].as_array().unwrap();
    let blocks = messages.iter().flat_map(|message| message["content"].as_array().unwrap());
    let blocks: Vec<&Value> = blocks.collect();
    for block in &blocks {
        must(block.as_object().is_some_and(|fields| fields.len() == 1), "a block is one thing");
        if let Some(call) = block.get("toolUse") {
            must(plain(&call["toolUseId"]) && plain(&call["name"]), "ids and names are plain");
        }
    }
    let calls = blocks.iter().any(|block| block.get("toolUse").is_some());
    let declared = request["toolConfig"]["tools"].is_array();
    must(declared || !calls, "a conversation with calls declares tools");
    found
}

/// The signature that the request must carry, computed from the time and the host in it.
fn signature(path: &str, headers: &HeaderMap, body: &[u8]) -> String {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let form = format_description!("[year][month][day]T[hour][minute][second]Z");
    let Ok(at) = PrimitiveDateTime::parse(text("x-amz-date"), form) else {
        return "a request without a time".to_owned();
    };
    let identity = credentials().into();
    let parameters = SigningParams::builder()
        .identity(&identity)
        .region(REGION)
        .name("bedrock")
        .time(SystemTime::from(at.assume_utc()))
        .settings(SigningSettings::default())
        .build();
    let parameters = parameters.unwrap().into();
    let url = format!("http://{}{path}", text("host"));
    let signed = [("content-type", text("content-type"))].into_iter();
    let request = SignableRequest::new("POST", &url, signed, SignableBody::Bytes(body)).unwrap();
    let (instructions, _) = sign(request, &parameters).unwrap().into_parts();
    let mut headers = instructions.headers();
    headers.find(|(name, _)| *name == "authorization").unwrap().1.to_owned()
}

/// A request in Anthropic's form, which has the same blocks under other names.
pub fn as_messages(path: &str, body: &[u8]) -> Value {
    let request: Value = serde_json::from_slice(body).unwrap();
    let model = path.split('/').rev().nth(1).unwrap().replace("%3A", ":");
    let model = model.strip_prefix(AROUND.0).unwrap_or(&model);
    let messages = request["messages"].as_array().unwrap().iter();
    let messages = messages
        .map(|message| json!({"role": message["role"], "content": content(&message["content"])}));
    let mut said = json!({
        "model": model.strip_suffix(AROUND.1).unwrap_or(model),
        "stream": path.ends_with("/converse-stream"),
        "max_tokens": request["inferenceConfig"]["maxTokens"],
        "messages": messages.collect::<Vec<_>>(),
    });
    if let Some(temperature) = request["inferenceConfig"].get("temperature") {
        said["temperature"] = temperature.clone();
    }
    if request["system"].is_array() {
        said["system"] = content(&request["system"]);
    }
    let offered = request["toolConfig"]["tools"].as_array().into_iter().flatten();
    let offered = offered.map(|tool| &tool["toolSpec"]).filter(|tool| {
        // Tools that are declared only because the conversation has calls of them are not on offer.
        !tool["description"].as_str().unwrap().ends_with("not available now.")
    });
    let tools = offered.map(|tool| {
        let schema = &tool["inputSchema"]["json"];
        json!({"name": tool["name"], "description": tool["description"], "input_schema": schema})
    });
    let tools: Vec<Value> = tools.collect();
    if !tools.is_empty() {
        said["tools"] = tools.into();
    }
    if let Some(choice) = request["toolConfig"].get("toolChoice") {
        said["tool_choice"] = choice.clone();
    }
    for field in ["thinking", "output_config"] {
        if let Some(given) = request["additionalModelRequestFields"].get(field) {
            said[field] = given.clone();
        }
    }
    said
}

fn content(blocks: &Value) -> Value {
    let mut said: Vec<Value> = Vec::new();
    for block in blocks.as_array().unwrap() {
        let (name, inside) = block.as_object().unwrap().iter().next().unwrap();
        said.push(match name.as_str() {
            "text" => json!({"type": "text", "text": inside}),
            "toolUse" => json!({"type": "tool_use", "id": inside["toolUseId"], "name": inside["name"], "input": inside["input"]}),
            "toolResult" => json!({"type": "tool_result", "tool_use_id": inside["toolUseId"], "content": inside["content"][0]["text"]}),
            "reasoningContent" => {
                let thought = &inside["reasoningText"];
                assert!(thought["signature"].is_string(), "{inside}");
                json!({"type": "thinking", "thinking": thought["text"], "signature": thought["signature"]})
            }
            "cachePoint" => {
                said.last_mut().unwrap()["cache_control"] = inside.clone();
                continue;
            }
            other => panic!("an unknown block: {other}"),
        });
    }
    said.into()
}

/// The frames of a reply, and those after an improper ending.
pub fn frames(reply: &Reply) -> Vec<Vec<u8>> {
    let mut frames = vec![event("messageStart", &json!({"role": "assistant"}))];
    for (index, piece) in reply.pieces.iter().enumerate() {
        let delta = |delta: Value| {
            event("contentBlockDelta", &json!({"contentBlockIndex": index, "delta": delta}))
        };
        match piece {
            // A block of text begins with its first words.
            Piece::Text(text) => frames.push(delta(json!({"text": text}))),
            Piece::Thought(text) => {
                frames.push(delta(json!({"reasoningContent": {"text": text}})));
                frames.push(delta(json!({"reasoningContent": {"signature": "a-signature"}})));
            }
            Piece::Call { id, name, arguments } => {
                let start = json!({"toolUse": {"toolUseId": id, "name": name}});
                let start = json!({"contentBlockIndex": index, "start": start});
                frames.push(event("contentBlockStart", &start));
                let input = parts(arguments).into_iter();
                frames.extend(input.map(|part| delta(json!({"toolUse": {"input": part}}))));
            }
        }
        if reply.is_proper() || index + 1 < reply.pieces.len() {
            frames.push(event("contentBlockStop", &json!({"contentBlockIndex": index})));
        }
    }
    match reply.ending {
        Ending::Proper => {
            let usual = if reply.calls_tools() { "tool_use" } else { "end_turn" };
            let stop = json!({"stopReason": reply.stop.unwrap_or(usual)});
            frames.push(event("messageStop", &stop));
            for (input, output) in &reply.odd_counts {
                let usage = json!({"inputTokens": input, "outputTokens": output});
                frames.push(event("metadata", &json!({"usage": usage})));
            }
            if let Some((input, output)) = reply.usage {
                let usage = json!({"inputTokens": input - reply.cached, "outputTokens": output,
                    "totalTokens": input.saturating_add(output), "cacheReadInputTokens": reply.cached,
                    "cacheWriteInputTokens": 0});
                frames.push(event("metadata", &json!({"usage": usage})));
            }
        }
        Ending::Malformed => frames.push(frame("event", "contentBlockDelta", "{\"delta\": [oops")),
        Ending::Corrupt => {
            let mut corrupt = event("messageStop", &json!({"stopReason": "end_turn"}));
            *corrupt.last_mut().unwrap() ^= 1;
            frames.push(corrupt);
        }
        Ending::Overloaded => {
            frames.push(frame(
                "exception",
                "serviceUnavailableException",
                "{\"message\":\"busy\"}",
            ));
        }
        Ending::RateLimited => {
            frames.push(frame("exception", "throttlingException", "{\"message\":\"slow\"}"));
        }
        Ending::Cut | Ending::Broken | Ending::Silent => {}
    }
    frames
}

fn event(name: &str, payload: &Value) -> Vec<u8> {
    frame("event", name, &payload.to_string())
}

fn frame(kind: &'static str, name: &str, payload: &str) -> Vec<u8> {
    let text = |text: &str| HeaderValue::String(text.to_owned().into());
    let message = Message::new(payload.as_bytes().to_vec())
        .add_header(Header::new(format!(":{kind}-type"), text(name)))
        .add_header(Header::new(":content-type", text("application/json")))
        .add_header(Header::new(":message-type", text(kind)));
    let mut bytes = Vec::new();
    write_message_to(&message, &mut bytes).unwrap();
    bytes
}
