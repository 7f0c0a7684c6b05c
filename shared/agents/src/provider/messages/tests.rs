use super::reply::Reading;
use super::request::body;
use crate::exchange::Dialect;
use crate::exchange::{CallResult, Effort, Event, Message, Options, Part, Request};
use crate::provider::lines;
use crate::provider::stream::Reading as _;
use serde_json::{Value, json};
use std::time::Duration;

fn options() -> Options {
    let silence = Duration::from_secs(60);
    let (temperature, effort, forced) = (None, None, None);
    Options {
        reply_tokens: 8_000,
        temperature,
        effort,
        forced,
        marked: false,
        silence,
        dialect: Dialect::default(),
    }
}

fn asked() -> Request {
    let messages = vec![Message::user("Hi")];
    Request { system: "You look.".to_owned(), messages, tools: Vec::new() }
}

/// The content of a reply with these blocks, each of which came with its deltas.
fn content(blocks: Value) -> Vec<Part> {
    let mut reading = Reading::default();
    let mut read = |event: Value| reading.read(&lines::Message::Json(event)).unwrap();
    for (number, block) in blocks.as_array().unwrap().iter().enumerate() {
        read(json!({"type": "content_block_start", "index": number, "content_block": block[0]}));
        for delta in block[1].as_array().unwrap() {
            read(json!({"type": "content_block_delta", "index": number, "delta": delta}));
        }
        read(json!({"type": "content_block_stop", "index": number}));
    }
    read(json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}));
    match reading.end() {
        Event::End(end) => end.parts,
        other => panic!("{other:?}"),
    }
}

#[test]
fn thoughts_and_calls_go_back_as_they_came() {
    let said = content(json!([
        [{"type": "thinking", "thinking": "", "signature": ""}, [
            {"type": "thinking_delta", "thinking": "H"},
            {"type": "thinking_delta", "thinking": "m."},
            {"type": "signature_delta", "signature": "sig"},
            {"type": "signature_delta", "signature": "ned"},
        ]],
        [{"type": "redacted_thinking", "data": "encrypted"}, []],
        [{"type": "thinking", "thinking": "unsigned"}, []],
        [{"type": "text", "text": "Lo"}, [{"type": "text_delta", "text": "ok:"}]],
        [{"type": "tool_use", "id": "a", "name": "look", "input": {}}, [
            {"type": "input_json_delta", "partial_json": "{\"a\""},
            {"type": "input_json_delta", "partial_json": ": 1}"},
        ]],
        [{"type": "server_tool_use", "id": "b"}, [{"type": "something_new"}]],
    ]));
    let mut request = asked();
    request.messages.extend([
        Message::reply(said),
        Message::results(vec![CallResult { id: "a".into(), content: "found".into() }]),
        Message::user("Go on"),
    ]);
    let body = body("claude-x", request, &Options { marked: true, ..options() });
    let cached = json!({"type": "ephemeral"});
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "signed"},
                {"type": "redacted_thinking", "data": "encrypted"},
                {"type": "text", "text": "Look:"},
                {"type": "tool_use", "id": "a", "name": "look", "input": {"a": 1}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "found"},
                {"type": "text", "text": "Go on", "cache_control": cached},
            ]},
        ])
    );
    let system = json!([{"type": "text", "text": "You look.", "cache_control": cached}]);
    assert_eq!(body["system"], system);
}

#[test]
fn a_model_that_thinks_unasked_can_be_kept_from_it() {
    let thinking = |name: &str, effort| {
        let body = body(name, asked(), &Options { effort, ..options() });
        body.get("thinking").cloned()
    };
    let (none, high) = (Some(Effort::None), Some(Effort::High));
    assert_eq!(thinking("claude-sonnet-5", none), Some(json!({"type": "disabled"})));
    assert_eq!(thinking("claude-opus-4-6", none), None);
    assert_eq!(thinking("claude-sonnet-5", high), Some(json!({"type": "adaptive"})));
    assert_eq!(thinking("claude-sonnet-5", None), None);
}

#[test]
fn a_name_that_ends_like_an_effort_is_only_a_name() {
    let body = body("mistral-medium", asked(), &options());
    assert_eq!((&body["model"], body.get("thinking")), (&json!("mistral-medium"), None));
}
