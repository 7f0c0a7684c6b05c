//! Ends event streams when the session that opened them ends.
//!
//! The extractor that checks the session records it beside the request. This layer then cuts off every answer that is
//! an event stream once that session has ended. Routes need no code for it.

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use domain::InstallationId;
use domain::audit::Actor;
use domain::report::Chain;
use domain::security::{About, SecurityEvent, record};
use futures::StreamExt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use store::sessions::{Session, Sessions};

/// How often an open stream checks its session; the stream ends within 5 s of its session.
const LOOK_EVERY: Duration = Duration::from_secs(4);

/// The session of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct SessionCell(Arc<OnceLock<Noted>>);

#[derive(Debug)]
struct Noted {
    sessions: Sessions,
    hash: String,
    installation: InstallationId,
    by: Actor,
}

impl SessionCell {
    /// Records the session and its token's hash.
    pub fn note(&self, sessions: Sessions, hash: String, session: &Session) {
        let (installation, by) = (session.installation_id, session.actor());
        let _ = self.0.set(Noted { sessions, hash, installation, by });
    }

    /// Writes a refusal into the security log; a 404 counts only for a signed-in caller.
    pub fn log_refusal(&self, status: StatusCode, code: &str, call: &str) {
        let noted = self.0.get();
        let refused = match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => {
                true
            }
            StatusCode::NOT_FOUND => noted.is_some(),
            _ => false,
        };
        if refused {
            let about = noted.map_or_else(About::default, |noted| {
                About::installation(noted.installation).by(&noted.by)
            });
            let detail = format!("status={} code={code} {call}", status.as_u16());
            record(SecurityEvent::Refused, about, &detail);
        }
    }

    /// The answer; if it is an event stream, it is cut off when the session ends.
    pub fn bound(&self, response: Response) -> Response {
        let kind = response.headers().get(CONTENT_TYPE);
        let streams = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        let Some(Noted { sessions, hash, .. }) = self.0.get().filter(|_| streams) else {
            return response;
        };
        let end = end_of(sessions.clone(), hash.clone());
        response.map(|body| Body::from_stream(body.into_data_stream().take_until(Box::pin(end))))
    }
}

/// Waits until the session has ended.
async fn end_of(sessions: Sessions, hash: String) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        match sessions.is_open(&hash).await {
            Ok(true) => {}
            Ok(false) => return,
            // The next check decides, because a short outage of the table must not end a conversation.
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "the session of an open stream cannot be read; the stream stays open for now");
            }
        }
    }
}
