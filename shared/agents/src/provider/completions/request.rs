//! Turns the client library's request into the body of a Chat Completions call.

use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatRole, ContentPart, ReasoningEffort, Tool, ToolChoice,
};
use serde_json::{Value, json};

/// OpenAI's models, by the beginning of their names, that call the limit of a reply by its newer name.
const NEWER: [&str; 5] = ["gpt-5", "gpt-6", "o1", "o3", "o4"];

/// The body of a call to the model with this name. An effort at the end of the name, as in `o3-high`, is used if the
/// options have none.
pub(super) fn body(name: &str, request: ChatRequest, options: &ChatOptions) -> Value {
    let (effort, name) = match &options.reasoning_effort {
        Some(effort) => (Some(effort.clone()), name),
        None => ReasoningEffort::from_model_name(name),
    };
    let system = request.system.map(|text| json!({"role": "system", "content": text}));
    let messages = request.messages.into_iter().flat_map(messages);
    let mut body = json!({
        "model": name,
        "stream": true,
        "stream_options": {"include_usage": true},
        "messages": system.into_iter().chain(messages).collect::<Value>(),
    });
    if let Some(effort) = effort.as_ref().and_then(keyword) {
        body["reasoning_effort"] = effort.into();
    }
    if let Some(tools) = request.tools {
        body["tools"] = tools.into_iter().map(tool).collect();
    }
    if let Some(choice) = &options.tool_choice {
        body["tool_choice"] = match choice {
            ToolChoice::Auto => json!("auto"),
            ToolChoice::None => json!("none"),
            ToolChoice::Required => json!("required"),
            ToolChoice::Tool { name } => json!({"type": "function", "function": {"name": name}}),
        };
    }
    if let Some(temperature) = options.temperature {
        body["temperature"] = temperature.into();
    }
    if let Some(tokens) = options.max_tokens {
        let newer = NEWER.iter().any(|start| name.starts_with(start));
        body[if newer { "max_completion_tokens" } else { "max_tokens" }] = tokens.into();
    }
    body
}

fn keyword(effort: &ReasoningEffort) -> Option<&'static str> {
    match effort {
        ReasoningEffort::Zero => Some("none"),
        ReasoningEffort::Minimal => Some("minimal"),
        ReasoningEffort::Low => Some("low"),
        ReasoningEffort::Medium => Some("medium"),
        ReasoningEffort::High => Some("high"),
        ReasoningEffort::XHigh => Some("xhigh"),
        ReasoningEffort::Max => Some("max"),
        ReasoningEffort::Budget(_) => None,
    }
}

/// A message in the protocol's form: one, or one for each result of a tool.
fn messages(message: ChatMessage) -> Vec<Value> {
    let role = match message.role {
        ChatRole::System => "system",
        ChatRole::User => "user",
        ChatRole::Assistant => return vec![assistant(message)],
        ChatRole::Tool => {
            let results = message.content.into_parts().into_iter().filter_map(|part| match part {
                ContentPart::ToolResponse(result) => Some(json!({
                    "role": "tool", "content": result.content, "tool_call_id": result.call_id,
                })),
                _ => None,
            });
            return results.collect();
        }
    };
    vec![json!({"role": role, "content": message.content.into_joined_texts().unwrap_or_default()})]
}

fn assistant(message: ChatMessage) -> Value {
    let (mut texts, mut thoughts, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    for part in message.content.into_parts() {
        match part {
            ContentPart::Text(text) => texts.push(text),
            ContentPart::ReasoningContent(text) => thoughts.push(text),
            ContentPart::ToolCall(call) => calls.push(json!({
                "type": "function",
                "id": call.call_id,
                "function": {"name": call.fn_name, "arguments": call.fn_arguments.to_string()},
            })),
            _ => {}
        }
    }
    let mut message = json!({"role": "assistant", "content": texts.join("\n\n")});
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    if !thoughts.is_empty() {
        message["reasoning_content"] = thoughts.join("\n").into();
    }
    message
}

fn tool(tool: Tool) -> Value {
    json!({"type": "function", "function": {
        "name": tool.name.as_str(),
        "description": tool.description,
        "parameters": tool.schema,
        "strict": false,
    }})
}
