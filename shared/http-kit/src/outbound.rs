//! Calls other parties' APIs.
//!
//! The client is made at the first call. Making it reads the system's certificates, which takes 3 ms, more than
//! everything else that a function does before it asks for its first event.
//!
//! What the others answer is read up to a bound ([`read_json`]): a function has little memory, and a party that was taken
//! over, or a proxy in between, must not be able to fill it. A test refuses every other way of reading an answer.

use reqwest::redirect::Policy;
use reqwest::{Client, Error, Method, RequestBuilder, Response};
use serde::de::DeserializeOwned;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The longest answer that is read, in bytes: twice GitHub's longest, a tree of 7 MB.
pub const ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// An answer that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// It broke off, or took too long.
    #[error("the answer broke off")]
    Lost(#[from] Error),
    /// It is longer than [`ANSWER_BYTES`].
    #[error("the answer is longer than {ANSWER_BYTES} bytes")]
    TooLong,
    /// It is not JSON of the expected form.
    #[error("the answer has another form than expected")]
    Form(#[from] serde_json::Error),
}

/// Reads an answer in JSON, at most [`ANSWER_BYTES`] of it. The bound holds for what a compressed answer expands to.
///
/// # Errors
///
/// If the answer breaks off, is longer, or has another form.
pub async fn read_json<T: DeserializeOwned>(mut answer: Response) -> Result<T, AnswerError> {
    let mut body = Vec::new();
    while let Some(part) = answer.chunk().await? {
        if body.len() + part.len() > ANSWER_BYTES {
            return Err(AnswerError::TooLong);
        }
        body.extend_from_slice(&part);
    }
    Ok(serde_json::from_slice(&body)?)
}

/// Calls one party. Follows no redirects, so that secrets and tokens go only to that party. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Outbound {
    timeout: Duration,
    client: Arc<OnceLock<Client>>,
}

impl Outbound {
    /// A client whose calls fail if an answer takes longer than this.
    pub fn within(timeout: Duration) -> Self {
        Self { timeout, client: Arc::default() }
    }

    /// Begins a call to this address.
    ///
    /// # Errors
    ///
    /// If the client cannot be made, for example because the machine has no certificates.
    pub fn request(&self, method: Method, url: &str) -> Result<RequestBuilder, Error> {
        if let Some(client) = self.client.get() {
            return Ok(client.request(method, url));
        }
        let client = Client::builder().redirect(Policy::none()).user_agent("groundcrew");
        let client = client.timeout(self.timeout).build()?;
        Ok(self.client.get_or_init(|| client).request(method, url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::Body;
    use futures::StreamExt;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const PART: &[u8] = &[b' '; 64 * 1024];
    /// More than the connection itself holds: Linux lets the buffer of its reader grow to 32 MiB.
    const HELD_BYTES: usize = 128 << 20;

    /// The result of reading an answer without an end, and how many of its bytes were sent.
    async fn of_endless(status: u16) -> (Response, Arc<AtomicUsize>) {
        let sent = Arc::new(AtomicUsize::new(0));
        let counts = sent.clone();
        let router = Router::new().fallback(async move || {
            let parts = futures::stream::repeat_with(move || {
                counts.fetch_add(PART.len(), Ordering::Relaxed);
                Ok::<_, std::convert::Infallible>(PART)
            });
            // An endless text in which JSON could still begin.
            let body = Body::from_stream(parts.fuse());
            axum::http::Response::builder().status(status).body(body).unwrap()
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let outbound = Outbound::within(Duration::from_secs(30));
        (outbound.request(Method::GET, &address).unwrap().send().await.unwrap(), sent)
    }

    #[tokio::test]
    async fn an_answer_without_an_end_is_given_up_at_the_bound() {
        let (answer, sent) = of_endless(200).await;
        let read = read_json::<serde_json::Value>(answer).await;
        assert!(matches!(read, Err(AnswerError::TooLong)), "{read:?}");
        let sent = sent.load(Ordering::Relaxed);
        assert!(sent < ANSWER_BYTES + HELD_BYTES, "{sent}");
    }

    #[tokio::test]
    async fn an_error_without_an_end_is_given_up_as_well() {
        let (answer, sent) = of_endless(422).await;
        let error = crate::github::GitHubError::of_answer(answer).await;
        assert!(error.is(reqwest::StatusCode::UNPROCESSABLE_ENTITY), "{error}");
        let sent = sent.load(Ordering::Relaxed);
        assert!(sent < ANSWER_BYTES + HELD_BYTES, "{sent}");
    }

    #[tokio::test]
    async fn an_answer_within_the_bound_is_read_whole() {
        let text = serde_json::json!({"tree": "x".repeat(7_000_000)});
        let answer = axum::http::Response::new(text.to_string()).into();
        assert_eq!(read_json::<serde_json::Value>(answer).await.unwrap(), text);
    }
}
