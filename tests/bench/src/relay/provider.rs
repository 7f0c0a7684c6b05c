//! A model provider that sends numbered words at a fixed pace, and records when it sent each.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;

/// The time between two words: 50 tokens a second, the pace of a fast model.
const PACE: Duration = Duration::from_millis(20);

/// The provider; it runs until the program ends.
#[derive(Clone)]
pub struct Provider {
    address: SocketAddr,
    said: Said,
}

/// When each stream was requested, and when each of its words was sent.
type Said = Arc<Mutex<HashMap<u64, Speech>>>;

/// The record of one stream.
#[derive(Clone)]
pub struct Speech {
    pub asked: Instant,
    pub words: Vec<Instant>,
}

impl Provider {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("bound");
        let said = Said::default();
        let router = Router::new().fallback(answer).with_state(said.clone());
        let listener = listener.tap_io(|stream| stream.set_nodelay(true).expect("a TCP socket"));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, said }
    }

    /// The base URL for clients.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The record of a stream, which is then removed.
    pub fn speech(&self, stream: u64) -> Option<Speech> {
        self.said.lock().expect("unpoisoned").remove(&stream)
    }
}

/// The message that requests this many words.
pub fn question(stream: u64, words: usize) -> String {
    format!("Say {words} words for stream {stream} please")
}

/// Parses a [`question`].
fn asked(body: &[u8]) -> Option<(u64, usize)> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let text = body.to_string();
    let (before, after) = text.rsplit_once(" words for stream ")?;
    let (_, words) = before.rsplit_once("Say ")?;
    let (stream, _) = after.split_once(" please")?;
    Some((stream.parse().ok()?, words.parse().ok()?))
}

async fn answer(State(said): State<Said>, body: Bytes) -> Response {
    let begin = Instant::now();
    let Some((stream, words)) = asked(&body) else {
        return axum::http::StatusCode::BAD_REQUEST.into_response();
    };
    let speech = Speech { asked: begin, words: Vec::with_capacity(words) };
    said.lock().expect("unpoisoned").insert(stream, speech);
    let pieces = futures::stream::unfold(0, move |number| {
        let said = said.clone();
        async move {
            if number > words + 1 {
                return None;
            }
            if number > 0 && number <= words {
                let due = begin + PACE * u32::try_from(number).unwrap_or(u32::MAX);
                tokio::time::sleep_until(due.into()).await;
            }
            let piece = piece(number, words);
            if number < words
                && let Some(speech) = said.lock().expect("unpoisoned").get_mut(&stream)
            {
                speech.words.push(Instant::now());
            }
            Some((Ok::<_, Infallible>(Bytes::from(piece)), number + 1))
        }
    });
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(pieces)).into_response()
}

/// A word, the end, or the usage.
fn piece(number: usize, words: usize) -> String {
    let chunk = |choices: Value, usage: Value| {
        let chunk = json!({"id": "c", "object": "chat.completion.chunk", "created": 0,
            "model": "blueprint-1", "choices": choices, "usage": usage});
        format!("data: {chunk}\n\n")
    };
    if number < words {
        let delta = json!({"role": "assistant", "content": format!("{} ", word(number))});
        chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]), Value::Null)
    } else if number == words {
        chunk(json!([{"index": 0, "delta": {}, "finish_reason": "stop"}]), Value::Null)
    } else {
        let usage =
            json!({"prompt_tokens": 100, "completion_tokens": words, "total_tokens": 100 + words});
        chunk(json!([]), usage) + "data: [DONE]\n\n"
    }
}

/// The word with this number.
pub fn word(number: usize) -> String {
    format!("w{number:06}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_question_of_a_conversation_is_answered() {
        let (old, new) = (question(7, 1), question(12, 300));
        let body = json!({"messages": [{"content": old}, {"content": [{"text": new}]}]});
        assert_eq!(asked(body.to_string().as_bytes()), Some((12, 300)));
        assert_eq!(asked(b"{}"), None);
    }
}
