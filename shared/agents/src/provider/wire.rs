//! Sends a call over HTTP and reads its answer packet by packet, for the protocols that we read ourselves.

use super::classify;
use super::error::{Field, Kind, ModelError};
use crate::exchange::Counted;
use reqwest::{RequestBuilder, Response};
use serde_json::Value;
use std::time::Duration;
use tokio::time::timeout;

/// How much of an error is read, in bytes: many times what any provider says.
const ERROR_BYTES: usize = 64 * 1024;

/// Sends a call; returns its answer, whatever its status is.
pub(super) async fn send(call: RequestBuilder, wait: Duration) -> Result<Response, ModelError> {
    match timeout(wait, call.send()).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(error)) if error.is_builder() => {
            Err(ModelError::new(Kind::Invalid(Field::Other), "the request could not be built"))
        }
        Ok(Err(error)) => Err(ModelError::new(Kind::Unreachable, classify::connection(&error))),
        Err(_) => Err(ModelError::new(Kind::Unreachable, "no answer in time")),
    }
}

/// The body of an answer that is not a reply, at most [`ERROR_BYTES`] of it; empty if it does not come.
pub(super) async fn body(mut response: Response, wait: Duration) -> String {
    let read = async {
        let mut body = Vec::new();
        while body.len() < ERROR_BYTES
            && let Some(packet) = response.chunk().await?
        {
            body.extend_from_slice(&packet[..packet.len().min(ERROR_BYTES - body.len())]);
        }
        Ok::<_, reqwest::Error>(String::from_utf8_lossy(&body).into_owned())
    };
    timeout(wait, read).await.ok().and_then(Result::ok).unwrap_or_default()
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

/// The error of an event that is not JSON, or not all of it.
pub(super) fn malformed(error: serde_json::Error) -> ModelError {
    let place = format!("{:?} at column {}", error.classify(), error.column());
    interrupted(format!("malformed event: {place}"))
}

/// More tokens than any call has.
const TOO_MANY_TOKENS: u64 = 1 << 31;

/// A number of tokens; `None` if the provider gave none, or none that can be true.
pub(super) fn count(counted: &Value, name: &str) -> Option<u64> {
    counted.get(name)?.as_u64().filter(|tokens| *tokens < TOO_MANY_TOKENS)
}

/// Input tokens as Anthropic and Bedrock count them: by whether they came from the cache of earlier calls, went into it,
/// or neither.
#[derive(Debug, Clone, Copy)]
pub(super) struct Input {
    pub(super) uncached: u64,
    pub(super) read: Option<u64>,
    pub(super) written: Option<u64>,
}

impl Input {
    /// The count of a whole call. Everything was sent, whatever the cache held.
    pub(super) fn with_output(self, output: u64) -> Counted {
        let cached = self.read.unwrap_or_default();
        let input = self.uncached + cached + self.written.unwrap_or_default();
        Counted { input, cached, output }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::redirect::Policy;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    /// The bytes that a connection itself may hold beyond what was read.
    const CONNECTION_BYTES: usize = 16 << 20;

    #[tokio::test]
    async fn an_error_without_an_end_is_read_up_to_the_bound() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let sent = Arc::new(AtomicUsize::new(0));
        let counts = sent.clone();
        tokio::spawn(async move {
            let (mut client, _) = listener.accept().await.unwrap();
            let read = client.read(&mut [0; 4096]).await.unwrap();
            assert!(read > 0, "the client sends a request");
            client.write_all(b"HTTP/1.1 500 No\r\n\r\n{\"error\": \"").await.unwrap();
            while client.write_all(&[b'a'; 4096]).await.is_ok() {
                counts.fetch_add(4096, Ordering::Relaxed);
            }
        });
        let call = reqwest::Client::builder().redirect(Policy::none()).no_proxy().build();
        let call = call.unwrap().get(address);
        let answer = send(call, Duration::from_secs(60)).await.unwrap();
        let read = body(answer, Duration::from_secs(60)).await;
        assert_eq!(read.len(), ERROR_BYTES);
        assert!(read.starts_with("{\"error\": \"aaa"), "{:.20}", read);
        let sent = sent.load(Ordering::Relaxed);
        assert!(sent < ERROR_BYTES + CONNECTION_BYTES, "{sent}");
    }
}
