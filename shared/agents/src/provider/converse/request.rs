//! Turns the client library's request into Converse's.
//!
//! Converse has one form for all models, but refuses a request for something that the model cannot do. The model's name
//! decides about features that only Claude has: thinking by `MODEL_EFFORT`, and marks up to which Bedrock caches the
//! input. The name of an application's own inference profile does not show the model, so requests to such a profile use
//! neither.

use crate::provider::thoughts::{LEAST_BUDGET, Thoughts};
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatRole, ContentPart, MessageContent, ReasoningEffort,
    Tool, ToolChoice,
};
use serde_json::{Map, Value, json};

/// Claude models, by a part of their names, that cache no input.
const KEEP_NOTHING: [&str; 6] = [
    "claude-v2",
    "claude-instant",
    "claude-3-sonnet",
    "claude-3-haiku",
    "claude-3-opus",
    "claude-3-5-sonnet",
];
/// The longest id of a call, and the longest name of a tool.
const NAME_BYTES: usize = 64;

/// The name of a Claude model; `None` for another.
fn claude(model: &str) -> Option<&str> {
    // The name is at the end of an inference profile's ARN.
    let name = model.rsplit('/').next()?;
    name.split_once("anthropic.").map(|(_, name)| name)
}

/// Whether the model caches the input before a mark for the next call.
pub(in crate::provider) fn keeps_marked(model: &str) -> bool {
    claude(model).is_some_and(|name| !KEEP_NOTHING.iter().any(|part| name.contains(part)))
}

/// The body of a Converse call.
pub(super) fn body(model: &str, request: ChatRequest, options: &ChatOptions) -> Value {
    let mut system: Vec<Value> = request.system.iter().map(|text| json!({"text": text})).collect();
    let mut messages: Vec<(&'static str, Vec<Value>)> = Vec::new();
    for message in request.messages {
        let role = match message.role {
            ChatRole::System => {
                system.extend(blocks(message));
                continue;
            }
            ChatRole::Assistant => "assistant",
            ChatRole::User | ChatRole::Tool => "user",
        };
        let blocks = blocks(message);
        match messages.last_mut().filter(|(last, _)| *last == role) {
            Some((_, last)) => last.extend(blocks),
            None => messages.push((role, blocks)),
        }
    }
    let thinking = options.reasoning_effort.as_ref();
    let reply_tokens = options.max_tokens.unwrap_or(LEAST_BUDGET);
    let thinking = thinking.and_then(|effort| thinking_fields(model, effort, reply_tokens));
    let mut inference = Map::from_iter([("maxTokens".to_owned(), json!(reply_tokens))]);
    // A model that thinks accepts only its own temperature.
    if let Some(temperature) = options.temperature.filter(|_| thinking.is_none()) {
        inference.insert("temperature".to_owned(), json!(temperature));
    }
    let tools = tools(request.tools.unwrap_or_default(), &messages);
    let messages = messages.into_iter();
    let messages = messages.map(|(role, content)| json!({"role": role, "content": content}));
    let mut body = json!({"messages": messages.collect::<Value>(), "inferenceConfig": inference});
    if !system.is_empty() {
        body["system"] = system.into();
    }
    if !tools.is_empty() {
        body["toolConfig"] = json!({"tools": tools});
        if let Some(choice) = options.tool_choice.as_ref().and_then(choice) {
            body["toolConfig"]["toolChoice"] = choice;
        }
    }
    if let Some(fields) = thinking {
        body["additionalModelRequestFields"] = fields;
    }
    body
}

/// A message's content, with a mark at its end if it has one.
fn blocks(message: ChatMessage) -> Vec<Value> {
    let marked = message.options.is_some_and(|options| options.cache_control.is_some());
    let mut blocks = content(message.content);
    if marked && !blocks.is_empty() {
        blocks.push(json!({"cachePoint": {"type": "default"}}));
    }
    blocks
}

fn content(content: MessageContent) -> Vec<Value> {
    let mut parts = content.into_parts().into_iter().peekable();
    let mut blocks = Vec::new();
    while let Some(part) = parts.next() {
        let block = match part {
            ContentPart::Text(text) if text.trim().is_empty() => continue,
            ContentPart::Text(text) => json!({"text": text}),
            ContentPart::ToolCall(call) => json!({"toolUse": {
                "toolUseId": plain(&call.call_id),
                "name": plain(&call.fn_name),
                "input": call.fn_arguments,
            }}),
            ContentPart::ToolResponse(result) => {
                let text = Some(result.content).filter(|text| !text.trim().is_empty());
                let text = text.unwrap_or_else(|| "(empty)".to_owned());
                let id = plain(&result.call_id);
                json!({"toolResult": {"toolUseId": id, "content": [{"text": text}]}})
            }
            // Signed thoughts follow their signature; encrypted ones have no text.
            ContentPart::ThoughtSignature(signature) => match parts.peek() {
                Some(ContentPart::ReasoningContent(text)) => {
                    let signed = json!({"text": text, "signature": signature});
                    json!({"reasoningContent": {"reasoningText": signed}})
                }
                _ => json!({"reasoningContent": {"redactedContent": signature}}),
            },
            ContentPart::ReasoningContent(_) | ContentPart::Binary(_) | ContentPart::Custom(_) => {
                continue;
            }
        };
        blocks.push(block);
    }
    blocks
}

/// An id or a name in the characters that Converse accepts. Other providers, and models that invent names, use more.
fn plain(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let letters = name.chars().map(|c| if fits(c) { c } else { '_' });
    let plain: String = letters.take(NAME_BYTES).collect();
    if plain.is_empty() { "_".to_owned() } else { plain }
}

/// The tools on offer. Converse refuses a conversation with tool calls unless it declares tools, so if no tool is on
/// offer, those of the conversation are declared.
fn tools(offered: Vec<Tool>, messages: &[(&'static str, Vec<Value>)]) -> Vec<Value> {
    let declared = |name: &str, description: &str, schema: Value| json!({"toolSpec": {"name": name, "description": description, "inputSchema": {"json": schema}}});
    if !offered.is_empty() {
        let offered = offered.into_iter().map(|tool| {
            let schema = tool.schema.unwrap_or_else(|| json!({"type": "object"}));
            declared(tool.name.as_str(), tool.description.as_deref().unwrap_or_default(), schema)
        });
        return offered.collect();
    }
    let blocks = messages.iter().flat_map(|(_, blocks)| blocks);
    let mut names: Vec<&str> = blocks.filter_map(|b| b["toolUse"]["name"].as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let gone = "A tool of an earlier message. It is not available now.";
    names.into_iter().map(|name| declared(name, gone, json!({"type": "object"}))).collect()
}

fn choice(choice: &ToolChoice) -> Option<Value> {
    match choice {
        ToolChoice::Auto => Some(json!({"auto": {}})),
        ToolChoice::Required => Some(json!({"any": {}})),
        ToolChoice::Tool { name } => Some(json!({"tool": {"name": name}})),
        ToolChoice::None => None,
    }
}

/// How long a Claude model should think; `None` if it should not or cannot.
fn thinking_fields(model: &str, effort: &ReasoningEffort, reply_tokens: u32) -> Option<Value> {
    match Thoughts::of(claude(model)?, effort, reply_tokens) {
        Thoughts::None => None,
        Thoughts::UpTo(tokens) => {
            Some(json!({"thinking": {"type": "enabled", "budget_tokens": tokens}}))
        }
        Thoughts::Adaptive(effort) => {
            Some(json!({"thinking": {"type": "adaptive"}, "output_config": {"effort": effort}}))
        }
    }
}

#[cfg(test)]
mod tests;
