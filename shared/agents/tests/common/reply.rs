//! Replies of a model, written once and sent in each provider's protocol.

use super::converse;
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    OpenAi,
    Anthropic,
    Bedrock,
}

pub const ALL: [Protocol; 3] = [Protocol::OpenAi, Protocol::Anthropic, Protocol::Bedrock];

/// One answer of the fake: a stream, a refusal, or any body.
#[derive(Clone, Debug)]
pub enum Answer {
    Stream(Reply),
    Refusal {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: Value,
    },
    /// A body as it is on the wire, for servers that do not follow the protocol.
    Raw {
        content_type: &'static str,
        body: String,
        ending: Ending,
    },
}

/// How the stream ends after its last piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Proper,
    /// The body ends, without the protocol's own end.
    Cut,
    /// The connection breaks.
    Broken,
    /// A line that is not JSON.
    Malformed,
    /// A frame whose checksum is wrong; a cut where the protocol has none.
    Corrupt,
    /// Nothing more comes, and the connection stays open.
    Silent,
    /// An error event.
    Overloaded,
    /// An error event about too many requests.
    RateLimited,
}

#[derive(Clone, Debug)]
pub struct Reply {
    pub(super) pieces: Vec<Piece>,
    pub(super) usage: Option<(i64, i64)>,
    pub(super) cached: i64,
    /// Counts of input and output in any JSON, one event each.
    pub(super) odd_counts: Vec<(Value, Value)>,
    pub(super) stop: Option<&'static str>,
    pub ending: Ending,
    /// Bytes of a packet on the wire; whole events unless a test says otherwise.
    pub packet: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Piece {
    Text(String),
    Thought(String),
    Call { id: String, name: String, arguments: String },
}

/// A reply without any content yet.
pub fn reply() -> Reply {
    Reply {
        pieces: Vec::new(),
        usage: Some((100, 10)),
        cached: 0,
        odd_counts: Vec::new(),
        stop: None,
        ending: Ending::Proper,
        packet: None,
    }
}

/// The refusal with which a provider says that the input is too long.
pub fn too_long(protocol: Protocol) -> Answer {
    refusal(400)
        .body(match protocol {
            Protocol::OpenAi => {
                json!({"error": {"code": "context_length_exceeded", "message": "x"}})
            }
            Protocol::Anthropic => {
                json!({"type": "error", "error": {"type": "invalid_request_error",
            "message": "prompt is too long: 210000 tokens > 200000 maximum"}})
            }
            Protocol::Bedrock => json!({"message": "Input is too long for requested model."}),
        })
        .header("x-amzn-errortype", "ValidationException:http://internal.amazon.com/")
}

/// A refusal with this status.
pub fn refusal(status: u16) -> Answer {
    Answer::Refusal {
        status,
        headers: Vec::new(),
        body: json!({"error": {"type": "refused", "message": "no"}}),
    }
}

impl Answer {
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        if let Self::Refusal { headers, .. } = &mut self {
            headers.push((name, value.to_owned()));
        }
        self
    }

    pub fn body(mut self, with: Value) -> Self {
        if let Self::Refusal { body, .. } = &mut self {
            *body = with;
        }
        self
    }
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Self {
        Self::Stream(reply)
    }
}

impl Reply {
    /// A delta of text.
    pub fn text(mut self, text: &str) -> Self {
        self.pieces.push(Piece::Text(text.to_owned()));
        self
    }

    /// A delta of the model's thoughts before it answers.
    pub fn thought(mut self, thought: &str) -> Self {
        self.pieces.push(Piece::Thought(thought.to_owned()));
        self
    }

    /// A complete tool call; its arguments travel in several pieces.
    pub fn call(self, id: &str, name: &str, arguments: Value) -> Self {
        self.raw_call(id, name, &arguments.to_string())
    }

    /// A tool call whose arguments need not be JSON.
    pub fn raw_call(mut self, id: &str, name: &str, arguments: &str) -> Self {
        let piece = Piece::Call { id: id.into(), name: name.into(), arguments: arguments.into() };
        self.pieces.push(piece);
        self
    }

    pub fn usage(mut self, input: i64, output: i64) -> Self {
        self.usage = Some((input, output));
        self
    }

    /// This many of the input tokens were cached from an earlier call.
    pub fn cached(mut self, tokens: i64) -> Self {
        self.cached = tokens;
        self
    }

    pub fn without_usage(mut self) -> Self {
        self.usage = None;
        self
    }

    /// The provider counts in this way instead: input and output, several times.
    pub fn odd_counts(self, counts: &[(Value, Value)]) -> Self {
        Self { odd_counts: counts.to_vec(), ..self.without_usage() }
    }

    /// The reason to stop, in the provider's word.
    pub fn stop(mut self, reason: &'static str) -> Self {
        self.stop = Some(reason);
        self
    }

    pub fn ending(mut self, ending: Ending) -> Self {
        self.ending = ending;
        self
    }

    /// The stream arrives in packets of this many bytes, which may end anywhere.
    pub fn in_packets_of(mut self, bytes: usize) -> Self {
        self.packet = Some(bytes);
        self
    }

