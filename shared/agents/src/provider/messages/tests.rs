use super::reply::Reading;
use super::request::body;
use crate::provider::lines::Message;
use crate::provider::marks;
use crate::provider::stream::Reading as _;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatStreamEvent, MessageContent, ReasoningEffort,
    ToolResponse,
};
use serde_json::{Value, json};

/// The content of a reply with these blocks, each of which came with its deltas.
fn content(blocks: Value) -> MessageContent {
    let mut reading = Reading::default();
    let mut read = |event: Value| reading.read(&Message::Json(event)).unwrap();
    for (number, block) in blocks.as_array().unwrap().iter().enumerate() {
        read(json!({"type": "content_block_start", "index": number, "content_block": block[0]}));
        for delta in block[1].as_array().unwrap() {
            read(json!({"type": "content_block_delta", "index": number, "delta": delta}));
        }
        read(json!({"type": "content_block_stop", "index": number}));
    }
    read(json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}));
    match reading.end() {
        Some(ChatStreamEvent::End(end)) => end.captured_content.unwrap(),
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
    let call = said.tool_calls().into_iter().next().cloned().unwrap();
    let request = ChatRequest::from_messages(vec![ChatMessage::user("Hi")])
        .with_system("You look.")
        .append_message(ChatMessage::assistant(said))
        .append_message(ChatMessage::from(vec![ToolResponse::from_tool_call(&call, "found")]))
        .append_message(ChatMessage::user("Go on"));
    let body = body("claude-x", marks::set(request), &ChatOptions::default());
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
    let asked = || ChatRequest::from_messages(vec![ChatMessage::user("Hi")]);
    let options =
        |effort| ChatOptions::default().with_max_tokens(8_000).with_reasoning_effort(effort);
    let thinking = |name: &str, effort| body(name, asked(), &options(effort))["thinking"].clone();
    assert_eq!(thinking("claude-sonnet-5", ReasoningEffort::Zero), json!({"type": "disabled"}));
    assert_eq!(thinking("claude-opus-4-6", ReasoningEffort::Zero), Value::Null);
    assert_eq!(thinking("claude-sonnet-5", ReasoningEffort::High), json!({"type": "adaptive"}));
    let unset = body("claude-sonnet-5", asked(), &ChatOptions::default().with_max_tokens(8_000));
    assert_eq!(unset["thinking"], Value::Null);
    let named =
        body("claude-sonnet-4-5-high", asked(), &ChatOptions::default().with_max_tokens(8_000));
    assert_eq!(named["model"], "claude-sonnet-4-5");
    assert_eq!(named["thinking"], json!({"type": "enabled", "budget_tokens": 5_000}));
}
