//! Calls models in the protocol of OpenAI's Chat Completions, and reads the replies of servers that only resemble it.
//!
//! The client library reads replies exactly as OpenAI sends them. It drops tool calls whose pieces have no `index`, and
//! it takes a reply without `[DONE]`, or in one JSON document, for a broken one. Many compatible servers reply like
//! that. So we make the calls ourselves and read what came: a second call without a stream would be paid for twice.
//! Messages, events and errors are the library's, and all later code is shared.
//!
//! A reply is whole if it has a `finish_reason`, if `[DONE]` follows it, or if it is a complete document.

mod calls;
mod reply;
mod request;

use super::error::ModelError;
use super::stream;
use genai::ServiceTarget;
use genai::chat::{ChatOptions, ChatRequest};

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
    let url = stream::address(target.endpoint.base_url(), "chat/completions")?;
    let (_, model) = target.model.model_name.namespace_and_name();
    let body = request::body(model, request, options);
    Stream::begin(http.post(url).bearer_auth(key), &body, options).await
}