    /// The events of the stream, without what follows an improper ending.
    pub fn events(&self, protocol: Protocol) -> Vec<Vec<u8>> {
        let mut events = match protocol {
            Protocol::OpenAi => self.openai(),
            Protocol::Anthropic => self.anthropic(),
            Protocol::Bedrock => return converse::frames(self),
        };
        match self.ending {
            Ending::Malformed => {
                events.push(named(protocol, "content_block_delta", "{\"choices\": [oops"))
            }
            Ending::Overloaded => {
                let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}});
                events.push(named(protocol, "error", &error.to_string()));
            }
            Ending::RateLimited => {
                let error = json!({"type": "error", "error": {"type": "rate_limit_error", "message": "slow"}});
                events.push(named(protocol, "error", &error.to_string()));
            }
            _ => {}
        }
        events.into_iter().map(String::into_bytes).collect()
    }

    pub(super) fn is_proper(&self) -> bool {
        self.ending == Ending::Proper
    }

    pub(super) fn calls_tools(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Call { .. }))
    }

    fn openai(&self) -> Vec<String> {
        let delta = |delta: Value, finish: Option<&str>| {
            let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
            data(&json!({"id": "c", "object": "chat.completion.chunk", "choices": [choice]}))
        };
        let mut events = vec![delta(json!({"role": "assistant", "content": ""}), None)];
        let mut index = 0;
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => events.push(delta(json!({"content": text}), None)),
                Piece::Thought(text) => {
                    events.push(delta(json!({"reasoning_content": text}), None));
                }
                Piece::Call { id, name, arguments } => {
                    let start = json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}});
                    events.push(delta(json!({"tool_calls": [start]}), None));
                    for part in parts(arguments) {
                        let more = json!({"index": index, "function": {"arguments": part}});
                        events.push(delta(json!({"tool_calls": [more]}), None));
                    }
                    index += 1;
                }
            }
        }
        if self.is_proper() {
            let usual = if self.calls_tools() { "tool_calls" } else { "stop" };
            events.push(delta(json!({}), Some(self.stop.unwrap_or(usual))));
            if let Some((input, output)) = self.usage {
                let usage = json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input.saturating_add(output),
                    "prompt_tokens_details": {"cached_tokens": self.cached}});
                events.push(data(&json!({"id": "c", "choices": [], "usage": usage})));
            }
            for (input, output) in &self.odd_counts {
                let usage = json!({"prompt_tokens": input, "completion_tokens": output});
                events.push(data(&json!({"id": "c", "choices": [], "usage": usage})));
            }
            events.push("data: [DONE]\n\n".to_owned());
        }
        events
    }

    fn anthropic(&self) -> Vec<String> {
        let event = |value: Value| {
            let name = value["type"].as_str().unwrap_or_default().to_owned();
            named(Protocol::Anthropic, &name, &value.to_string())
        };
        let mut start = json!({"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}});
        if let Some((input, _)) = self.usage {
            start["message"]["usage"] = json!({"input_tokens": input - self.cached, "output_tokens": 1,
                "cache_read_input_tokens": self.cached});
        }
        let mut events = vec![event(start), event(json!({"type": "ping"}))];
        for (index, piece) in self.pieces.iter().enumerate() {
            let (block, deltas) = match piece {
                Piece::Text(text) => (
                    json!({"type": "text", "text": ""}),
                    vec![json!({"type": "text_delta", "text": text})],
                ),
                Piece::Thought(text) => (
                    json!({"type": "thinking", "thinking": "", "signature": ""}),
                    vec![json!({"type": "thinking_delta", "thinking": text})],
                ),
                Piece::Call { id, name, arguments } => (
                    json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
                    parts(arguments)
                        .into_iter()
                        .map(|part| json!({"type": "input_json_delta", "partial_json": part}))
                        .collect(),
                ),
            };
            events.push(event(
                json!({"type": "content_block_start", "index": index, "content_block": block}),
            ));
            events.extend(deltas.into_iter().map(|delta| {
                event(json!({"type": "content_block_delta", "index": index, "delta": delta}))
            }));
            if self.is_proper() || index + 1 < self.pieces.len() {
                events.push(event(json!({"type": "content_block_stop", "index": index})));
            }
        }
        if self.is_proper() {
            let usual = if self.calls_tools() { "tool_use" } else { "end_turn" };
            let mut end = json!({"type": "message_delta", "delta": {"stop_reason": self.stop.unwrap_or(usual)}});
            if let Some((_, output)) = self.usage {
                end["usage"] = json!({"output_tokens": output});
            }
            for (input, output) in &self.odd_counts {
                let usage = json!({"input_tokens": input, "output_tokens": output});
                events.push(event(json!({"type": "message_delta", "delta": {}, "usage": usage})));
            }
            events.push(event(end));
            events.push(event(json!({"type": "message_stop"})));
        }
        events
    }
}

/// Arguments in pieces of seven characters: no piece is JSON on its own.
pub(super) fn parts(arguments: &str) -> Vec<String> {
    let chars: Vec<char> = arguments.chars().collect();
    chars.chunks(7).map(|chunk| chunk.iter().collect()).collect()
}

fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn named(protocol: Protocol, name: &str, data: &str) -> String {
    match protocol {
        Protocol::OpenAi => format!("data: {data}\n\n"),
        _ => format!("event: {name}\ndata: {data}\n\n"),
    }
}
