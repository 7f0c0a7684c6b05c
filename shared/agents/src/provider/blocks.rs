//! Puts a reply together from its blocks, as they arrive piece by piece in Anthropic's protocol and on Bedrock.

use crate::exchange::{Call, Counted, End, Event, Part, Reason};
use serde_json::Value;

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
    parts: Vec<Part>,
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
    pub(super) fn call(&mut self, number: u64, id: &str, name: &str) -> Option<Event> {
        let (id, name) = (id.to_owned(), name.to_owned());
        self.open(number, Block::Call { id, name, arguments: String::new() });
        self.call_so_far()
    }

    /// Adds a piece to the block with this number. Blocks of text and thoughts begin with their first piece.
    pub(super) fn piece(&mut self, number: u64, piece: Piece<'_>) -> Option<Event> {
        match piece {
            Piece::Text(piece) => {
                match self.at(number) {
                    Some(Block::Text(text)) => text.push_str(piece),
                    _ => self.open(number, Block::Text(piece.to_owned())),
                }
                Some(Event::Text(piece.to_owned()))
            }
            Piece::Arguments(piece) => {
                let Some(Block::Call { arguments, .. }) = self.at(number) else { return None };
                arguments.push_str(piece);
                self.call_so_far()
            }
            Piece::Thought(piece) => {
                self.thought(number)?.0.push_str(piece);
                Some(Event::Thought(piece.to_owned()))
            }
            Piece::Signature(piece) => {
                self.thought(number)?.1.push_str(piece);
                Some(Event::Thought(piece.to_owned()))
            }
            Piece::Encrypted(piece) => {
                self.thought(number)?.2.push_str(piece);
                Some(Event::Thought(piece.to_owned()))
            }
        }
    }

    /// Completes the block that is arriving.
    pub(super) fn close(&mut self) {
        self.parts.extend(self.arriving.take().and_then(|(_, block)| block.whole()));
    }

    /// The end of the reply, with the provider's reason for it and its count.
    pub(super) fn end(&mut self, stop: Option<String>, counted: Option<Counted>) -> Event {
        self.close();
        let parts = std::mem::take(&mut self.parts);
        Event::End(End { parts, reason: Reason::named(stop), counted })
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
    fn call_so_far(&self) -> Option<Event> {
        let Some((_, Block::Call { id, name, arguments })) = &self.arriving else { return None };
        let (id, name) = (id.clone(), name.clone());
        Some(Event::Call(Call { id, name, arguments: Value::String(arguments.clone()) }))
    }
}

impl Block {
    /// The complete block as a part of the reply; `None` if it cannot be sent back.
    fn whole(self) -> Option<Part> {
        match self {
            Self::Text(text) => Some(Part::Text(text)),
            Self::Call { id, name, arguments } => {
                // Text that is not JSON is passed on as it is; the tool may still understand it.
                let read = serde_json::from_str(&arguments);
                let arguments = read.unwrap_or(Value::String(arguments));
                Some(Part::Call(Call { id, name, arguments }))
            }
            Self::Thought { text, signature, .. } if !signature.is_empty() => {
                Some(Part::Thought { text, signature })
            }
            // Providers do not accept unsigned thoughts.
            Self::Thought { encrypted, .. } => {
                Some(encrypted).filter(|all| !all.is_empty()).map(Part::Encrypted)
            }
        }
    }
}
