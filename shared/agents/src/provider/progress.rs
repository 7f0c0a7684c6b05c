//! What has arrived of a reply, and the reply when it is whole.

use super::error::{Kind, ModelError};
use crate::tokens;
use domain::TokenUsage;
use genai::chat::{MessageContent, StopReason, StreamEnd, ToolCall};
use serde_json::{Value, json};

/// Most bytes of one reply, text and arguments together: it must fit an item of the table.
const REPLY_BYTES: usize = 90_000;

/// What has arrived so far of a reply that may never be whole.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub(crate) text: String,
    /// Arguments arrive as everything so far, call by call.
    calls: Vec<(String, usize)>,
    thought_bytes: usize,
    /// What the provider counted, when it did; it also counts a reply that it then withheld.
    pub(crate) counted: Option<TokenUsage>,
}

impl Progress {
    pub(crate) fn text(&mut self, piece: &str) -> Result<(), ModelError> {
        self.text.push_str(piece);
        self.within_bounds()
    }

    pub(crate) fn tool_call(&mut self, call: &ToolCall) -> Result<(), ModelError> {
        let bytes = call.fn_arguments.as_str().map_or(0, str::len);
        match self.calls.iter_mut().find(|(id, _)| *id == call.call_id) {
            Some((_, so_far)) => *so_far = bytes,
            None => self.calls.push((call.call_id.clone(), bytes)),
        }
        self.within_bounds()
    }

    pub(crate) fn thought(&mut self, piece: &str) {
        self.thought_bytes(piece.len());
    }

    /// The same for thoughts of which only the length is known.
    pub(crate) fn thought_bytes(&mut self, bytes: usize) {
        self.thought_bytes += bytes;
    }

    /// Whether nothing arrived that a reader could have seen or a provider charged for.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.calls.is_empty() && self.thought_bytes == 0
    }

    /// Output tokens of what arrived, estimated.
    pub(crate) fn estimated_tokens(&self) -> u64 {
        tokens::of_bytes(self.bytes() + self.thought_bytes)
    }

    fn bytes(&self) -> usize {
        self.text.len() + self.calls.iter().map(|(_, bytes)| bytes).sum::<usize>()
    }

    fn within_bounds(&self) -> Result<(), ModelError> {
        match self.bytes() {
            bytes if bytes <= REPLY_BYTES => Ok(()),
            bytes => Err(ModelError::new(Kind::OverBudget, format!("a reply of {bytes} bytes"))),
        }
    }
}

/// A whole reply.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The tools it asks for, in order.
    pub(crate) calls: Vec<ToolCall>,
    /// Everything in the form that goes back to the provider with the results.
    pub(crate) content: MessageContent,
    /// It ended at [`REPLY_TOKENS`](super::REPLY_TOKENS), not at its end.
    pub(crate) truncated: bool,
}

impl Reply {
    pub(super) fn from_end(end: StreamEnd, progress: &mut Progress) -> Result<Self, ModelError> {
        progress.counted = end.captured_usage.as_ref().and_then(|usage| {
            let count = |tokens: Option<i32>| tokens.and_then(|n| u64::try_from(n).ok());
            Some(TokenUsage {
                input_tokens: count(usage.prompt_tokens)?,
                output_tokens: count(usage.completion_tokens)?,
            })
        });
        if let Some(StopReason::ContentFilter(reason)) = &end.captured_stop_reason {
            return Err(ModelError::new(Kind::Filtered, reason.clone()));
        }
        let truncated = matches!(end.captured_stop_reason, Some(StopReason::MaxTokens(_)));
        let content = sendable(end.captured_content.unwrap_or_default());
        let calls = content.tool_calls().into_iter().cloned().collect();
        Ok(Self { calls, content, truncated })
    }
}

/// The content as a provider takes it back: arguments are an object, ids name one call each.
fn sendable(content: MessageContent) -> MessageContent {
    let mut parts: Vec<genai::chat::ContentPart> = Vec::new();
    for part in content.into_parts() {
        match part {
            genai::chat::ContentPart::ToolCall(mut call) => {
                // Some compatible servers give no ids, or one for all.
                if call.call_id.is_empty() {
                    call.call_id = format!("call_{}", parts.len() + 1);
                }
                // Calls numbered from 1 leave a copy in the gap before them.
                parts.retain(|known| !matches!(known, genai::chat::ContentPart::ToolCall(known) if known.call_id == call.call_id));
                if !call.fn_arguments.is_object() {
                    call.fn_arguments = match call.fn_arguments {
                        Value::Null => json!({}),
                        Value::String(text) if text.is_empty() => json!({}),
                        other => json!({ UNREADABLE: other }),
                    };
                }
                parts.push(call.into());
            }
            genai::chat::ContentPart::Text(text) if text.trim().is_empty() => {}
            other => parts.push(other),
        }
    }
    MessageContent::from_parts(parts)
}

/// The key under which arguments travel that were not a JSON object.
pub(crate) const UNREADABLE: &str = "unreadable_arguments";

#[cfg(test)]
mod tests {
    use super::*;
    use genai::chat::ContentPart;

    fn call(id: &str, arguments: Value) -> ContentPart {
        ToolCall {
            call_id: id.into(),
            fn_name: "t".into(),
            fn_arguments: arguments,
            thought_signatures: None,
        }
        .into()
    }

    #[test]
    fn a_copy_left_in_a_gap_is_dropped_and_arguments_become_objects() {
        let content = MessageContent::from_parts(vec![
            call("a", Value::String("{\"x\"".into())),
            call("a", json!({"x": 1})),
            call("b", Value::String("{\"x\"".into())),
            call("c", Value::String(String::new())),
        ]);
        let sent = sendable(content);
        let arguments: Vec<_> =
            sent.tool_calls().into_iter().map(|call| call.fn_arguments.clone()).collect();
        assert_eq!(arguments, [json!({"x": 1}), json!({ UNREADABLE: "{\"x\"" }), json!({})]);
    }

    #[test]
    fn a_reply_without_an_end_is_stopped_at_its_bound() {
        let mut progress = Progress::default();
        assert!(progress.text(&"x".repeat(REPLY_BYTES)).is_ok());
        assert_eq!(progress.text("x").unwrap_err().kind, Kind::OverBudget);
    }
}
