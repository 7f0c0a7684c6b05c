//! What a model is asked and what it replies, in no provider's form.

use serde_json::Value;
use std::time::Duration;

/// Who a message is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    User,
    Assistant,
    /// Results of the calls in the message before.
    Tool,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) name: String,
    /// An object, unless the model wrote something else.
    pub(crate) arguments: Value,
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallResult {
    pub(crate) id: String,
    pub(crate) content: String,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    Text(String),
    Call(Call),
    Result(CallResult),
    /// A thought, which its provider takes back only with its signature.
    Thought {
        text: String,
        signature: String,
    },
    /// A thought that only its provider can read.
    Encrypted(String),
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Message {
    pub(crate) role: Role,
    pub(crate) parts: Vec<Part>,
}

/// A tool on offer.
#[derive(Debug, Clone)]
pub(crate) struct Declaration {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// The JSON Schema of its arguments.
    pub(crate) schema: Value,
}

/// Everything that one call sends.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) system: String,
    pub(crate) messages: Vec<Message>,
    pub(crate) tools: Vec<Declaration>,
}

/// How long a model should think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    None,
    Minimal,
    Low,
    Medium,
    High,
    Max,
}

/// How a model's server wants its requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// The most tokens of a reply that it accepts, if that is less than configured.
    pub(crate) most_tokens: Option<u32>,
    /// Whether it wants the other one of the two names for the limit of a reply.
    pub(crate) renames_limit: bool,
    /// Whether it refuses to count a stream.
    pub(crate) counts_nothing: bool,
    /// Whether its replies begin within the model's thoughts.
    pub(crate) begins_in_thoughts: bool,
}

/// How a model should reply.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// The most tokens of the reply, thoughts included.
    pub(crate) reply_tokens: u32,
    pub(crate) temperature: Option<f64>,
    pub(crate) effort: Option<Effort>,
    /// The tool that it has to call.
    pub(crate) forced: Option<String>,
    /// Whether the provider should cache the instructions, and everything up to the newest message, for the next call.
    pub(crate) marked: bool,
    /// The longest silence.
    pub(crate) silence: Duration,
    /// How the model's server wants its requests.
    pub(crate) dialect: Dialect,
}

/// Why a reply ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The model was done, or calls tools.
    Done,
    /// The reply reached its longest allowed length.
    CutOff,
    /// A filter withheld the reply, by the provider's name for that.
    Filtered(String),
}

/// A provider's count of a call, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    /// Everything that was sent, cached or not.
    pub(crate) input: u64,
    /// The part of it that the provider had cached from an earlier call.
    pub(crate) cached: u64,
    pub(crate) output: u64,
}

/// The end of a reply.
#[derive(Debug)]
pub(crate) struct End {
    /// The whole reply.
    pub(crate) parts: Vec<Part>,
    pub(crate) reason: Reason,
    /// `None` if the provider gave no count, or none that can be true.
    pub(crate) counted: Option<Counted>,
}

/// A piece of a reply.
#[derive(Debug)]
pub(crate) enum Event {
    /// The provider has begun to work; nothing of the reply has come.
    Begun,
    Text(String),
    /// A piece of a thought or of its signature.
    Thought(String),
    /// A call with its arguments so far, as text.
    Call(Call),
    End(End),
}

impl Part {
    /// Its bytes in a request, without the protocol's own.
    fn bytes(&self) -> usize {
        match self {
            Self::Text(text) | Self::Encrypted(text) => text.len(),
            Self::Call(call) => call.id.len() + call.name.len() + call.arguments.to_string().len(),
            Self::Result(result) => result.id.len() + result.content.len(),
            Self::Thought { text, signature } => text.len() + signature.len(),
        }
    }
}

impl Message {
    /// What a user says.
    pub(crate) fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, parts: vec![Part::Text(text.into())] }
    }

    /// What a model said, in words.
    pub(crate) fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, parts: vec![Part::Text(text.into())] }
    }

    /// What a model replied.
    pub(crate) fn reply(parts: Vec<Part>) -> Self {
        Self { role: Role::Assistant, parts }
    }

    /// The answers to a message's calls.
    pub(crate) fn results(results: Vec<CallResult>) -> Self {
        Self { role: Role::Tool, parts: results.into_iter().map(Part::Result).collect() }
    }

    /// Its bytes in a request, without the protocol's own.
    pub(crate) fn bytes(&self) -> usize {
        self.parts.iter().map(Part::bytes).sum()
    }

    /// The message without the parts that only the provider that wrote it can read.
    pub(crate) fn unsigned(mut self) -> Self {
        self.parts.retain(|part| !matches!(part, Part::Thought { .. } | Part::Encrypted(_)));
        self
    }
}

impl Declaration {
    /// Its bytes in a request, without the protocol's own.
    pub(crate) fn bytes(&self) -> usize {
        self.name.len() + self.description.len() + self.schema.to_string().len()
    }
}

impl Request {
    /// The bytes of everything that is sent, without the protocol's own.
    pub(crate) fn bytes(&self) -> usize {
        let tools: usize = self.tools.iter().map(Declaration::bytes).sum();
        let messages: usize = self.messages.iter().map(Message::bytes).sum();
        self.system.len() + tools + messages
    }
}

impl Effort {
    /// All of them, by name.
    const NAMES: [(&'static str, Self); 6] = [
        ("none", Self::None),
        ("minimal", Self::Minimal),
        ("low", Self::Low),
        ("medium", Self::Medium),
        ("high", Self::High),
        ("max", Self::Max),
    ];

    /// The effort with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find_map(|(known, effort)| (known == name).then_some(effort))
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        let named = Self::NAMES.into_iter().find(|(_, effort)| *effort == self);
        named.map_or("none", |(name, _)| name)
    }
}

impl Reason {
    /// The reason that a provider gives.
    pub(crate) fn named(reason: Option<String>) -> Self {
        match reason.as_deref() {
            Some("length" | "max_tokens" | "model_length" | "model_context_window_exceeded") => {
                Self::CutOff
            }
            Some(
                "content_filter"
                | "content_filtered"
                | "guardrail_intervened"
                | "refusal"
                | "safety",
            ) => Self::Filtered(reason.unwrap_or_default()),
            _ => Self::Done,
        }
    }
}
