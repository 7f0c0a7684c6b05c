//! Turns the events of a Converse stream into the client library's.

use crate::provider::classify;
use crate::provider::error::{Kind, ModelError};
use bedrock::{Frame, Kind as FrameKind};
use genai::chat::{
    ChatStreamEvent, ContentPart, MessageContent, PromptTokensDetails, StopReason, StreamChunk,
    StreamEnd, ToolCall, ToolChunk, Usage,
};
use serde_json::{Value, json};

/// Reasons for an end that the model did not intend.
const MALFORMED: [&str; 2] = ["malformed_model_output", "malformed_tool_use"];
/// Reasons for an end at which a filter withheld the reply.
const WITHHELD: [&str; 3] = ["content_filtered", "guardrail_intervened", "refusal"];

/// The part of a reply that has been read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    parts: Vec<ContentPart>,
    /// The block that is arriving, with its number.
    block: Option<(u64, Block)>,
    stop: Option<String>,
    ended: bool,
}

#[derive(Debug)]
enum Block {
    Text(String),
    Call {
        id: String,
        name: String,
        arguments: String,
    },
    /// Thoughts, which are sent back with their signature or encrypted, as they came.
    Thought {
        text: String,
        signature: String,
        encrypted: String,
    },
}

impl Block {
    fn thought() -> Self {
        Self::Thought { text: String::new(), signature: String::new(), encrypted: String::new() }
    }
}

/// The error with this name, in the form of the other providers.
pub(super) fn error(name: &str, payload: &[u8]) -> Value {
    let body: Value = serde_json::from_slice(payload).unwrap_or_default();
    let message = body.get("message").or_else(|| body.get("Message"));
    json!({"type": name, "message": message.and_then(Value::as_str).unwrap_or_default()})
}

impl Reading {
    /// The event in a frame.
    pub(super) fn read(&mut self, frame: &Frame) -> Result<Option<ChatStreamEvent>, ModelError> {
        let name = match &frame.kind {
            FrameKind::Error(name) => {
                return Err(classify::in_mid_reply(&error(name, &frame.payload)));
            }
            FrameKind::Event(name) => name.as_str(),
        };
        let event: Value = serde_json::from_slice(&frame.payload).map_err(|error| {
            let place = format!("{:?} at column {}", error.classify(), error.column());
            ModelError::new(Kind::Interrupted, format!("malformed event: {place}"))
        })?;
        let number = event["contentBlockIndex"].as_u64().unwrap_or_default();
        match name {
            "contentBlockStart" => Ok(self.start(number, &event["start"])),
            "contentBlockDelta" => Ok(self.delta(number, &event["delta"])),
            "contentBlockStop" => {
                self.close();
                Ok(None)
            }
            "messageStop" => {
                self.close();
                self.stop = event["stopReason"].as_str().map(str::to_owned);
                match self.stop.as_deref().filter(|stop| MALFORMED.contains(stop)) {
                    Some(stop) => Err(ModelError::new(Kind::Interrupted, stop)),
                    None => Ok(None),
                }
            }
            "metadata" => Ok(self.finish(usage(&event["usage"]))),
            // The beginning, and events that a later version of the protocol may add.
            _ => Ok(None),
        }
    }

    /// The end of a reply whose count did not come; `None` if the reply is not complete.
    pub(super) fn end(&mut self) -> Option<ChatStreamEvent> {
        self.finish(None)
    }

    fn finish(&mut self, usage: Option<Usage>) -> Option<ChatStreamEvent> {
        let stop = self.stop.clone().filter(|_| !self.ended)?;
        self.ended = true;
        let stop = match WITHHELD.contains(&stop.as_str()) {
            true => StopReason::ContentFilter(stop),
            false => StopReason::from(stop),
        };
        let parts = std::mem::take(&mut self.parts);
        Some(ChatStreamEvent::End(StreamEnd {
            captured_usage: usage,
            captured_stop_reason: Some(stop),
            captured_content: Some(MessageContent::from_parts(parts)),
            ..StreamEnd::default()
        }))
    }

    fn start(&mut self, number: u64, start: &Value) -> Option<ChatStreamEvent> {
        let call = start.get("toolUse")?;
        let text = |name: &str| call[name].as_str().unwrap_or_default().to_owned();
        let (id, name) = (text("toolUseId"), text("name"));
        self.open(number, Block::Call { id, name, arguments: String::new() });
        self.call_so_far()
    }

