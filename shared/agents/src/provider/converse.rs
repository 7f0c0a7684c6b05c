//! Calls models on Bedrock: sends Converse requests that the function's role signs, and reads their event streams.

mod reply;
mod request;

use super::error::{Denied, Kind, ModelError};
use super::{Target, classify, wire};
use crate::exchange::{Event, Options, Request};
use bedrock::{Frames, Signer};
use reply::Reading;
use reqwest::Response;
use std::collections::VecDeque;
use std::time::Duration;

pub(super) use request::keeps_marked;

/// A stream that has begun.
pub(super) struct Stream {
    response: Response,
    /// The longest silence.
    silence: Duration,
    frames: Frames,
    reading: Reading,
    ready: VecDeque<Event>,
}

/// Sends the request; returns the stream, or the error that came instead.
pub(super) async fn open(
    http: &reqwest::Client,
    signer: &Signer,
    target: &Target,
    request: Request,
    options: &Options,
) -> Result<Stream, ModelError> {
    let url = format!("{}model/{}/converse-stream", target.base_url, segment(&target.model));
    let body = request::body(&target.model, request, options).to_string();
    let headers = [("content-type", "application/json")];
    let signed = signer.sign(&url, &headers, body.as_bytes()).await;
    let signed =
        signed.map_err(|error| ModelError::new(Kind::Refused(Denied::Use), error.to_string()))?;
    let call = http.post(&url).header("accept-encoding", "identity").body(body);
    let call = signed.iter().fold(call, |call, (name, value)| call.header(name, value));
    let response = wire::send(call, options.silence).await?;
    if !response.status().is_success() {
        return Err(refused(response, options.silence).await);
    }
    Ok(Stream {
        response,
        silence: options.silence,
        frames: Frames::default(),
        reading: Reading::default(),
        ready: VecDeque::new(),
    })
}

/// The error of an answer that is not a stream. A header has its name, the body its message.
async fn refused(response: Response, wait: Duration) -> ModelError {
    let status = response.status();
    let headers = response.headers().clone();
    let named = headers.get("x-amzn-errortype").and_then(|value| value.to_str().ok());
    let name = named.and_then(|name| name.split(':').next()).unwrap_or_default().to_owned();
    let body = wire::body(response, wait).await;
    classify::refusal(status.as_u16(), &headers, &reply::error(&name, body.as_bytes()))
}

impl Stream {
    /// The next event; `None` at the end of the stream.
    pub(super) async fn next(&mut self) -> Option<Result<Event, ModelError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            match self.advance().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Reads one frame, or one more packet. Returns false at the end.
    async fn advance(&mut self) -> Result<bool, ModelError> {
        let frame = self.frames.next_frame();
        let frame = frame.map_err(|error| wire::interrupted(error.to_string()))?;
        if let Some(frame) = frame {
            self.ready.extend(self.reading.read(&frame)?);
            return Ok(true);
        }
        let packet = wire::packet(&mut self.response, self.silence).await?;
        match packet {
            Some(packet) => self.frames.push(packet.as_ref()),
            // The count comes after the end; without it the reply is still complete.
            None => match self.reading.end() {
                Some(end) => self.ready.push_back(end),
                None => return Ok(false),
            },
        }
        Ok(true)
    }
}

/// A model's name as one path segment: names contain colons, and ARNs contain slashes.
fn segment(name: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    let encoded = name.bytes().map(|byte| match plain(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    encoded.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_is_one_segment_of_the_path() {
        assert_eq!(segment("eu.anthropic.claude-x-v1:0"), "eu.anthropic.claude-x-v1%3A0");
        let arn = "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.x";
        assert_eq!(segment(arn), "arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Feu.x");
    }
}
