//! Calls models in Anthropic's Messages protocol, and reads their replies.
//!
//! A reply is whole if it has a `stop_reason`, if `message_stop` follows it, or if it is a complete document.

mod reply;
mod request;

use super::error::ModelError;
use super::{Target, stream};
use crate::exchange::{Options, Request};

/// The version of the protocol.
const VERSION: &str = "2023-06-01";

/// A reply that has begun.
pub(super) type Stream = stream::Stream<reply::Reading>;

/// Sends the request with this key; returns the reply that begins, or the error that came instead.
pub(super) async fn open(
    http: &reqwest::Client,
    key: &str,
    target: &Target,
    request: Request,
    options: &Options,
) -> Result<Stream, ModelError> {
    let url = stream::address(&target.base_url, "messages")?;
    let body = request::body(&target.model, request, options);
    let call = http.post(url).header("x-api-key", key).header("anthropic-version", VERSION);
    Stream::begin(call, &body, options).await
}

#[cfg(test)]
mod tests;
