//! Turns the client library's request into the body of a Messages call.

use crate::provider::thoughts::{LEAST_BUDGET, Thoughts};
use crate::provider::turns::{Block, Turns};
use genai::chat::{ChatOptions, ChatRequest, ReasoningEffort, Tool, ToolChoice};
use serde_json::{Value, json};

/// Models, by a part of their names, that think unless the request says otherwise.
const THINKING: [&str; 2] = ["claude-sonnet-5", "claude-opus-5"];

/// The body of a call to the model with this name. An effort at the end of the name, as in `claude-x-high`, is used if
/// the options have none.
pub(super) fn body(name: &str, request: ChatRequest, options: &ChatOptions) -> Value {
    let (effort, name) = match &options.reasoning_effort {
        Some(effort) => (Some(effort.clone()), name),
        None => ReasoningEffort::from_model_name(name),
    };
    let reply_tokens = options.max_tokens.unwrap_or(LEAST_BUDGET);
    let tools = request.tools.clone();
    let turns = Turns::of(request, write);
    let mut body = json!({"model": name, "stream": true, "max_tokens": reply_tokens});
    if !turns.system.is_empty() {
        body["system"] = turns.system.clone().into();
    }
    body["messages"] = turns.into_messages();
    if let Some(tools) = tools {
        body["tools"] = tools.into_iter().map(tool).collect();
    }
    if let Some(choice) = &options.tool_choice {
        body["tool_choice"] = match choice {
            ToolChoice::Auto => json!({"type": "auto"}),
            ToolChoice::None => json!({"type": "none"}),
            ToolChoice::Required => json!({"type": "any"}),
            ToolChoice::Tool { name } => json!({"type": "tool", "name": name}),
        };
    }
    let thoughts = effort.as_ref().map(|effort| Thoughts::of_any(name, effort, reply_tokens));
    let thinks = thoughts.as_ref().is_some_and(|thoughts| *thoughts != Thoughts::None);
    let unasked = THINKING.iter().any(|part| name.contains(part));
    match thoughts {
        Some(thoughts) if thinks => {
            thoughts.fields().into_iter().for_each(|(field, value)| body[field] = value);
        }
        Some(_) if unasked => body["thinking"] = json!({"type": "disabled"}),
        _ => {}
    }
    // A model that thinks accepts only its own temperature.
    if let Some(temperature) = options.temperature.filter(|_| !thinks) {
        body["temperature"] = temperature.into();
    }
    body
}

/// Adds a block in the protocol's form.
fn write(blocks: &mut Vec<Value>, block: Block) {
    blocks.push(match block {
        Block::Text(text) => json!({"type": "text", "text": text}),
        Block::Call(call) => json!({
            "type": "tool_use",
            "id": call.call_id,
            "name": call.fn_name,
            "input": call.fn_arguments,
        }),
        Block::Result { id, text } => {
            json!({"type": "tool_result", "tool_use_id": id, "content": text})
        }
        Block::Thought { text, signature } => {
            json!({"type": "thinking", "thinking": text, "signature": signature})
        }
        Block::Encrypted(thought) => json!({"type": "redacted_thinking", "data": thought}),
        Block::Mark => {
            if let Some(last) = blocks.last_mut() {
                last["cache_control"] = json!({"type": "ephemeral"});
            }
            return;
        }
    });
}

fn tool(tool: Tool) -> Value {
    let schema = tool.schema.unwrap_or_else(|| json!({"type": "object"}));
    json!({"name": tool.name.as_str(), "description": tool.description, "input_schema": schema})
}
