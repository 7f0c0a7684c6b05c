//! Sends a call over HTTP and reads its answer packet by packet, for the protocols that we read ourselves.

use super::classify;
use super::error::{Kind, ModelError};
use crate::config::IDLE_TIMEOUT;
use genai::chat::ChatOptions;
use reqwest::{RequestBuilder, Response};
use std::time::Duration;
use tokio::time::timeout;

/// How long the provider may take until its answer begins.
pub(super) fn header_silence(options: &ChatOptions) -> Duration {
    options.stream_header_timeout.unwrap_or(IDLE_TIMEOUT)
}

/// The longest silence between two packets of an answer.
pub(super) fn read_silence(options: &ChatOptions) -> Duration {
    options.stream_read_timeout.unwrap_or(IDLE_TIMEOUT)
}

/// Sends a call; returns its answer, whatever its status is.
pub(super) async fn send(call: RequestBuilder, wait: Duration) -> Result<Response, ModelError> {
    match timeout(wait, call.send()).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(error)) if error.is_builder() => {
            Err(ModelError::new(Kind::Invalid, "the request could not be built"))
        }
        Ok(Err(error)) => Err(ModelError::new(Kind::Unreachable, classify::connection(&error))),
        Err(_) => Err(ModelError::new(Kind::Unreachable, "no answer in time")),
    }
}

/// The body of an answer that is not a reply; empty if it does not come.
pub(super) async fn body(response: Response, wait: Duration) -> String {
    timeout(wait, response.text()).await.ok().and_then(Result::ok).unwrap_or_default()
}

/// The next packet of an answer; `None` at its end.
pub(super) async fn packet(
    response: &mut Response,
    silence: Duration,
) -> Result<Option<impl AsRef<[u8]> + use<>>, ModelError> {
    match timeout(silence, response.chunk()).await {
        Ok(Ok(packet)) => Ok(packet),
        Ok(Err(error)) => Err(interrupted(classify::connection(&error))),
        Err(_) => Err(interrupted("silent for too long")),
    }
}

/// The error of a reply that broke off.
pub(super) fn interrupted(cause: impl Into<String>) -> ModelError {
    ModelError::new(Kind::Interrupted, cause)
}
