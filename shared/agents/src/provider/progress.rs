//! The part of a reply that has arrived, and the complete reply.

use super::error::{Kind, ModelError};
use crate::exchange::{Call, End, Part, Reason};
use crate::tokens;
use domain::TokenUsage;
use domain::chat::MAX_REPLY_BYTES;

use serde_json::{Value, json};

/// The most bytes of one reply, thoughts included, for each requested token. A token is about four bytes of English or
/// code; only a provider that ignores the requested length sends more than this.
const BYTES_PER_ASKED_TOKEN: usize = 6;
/// What a call counts besides its id, name and arguments, in bytes: room for the answer to a call that does not run. So
/// the answers to many empty calls fit an item, too.
const CALL_BYTES: usize = 160;

/// What has arrived of a reply that may never be complete.
#[derive(Debug)]
pub(crate) struct Progress {
    pub(crate) text: String,
    /// The bytes of each call's arguments. They arrive call by call, each time with everything so far.
    calls: Vec<(String, usize)>,
    call_bytes: usize,
    thought_bytes: usize,
    /// The most tokens that the request lets the model write.
    asked_tokens: u32,
    /// The provider's count, if it gave one; it also counts a reply that it then withheld.
    pub(crate) counted: Option<TokenUsage>,
    /// Whether a provider has accepted the request, so that it charges for what was sent.
    pub(super) accepted: bool,
    /// The provider's count of the input, if it counted that at the beginning.
    pub(crate) counted_input: Option<u64>,
    /// Input tokens that the provider had cached from an earlier call.
    pub(crate) cached_tokens: u64,
}

impl Progress {
    /// An empty reply of at most this many tokens.
    pub(crate) fn of_at_most(asked_tokens: u32) -> Self {
        Self {
            text: String::new(),
            calls: Vec::new(),
            call_bytes: 0,
            thought_bytes: 0,
            asked_tokens,
            counted: None,
            accepted: false,
            counted_input: None,
            cached_tokens: 0,
        }
    }

    /// Keeps that a provider has accepted the request.
    pub(super) fn accept(&mut self) {
        self.accepted = true;
    }

    /// Keeps the provider's count of the input, and of the part of it that it had cached, if it gives one before the end.
    pub(super) fn count_input(&mut self, counted: Option<(u64, u64)>) {
        if let Some((input, cached)) = counted {
            (self.counted_input, self.cached_tokens) = (Some(input), cached);
        }
    }

    /// Whether the call is paid for although it gave no reply: a part has come, or a provider has accepted what was
    /// sent and was working on it.
    pub(crate) fn is_billed(&self) -> bool {
        self.accepted || !self.is_empty() || self.counted.is_some()
    }

    pub(crate) fn text(&mut self, piece: &str) -> Result<(), ModelError> {
        self.text.push_str(piece);
        self.within_bounds()
    }

    pub(crate) fn call(&mut self, call: &Call) -> Result<(), ModelError> {
        let arguments = call.arguments.as_str().map_or(0, str::len);
        let bytes = CALL_BYTES + call.id.len() + call.name.len() + arguments;
        // The newest call is the one that grows.
        let before = match self.calls.iter_mut().rev().find(|(id, _)| *id == call.id) {
            Some((_, so_far)) => std::mem::replace(so_far, bytes),
            None => {
                self.calls.push((call.id.clone(), bytes));
                0
            }
        };
        self.call_bytes = self.call_bytes + bytes - before;
        self.within_bounds()
    }

    pub(crate) fn thought(&mut self, piece: &str) -> Result<(), ModelError> {
        self.thought_bytes(piece.len())
    }

    /// The same for thoughts of which only the length is known.
    pub(crate) fn thought_bytes(&mut self, bytes: usize) -> Result<(), ModelError> {
        self.thought_bytes += bytes;
        self.within_bounds()
    }

    /// Takes the beginning of the text, up to this byte, for thoughts.
    pub(super) fn were_thoughts(&mut self, end: usize) {
        self.thought_bytes += end;
        self.text = self.text[end..].trim_start().to_owned();
    }

    /// Whether nothing has arrived that a reader could have seen or a provider could charge for.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.calls.is_empty() && self.thought_bytes == 0
    }

    /// The estimated output tokens of what arrived, at most as many as were requested.
    pub(crate) fn estimated_tokens(&self) -> u64 {
        let calls = self.call_bytes - CALL_BYTES * self.calls.len();
        let bytes = self.text.len() + calls + self.thought_bytes;
        tokens::of_bytes(bytes).min(self.asked_tokens.into())
    }

    fn within_bounds(&self) -> Result<(), ModelError> {
        let kept = self.text.len() + self.call_bytes;
        let asked = BYTES_PER_ASKED_TOKEN.saturating_mul(self.asked_tokens as usize);
        if kept <= MAX_REPLY_BYTES && kept + self.thought_bytes <= asked {
            return Ok(());
        }
        let why = format!("a reply of {kept} bytes and {} of thoughts", self.thought_bytes);
        Err(ModelError::new(Kind::OverBudget, why))
    }
}

