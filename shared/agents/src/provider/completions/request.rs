//! Writes a request in the form of a Chat Completions call.

use crate::exchange::{Declaration, Message, Options, Part, Request, Role};
use serde_json::{Value, json};

/// OpenAI's models, by the beginning of their names, that call the limit of a reply by its newer name.
const NEWER: [&str; 5] = ["gpt-5", "gpt-6", "o1", "o3", "o4"];

/// The body of a call to this model.
pub(super) fn body(model: &str, request: Request, options: &Options) -> Value {
    let system = json!({"role": "system", "content": request.system});
    let messages = request.messages.into_iter().flat_map(messages);
    let mut body = json!({
        "model": model,
        "stream": true,
        "messages": std::iter::once(system).chain(messages).collect::<Value>(),
    });
    if !options.dialect.counts_nothing {
        body["stream_options"] = json!({"include_usage": true});
    }
    if let Some(effort) = options.effort {
        body["reasoning_effort"] = effort.name().into();
    }
    if !request.tools.is_empty() {
        body["tools"] = request.tools.into_iter().map(tool).collect();
    }
    if let Some(name) = &options.forced {
        body["tool_choice"] = json!({"type": "function", "function": {"name": name}});
    }
    if let Some(temperature) = options.temperature {
        body["temperature"] = temperature.into();
    }
    let newer = NEWER.iter().any(|start| model.starts_with(start));
    let limit =
        if newer != options.dialect.renames_limit { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = options.reply_tokens.into();
    body
}

/// A message in the protocol's form: one, or one for each result of a tool.
fn messages(message: Message) -> Vec<Value> {
    match message.role {
        Role::User => vec![json!({"role": "user", "content": texts(&message.parts)})],
        Role::Assistant => vec![assistant(message.parts)],
        Role::Tool => {
            let results = message.parts.into_iter().filter_map(|part| match part {
                Part::Result(result) => Some(json!({
                    "role": "tool", "content": result.content, "tool_call_id": result.id,
                })),
                _ => None,
            });
            results.collect()
        }
    }
}

fn texts(parts: &[Part]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n\n")
}

fn assistant(parts: Vec<Part>) -> Value {
    let mut message = json!({"role": "assistant", "content": texts(&parts)});
    let calls = parts.into_iter().filter_map(|part| match part {
        Part::Call(call) => Some(json!({
            "type": "function",
            "id": call.id,
            "function": {"name": call.name, "arguments": call.arguments.to_string()},
        })),
        _ => None,
    });
    let calls: Vec<Value> = calls.collect();
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

fn tool(tool: Declaration) -> Value {
    json!({"type": "function", "function": {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema,
        "strict": false,
    }})
}
