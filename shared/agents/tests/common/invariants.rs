//! Finds what a real provider would refuse in a request, and what we promise never to send.

use super::reply::Protocol;
use axum::http::HeaderMap;
use serde_json::Value;

/// Everything that is wrong with a request.
pub fn violations(
    protocol: Protocol,
    headers: &HeaderMap,
    request: &Value,
    counts_streams: bool,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            found.push(format!("{what}: {request}"));
        }
    };
    let is = |name: &str, value: &str| headers.get(name).is_some_and(|v| v == value);
    let name = request["model"].as_str().unwrap_or_default();
    let named = ["a-model", "a-small-model"].contains(&name) || name.starts_with("claude-");
    must(named && request["stream"] == true, "names a model and streams");
    let limits = ["max_tokens", "max_completion_tokens"];
    let limits = limits.iter().filter(|name| request[**name].is_u64()).count();
    must(limits == 1, "bounds the reply");
    must(is("accept-encoding", "identity"), "asks for an uncompressed stream");
    for tool in request["tools"].as_array().into_iter().flatten() {
        let (described, schema) = match protocol {
            Protocol::OpenAi => (&tool["function"], &tool["function"]["parameters"]),
            Protocol::Anthropic | Protocol::Bedrock => (tool, &tool["input_schema"]),
        };
        let named = described["name"].is_string() && described["description"].is_string();
        must(named && schema["type"] == "object", "describes its tools");
    }
    match protocol {
        Protocol::OpenAi => {
            must(is("authorization", "Bearer a-key"), "shows the key");
            let asks = request["stream_options"]["include_usage"] == true;
            must(asks || !counts_streams, "asks for the usage");
            openai(request, &mut must);
        }
        Protocol::Anthropic | Protocol::Bedrock => {
            let key = is("x-api-key", "a-key");
            must(key || protocol == Protocol::Bedrock, "shows the key");
            must(
                request["system"].as_str().is_some_and(|text| !text.is_empty()),
                "has a system prompt",
            );
            anthropic(request, &mut must);
        }
    }
    found
}

fn openai(request: &Value, must: &mut impl FnMut(bool, &str)) {
    let empty = Vec::new();
    let messages = request["messages"].as_array().unwrap_or(&empty);
    let role = |i: usize| messages.get(i).and_then(|m| m["role"].as_str()).unwrap_or_default();
    must(role(0) == "system", "the system prompt comes first");
    must(role(1) == "user", "the user begins");
    let mut open: Vec<&str> = Vec::new();
    for (i, message) in messages.iter().enumerate().skip(1) {
        must(role(i) != "system", "there is one system prompt");
        if role(i) == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            let answered = open.iter().position(|call| *call == id);
            must(answered.is_some(), "each tool result answers an open call");
            open.retain(|call| *call != id);
            continue;
        }
        must(open.is_empty(), "each call is answered before anybody speaks");
        must(role(i) != role(i - 1), "roles alternate");
        let calls = message["tool_calls"].as_array().unwrap_or(&empty);
        let said = message["content"].as_str().is_some_and(|text| !text.trim().is_empty());
        must(said || !calls.is_empty(), "no message is empty");
        for call in calls {
            let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
            let object = serde_json::from_str::<Value>(arguments).is_ok_and(|v| v.is_object());
            must(object, "arguments are a JSON object");
            let id = call["id"].as_str().unwrap_or_default();
            must(!id.is_empty() && !open.contains(&id), "each call has a unique id");
            open.push(id);
        }
    }
    must(open.is_empty(), "no call is left open");
    must(["user", "tool"].contains(&role(messages.len() - 1)), "the model speaks next");
}

fn anthropic(request: &Value, must: &mut impl FnMut(bool, &str)) {
    let thinking = &request["thinking"];
    let thoughts = thinking["budget_tokens"].as_u64().unwrap_or_default();
    must(thoughts < request["max_tokens"].as_u64().unwrap_or_default(), "leaves room to reply");
    let thinks = thinking.is_object() && thinking["type"] != "disabled";
    must(!thinks || request["temperature"].is_null(), "lets thoughts choose their words");
    let empty = Vec::new();
    let messages = request["messages"].as_array().unwrap_or(&empty);
    let mut open: Vec<&str> = Vec::new();
    for (i, message) in messages.iter().enumerate() {
        let expected = if i % 2 == 0 { "user" } else { "assistant" };
        must(message["role"] == expected, "roles alternate and the user begins");
        let blocks = message["content"].as_array().unwrap_or(&empty);
        let said = message["content"].as_str().is_some_and(|text| !text.trim().is_empty());
        must(said || !blocks.is_empty(), "no message is empty");
        let of =
            |kind: &str| blocks.iter().filter(|block| block["type"] == kind).collect::<Vec<_>>();
        for text in of("text") {
            must(
                text["text"].as_str().is_some_and(|text| !text.trim().is_empty()),
                "no text is empty",
            );
        }
        let answers: Vec<_> =
            of("tool_result").iter().filter_map(|b| b["tool_use_id"].as_str()).collect();
        must(answers == open, "the next message answers the calls");
        open = of("tool_use").iter().filter_map(|b| b["id"].as_str()).collect();
        for call in of("tool_use") {
            must(call["input"].is_object(), "arguments are a JSON object");
        }
    }
    must(open.is_empty() && messages.len() % 2 == 1, "the model speaks next");
}
