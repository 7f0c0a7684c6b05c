//! Writes a request in the form of a Messages call.

use crate::exchange::{Declaration, Effort, Options, Part, Request};
use crate::provider::thoughts::Thoughts;
use crate::provider::turns;
use serde_json::{Value, json};

/// Models, by a part of their names, that think unless the request says otherwise.
const THINKING: [&str; 2] = ["claude-sonnet-5", "claude-opus-5"];

/// The body of a call to this model.
pub(super) fn body(model: &str, request: Request, options: &Options) -> Value {
    let mut system = json!([{"type": "text", "text": request.system}]);
    let mut turns = turns::turns(request.messages, block);
    if options.marked {
        let newest = turns.last_mut().and_then(|(_, blocks)| blocks.last_mut());
        for last in [system.get_mut(0), newest].into_iter().flatten() {
            last["cache_control"] = json!({"type": "ephemeral"});
        }
    }
    let mut body = json!({
        "model": model,
        "stream": true,
        "max_tokens": options.reply_tokens,
        "system": system,
        "messages": turns::messages(turns),
    });
    if !request.tools.is_empty() {
        body["tools"] = request.tools.into_iter().map(tool).collect();
    }
    if let Some(name) = &options.forced {
        body["tool_choice"] = json!({"type": "tool", "name": name});
    }
    let thoughts =
        options.effort.map(|effort| Thoughts::of_any(model, effort, options.reply_tokens));
    let fields = thoughts.iter().flat_map(Thoughts::fields);
    fields.for_each(|(field, value)| body[field] = value);
    let thinks = body.get("thinking").is_some();
    if options.effort == Some(Effort::None) && THINKING.iter().any(|part| model.contains(part)) {
        body["thinking"] = json!({"type": "disabled"});
    }
    // A model that thinks accepts only its own temperature.
    if let Some(temperature) = options.temperature.filter(|_| !thinks) {
        body["temperature"] = temperature.into();
    }
    body
}

fn block(part: Part) -> Value {
    match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Call(call) => json!({
            "type": "tool_use",
            "id": call.id,
            "name": call.name,
            "input": call.arguments,
        }),
        Part::Result(result) => json!({
            "type": "tool_result",
            "tool_use_id": result.id,
            "content": result.content,
        }),
        Part::Thought { text, signature } => {
            json!({"type": "thinking", "thinking": text, "signature": signature})
        }
        Part::Encrypted(thought) => json!({"type": "redacted_thinking", "data": thought}),
    }
}

fn tool(tool: Declaration) -> Value {
    json!({"name": tool.name, "description": tool.description, "input_schema": tool.schema})
}
