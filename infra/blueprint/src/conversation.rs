//! A conversation as the roles read it.
//!
//! The endpoint is strict here: like any provider, it refuses a tool call without an answer and an answer without a
//! tool call. So a mistake in the product's bookkeeping shows up in the local stack before it reaches a paid model.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::reading::fences::{self, Fence};
use crate::wire::{ChatRequest, WireFunction, WireMessage, WireTool};

/// The contents of one request.
pub struct Conversation {
    pub messages: Vec<Message>,
    tools: Vec<Tool>,
    may_call: bool,
    forced: Option<String>,
}

#[derive(Debug, Hash, PartialEq)]
pub struct Message {
    pub speaker: Speaker,
    pub text: String,
    calls: Vec<PastCall>,
    answers: Option<String>,
}

#[derive(Debug, Hash, PartialEq, Clone, Copy)]
pub enum Speaker {
    System,
    User,
    Assistant,
    Tool,
}

#[derive(Debug, Hash, PartialEq)]
struct PastCall {
    id: String,
    name: String,
    arguments: String,
}

struct Tool {
    name: String,
    /// Text for real models. This model only counts its characters.
    description: String,
    parameters: Option<Value>,
}

/// The state of a tool in the current turn.
#[derive(Debug, PartialEq)]
pub enum Outcome<'a> {
    NotCalled,
    Succeeded,
    /// The tool answered its last call with this error. The turn has this many calls of the tool.
    Refused {
        error: &'a str,
        calls: usize,
    },
}

impl Conversation {
    /// Parses a request. The error is a message for the caller.
    pub fn read(request: ChatRequest) -> Result<Conversation, String> {
        let messages = request.messages.into_iter().map(message).collect::<Result<Vec<_>, _>>()?;
        check_calls(&messages)?;
        let may_call = request.tool_choice != Some(Value::String("none".into()));
        let forced =
            request.tool_choice.as_ref().and_then(|choice| choice.pointer("/function/name"));
        let forced = forced.and_then(Value::as_str).map(str::to_owned);
        let tools = request.tools.unwrap_or_default().into_iter().map(tool).collect();
        Ok(Conversation { messages, tools, may_call, forced })
    }

    pub fn offers(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name)
    }

    /// Whether the caller allows tool calls in this answer.
    pub fn may_call(&self) -> bool {
        self.may_call
    }

    /// Whether the caller requires a call of this tool.
    pub fn is_forced(&self, name: &str) -> bool {
        self.forced.as_deref() == Some(name)
    }

    /// The named properties of a tool's arguments, if its schema lists them.
    pub fn parameters_of(&self, name: &str) -> Option<&Map<String, Value>> {
        let tool = self.tools.iter().find(|tool| tool.name == name)?;
        tool.parameters.as_ref()?.get("properties")?.as_object()
    }

    /// Number of characters that a model would read: messages, calls, and the offered tools with their descriptions.
    pub fn characters(&self) -> usize {
        let messages = self.messages.iter().map(|message| {
            let calls = message.calls.iter().map(|call| call.name.len() + call.arguments.len());
            message.text.chars().count() + calls.sum::<usize>()
        });
        let tools = self.tools.iter().map(|tool| {
            let schema = tool.parameters.as_ref().map_or(0, |schema| schema.to_string().len());
            tool.name.len() + tool.description.chars().count() + schema
        });
        messages.sum::<usize>() + tools.sum::<usize>()
    }

    /// The user's own words, message by message, without the documents that are fenced in them.
    pub fn user_words(&self) -> Vec<String> {
        self.messages
            .iter()
            .filter(|message| message.speaker == Speaker::User)
            .map(|message| without_note(&fences::outside(&message.text)).to_string())
            .filter(|words| !words.is_empty())
            .collect()
    }

    /// Whether the caller says that earlier messages are left out.
    pub fn begins_late(&self) -> bool {
        let first = self.messages.iter().find(|message| message.speaker == Speaker::User);
        first.is_some_and(|message| message.text.trim_start().starts_with(LEFT_OUT))
    }

    /// The newest fenced section with this name, in system or user text.
    pub fn fence(&self, name: &str) -> Option<Fence<'_>> {
        self.messages
            .iter()
            .filter(|message| matches!(message.speaker, Speaker::System | Speaker::User))
            .flat_map(|message| fences::all(&message.text))
            .rfind(|fence| fence.name == name)
    }

    /// What the tool answered since the user's last message.
    pub fn outcome(&self, tool: &str) -> Outcome<'_> {
        let calls = self.calls_of_turn(tool);
        match calls.last() {
            None => Outcome::NotCalled,
            Some((_, result)) if is_error(result) => {
                Outcome::Refused { error: result, calls: calls.len() }
            }
            Some(_) => Outcome::Succeeded,
        }
    }

    /// The arguments of the tool's last call since the user's last message, and its answer.
    pub fn last_call(&self, tool: &str) -> Option<(Value, &str)> {
        let (call, result) = self.calls_of_turn(tool).pop()?;
        Some((serde_json::from_str(&call.arguments).ok()?, result))
    }

    fn calls_of_turn(&self, tool: &str) -> Vec<(&PastCall, &str)> {
        let turn = self
            .messages
            .iter()
            .rposition(|message| message.speaker == Speaker::User)
            .map_or(0, |position| position + 1);
        let turn = &self.messages[turn..];
        let result = |call: &PastCall| {
            let answer = turn.iter().find(|message| message.answers.as_ref() == Some(&call.id));
            answer.map_or("", |message| message.text.trim())
        };
        let calls = turn.iter().flat_map(|message| &message.calls);
        calls.filter(|call| call.name == tool).map(|call| (call, result(call))).collect()
    }
}

