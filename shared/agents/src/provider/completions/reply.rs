//! Turns the messages of a reply into the client library's events.

use super::calls::Calls;
use crate::provider::error::ModelError;
use crate::provider::lines::Message;
use crate::provider::stream;
use crate::provider::{classify, wire};
use genai::chat::{
    ChatStreamEvent, ContentPart, MessageContent, StopReason, StreamChunk, StreamEnd, ToolChunk,
    Usage,
};
use reqwest::header::HeaderMap;
use serde_json::Value;

/// The `finish_reason` by which gateways say that the model behind them failed.
const BROKEN: &str = "error";

/// The part of a reply that has been read.
#[derive(Debug, Default)]
pub(in crate::provider) struct Reading {
    text: String,
    calls: Calls,
    /// Whether a part of the reply has come.
    begun: bool,
    usage: Option<Usage>,
    stop: Option<String>,
    /// Whether the reply came as a whole message, which may have no `finish_reason`.
    at_once: bool,
    /// Whether the protocol's mark of the end has come.
    done: bool,
    ended: bool,
}

impl stream::Reading for Reading {
    fn read(&mut self, message: &Message) -> Result<Vec<ChatStreamEvent>, ModelError> {
        let message = match message {
            Message::Done => {
                self.done = true;
                return Ok(Vec::new());
            }
            Message::Error(error) => return Err(refused(error)),
            Message::Json(message) => message,
        };
        let is_error = message.get("error").is_some_and(|error| !error.is_null());
        if is_error || message["object"] == "error" {
            return Err(refused(message));
        }
        self.count(&message["usage"]);
        let choice = &message["choices"][0];
        let mut events = Vec::new();
        let filled = |part: &&Value| part.as_object().is_some_and(|fields| !fields.is_empty());
        if let Some(delta) = choice.get("delta").filter(filled) {
            self.piece(delta, &mut events);
        } else if let Some(whole) = choice.get("message").filter(filled) {
            // Some servers repeat the whole reply after its pieces.
            if !self.begun {
                self.piece(whole, &mut events);
            }
            self.at_once = true;
        }
        if let Some(stop) = choice["finish_reason"].as_str().filter(|stop| !stop.is_empty()) {
            if stop == BROKEN {
                return Err(wire::interrupted("the provider ended the reply with an error"));
            }
            self.stop = Some(stop.to_owned());
        }
        Ok(events)
    }

    fn is_whole(&self) -> bool {
        self.done || self.at_once || self.stop.is_some()
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn end(&mut self) -> Option<ChatStreamEvent> {
        if self.ended || !self.is_whole() {
            return None;
        }
        self.ended = true;
        let text = std::mem::take(&mut self.text);
        let text = Some(text).filter(|text| !text.is_empty()).map(ContentPart::Text);
        let calls = std::mem::take(&mut self.calls).into_whole().into_iter();
        let parts: Vec<_> = text.into_iter().chain(calls.map(ContentPart::ToolCall)).collect();
        Some(ChatStreamEvent::End(StreamEnd {
            captured_usage: self.usage.take(),
            captured_stop_reason: self.stop.take().map(StopReason::from),
            captured_content: Some(MessageContent::from_parts(parts)),
            ..StreamEnd::default()
        }))
    }
}

impl Reading {
    /// Takes a piece of the reply, or the whole.
    fn piece(&mut self, piece: &Value, events: &mut Vec<ChatStreamEvent>) {
        let chunk = |content: String| StreamChunk { content };
        let (text, thoughts) = content(&piece["content"]);
        let named =
            ["reasoning_content", "reasoning"].iter().find_map(|name| piece[*name].as_str());
        let thoughts = Some(thoughts).filter(|thoughts| !thoughts.is_empty());
        let thoughts = thoughts.or_else(|| named.map(str::to_owned)).unwrap_or_default();
        if !thoughts.is_empty() {
            events.push(ChatStreamEvent::ReasoningChunk(chunk(thoughts)));
        }
        if !text.is_empty() {
            self.text.push_str(&text);
            events.push(ChatStreamEvent::Chunk(chunk(text)));
        }
        let calls = match &piece["tool_calls"] {
            Value::Array(calls) => calls.as_slice(),
            // The form before there could be several calls.
            _ => {
                let one = piece.get("function_call").filter(|call| call.is_object());
                one.map(std::slice::from_ref).unwrap_or_default()
            }
        };
        for call in calls.iter().filter(|call| call.is_object()) {
            let tool_call = self.calls.push(call);
            events.push(ChatStreamEvent::ToolCallChunk(ToolChunk { tool_call }));
        }
        self.begun |= !events.is_empty();
    }

    /// Keeps the provider's count. Some servers count in every message, so a later count replaces a smaller one.
    fn count(&mut self, counted: &Value) {
        let Ok(mut usage) = serde_json::from_value::<Usage>(counted.clone()) else { return };
        usage.compact_details();
        let total = |usage: &Usage| {
            let tokens = [usage.prompt_tokens, usage.completion_tokens];
            tokens.into_iter().flatten().map(i64::from).sum::<i64>()
        };
        let grows = self.usage.as_ref().is_none_or(|known| total(&usage) >= total(known));
        if grows && (usage.prompt_tokens.is_some() || usage.completion_tokens.is_some()) {
            self.usage = Some(usage);
        }
    }
}

/// The error that came instead of a reply, or in its middle. Gateways give the status of the model behind them as the
/// code.
fn refused(message: &Value) -> ModelError {
    let error = message.get("error").filter(|error| error.is_object()).unwrap_or(message);
    let code = &error["code"];
    let status = code.as_u64().or_else(|| code.as_str()?.parse().ok());
    match status.and_then(|status| u16::try_from(status).ok()) {
        Some(status @ 400..=599) => classify::refusal(status, &HeaderMap::new(), message),
        _ => classify::in_mid_reply(message),
    }
}

/// Text and thoughts of a content: a string, or a list of typed parts.
fn content(content: &Value) -> (String, String) {
    let (mut text, mut thoughts) = (String::new(), String::new());
    match content {
        Value::String(whole) => text.push_str(whole),
        Value::Array(parts) => {
            for part in parts {
                let of = |value: &Value| value["text"].as_str().unwrap_or_default().to_owned();
                match (part["type"].as_str(), &part["thinking"]) {
                    (Some("text" | "output_text"), _) => text.push_str(&of(part)),
                    (Some("thinking"), Value::String(whole)) => thoughts.push_str(whole),
                    (Some("thinking"), Value::Array(inner)) => {
                        thoughts.extend(inner.iter().map(of))
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
    (text, thoughts)
}
