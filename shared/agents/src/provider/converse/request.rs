//! Turns the client library's request into Converse's.
//!
//! Converse has one form for all models, but refuses a request for something that the model cannot do. The model's name
//! decides about features that only Claude has: thinking by `MODEL_EFFORT`, and marks up to which Bedrock caches the
//! input. The name of an application's own inference profile does not show the model, so requests to such a profile use
//! neither.

use crate::provider::thoughts::{LEAST_BUDGET, Thoughts};
use crate::provider::turns::{Block, Turns};
use genai::chat::{ChatOptions, ChatRequest, ReasoningEffort, Tool, ToolChoice};
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
    let tools = request.tools.clone().unwrap_or_default();
    let turns = Turns::of(request, write);
    let thinking = options.reasoning_effort.as_ref();
    let reply_tokens = options.max_tokens.unwrap_or(LEAST_BUDGET);
    let thinking = thinking.and_then(|effort| thinking_fields(model, effort, reply_tokens));
    let mut inference = Map::from_iter([("maxTokens".to_owned(), json!(reply_tokens))]);
    // A model that thinks accepts only its own temperature.
    if let Some(temperature) = options.temperature.filter(|_| thinking.is_none()) {
        inference.insert("temperature".to_owned(), json!(temperature));
    }
    let tools = declared(tools, &turns.messages);
    let mut body = json!({"inferenceConfig": inference});
    if !turns.system.is_empty() {
        body["system"] = turns.system.clone().into();
    }
    body["messages"] = turns.into_messages();
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

/// Adds a block in Converse's form.
fn write(blocks: &mut Vec<Value>, block: Block) {
    blocks.push(match block {
        Block::Text(text) => json!({"text": text}),
        Block::Call(call) => json!({"toolUse": {
            "toolUseId": call.call_id,
            "name": call.fn_name,
            "input": call.fn_arguments,
        }}),
        Block::Result { id, text } => {
            json!({"toolResult": {"toolUseId": id, "content": [{"text": text}]}})
        }
        Block::Thought { text, signature } => {
            let signed = json!({"text": text, "signature": signature});
            json!({"reasoningContent": {"reasoningText": signed}})
        }
        Block::Encrypted(thought) => json!({"reasoningContent": {"redactedContent": thought}}),
        Block::Mark => json!({"cachePoint": {"type": "default"}}),
    });
}

/// The tools on offer. Converse refuses a conversation with tool calls unless it declares tools, so if no tool is on
/// offer, those of the conversation are declared.
fn declared(offered: Vec<Tool>, messages: &[(&'static str, Vec<Value>)]) -> Vec<Value> {
    let one = |name: &str, description: &str, schema: Value| json!({"toolSpec": {"name": name, "description": description, "inputSchema": {"json": schema}}});
    if !offered.is_empty() {
        let offered = offered.into_iter().map(|tool| {
            let schema = tool.schema.unwrap_or_else(|| json!({"type": "object"}));
            one(tool.name.as_str(), tool.description.as_deref().unwrap_or_default(), schema)
        });
        return offered.collect();
    }
    let blocks = messages.iter().flat_map(|(_, blocks)| blocks);
    let mut names: Vec<&str> = blocks.filter_map(|b| b["toolUse"]["name"].as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let gone = "A tool of an earlier message. It is not available now.";
    names.into_iter().map(|name| one(name, gone, json!({"type": "object"}))).collect()
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
    let fields = Thoughts::of(claude(model)?, effort, reply_tokens).fields();
    (!fields.is_empty()).then(|| fields.into())
}

#[cfg(test)]
mod tests;
