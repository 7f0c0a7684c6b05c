//! The pages that replace a service's answer.

use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{Html, IntoResponse, Response};
use domain::preview::{
    ANSWER_BYTES, PreviewFailure, REQUEST_BYTES, REQUESTS_PER_PROJECT, SERVICE_SECONDS,
};
use flows::PreviewError;

/// When to repeat a request that found no room, in seconds: most services answer in less.
const RETRY_SECONDS: u32 = 2;

/// The reason for a missing answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The name is unknown or has expired.
    Ended,
    /// The ticket was used before, or is too old.
    Spent,
    /// The preview does not pass this method on.
    Method,
    /// The browser asks for a WebSocket.
    Socket,
    /// The request's body is too large.
    RequestTooLarge,
    /// All places of the project are taken.
    Crowded,
    /// No sandbox is running.
    Stopped,
    /// The sandbox gave no answer, for this reason.
    Failed(PreviewFailure),
    /// Something broke on our side.
    Broken,
}

impl From<&PreviewError> for Missing {
    fn from(error: &PreviewError) -> Self {
        match error {
            PreviewError::NotRunning | PreviewError::Unable => Self::Stopped,
            PreviewError::Silent => Self::Failed(PreviewFailure::TooSlow),
            PreviewError::RequestTooLarge => Self::RequestTooLarge,
            PreviewError::Failed(reason) => Self::Failed(*reason),
            PreviewError::Nonsense => Self::Failed(PreviewFailure::Broken),
            PreviewError::Store(_) | PreviewError::Aws(_) => Self::Broken,
        }
    }
}

impl Missing {
    /// Seconds after which the same request may succeed, if time alone helps.
    fn retry_after(self) -> Option<u32> {
        match self {
            Self::Crowded | Self::Failed(PreviewFailure::Busy | PreviewFailure::Restoring) => {
                Some(RETRY_SECONDS)
            }
            _ => None,
        }
    }

    fn words(self) -> (StatusCode, &'static str, String) {
        const MIB: usize = 1024 * 1024;
        let said = |status, title, text: &str| (status, title, text.to_owned());
        match self {
            Self::Ended => said(
                StatusCode::NOT_FOUND,
                "This preview has ended",
                "A preview is open for 30 minutes, and no longer than you are signed in. Open it again from your project's home.",
            ),
            Self::Spent => said(
                StatusCode::NOT_FOUND,
                "This link has already been used",
                "Each link opens a preview once. Open the preview again from your project's home.",
            ),
            Self::Method => said(
                StatusCode::METHOD_NOT_ALLOWED,
                "This method is not supported",
                "A preview supports GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS.",
            ),
            Self::Socket => said(
                StatusCode::NOT_IMPLEMENTED,
                "WebSockets are not supported",
                "A preview carries requests and responses, but not WebSockets.",
            ),
            Self::RequestTooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "This request is too large",
                format!(
                    "A preview accepts requests of up to {} MiB, and a few kilobytes of headers.",
                    REQUEST_BYTES / MIB
                ),
            ),
            Self::Stopped => said(
                StatusCode::SERVICE_UNAVAILABLE,
                "The sandbox is not running",
                "Start the sandbox on your project's home, and the service inside it. Then reload this page.",
            ),
            Self::Failed(PreviewFailure::NotListening) => said(
                StatusCode::BAD_GATEWAY,
                "Nothing listens on this port",
                "The service has ended or has not started yet. Start it in the sandbox and reload this page.",
            ),
            Self::Failed(PreviewFailure::TooLarge) => (
                StatusCode::BAD_GATEWAY,
                "The response is too large",
                format!("A preview shows responses of up to {} MiB.", ANSWER_BYTES / MIB),
            ),
            Self::Failed(PreviewFailure::TooSlow) => (
                StatusCode::GATEWAY_TIMEOUT,
                "The service took too long",
                format!(
                    "A preview waits up to {SERVICE_SECONDS} seconds for the complete response."
                ),
            ),
            Self::Failed(PreviewFailure::Broken) => said(
                StatusCode::BAD_GATEWAY,
                "The service did not answer",
                "The service on this port does not speak HTTP, or it ended its answer early.",
            ),
            Self::Failed(PreviewFailure::Busy) => said(
                StatusCode::SERVICE_UNAVAILABLE,
                "Too many requests at once",
                "The sandbox is still answering earlier requests of this project. Reload this page in a moment.",
            ),
            Self::Crowded => (
                StatusCode::SERVICE_UNAVAILABLE,
                "Too many requests at once",
                format!(
                    "{REQUESTS_PER_PROJECT} requests to previews of this project are open, which is the limit. Reload this page in a moment."
                ),
            ),
            Self::Failed(PreviewFailure::Restoring) => said(
                StatusCode::SERVICE_UNAVAILABLE,
                "Your files are being restored",
                "Reload this page in a moment.",
            ),
            Self::Broken => said(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Something went wrong on our side",
                "Reload this page in a moment.",
            ),
        }
    }
}

impl IntoResponse for Missing {
    fn into_response(self) -> Response {
        let (status, title, text) = self.words();
        let page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
             <style>body{{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1rem}}</style>\
             <h1>{title}</h1><p>{text}</p></html>"
        );
        let mut response = (status, Html(page)).into_response();
        if let Some(seconds) = self.retry_after() {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