/// A complete reply.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The tools it asks for, in order.
    pub(crate) calls: Vec<Call>,
    /// All of it, in the form that is sent back to the provider with the results.
    pub(crate) parts: Vec<Part>,
    /// Whether it ended at its longest allowed length.
    pub(crate) truncated: bool,
}

impl Reply {
    pub(super) fn from_end(end: End, progress: &mut Progress) -> Result<Self, ModelError> {
        // A server that counts nothing where something was sent or written does not count at all.
        let counted = end
            .counted
            .filter(|counted| counted.input > 0 && (counted.output > 0 || progress.is_empty()));
        progress.counted = counted.map(|counted| TokenUsage {
            input_tokens: counted.input,
            output_tokens: counted.output,
        });
        progress.cached_tokens = end.counted.map_or(0, |counted| counted.cached);
        let truncated = match end.reason {
            Reason::Filtered(reason) => return Err(ModelError::new(Kind::Filtered, reason)),
            Reason::CutOff => true,
            Reason::Done => false,
        };
        let parts = sendable(end.parts);
        let calls = parts.iter().filter_map(|part| match part {
            Part::Call(call) => Some(call.clone()),
            _ => None,
        });
        Ok(Self { calls: calls.collect(), parts, truncated })
    }
}

/// The reply in the form that a provider accepts back: arguments are an object, and each call has an id.
fn sendable(reply: Vec<Part>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for part in reply {
        match part {
            Part::Call(mut call) => {
                // Some compatible servers give no ids.
                if call.id.is_empty() {
                    call.id = format!("call_{}", parts.len() + 1);
                }
                if !call.arguments.is_object() {
                    call.arguments = match call.arguments {
                        Value::Null => json!({}),
                        Value::String(text) if text.is_empty() => json!({}),
                        other => json!({ UNREADABLE: other }),
                    };
                }
                parts.push(Part::Call(call));
            }
            Part::Text(text) if text.trim().is_empty() => {}
            other => parts.push(other),
        }
    }
    parts
}

/// The key for arguments that were not a JSON object.
pub(crate) const UNREADABLE: &str = "unreadable_arguments";

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str, arguments: Value) -> Part {
        Part::Call(Call { id: id.into(), name: "t".into(), arguments })
    }

    #[test]
    fn arguments_become_objects_and_calls_get_ids() {
        let sent = sendable(vec![
            call("", json!({"x": 1})),
            call("b", Value::String("{\"x\"".into())),
            call("c", Value::String(String::new())),
        ]);
        let expected = [
            call("call_1", json!({"x": 1})),
            call("b", json!({ UNREADABLE: "{\"x\"" })),
            call("c", json!({})),
        ];
        assert_eq!(sent, expected);
    }

    #[test]
    fn a_reply_without_an_end_is_stopped_at_its_bound() {
        let mut progress = Progress::of_at_most(16_000);
        assert!(progress.text(&"x".repeat(MAX_REPLY_BYTES)).is_ok());
        assert_eq!(progress.text("x").unwrap_err().kind, Kind::OverBudget);
    }

    type Grow = fn(&mut Progress, usize) -> Result<(), ModelError>;

    fn arriving(id: usize, arguments: usize) -> Call {
        let arguments = Value::String("x".repeat(arguments));
        Call { id: format!("call_{id}"), name: "t".into(), arguments }
    }

    #[test]
    fn thoughts_arguments_and_empty_calls_have_the_same_limit_as_text() {
        let grow: [Grow; 4] = [
            |progress, _| progress.thought("0123456789"),
            |progress, _| progress.text("0123456789"),
            |progress, n| progress.call(&arriving(0, n * 10)),
            |progress, n| progress.call(&arriving(n, 0)),
        ];
        for grow in grow {
            let mut progress = Progress::of_at_most(100);
            let ended = (1..=100).find_map(|n| grow(&mut progress, n).err());
            assert_eq!(ended.expect("an end").kind, Kind::OverBudget);
            assert!(
                progress.estimated_tokens() <= 100,
                "the charge covers at most the requested tokens"
            );
        }
    }
}
