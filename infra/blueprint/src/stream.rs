//! Sends the answer in small pieces, as server-sent events.
//!
//! The first piece is sent at once and the rest at a steady pace, so a reader sees the text grow. A long answer is cut
//! into larger pieces so that it does not take longer.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, Sse};
use futures::Stream;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

use crate::MODEL_ID;
use crate::wire::Completion;

/// Time between two pieces when a person reads the answer.
pub const PACE: Duration = Duration::from_millis(5);
/// Maximum number of pieces of a text or of a call's arguments: at this pace, a text takes at most one second.
const MAX_PIECES: usize = 200;
/// Characters in a piece, unless the answer would then have too many pieces.
const PIECE_CHARS: usize = 12;

/// Streams one completion. The stream ends after `[DONE]`, or when the reader disconnects.
pub fn sse(
    completion: Completion,
    include_usage: bool,
    pace: Duration,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let events = async_stream::stream! {
        let chunks = chunks(&completion, include_usage);
        let mut due = Instant::now();
        for chunk in chunks {
            // Only text is sent at a pace. The arguments of a call follow without a pause.
            if chunk["choices"][0]["delta"]["content"].is_string() {
                sleep_until(due).await;
                due += pace;
            }
            yield Ok(Event::default().data(chunk.to_string()));
        }
        yield Ok(Event::default().data("[DONE]"));
    };
    Sse::new(events)
}

fn chunks(completion: &Completion, include_usage: bool) -> Vec<Value> {
    let mut deltas: Vec<Value> =
        pieces(&completion.text).map(|piece| json!({"content": piece})).collect();
    if let Some(call) = &completion.call {
        deltas.push(json!({"tool_calls": [{
            "index": 0,
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": ""},
        }]}));
        deltas.extend(
            pieces(&call.arguments).map(
                |piece| json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}),
            ),
        );
    }
    if let Some(first) = deltas.first_mut() {
        first["role"] = json!("assistant");
    }

    let frame = |choices: Value| {
        json!({
            "id": completion.id,
            "object": "chat.completion.chunk",
            "created": completion.created,
            "model": MODEL_ID,
            "choices": choices,
        })
    };
    let mut chunks: Vec<Value> = deltas
        .into_iter()
        .map(|delta| frame(json!([{"index": 0, "delta": delta, "finish_reason": null}])))
        .collect();
    chunks
        .push(frame(json!([{"index": 0, "delta": {}, "finish_reason": completion.finish_reason}])));
    if include_usage {
        let mut last = frame(json!([]));
        last["usage"] = completion.usage.clone();
        chunks.push(last);
    }
    chunks
}

fn pieces(text: &str) -> impl Iterator<Item = String> {
    let characters: Vec<char> = text.chars().collect();
    let size = PIECE_CHARS.max(characters.len().div_ceil(MAX_PIECES));
    let pieces: Vec<String> = characters.chunks(size).map(|piece| piece.iter().collect()).collect();
    pieces.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest time in which a text may appear, in milliseconds.
    const READER_WAITS: u32 = 1_500;

    #[test]
    fn a_text_of_any_length_is_complete_within_the_time_that_a_reader_waits() {
        for length in [0, 1, PIECE_CHARS, 1_000, 1_000_000] {
            let text = "é".repeat(length);
            let pieces: Vec<String> = pieces(&text).collect();
            assert!(PACE * pieces.len() as u32 <= Duration::from_millis(READER_WAITS.into()));
            assert_eq!(pieces.concat(), text);
        }
    }
}
