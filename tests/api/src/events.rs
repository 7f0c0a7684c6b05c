//! A reply in server-sent events.

use crate::waiting::soon;
use bytes::Bytes;
use futures::StreamExt;
use futures::stream::BoxStream;
use reqwest::header::HeaderMap;
use serde_json::Value;

/// A streaming reply; dropping it disconnects in the middle.
pub struct Events {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    chunks: BoxStream<'static, reqwest::Result<Bytes>>,
    unread: String,
    /// Every line so far, unchanged.
    pub lines: Vec<String>,
}

impl Events {
    pub(crate) fn of(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let chunks = response.bytes_stream().boxed();
        Self { status, headers, chunks, unread: String::new(), lines: Vec::new() }
    }

    /// The next event; `None` once the reply has ended or broken off.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((event, rest)) = self.unread.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.unread = rest;
                self.lines.extend(event.lines().map(str::to_owned));
                if let Some(data) = event.lines().find_map(|line| line.strip_prefix("data:")) {
                    return Some(serde_json::from_str(data).unwrap());
                }
                continue;
            }
            let chunk = soon("the next piece of a reply", self.chunks.next()).await?.ok()?;
            self.unread.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// Reads until the first text.
    pub async fn text_begins(&mut self) -> Value {
        loop {
            let event = self.next().await.expect("a reply has text");
            if event["event"] == "on_chat_model_stream" {
                return event;
            }
        }
    }

    /// All events up to the end.
    pub async fn all(&mut self) -> Vec<Value> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }
}
