//! Turns the messages of a stream into the events of a reply.

use crate::exchange::Event;
use crate::provider::blocks::{Blocks, Piece};
use crate::provider::classify;
use crate::provider::error::ModelError;
use crate::provider::lines::Message;
use crate::provider::stream;
use crate::provider::wire::{self, Input};
use serde_json::Value;

/// The part of a reply that has been read.
#[derive(Debug, Default)]
pub(in crate::provider) struct Reading {
    blocks: Blocks,
    input: Option<Input>,
    output: Option<u64>,
    stop: Option<String>,
    /// Whether `message_stop` or the whole reply has come.
    done: bool,
}

impl Reading {
    /// The provider's count of the input, and of the part of it that it had cached.
    pub(in crate::provider) fn counted_input(&self) -> Option<(u64, u64)> {
        let counted = self.input?.with_output(0);
        (counted.input > 0).then_some((counted.input, counted.cached))
    }

    /// Takes over what a message counts. A later count replaces an earlier one.
    fn count(&mut self, counted: &Value) {
        let count = |name: &str| wire::count(counted, name);
        if let Some(uncached) = count("input_tokens") {
            let read = count("cache_read_input_tokens");
            let written = count("cache_creation_input_tokens");
            self.input = Some(Input { uncached, read, written });
        }
        self.output = count("output_tokens").or(self.output);
    }

    /// Takes the beginning of a block, which may contain some of it, or all.
    fn start(&mut self, number: u64, block: &Value) -> Vec<Event> {
        let text = |name: &str| block[name].as_str().filter(|text| !text.is_empty());
        let pieces = match block["type"].as_str() {
            Some("tool_use") => {
                let (id, name) = (text("id").unwrap_or_default(), text("name").unwrap_or_default());
                let begun = self.blocks.call(number, id, name);
                let input = block["input"].as_object().filter(|input| !input.is_empty());
                let input = input.map(|_| block["input"].to_string());
                let whole = input.and_then(|all| self.blocks.piece(number, Piece::Arguments(&all)));
                return begun.into_iter().chain(whole).collect();
            }
            Some("text") => [text("text").map(Piece::Text), None],
            Some("thinking") => {
                [text("thinking").map(Piece::Thought), text("signature").map(Piece::Signature)]
            }
            Some("redacted_thinking") => [text("data").map(Piece::Encrypted), None],
            // A kind of block that a later version of the protocol may add.
            _ => [None, None],
        };
        let pieces = pieces.into_iter().flatten();
        pieces.filter_map(|piece| self.blocks.piece(number, piece)).collect()
    }

    /// Takes a reply that came as one document.
    fn whole(&mut self, message: &Value) -> Vec<Event> {
        let blocks = message["content"].as_array().into_iter().flatten();
        let events = (0..).zip(blocks).flat_map(|(number, block)| self.start(number, block));
        let events = events.collect();
        self.count(&message["usage"]);
        self.stop = message["stop_reason"].as_str().map(str::to_owned);
        self.done = true;
        events
    }
}

impl stream::Reading for Reading {
    fn read(&mut self, message: &Message) -> Result<Vec<Event>, ModelError> {
        let event = match message {
            Message::Done => {
                self.done = true;
                return Ok(Vec::new());
            }
            Message::Error(error) => return Err(classify::in_mid_reply(error)),
            Message::Json(event) => event,
        };
        let number = event["index"].as_u64().unwrap_or_default();
        Ok(match event["type"].as_str() {
            Some("error") => return Err(classify::in_mid_reply(event)),
            Some("message_start") => {
                self.count(&event["message"]["usage"]);
                vec![Event::Begun]
            }
            Some("content_block_start") => self.start(number, &event["content_block"]),
            Some("content_block_delta") => {
                let piece = piece(&event["delta"]);
                piece.and_then(|piece| self.blocks.piece(number, piece)).into_iter().collect()
            }
            Some("content_block_stop") => {
                self.blocks.close();
                Vec::new()
            }
            Some("message_delta") => {
                self.count(&event["usage"]);
                if let Some(stop) = event["delta"]["stop_reason"].as_str() {
                    self.stop = Some(stop.to_owned());
                }
                Vec::new()
            }
            Some("message_stop") => {
                self.done = true;
                Vec::new()
            }
            Some("message") => self.whole(event),
            // Signs of life, and events that a later version of the protocol may add.
            _ if event.get("error").is_none() => Vec::new(),
            _ => return Err(classify::in_mid_reply(event)),
        })
    }

    fn is_whole(&self) -> bool {
        self.done || self.stop.is_some()
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn end(&mut self) -> Event {
        let counted = self.input.zip(self.output).map(|(input, output)| input.with_output(output));
        self.blocks.end(self.stop.take(), counted)
    }
}

/// The piece in a delta.
fn piece(delta: &Value) -> Option<Piece<'_>> {
    let text = |name: &str| delta[name].as_str();
    match delta["type"].as_str()? {
        "text_delta" => text("text").map(Piece::Text),
        "input_json_delta" => text("partial_json").map(Piece::Arguments),
        "thinking_delta" => text("thinking").map(Piece::Thought),
        "signature_delta" => text("signature").map(Piece::Signature),
        _ => None,
    }
}
