use super::*;
use genai::chat::{CacheControl, ToolCall, ToolResponse};

const CLAUDE: &str = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
const NOVA: &str = "amazon.nova-pro-v1:0";

fn asked(text: &str) -> ChatRequest {
    ChatRequest::from_messages(vec![ChatMessage::user(text)])
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall {
        call_id: id.to_owned(),
        fn_name: name.to_owned(),
        fn_arguments: json!({"a": 1}),
        thought_signatures: None,
    }
}

fn thinks(model: &str, effort: ReasoningEffort, reply_tokens: u32) -> Value {
    let options = ChatOptions::default()
        .with_max_tokens(reply_tokens)
        .with_temperature(0.2)
        .with_reasoning_effort(effort);
    body(model, asked("Hi"), &options)
}

#[test]
fn thoughts_signatures_calls_and_results_go_back_as_they_came() {
    let (one, two) = (call("a", "look"), call("call:b/é", "what is this"));
    let said = MessageContent::from_parts(vec![
        ContentPart::ReasoningContent("unsigned".into()),
        ContentPart::ThoughtSignature("signed".into()),
        ContentPart::ReasoningContent("Hm.".into()),
        ContentPart::ThoughtSignature("encrypted".into()),
        ContentPart::Text("Look:".into()),
        ContentPart::Text(" \n".into()),
        ContentPart::ToolCall(one.clone()),
        ContentPart::ToolCall(two.clone()),
    ]);
    let results =
        vec![ToolResponse::from_tool_call(&one, "found"), ToolResponse::from_tool_call(&two, "\n")];
    let request = asked("Hi")
        .append_message(ChatMessage::assistant(said))
        .append_message(ChatMessage::from(results))
        .append_message(ChatMessage::user("Go on"));
    let body = body(CLAUDE, request, &ChatOptions::default());
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
    let tool = Tool::new("look").with_description("Looks.").with_schema(json!({"type": "object"}));
    let options = ChatOptions::default().with_tool_choice(ToolChoice::tool("look"));
    let body = body(NOVA, asked("Hi").with_tools(vec![tool]), &options);
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
    let marked = |message: ChatMessage| message.with_options(CacheControl::Ephemeral);
    let request = ChatRequest::from_messages(vec![
        marked(ChatMessage::system("Be brief.")),
        marked(ChatMessage::user("Hi")),
    ]);
    let body = body(CLAUDE, request, &ChatOptions::default());
    let mark = json!({"cachePoint": {"type": "default"}});
    assert_eq!(body["system"], json!([{"text": "Be brief."}, mark]));
    assert_eq!(body["messages"][0]["content"], json!([{"text": "Hi"}, mark]));
}

#[test]
fn claude_thinks_within_its_reply_and_gets_no_temperature() {
    let sent = thinks(CLAUDE, ReasoningEffort::High, 16_000);
    let thinking = json!({"thinking": {"type": "enabled", "budget_tokens": 10_000}});
    assert_eq!(sent["additionalModelRequestFields"], thinking);
    assert_eq!(sent["inferenceConfig"], json!({"maxTokens": 16_000}));
    let sent = thinks("anthropic.claude-opus-4-6-v1", ReasoningEffort::Minimal, 16_000);
    let adaptive = json!({"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}});
    assert_eq!(sent["additionalModelRequestFields"], adaptive);
}

#[test]
fn a_model_that_does_not_think_is_not_asked_to() {
    for (model, effort, tokens) in [
        (NOVA, ReasoningEffort::High, 16_000),
        ("anthropic.claude-3-5-haiku-20241022-v1:0", ReasoningEffort::High, 16_000),
        (CLAUDE, ReasoningEffort::Zero, 16_000),
        (CLAUDE, ReasoningEffort::High, 1_500),
    ] {
        let sent = thinks(model, effort, tokens);
        assert!(sent["additionalModelRequestFields"].is_null(), "{model} {tokens}");
        assert_eq!(sent["inferenceConfig"], json!({"maxTokens": tokens, "temperature": 0.2}));
    }
    let least = thinks(CLAUDE, ReasoningEffort::Low, 4_000);
    let budget = &least["additionalModelRequestFields"]["thinking"]["budget_tokens"];
    assert_eq!(budget, LEAST_BUDGET);
}
