//! A reply that arrives as server-sent events, or as one JSON document, in a protocol that we read ourselves.
//!
//! A reply is whole if its end was announced or if it is a complete document. Anything else that ends has broken off.

use super::error::{Denied, Kind, ModelError};
use super::lines::{Lines, Message};
use super::{classify, wire};
use crate::exchange::{Event, Options};
use reqwest::{RequestBuilder, Response, Url};
use serde_json::Value;
use std::collections::VecDeque;
use std::time::Duration;

/// How long we wait after the announced end for the token count and the end of the stream.
const TAIL: Duration = Duration::from_secs(10);

/// Turns the messages of a protocol into the events of a reply.
pub(super) trait Reading: Default {
    /// The events in a message.
    fn read(&mut self, message: &Message) -> Result<Vec<Event>, ModelError>;

    /// Whether nothing of the reply itself is missing; its count may still come.
    fn is_whole(&self) -> bool;

    /// Whether nothing more will come.
    fn is_done(&self) -> bool;

    /// The end of a reply of which nothing is missing.
    fn end(&mut self) -> Event;
}

/// A reply that has begun.
pub(super) struct Stream<R> {
    response: Response,
    /// The longest silence.
    silence: Duration,
    lines: Lines,
    reading: R,
    ready: VecDeque<Event>,
    /// The error that follows the events that are ready.
    failed: Option<ModelError>,
    /// Whether the end of the reply is among the events.
    ended: bool,
}

/// The address of a call, with the query that the base URL may have.
pub(super) fn address(base_url: &str, path: &str) -> Result<Url, ModelError> {
    let invalid =
        |_| ModelError::new(Kind::Refused(Denied::Address), "the base URL is not an address");
    let base = Url::parse(base_url).map_err(invalid)?;
    let mut url = base.join(path).map_err(invalid)?;
    url.set_query(base.query());
    Ok(url)
}

impl<R: Reading> Stream<R> {
    /// Sends a call; returns the reply that begins, or the error that came instead.
    pub(super) async fn begin(
        call: RequestBuilder,
        body: &Value,
        options: &Options,
    ) -> Result<Self, ModelError> {
        let call = call.header("content-type", "application/json");
        // A compressed stream is sent in whole blocks, but readers should see each token as soon as it is made.
        let call = call.header("accept-encoding", "identity").body(body.to_string());
        let response = wire::send(call, options.silence).await?;
        if !response.status().is_success() {
            return Err(refused(response, options.silence).await);
        }
        Ok(Self {
            response,
            silence: options.silence,
            lines: Lines::default(),
            reading: R::default(),
            ready: VecDeque::new(),
            failed: None,
            ended: false,
        })
    }

    /// What has been read so far.
    pub(super) fn reading(&self) -> &R {
        &self.reading
    }

    /// The next event; `None` if the reply has broken off.
    pub(super) async fn next(&mut self) -> Option<Result<Event, ModelError>> {
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
        if ended && self.reading.is_whole() && !self.ended {
            self.ended = true;
            self.ready.push_back(self.reading.end());
        }
        Ok(!ended || !self.ready.is_empty())
    }
}

/// The error of an answer that is not a reply.
async fn refused(response: Response, wait: Duration) -> ModelError {
    let (status, headers) = (response.status(), response.headers().clone());
    let body = wire::body(response, wait).await;
    let body = serde_json::from_str(&body).unwrap_or(Value::Null);
    classify::refusal(status.as_u16(), &headers, &body)
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
            assert_eq!(address(base, "chat/completions").unwrap().as_str(), expected);
        }
        assert_eq!(
            address("http://", "messages").unwrap_err().kind,
            Kind::Refused(Denied::Address)
        );
    }
}
