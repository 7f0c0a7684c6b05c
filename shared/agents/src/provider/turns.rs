//! A conversation as turns of blocks, which Anthropic's protocol and Bedrock's share under different names.

use genai::chat::{ChatMessage, ChatRequest, ChatRole, ContentPart, ToolCall};
use serde_json::{Value, json};

/// The longest id of a call, and the longest name of a tool.
const NAME_BYTES: usize = 64;

/// A part of a message.
pub(super) enum Block {
    Text(String),
    Call(ToolCall),
    Result {
        id: String,
        text: String,
    },
    Thought {
        text: String,
        signature: String,
    },
    /// A thought that only the provider can read.
    Encrypted(String),
    /// The end of what the provider should cache.
    Mark,
}

/// The instructions, and the messages without neighbors of the same role, each with its blocks in the protocol's form.
pub(super) struct Turns {
    pub(super) system: Vec<Value>,
    pub(super) messages: Vec<(&'static str, Vec<Value>)>,
}

impl Turns {
    /// Those of a request; `write` adds a block in the form of the protocol.
    pub(super) fn of(request: ChatRequest, write: impl Fn(&mut Vec<Value>, Block)) -> Self {
        let written = |blocks: Vec<Block>| {
            let mut all = Vec::new();
            blocks.into_iter().for_each(|block| write(&mut all, block));
            all
        };
        let system = request.system.into_iter().map(Block::Text).collect();
        let mut turns = Self { system: written(system), messages: Vec::new() };
        for message in request.messages {
            let role = match message.role {
                ChatRole::System => {
                    turns.system.extend(written(blocks(message)));
                    continue;
                }
                ChatRole::Assistant => "assistant",
                ChatRole::User | ChatRole::Tool => "user",
            };
            let blocks = written(blocks(message));
            match turns.messages.last_mut().filter(|(last, _)| *last == role) {
                Some((_, last)) => last.extend(blocks),
                None => turns.messages.push((role, blocks)),
            }
        }
        turns
    }

    /// The messages as JSON.
    pub(super) fn into_messages(self) -> Value {
        let messages = self.messages.into_iter();
        messages.map(|(role, content)| json!({"role": role, "content": content})).collect()
    }
}

/// A message's blocks, with a mark at its end if it has one.
fn blocks(message: ChatMessage) -> Vec<Block> {
    let marked = message.options.is_some_and(|options| options.cache_control.is_some());
    let mut parts = message.content.into_parts().into_iter().peekable();
    let mut blocks = Vec::new();
    while let Some(part) = parts.next() {
        blocks.push(match part {
            ContentPart::Text(text) if text.trim().is_empty() => continue,
            ContentPart::Text(text) => Block::Text(text),
            ContentPart::ToolCall(call) => Block::Call(ToolCall {
                call_id: plain(&call.call_id),
                fn_name: plain(&call.fn_name),
                ..call
            }),
            ContentPart::ToolResponse(result) => {
                let text = Some(result.content).filter(|text| !text.trim().is_empty());
                let text = text.unwrap_or_else(|| "(empty)".to_owned());
                Block::Result { id: plain(&result.call_id), text }
            }
            // Signed thoughts follow their signature; encrypted ones have no text.
            ContentPart::ThoughtSignature(signature) => {
                match parts.next_if(|next| matches!(next, ContentPart::ReasoningContent(_))) {
                    Some(ContentPart::ReasoningContent(text)) => Block::Thought { text, signature },
                    _ => Block::Encrypted(signature),
                }
            }
            ContentPart::ReasoningContent(_) | ContentPart::Binary(_) | ContentPart::Custom(_) => {
                continue;
            }
        });
    }
    if marked && !blocks.is_empty() {
        blocks.push(Block::Mark);
    }
    blocks
}

/// An id or a name in the characters that these providers accept. Others, and models that invent names, use more.
fn plain(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let letters = name.chars().map(|c| if fits(c) { c } else { '_' });
    let plain: String = letters.take(NAME_BYTES).collect();
    if plain.is_empty() { "_".to_owned() } else { plain }
}
