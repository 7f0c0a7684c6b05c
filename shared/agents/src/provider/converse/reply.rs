//! Turns the events of a Converse stream into those of a reply.

use crate::exchange::{Counted, Event};
use crate::provider::blocks::{Blocks, Piece};
use crate::provider::classify;
use crate::provider::error::{Kind, ModelError};
use crate::provider::wire::{self, Input};
use bedrock::{Frame, Kind as FrameKind};
use serde_json::{Value, json};

/// Reasons for an end that the model did not intend.
const MALFORMED: [&str; 2] = ["malformed_model_output", "malformed_tool_use"];

/// The part of a reply that has been read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    blocks: Blocks,
    stop: Option<String>,
    ended: bool,
}

/// The error with this name, in the form of the other providers.
pub(super) fn error(name: &str, payload: &[u8]) -> Value {
    let body: Value = serde_json::from_slice(payload).unwrap_or_default();
    let message = body.get("message").or_else(|| body.get("Message"));
    json!({"type": name, "message": message.and_then(Value::as_str).unwrap_or_default()})
}

impl Reading {
    /// The event in a frame.
    pub(super) fn read(&mut self, frame: &Frame) -> Result<Option<Event>, ModelError> {
        let name = match &frame.kind {
            FrameKind::Error(name) => {
                return Err(classify::in_mid_reply(&error(name, &frame.payload)));
            }
            FrameKind::Event(name) => name.as_str(),
        };
        let event: Value = serde_json::from_slice(&frame.payload).map_err(wire::malformed)?;
        let number = event["contentBlockIndex"].as_u64().unwrap_or_default();
        match name {
            "contentBlockStart" => {
                let Some(call) = event["start"].get("toolUse") else { return Ok(None) };
                let text = |name: &str| call[name].as_str().unwrap_or_default();
                Ok(self.blocks.call(number, text("toolUseId"), text("name")))
            }
            "contentBlockDelta" => {
                Ok(piece(&event["delta"]).and_then(|piece| self.blocks.piece(number, piece)))
            }
            "contentBlockStop" => {
                self.blocks.close();
                Ok(None)
            }
            "messageStop" => {
                self.blocks.close();
                self.stop = event["stopReason"].as_str().map(str::to_owned);
                match self.stop.as_deref().filter(|stop| MALFORMED.contains(stop)) {
                    Some(stop) => Err(ModelError::new(Kind::Interrupted, stop)),
                    None => Ok(None),
                }
            }
            "metadata" => Ok(self.finish(counted(&event["usage"]))),
            // The beginning, and events that a later version of the protocol may add.
            _ => Ok(None),
        }
    }

    /// The end of a reply whose count did not come; `None` if the reply is not complete.
    pub(super) fn end(&mut self) -> Option<Event> {
        self.finish(None)
    }

    fn finish(&mut self, counted: Option<Counted>) -> Option<Event> {
        let stop = self.stop.clone().filter(|_| !self.ended)?;
        self.ended = true;
        Some(self.blocks.end(Some(stop), counted))
    }
}

/// The piece in a delta.
fn piece(delta: &Value) -> Option<Piece<'_>> {
    if let Some(text) = delta["text"].as_str() {
        return Some(Piece::Text(text));
    }
    if let Some(input) = delta["toolUse"]["input"].as_str() {
        return Some(Piece::Arguments(input));
    }
    let thinking = delta.get("reasoningContent")?;
    let text = |name: &str| thinking[name].as_str();
    let thought = text("text").map(Piece::Thought);
    let signature = || text("signature").map(Piece::Signature);
    thought.or_else(signature).or_else(|| text("redactedContent").map(Piece::Encrypted))
}

/// The token count. Bedrock's count of the input leaves out what it had cached and what it newly caches, but both were
/// sent.
fn counted(usage: &Value) -> Option<Counted> {
    let count = |name: &str| wire::count(usage, name);
    let (read, written) = (count("cacheReadInputTokens"), count("cacheWriteInputTokens"));
    let input = Input { uncached: count("inputTokens")?, read, written };
    Some(input.with_output(count("outputTokens")?))
}
