//! Calls models in the protocol of OpenAI's Chat Completions, and reads the replies of servers that only resemble it.
//!
//! Many servers leave out the `index` of a call or the `[DONE]` at the end, or send one JSON document instead of a
//! stream. We read whatever arrives, because a second call without a stream would have to be paid for, too.
//!
//! A reply is whole if it has a `finish_reason`, if `[DONE]` follows it, or if it is a complete document.

mod calls;
mod reply;
mod request;

use super::error::ModelError;
use super::{Target, stream};
use crate::exchange::{Options, Request};

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
    let url = stream::address(&target.base_url, "chat/completions")?;
    let body = request::body(&target.model, request, options);
    Stream::begin(http.post(url).bearer_auth(key), &body, options).await
}