/// The start of the note by which a caller says that it shows only the end of a long conversation.
const LEFT_OUT: &str = "[Earlier messages";

fn without_note(text: &str) -> &str {
    let text = text.trim();
    match text.split_once(']') {
        Some((note, rest)) if note.starts_with(LEFT_OUT) => rest.trim(),
        _ => text,
    }
}

/// Whether a tool's answer, in words or JSON, begins with an error.
fn is_error(result: &str) -> bool {
    if let Ok(Value::Object(fields)) = serde_json::from_str(result) {
        return fields.contains_key("error")
            || fields.get("status").and_then(Value::as_str) == Some("error");
    }
    let start = result.trim_start_matches(['<', '[', '*']).to_lowercase();
    ["error", "invalid", "failed", "refused"].iter().any(|word| start.starts_with(word))
}

fn message(message: WireMessage) -> Result<Message, String> {
    let speaker = match message.role.as_str() {
        "system" | "developer" => Speaker::System,
        "user" => Speaker::User,
        "assistant" => Speaker::Assistant,
        "tool" => Speaker::Tool,
        other => return Err(format!("There is no role `{other}`.")),
    };
    let calls = message.tool_calls.unwrap_or_default().into_iter().map(|call| PastCall {
        id: call.id,
        name: call.function.name,
        arguments: call.function.arguments,
    });
    Ok(Message {
        speaker,
        text: message.content.map(|content| content.into_text()).unwrap_or_default(),
        calls: calls.collect(),
        answers: message.tool_call_id,
    })
}

fn tool(tool: WireTool) -> Tool {
    let WireFunction { name, description, parameters } = tool.function;
    Tool { name, description: description.unwrap_or_default(), parameters }
}

/// Checks that each call is answered exactly once, before the next message that is not a tool's answer.
fn check_calls(messages: &[Message]) -> Result<(), String> {
    let mut open: BTreeSet<&str> = BTreeSet::new();
    for message in messages {
        if message.speaker == Speaker::Tool {
            let id = message.answers.as_deref().unwrap_or_default();
            if !open.remove(id) {
                return Err(format!(
                    "A tool message answers `{id}`, which no open tool call has as its id."
                ));
            }
            continue;
        }
        if let Some(id) = open.first() {
            return Err(format!("The tool call `{id}` has no answer."));
        }
        for call in &message.calls {
            if serde_json::from_str::<Value>(&call.arguments).is_err() {
                return Err(format!("The arguments of the tool call `{}` are not JSON.", call.id));
            }
            if !open.insert(&call.id) {
                return Err(format!("Two tool calls have the id `{}`.", call.id));
            }
        }
    }
    match open.first() {
        Some(id) => Err(format!("The tool call `{id}` has no answer.")),
        None => Ok(()),
    }
}
