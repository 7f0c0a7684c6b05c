//! Tests servers that only resemble Anthropic's protocol, and faulty ones: what is whole is used and counted once, what
//! broke off is not, and no message is read without a bound.

use crate::common::reply::{Answer, Ending, Protocol, reply};
use crate::common::world::World;
use domain::AgentId;
use serde_json::{Value, json};

const AGENT: AgentId = AgentId::RequirementsGatherer;
const UPDATE: &str = "update_requirements";
const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";

fn input() -> Value {
    json!({"content": "# Goal", "ready_to_continue": false})
}

fn start() -> Value {
    json!({"type": "message_start", "message": {"usage": {"input_tokens": 400,
        "cache_read_input_tokens": 500, "output_tokens": 1}}})
}

fn call(input: Value) -> Value {
    json!({"type": "content_block_start", "index": 0,
        "content_block": {"type": "tool_use", "id": "a", "name": UPDATE, "input": input}})
}

fn arguments(piece: &str) -> Value {
    json!({"type": "content_block_delta", "index": 0,
        "delta": {"type": "input_json_delta", "partial_json": piece}})
}

fn finish(reason: &str) -> Value {
    json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 30}})
}

fn stop() -> Value {
    json!({"type": "message_stop"})
}

fn events(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

fn raw(content_type: &'static str, body: impl Into<String>) -> Answer {
    Answer::Raw { content_type, body: body.into(), ending: Ending::Proper }
}

/// Asserts that the tool is called once, in one call to the provider, counted as the provider did.
async fn works(name: &str, called: Answer) {
    let done = reply().text("Done.").usage(100, 10).into();
    let world = World::new(Protocol::Anthropic, [called, done]).await;
    let transcript = world.chat(AGENT, "Hi").await;
    assert_eq!((transcript.failed, transcript.tools.len()), (None, 1), "{name}");
    let kept = world.plans().requirements(world.scope).await.unwrap().unwrap();
    assert_eq!(kept.content, "# Goal", "{name}");
    let costs = world.costs().await;
    assert_eq!((costs.input_tokens, costs.output_tokens), (1_000, 40), "{name}");
    assert_eq!(costs.cached_tokens, 500, "{name}");
}

#[tokio::test]
async fn a_reply_is_whole_however_a_server_sends_it() {
    let text = input().to_string();
    let (first, rest) = text.split_at(text.len() / 2);
    let pieces = [call(json!({})), arguments(first), arguments(rest)];
    let whole = |end: &[Value]| events(&[&[start()], &pieces[..], end].concat());
    works("as the provider sends it", raw(EVENTS, whole(&[finish("tool_use"), stop()]))).await;
    works("without message_stop", raw(EVENTS, whole(&[finish("tool_use")]))).await;
    works("as lines of JSON", raw(JSON, whole(&[finish("tool_use"), stop()]))).await;
    let at_once = events(&[start(), call(input()), finish("tool_use"), stop()]);
    works("the arguments at the beginning of the block", raw(EVENTS, at_once)).await;
    let body = whole(&[finish("tool_use")]);
    let broken = Answer::Raw { content_type: EVENTS, body, ending: Ending::Broken };
    works("a connection that breaks after the end", broken).await;
    for content_type in [JSON, EVENTS] {
        let block = json!({"type": "tool_use", "id": "a", "name": UPDATE, "input": input()});
        let usage =
            json!({"input_tokens": 400, "cache_read_input_tokens": 500, "output_tokens": 30});
        let document = json!({"type": "message", "role": "assistant", "content": [block],
            "stop_reason": "tool_use", "usage": usage});
        let document = serde_json::to_string_pretty(&document).unwrap();
        works("one document", raw(content_type, document)).await;
    }
}

#[tokio::test]
async fn what_broke_off_is_tried_again() {
    let text = |text: &str| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}});
    let overloaded =
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "x"}});
    for body in [
        String::new(),
        events(&[start()]),
        events(&[start(), json!({"type": "ping"})]),
        events(&[start(), overloaded.clone()]),
        format!("event: error\ndata: {overloaded}\n\n"),
        overloaded.to_string(),
        format!("{}data: {{\"type\": \"content_block", events(&[start()])),
    ] {
        let whole = events(&[start(), text("Hello"), finish("end_turn"), stop()]);
        let world =
            World::new(Protocol::Anthropic, [raw(EVENTS, body.clone()), raw(EVENTS, whole)]);
        let world = world.await;
        let transcript = world.chat(AGENT, "Hi").await;
        assert_eq!((transcript.text.as_str(), transcript.failed), ("Hello", None), "{body}");
        assert_eq!(world.fake.requests().len(), 2, "{body}");
    }
}

#[tokio::test]
async fn a_message_without_an_end_is_read_up_to_a_bound() {
    let endless = format!("data: {}", "x".repeat(5 << 20));
    let world = World::new(Protocol::Anthropic, [raw(EVENTS, endless)]).await;
    let transcript = world.chat(AGENT, "Hi").await;
    assert_eq!(transcript.failed.map(|(code, _)| code), Some("turn_over_budget"));
}
