//! Puts a reply together from its blocks, as they arrive piece by piece in Anthropic's protocol and on Bedrock.

use genai::chat::{
    ChatStreamEvent, ContentPart, MessageContent, StopReason, StreamChunk, StreamEnd, ToolCall,
    ToolChunk, Usage,
};
use serde_json::Value;

/// Reasons for an end at which a filter withheld the reply.
const WITHHELD: [&str; 3] = ["content_filtered", "guardrail_intervened", "refusal"];

/// A piece of a block.
#[derive(Debug, Clone, Copy)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    Arguments(&'a str),
    Thought(&'a str),
    Signature(&'a str),
    /// Thoughts that only the provider can read.
    Encrypted(&'a str),
}

/// The blocks so far.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    parts: Vec<ContentPart>,
    /// The block that is arriving, with its number.
    arriving: Option<(u64, Block)>,
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

impl Blocks {
    /// Begins a call of a tool.
    pub(super) fn call(&mut self, number: u64, id: &str, name: &str) -> Option<ChatStreamEvent> {
        let (id, name) = (id.to_owned(), name.to_owned());
        self.open(number, Block::Call { id, name, arguments: String::new() });
        self.call_so_far()
    }

    /// Adds a piece to the block with this number. Blocks of text and thoughts begin with their first piece.
    pub(super) fn piece(&mut self, number: u64, piece: Piece<'_>) -> Option<ChatStreamEvent> {
        let chunk = |text: &str| StreamChunk { content: text.to_owned() };
        match piece {
            Piece::Text(piece) => {
                match self.at(number) {
                    Some(Block::Text(text)) => text.push_str(piece),
                    _ => self.open(number, Block::Text(piece.to_owned())),
                }
                Some(ChatStreamEvent::Chunk(chunk(piece)))
            }
            Piece::Arguments(piece) => {
                let Some(Block::Call { arguments, .. }) = self.at(number) else { return None };
                arguments.push_str(piece);
                self.call_so_far()
            }
            Piece::Thought(piece) => {
                self.thought(number)?.0.push_str(piece);
                Some(ChatStreamEvent::ReasoningChunk(chunk(piece)))
            }
            Piece::Signature(piece) => {
                self.thought(number)?.1.push_str(piece);
                Some(ChatStreamEvent::ThoughtSignatureChunk(chunk(piece)))
            }
            Piece::Encrypted(piece) => {
                self.thought(number)?.2.push_str(piece);
                Some(ChatStreamEvent::ThoughtSignatureChunk(chunk(piece)))
            }
        }
    }

    /// Completes the block that is arriving.
    pub(super) fn close(&mut self) {
        let parts: Vec<ContentPart> = match self.arriving.take() {
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
                    // Providers do not accept unsigned thoughts.
                    (true, true) => Vec::new(),
                }
            }
        };
        self.parts.extend(parts);
    }

    /// The end of the reply, with the provider's reason for it and its count.
    pub(super) fn end(&mut self, stop: Option<String>, usage: Option<Usage>) -> ChatStreamEvent {
        self.close();
        let stop = stop.map(|stop| match WITHHELD.contains(&stop.as_str()) {
            true => StopReason::ContentFilter(stop),
            false => StopReason::from(stop),
        });
        let parts = std::mem::take(&mut self.parts);
        ChatStreamEvent::End(StreamEnd {
            captured_usage: usage,
            captured_stop_reason: stop,
            captured_content: Some(MessageContent::from_parts(parts)),
            ..StreamEnd::default()
        })
    }

    /// The block with this number, if it is the one that is arriving.
    fn at(&mut self, number: u64) -> Option<&mut Block> {
        self.arriving.as_mut().filter(|(current, _)| *current == number).map(|(_, block)| block)
    }

    fn open(&mut self, number: u64, block: Block) {
        self.close();
        self.arriving = Some((number, block));
    }

    /// Text, signature and encrypted content of the thought with this number, which may begin here.
    fn thought(&mut self, number: u64) -> Option<(&mut String, &mut String, &mut String)> {
        if !matches!(self.at(number), Some(Block::Thought { .. })) {
            let [text, signature, encrypted] = Default::default();
            self.open(number, Block::Thought { text, signature, encrypted });
        }
        match self.at(number)? {
            Block::Thought { text, signature, encrypted } => Some((text, signature, encrypted)),
            _ => None,
        }
    }

    /// The arriving call with its arguments so far.
    fn call_so_far(&self) -> Option<ChatStreamEvent> {
        let Some((_, Block::Call { id, name, arguments })) = &self.arriving else { return None };
        let tool_call = call(id.clone(), name.clone(), Value::String(arguments.clone()));
        Some(ChatStreamEvent::ToolCallChunk(ToolChunk { tool_call }))
    }
}

fn call(call_id: String, fn_name: String, fn_arguments: Value) -> ToolCall {
    ToolCall { call_id, fn_name, fn_arguments, thought_signatures: None }
}
