//! A conversation as turns of blocks, which Anthropic's protocol and Bedrock's share under different names.

use crate::exchange::{Call, CallResult, Message, Part, Role};
use serde_json::{Value, json};

/// The longest id of a call, and the longest name of a tool.
const NAME_BYTES: usize = 64;

/// Who speaks, and their blocks in the protocol's form.
pub(super) type Turn = (&'static str, Vec<Value>);

/// The messages, without neighbors of the same role; `write` turns a part into a block.
pub(super) fn turns(messages: Vec<Message>, write: fn(Part) -> Value) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for message in messages {
        let role = match message.role {
            Role::Assistant => "assistant",
            Role::User | Role::Tool => "user",
        };
        let blocks = message.parts.into_iter().filter_map(sendable).map(write);
        match turns.last_mut().filter(|(last, _)| *last == role) {
            Some((_, last)) => last.extend(blocks),
            None => turns.push((role, blocks.collect())),
        }
    }
    turns
}

/// The turns as JSON.
pub(super) fn messages(turns: Vec<Turn>) -> Value {
    turns.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

/// A part as these providers accept it; `None` for an empty text.
fn sendable(part: Part) -> Option<Part> {
    Some(match part {
        Part::Text(text) if text.trim().is_empty() => return None,
        Part::Call(call) => {
            Part::Call(Call { id: plain(&call.id), name: plain(&call.name), ..call })
        }
        Part::Result(CallResult { id, content }) => {
            let content = Some(content).filter(|text| !text.trim().is_empty());
            let content = content.unwrap_or_else(|| "(empty)".to_owned());
            Part::Result(CallResult { id: plain(&id), content })
        }
        other => other,
    })
}

/// An id or a name in the characters that these providers accept. Others, and models that invent names, use more.
fn plain(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let letters = name.chars().map(|c| if fits(c) { c } else { '_' });
    let plain: String = letters.take(NAME_BYTES).collect();
    if plain.is_empty() { "_".to_owned() } else { plain }
}