    fn delta(&mut self, number: u64, delta: &Value) -> Option<ChatStreamEvent> {
        let chunk = |text: &str| StreamChunk { content: text.to_owned() };
        if let Some(piece) = delta["text"].as_str() {
            match self.at(number) {
                Some(Block::Text(text)) => text.push_str(piece),
                _ => self.open(number, Block::Text(piece.to_owned())),
            }
            return Some(ChatStreamEvent::Chunk(chunk(piece)));
        }
        if let Some(piece) = delta["toolUse"]["input"].as_str() {
            if let Some(Block::Call { arguments, .. }) = self.at(number) {
                arguments.push_str(piece);
            }
            return self.call_so_far();
        }
        let thinking = delta.get("reasoningContent")?;
        if !matches!(self.at(number), Some(Block::Thought { .. })) {
            self.open(number, Block::thought());
        }
        let Some(Block::Thought { text, signature, encrypted }) = self.at(number) else {
            return None;
        };
        if let Some(piece) = thinking["text"].as_str() {
            text.push_str(piece);
            return Some(ChatStreamEvent::ReasoningChunk(chunk(piece)));
        }
        let (kept, piece) = match thinking["signature"].as_str() {
            Some(piece) => (signature, piece),
            None => (encrypted, thinking["redactedContent"].as_str()?),
        };
        kept.push_str(piece);
        Some(ChatStreamEvent::ThoughtSignatureChunk(chunk(piece)))
    }

    /// The block with this number, if it is the one that is arriving.
    fn at(&mut self, number: u64) -> Option<&mut Block> {
        self.block.as_mut().filter(|(current, _)| *current == number).map(|(_, block)| block)
    }

    fn open(&mut self, number: u64, block: Block) {
        self.close();
        self.block = Some((number, block));
    }

    fn close(&mut self) {
        let parts: Vec<ContentPart> = match self.block.take() {
            None => Vec::new(),
            Some((_, Block::Text(text))) => vec![ContentPart::Text(text)],
            Some((_, Block::Call { id, name, arguments })) => {
                // Text that is not JSON is passed on as it is; the tool may still understand it.
                let read = serde_json::from_str(&arguments);
                vec![call(id, name, read.unwrap_or(Value::String(arguments))).into()]
            }
            Some((_, Block::Thought { text, signature, encrypted })) => {
                match (signature.is_empty(), encrypted.is_empty()) {
                    (false, _) => vec![
                        ContentPart::ThoughtSignature(signature),
                        ContentPart::ReasoningContent(text),
                    ],
                    (true, false) => vec![ContentPart::ThoughtSignature(encrypted)],
                    // Bedrock does not accept unsigned thoughts.
                    (true, true) => Vec::new(),
                }
            }
        };
        self.parts.extend(parts);
    }

    /// The arriving call with its arguments so far.
    fn call_so_far(&self) -> Option<ChatStreamEvent> {
        let Some((_, Block::Call { id, name, arguments })) = &self.block else { return None };
        let tool_call = call(id.clone(), name.clone(), Value::String(arguments.clone()));
        Some(ChatStreamEvent::ToolCallChunk(ToolChunk { tool_call }))
    }
}

fn call(call_id: String, fn_name: String, fn_arguments: Value) -> ToolCall {
    ToolCall { call_id, fn_name, fn_arguments, thought_signatures: None }
}

/// The token count. Bedrock's count of the input leaves out what it had cached and what it newly caches, but both were
/// sent.
fn usage(counted: &Value) -> Option<Usage> {
    let count = |name: &str| {
        let tokens = counted.get(name)?.as_u64()?;
        i32::try_from(tokens).ok()
    };
    let (input, output) = (count("inputTokens")?, count("outputTokens")?);
    let (read, written) = (count("cacheReadInputTokens"), count("cacheWriteInputTokens"));
    let sent = [read, written].into_iter().flatten().try_fold(input, i32::checked_add)?;
    Some(Usage {
        prompt_tokens: Some(sent),
        prompt_tokens_details: Some(PromptTokensDetails {
            cached_tokens: read,
            cache_creation_tokens: written,
            ..PromptTokensDetails::default()
        }),
        completion_tokens: Some(output),
        ..Usage::default()
    })
}
