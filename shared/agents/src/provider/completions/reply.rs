//! Turns the messages of a stream into the events of a reply.

use super::calls::Calls;
use crate::exchange::{Counted, End, Event, Part, Reason};
use crate::provider::error::ModelError;
use crate::provider::lines::Message;
use crate::provider::stream;
use crate::provider::{classify, wire};
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
    counted: Option<Counted>,
    stop: Option<String>,
    /// Whether the reply came as a whole message, which may have no `finish_reason`.
    at_once: bool,
    /// Whether the protocol's mark of the end has come.
    done: bool,
    /// Whether the model declined, in a field of its own.
    declined: bool,
}

/// The reason for which a reply ends that has nothing but a refusal.
const DECLINED: &str = "refusal";

impl stream::Reading for Reading {
    fn read(&mut self, message: &Message) -> Result<Vec<Event>, ModelError> {
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

    fn end(&mut self) -> Event {
        let text = std::mem::take(&mut self.text);
        let text = Some(text).filter(|text| !text.is_empty()).map(Part::Text);
        let calls = std::mem::take(&mut self.calls).into_whole().into_iter().map(Part::Call);
        let parts: Vec<Part> = text.into_iter().chain(calls).collect();
        let declined = (self.declined && parts.is_empty()).then(|| DECLINED.to_owned());
        Event::End(End {
            parts,
            reason: Reason::named(declined.or_else(|| self.stop.take())),
            counted: self.counted.take(),
        })
    }
}

impl Reading {
    /// Takes a piece of the reply, or the whole.
    fn piece(&mut self, piece: &Value, events: &mut Vec<Event>) {
        let (text, thoughts) = content(&piece["content"]);
        let named =
            ["reasoning_content", "reasoning"].iter().find_map(|name| piece[*name].as_str());
        let thoughts = Some(thoughts).filter(|thoughts| !thoughts.is_empty());
        let thoughts = thoughts.or_else(|| named.map(str::to_owned)).unwrap_or_default();
        if !thoughts.is_empty() {
            events.push(Event::Thought(thoughts));
        }
        if !text.is_empty() {
            self.text.push_str(&text);
            events.push(Event::Text(text));
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
            events.push(Event::Call(self.calls.push(call)));
        }
        self.declined |= piece["refusal"].as_str().is_some_and(|said| !said.is_empty());
        self.begun |= !events.is_empty();
    }

    /// Keeps the provider's count. Some servers count in every message, so a later count replaces a smaller one.
    fn count(&mut self, usage: &Value) {
        let count = |name: &str| wire::count(usage, name);
        let Some((input, output)) = count("prompt_tokens").zip(count("completion_tokens")) else {
            return;
        };
        let cached = wire::count(&usage["prompt_tokens_details"], "cached_tokens");
        let counted = Counted { input, output, cached: cached.unwrap_or_default() };
        let total = |counted: &Counted| counted.input + counted.output;
        if self.counted.as_ref().is_none_or(|known| total(&counted) >= total(known)) {
            self.counted = Some(counted);
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
