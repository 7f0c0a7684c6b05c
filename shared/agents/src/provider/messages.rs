//! Calls models in Anthropic's Messages protocol, and reads their replies.
//!
//! The client library reads an error's body and a line of the stream whatever their length, so a faulty server could
//! take all memory of a function. It also sends the request only when the first event is read, says nothing of the
//! provider's count at the beginning, and adds up counts that may be of any size. So we make the calls ourselves, as in
//! the other two protocols.
//!
//! A reply is whole if it has a `stop_reason`, if `message_stop` follows it, or if it is a complete document.

mod reply;
mod request;

use super::error::ModelError;
use super::stream;
use genai::ServiceTarget;
use genai::chat::{ChatOptions, ChatRequest};

/// The version of the protocol.
const VERSION: &str = "2023-06-01";

/// A reply that has begun.
pub(super) type Stream = stream::Stream<reply::Reading>;

/// Sends the request with this key; returns the reply that begins, or the error that came instead.
pub(super) async fn open(
    http: &reqwest::Client,
    key: &str,
    target: &ServiceTarget,
    request: ChatRequest,
    options: &ChatOptions,
) -> Result<Stream, ModelError> {
    let url = stream::address(target.endpoint.base_url(), "messages")?;
    let (_, model) = target.model.model_name.namespace_and_name();
    let body = request::body(model, request, options);
    let call = http.post(url).header("x-api-key", key).header("anthropic-version", VERSION);
    Stream::begin(call, &body, options).await
}

#[cfg(test)]
mod tests;
