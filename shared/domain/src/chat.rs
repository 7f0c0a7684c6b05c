//! Stored conversations: messages in order, including tool calls and results.

use crate::ErrorCode;
use crate::gate::GateVerdict;
use crate::step::{CommandTarget, StepStatus};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The longest message that a user may send, in characters.
pub const MAX_MESSAGE_CHARS: usize = 20_000;
/// The most bytes of one reply of a model, text and tool calls together: it must fit an item of the table.
pub const MAX_REPLY_BYTES: usize = 90_000;
/// The most tool calls of one reply that run.
pub const MAX_CALLS: usize = 8;
/// The longest answer of a tool, in bytes. The answers to all calls of one reply are one item of the table.
pub const MAX_ANSWER_BYTES: usize = 24_000;
/// The longest words on a tool's effect, for people, in characters.
pub const MAX_NOTE_CHARS: usize = 400;
/// The longest summary of a conversation's beginning, in bytes.
pub const MAX_SUMMARY_BYTES: usize = 6_000;

/// Input that is not a valid message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMessage {
    /// Only white space.
    #[error("Write a message first.")]
    Empty,
    /// Over [`MAX_MESSAGE_CHARS`].
    #[error("This message is too long. Keep it within 20,000 characters.")]
    TooLong,
}

/// The trimmed text of a user's message, if it is within its bounds.
pub fn user_message(text: &str) -> Result<&str, InvalidMessage> {
    let text = text.trim();
    match text.chars().take(MAX_MESSAGE_CHARS + 1).count() {
        0 => Err(InvalidMessage::Empty),
        n if n > MAX_MESSAGE_CHARS => Err(InvalidMessage::TooLong),
        _ => Ok(text),
    }
}

/// The speaker of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person, or the product on their behalf.
    User,
    /// The model.
    Assistant,
    /// Results of the tool calls in the previous message.
    Tool,
}

/// A tool call by the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id of the call.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// Its arguments as JSON text.
    pub arguments: String,
}

/// A tool's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The id of the call that this answers.
    pub call_id: String,
    /// The text for the model.
    pub content: String,
}

/// One message of a thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The speaker.
    pub role: Role,
    /// The text; may be empty if an assistant only called tools.
    pub text: String,
    /// Tools called by an assistant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Answers of tools, in a message of role `tool`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_results: Vec<ToolResult>,
    /// The tools' effects, in words for people: "Architecture plan written, 4 sections".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The reply broke off, because of an error or a reader who disconnected.
    #[serde(default)]
    pub partial: bool,
    /// A summary of the conversation's beginning, once the conversation is too long to send it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
}

/// A summary of the beginning of a conversation, written by the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// How many messages from the start of the thread it replaces.
    pub messages: usize,
    /// The summary.
    pub text: String,
}

impl Message {
    /// A user's message.
    pub fn user(text: impl Into<String>) -> Self {
        Self::of(Role::User, text.into())
    }

    /// An assistant's message without tool calls.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::of(Role::Assistant, text.into())
    }

    /// The answers to the tool calls in the previous message.
    pub fn tool_results(results: Vec<ToolResult>) -> Self {
        Self { tool_results: results, ..Self::of(Role::Tool, String::new()) }
    }

    fn of(role: Role, text: String) -> Self {
        Self {
            role,
            text,
            tool_calls: Vec::new(),
            tool_results: Vec::new(),
            notes: Vec::new(),
            partial: false,
            summary: None,
        }
    }
}

/// A part of a reply, from the model to the page: agents make it, and the API sends it with its conversation's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "event")]
pub enum ChatEvent {
    /// More text of the reply.
    #[serde(rename = "on_chat_model_stream")]
    Text {
        /// The text.
        chunk: Chunk,
    },
    /// A tool has done its work.
    #[serde(rename = "on_tool_end")]
    Tool {
        /// Its name.
        tool: String,
        /// Its effect, in words for people.
        summary: String,
    },
    /// The agent proposes a command.
    #[serde(rename = "on_command")]
    Command {
        /// The command.
        command: ProposedCommand,
    },
    /// A command printed more.
    #[serde(rename = "on_command_output")]
    CommandOutput {
        /// The command's number.
        number: u32,
        /// Its output since the last event.
        content: String,
    },
    /// The reply no longer follows a command, because the command ended or the reply stopped waiting.
    #[serde(rename = "on_command_end")]
    CommandEnd {
        /// The command's number.
        number: u32,
        /// Its status: `completed`, `failed`, or the one with which it continues without the reply.
        status: StepStatus,
        /// Its exit code, when it exited.
        exit_code: Option<i32>,
    },
    /// The reply broke off.
    #[serde(rename = "error")]
    Error {
        /// The reason, for programs.
        code: ErrorCode,
        /// The reason, for people.
        detail: String,
    },
    /// The last event.
    #[serde(rename = "on_chat_model_end")]
    End,
}

impl ChatEvent {
    /// More text of the reply.
    pub fn text(content: impl Into<String>) -> Self {
        Self::Text { chunk: Chunk { content: content.into() } }
    }
}

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Chunk {
    /// The text.
    pub content: String,
}

/// A command that an agent proposes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProposedCommand {
    /// Its number among the helper's commands, from 1.
    pub number: u32,
    /// The place where it runs.
    pub target: CommandTarget,
    /// The whole script that runs.
    pub script: String,
    /// SHA-256 of the script; an approval names it.
    pub sha256: String,
    /// Its status.
    pub status: StepStatus,
    /// Whether it waits for a decision; a command that only reads does not.
    pub needs_approval: bool,
    /// The attempt; a decision names it.
    pub attempt: u32,
    /// What machines found in it, if it waits for a decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<GateVerdict>,
}
