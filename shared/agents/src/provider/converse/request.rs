//! Writes a request in Converse's form.
//!
//! Converse has one form for all models, but refuses a request for something that the model cannot do. The model's name
//! decides about features that only Claude has: thinking by `MODEL_EFFORT`, and marks up to which Bedrock caches the
//! input. The name of an application's own inference profile does not show the model, so requests to such a profile use
//! neither.

use crate::exchange::{Declaration, Effort, Options, Part, Request};
use crate::provider::thoughts::Thoughts;
use crate::provider::turns::{self, Turn};
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
pub(super) fn body(model: &str, request: Request, options: &Options) -> Value {
    let thinking = options.effort.and_then(|effort| thinking(model, effort, options.reply_tokens));
    let mut inference = Map::from_iter([("maxTokens".to_owned(), json!(options.reply_tokens))]);
    // A model that thinks accepts only its own temperature.
    if let Some(temperature) = options.temperature.filter(|_| thinking.is_none()) {
        inference.insert("temperature".to_owned(), json!(temperature));
    }
    let mut system = vec![json!({"text": request.system})];
    let mut turns = turns::turns(request.messages, block);
    if options.marked {
        let mark = || json!({"cachePoint": {"type": "default"}});
        system.push(mark());
        if let Some((_, newest)) = turns.last_mut() {
            newest.push(mark());
        }
    }
    let tools = declared(request.tools, &turns);
    let messages = turns::messages(turns);
    let mut body = json!({"system": system, "messages": messages, "inferenceConfig": inference});
    if !tools.is_empty() {
        body["toolConfig"] = json!({"tools": tools});
        if let Some(name) = &options.forced {
            body["toolConfig"]["toolChoice"] = json!({"tool": {"name": name}});
        }
    }
    if let Some(fields) = thinking {
        body["additionalModelRequestFields"] = fields;
    }
    body
}

fn block(part: Part) -> Value {
    match part {
        Part::Text(text) => json!({"text": text}),
        Part::Call(call) => json!({"toolUse": {
            "toolUseId": call.id,
            "name": call.name,
            "input": call.arguments,
        }}),
        Part::Result(result) => {
            let content = json!([{"text": result.content}]);
            json!({"toolResult": {"toolUseId": result.id, "content": content}})
        }
        Part::Thought { text, signature } => {
            let signed = json!({"text": text, "signature": signature});
            json!({"reasoningContent": {"reasoningText": signed}})
        }
        Part::Encrypted(thought) => json!({"reasoningContent": {"redactedContent": thought}}),
    }
}

/// The tools on offer. Converse refuses a conversation with tool calls unless it declares tools, so if no tool is on
/// offer, those of the conversation are declared.
fn declared(offered: Vec<Declaration>, turns: &[Turn]) -> Vec<Value> {
    let one = |name: &str, description: &str, schema: Value| json!({"toolSpec": {"name": name, "description": description, "inputSchema": {"json": schema}}});
    if !offered.is_empty() {
        let offered = offered.into_iter();
        return offered.map(|tool| one(tool.name, tool.description, tool.schema)).collect();
    }
    let blocks = turns.iter().flat_map(|(_, blocks)| blocks);
    let mut names: Vec<&str> = blocks.filter_map(|b| b["toolUse"]["name"].as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let gone = "A tool of an earlier message. It is not available now.";
    names.into_iter().map(|name| one(name, gone, json!({"type": "object"}))).collect()
}

/// How long a Claude model should think; `None` if it should not or cannot.
fn thinking(model: &str, effort: Effort, reply_tokens: u32) -> Option<Value> {
    let fields = Thoughts::of(claude(model)?, effort, reply_tokens).fields();
    (!fields.is_empty()).then(|| fields.into())
}

#[cfg(test)]
mod tests;
