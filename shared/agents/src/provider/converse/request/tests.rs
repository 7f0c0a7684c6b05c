use super::*;
use crate::exchange::Dialect;
use crate::exchange::{Call, CallResult, Message};
use std::time::Duration;

const CLAUDE: &str = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
const NOVA: &str = "amazon.nova-pro-v1:0";

fn options() -> Options {
    let silence = Duration::from_secs(60);
    let (temperature, effort, forced) = (None, None, None);
    Options {
        reply_tokens: 16_000,
        temperature,
        effort,
        forced,
        marked: false,
        silence,
        dialect: Dialect::default(),
    }
}

fn asked(text: &str) -> Request {
    let messages = vec![Message::user(text)];
    Request { system: "Be brief.".to_owned(), messages, tools: Vec::new() }
}

fn call(id: &str, name: &str) -> Part {
    Part::Call(Call { id: id.to_owned(), name: name.to_owned(), arguments: json!({"a": 1}) })
}

fn answer(id: &str, content: &str) -> CallResult {
    CallResult { id: id.to_owned(), content: content.to_owned() }
}

fn thinks(model: &str, effort: Effort, reply_tokens: u32) -> Value {
    let (temperature, effort) = (Some(0.2), Some(effort));
    body(model, asked("Hi"), &Options { reply_tokens, temperature, effort, ..options() })
}

#[test]
fn thoughts_signatures_calls_and_results_go_back_as_they_came() {
    let said = vec![
        Part::Thought { text: "Hm.".into(), signature: "signed".into() },
        Part::Encrypted("encrypted".into()),
        Part::Text("Look:".into()),
        Part::Text(" \n".into()),
        call("a", "look"),
        call("call:b/é", "what is this"),
    ];
    let mut request = asked("Hi");
    request.messages.extend([
        Message::reply(said),
        Message::results(vec![answer("a", "found"), answer("call:b/é", "\n")]),
        Message::user("Go on"),
    ]);
    let body = body(CLAUDE, request, &options());
    let tool = |id: &str, name: &str| json!({"toolUse": {"toolUseId": id, "name": name, "input": {"a": 1}}});
    let result = |id: &str, text: &str| json!({"toolResult": {"toolUseId": id, "content": [{"text": text}]}});
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [{"text": "Hi"}]},
            {"role": "assistant", "content": [
                {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "signed"}}},
                {"reasoningContent": {"redactedContent": "encrypted"}},
                {"text": "Look:"},
                tool("a", "look"),
                tool("call_b__", "what_is_this"),
            ]},
            {"role": "user", "content": [
                result("a", "found"), result("call_b__", "(empty)"), {"text": "Go on"},
            ]},
        ])
    );
    let names: Vec<_> = body["toolConfig"]["tools"].as_array().unwrap().iter().collect();
    assert_eq!(names[0]["toolSpec"]["name"], "look", "a conversation with calls declares tools");
    assert_eq!(names.len(), 2);
}

#[test]
fn tools_and_the_one_that_must_be_called_are_named() {
    let (name, description) = ("look", "Looks.");
    let tool = Declaration { name, description, schema: json!({"type": "object"}) };
    let options = Options { forced: Some("look".to_owned()), ..options() };
    let body = body(NOVA, Request { tools: vec![tool], ..asked("Hi") }, &options);
    let schema = json!({"json": {"type": "object"}});
    let spec = json!({"name": "look", "description": "Looks.", "inputSchema": schema});
    assert_eq!(
        body["toolConfig"],
        json!({"tools": [{"toolSpec": spec}], "toolChoice": {"tool": {"name": "look"}}})
    );
}

#[test]
fn cache_marks_follow_the_content_that_the_model_keeps() {
    for (model, keeps) in [
        (CLAUDE, true),
        ("arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-4-6-v1", true),
        ("anthropic.claude-3-7-sonnet-20250219-v1:0", true),
        ("anthropic.claude-3-5-sonnet-20240620-v1:0", false),
        ("arn:aws:bedrock:eu-west-1:1:application-inference-profile/x1", false),
        (NOVA, false),
    ] {
        assert_eq!(keeps_marked(model), keeps, "{model}");
    }
    let body = body(CLAUDE, asked("Hi"), &Options { marked: true, ..options() });
    let mark = json!({"cachePoint": {"type": "default"}});
    assert_eq!(body["system"], json!([{"text": "Be brief."}, mark]));
    assert_eq!(body["messages"][0]["content"], json!([{"text": "Hi"}, mark]));
}

#[test]
fn claude_thinks_within_its_reply_and_gets_no_temperature() {
    let sent = thinks(CLAUDE, Effort::High, 16_000);
    let thinking = json!({"thinking": {"type": "enabled", "budget_tokens": 10_000}});
    assert_eq!(sent["additionalModelRequestFields"], thinking);
    assert_eq!(sent["inferenceConfig"], json!({"maxTokens": 16_000}));
    let sent = thinks("anthropic.claude-opus-4-6-v1", Effort::Minimal, 16_000);
    let adaptive = json!({"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}});
    assert_eq!(sent["additionalModelRequestFields"], adaptive);
}

#[test]
fn a_model_that_does_not_think_is_not_asked_to() {
    for (model, effort, tokens) in [
        (NOVA, Effort::High, 16_000),
        ("anthropic.claude-3-5-haiku-20241022-v1:0", Effort::High, 16_000),
        (CLAUDE, Effort::None, 16_000),
        (CLAUDE, Effort::High, 1_500),
    ] {
        let sent = thinks(model, effort, tokens);
        assert!(sent["additionalModelRequestFields"].is_null(), "{model} {tokens}");
        assert_eq!(sent["inferenceConfig"], json!({"maxTokens": tokens, "temperature": 0.2}));
    }
    let least = thinks(CLAUDE, Effort::Low, 4_000);
    let budget = &least["additionalModelRequestFields"]["thinking"]["budget_tokens"];
    assert_eq!(budget, 1_024);
}
