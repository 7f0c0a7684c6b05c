//! The chat-completions protocol: requests, and complete answers.
//!
//! Like other servers of this protocol, it ignores unknown fields, but it refuses every request that one of them would
//! refuse as a client's mistake (see [`crate::conversation`]).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::MODEL_ID;
use crate::conversation::Conversation;
use crate::reply::{Call, Reply};

/// Characters per token, by the usual rule of thumb for English and code.
const CHARS_PER_TOKEN: usize = 4;

#[derive(Deserialize)]
pub struct ChatRequest {
    pub model: String,
    pub messages: Vec<WireMessage>,
    pub tools: Option<Vec<WireTool>>,
    pub tool_choice: Option<Value>,
    stream: Option<bool>,
    stream_options: Option<StreamOptions>,
    max_tokens: Option<usize>,
    max_completion_tokens: Option<usize>,
}

#[derive(Deserialize)]
struct StreamOptions {
    include_usage: Option<bool>,
}

#[derive(Deserialize)]
pub struct WireMessage {
    pub role: String,
    pub content: Option<WireContent>,
    pub tool_calls: Option<Vec<WireToolCall>>,
    pub tool_call_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub enum WireContent {
    Text(String),
    Parts(Vec<WirePart>),
}

#[derive(Deserialize)]
pub struct WirePart {
    text: Option<String>,
}

impl WireContent {
    pub fn into_text(self) -> String {
        match self {
            WireContent::Text(text) => text,
            WireContent::Parts(parts) => {
                let texts: Vec<String> = parts.into_iter().filter_map(|part| part.text).collect();
                texts.join("\n")
            }
        }
    }
}

#[derive(Deserialize)]
pub struct WireToolCall {
    pub id: String,
    pub function: WireFunctionCall,
}

#[derive(Deserialize)]
pub struct WireFunctionCall {
    pub name: String,
    pub arguments: String,
}

#[derive(Deserialize)]
pub struct WireTool {
    pub function: WireFunction,
}

#[derive(Deserialize)]
pub struct WireFunction {
    pub name: String,
    pub description: Option<String>,
    pub parameters: Option<Value>,
}

/// The form in which the caller wants the answer.
pub struct Options {
    pub stream: bool,
    pub include_usage: bool,
    max_tokens: Option<usize>,
}

impl ChatRequest {
    pub fn options(&self) -> Options {
        let usage = self.stream_options.as_ref().and_then(|options| options.include_usage);
        Options {
            stream: self.stream.unwrap_or(false),
            include_usage: usage.unwrap_or(false),
            max_tokens: self.max_completion_tokens.or(self.max_tokens),
        }
    }
}

/// An answer with all the fields of the protocol.
pub struct Completion {
    pub id: String,
    pub created: u64,
    pub text: String,
    pub call: Option<CompletedCall>,
    pub finish_reason: &'static str,
    pub usage: Value,
}

/// A tool call as it is sent: its arguments are JSON in a string.
pub struct CompletedCall {
    pub id: String,
    pub name: &'static str,
    pub arguments: String,
}

impl Completion {
    pub fn new(conversation: &Conversation, reply: Reply, options: &Options) -> Completion {
        let seed = seed(conversation);
        let mut text = reply.text;
        let mut call = reply.call.map(|call| completed(call, conversation, seed));
        let mut finish_reason = if call.is_some() { "tool_calls" } else { "stop" };

        let call_tokens = |call: &Option<CompletedCall>| {
            call.as_ref().map_or(0, |call| tokens(call.name) + tokens(&call.arguments))
        };
        if let Some(limit) = options.max_tokens
            && tokens(&text) + call_tokens(&call) > limit
        {
            finish_reason = "length";
            call = None;
            text = text.chars().take(limit * CHARS_PER_TOKEN).collect();
        }

        let prompt_tokens = conversation.characters().div_ceil(CHARS_PER_TOKEN);
        let completion_tokens = tokens(&text) + call_tokens(&call);
        Completion {
            id: format!("chatcmpl-{seed:016x}"),
            created: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs()),
            usage: json!({
                "prompt_tokens": prompt_tokens,
                "completion_tokens": completion_tokens,
                "total_tokens": prompt_tokens + completion_tokens,
            }),
            text,
            call,
            finish_reason,
        }
    }

    /// The whole answer in one piece, for `stream: false`.
    pub fn whole(&self) -> Value {
        let mut message = json!({"role": "assistant", "content": self.text});
        if self.text.is_empty() {
            message["content"] = Value::Null;
        }
        if let Some(call) = &self.call {
            message["tool_calls"] = json!([{
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }]);
        }
        json!({
            "id": self.id,
            "object": "chat.completion",
            "created": self.created,
            "model": MODEL_ID,
            "choices": [{"index": 0, "message": message, "finish_reason": self.finish_reason}],
            "usage": self.usage,
        })
    }
}

fn completed(call: Call, conversation: &Conversation, seed: u64) -> CompletedCall {
    let mut arguments = call.arguments;
    if let (Value::Object(given), Some(known)) =
        (&mut arguments, conversation.parameters_of(call.name))
    {
        // A tool gets only the arguments that its schema lists.
        given.retain(|name, _| known.contains_key(name));
    }
    CompletedCall {
        id: format!("call_{seed:016x}"),
        name: call.name,
        arguments: arguments.to_string(),
    }
}

fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(CHARS_PER_TOKEN)
}

/// Seed of the ids, computed from the conversation: the same request always gets the same ids, and the ids differ
/// within a conversation because each turn adds to it.
fn seed(conversation: &Conversation) -> u64 {
    let mut hasher = DefaultHasher::new();
    conversation.messages.hash(&mut hasher);
    hasher.finish()
}
