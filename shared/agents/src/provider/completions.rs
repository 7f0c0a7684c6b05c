//! Calls models in the protocol of OpenAI's Chat Completions, and reads the replies of servers that only resemble it.
//!
//! The client library reads replies exactly as OpenAI sends them. It drops tool calls whose pieces have no `index`, and
//! it takes a reply without `[DONE]`, or in one JSON document, for a broken one. Many compatible servers reply like
//! that. So we make the calls ourselves, over the same HTTP client, and read what came: a second call without a stream
//! would be paid for twice. Messages, events and errors are the library's, and all later code is shared.
//!
//! A reply is whole if it has a `finish_reason`, if `[DONE]` follows it, or if it is a complete document. Anything else
//! that ends has broken off.

mod calls;
mod lines;
mod reply;
mod request;

use super::error::{Kind, ModelError};
use super::{classify, wire};
use genai::ServiceTarget;
use genai::chat::{ChatOptions, ChatRequest, ChatStreamEvent};
use lines::Lines;
use reply::Reading;
use reqwest::{Response, Url};
use serde_json::Value;
use std::collections::VecDeque;
use std::time::Duration;

/// How long we wait after the `finish_reason` for the token count and the end of the stream.
const TAIL: Duration = Duration::from_secs(10);

/// A reply that has begun.
pub(super) struct Stream {
    response: Response,
    /// The longest silence.
    silence: Duration,
    lines: Lines,
    reading: Reading,
    ready: VecDeque<ChatStreamEvent>,
    /// The error that follows the events that are ready.
    failed: Option<ModelError>,
}

/// Sends the request with this key; returns the reply that begins, or the error that came instead.
pub(super) async fn open(
    http: &reqwest::Client,
    key: &str,
    target: &ServiceTarget,
    request: ChatRequest,
    options: &ChatOptions,
) -> Result<Stream, ModelError> {
    let url = address(target.endpoint.base_url())?;
    let (_, model) = target.model.model_name.namespace_and_name();
    let body = request::body(model, request, options).to_string();
    let call = http.post(url).bearer_auth(key).header("content-type", "application/json");
    // A compressed stream is sent in whole blocks, but readers should see each token as soon as it is made.
    let call = call.header("accept-encoding", "identity").body(body);
    let wait = wire::header_silence(options);
    let response = wire::send(call, wait).await?;
    if !response.status().is_success() {
        return Err(refused(response, wait).await);
    }
    Ok(Stream {
        response,
        silence: wire::read_silence(options),
        lines: Lines::default(),
        reading: Reading::default(),
        ready: VecDeque::new(),
        failed: None,
    })
}

/// The address of the call, with the query that the base URL may have.
fn address(base_url: &str) -> Result<Url, ModelError> {
    let invalid = |_| ModelError::new(Kind::Invalid, "the base URL is not an address");
    let base = Url::parse(base_url).map_err(invalid)?;
    let mut url = base.join("chat/completions").map_err(invalid)?;
    url.set_query(base.query());
    Ok(url)
}

/// The error of an answer that is not a reply.
async fn refused(response: Response, wait: Duration) -> ModelError {
    let (status, headers) = (response.status(), response.headers().clone());
    let body = wire::body(response, wait).await;
    let body = serde_json::from_str(&body).unwrap_or(Value::Null);
    classify::refusal(status.as_u16(), &headers, &body)
}

impl Stream {
    /// The next event; `None` if the reply has broken off.
    pub(super) async fn next(&mut self) -> Option<Result<ChatStreamEvent, ModelError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            if let Some(error) = self.failed.take() {
                return Some(Err(error));
            }
            match self.advance().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Reads one more packet. Returns false at the end.
    async fn advance(&mut self) -> Result<bool, ModelError> {
        let whole = self.reading.is_whole();
        let silence = if whole { self.silence.min(TAIL) } else { self.silence };
        let packet = match wire::packet(&mut self.response, silence).await {
            // Only the count is missing; without it the reply is still complete.
            Err(_) if whole => None,
            packet => packet?,
        };
        let mut messages = Vec::new();
        let split = match &packet {
            Some(packet) => self.lines.push(packet.as_ref(), &mut messages),
            None => self.lines.end(&mut messages),
        };
        let read = messages.iter().try_for_each(|message| {
            let events = self.reading.read(message)?;
            self.ready.extend(events);
            Ok(())
        });
        // A message that follows a whole reply cannot spoil it.
        if let Err(error) = read.and(split)
            && !self.reading.is_whole()
        {
            self.failed = Some(error);
            return Ok(true);
        }
        let ended = packet.is_none() || self.reading.is_done();
        match ended.then(|| self.reading.end()) {
            Some(Some(end)) => self.ready.push_back(end),
            Some(None) if self.ready.is_empty() => return Ok(false),
            _ => {}
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_keeps_the_base_urls_path_and_query() {
        for (base, expected) in [
            ("https://api.openai.com/v1/", "https://api.openai.com/v1/chat/completions"),
            ("http://host/a/v1/?api-version=2", "http://host/a/v1/chat/completions?api-version=2"),
        ] {
            assert_eq!(address(base).unwrap().as_str(), expected);
        }
        assert_eq!(address("http://").unwrap_err().kind, Kind::Invalid);
    }
}
