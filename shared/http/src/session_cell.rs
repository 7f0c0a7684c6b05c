//! Ends event streams when the session that opened them ends, or when their project is deleted.
//!
//! The extractors that check the session and the project record them beside the request. This layer then cuts off every
//! answer that is an event stream once either is gone. Routes need no code for it.

use crate::watched_streams::WatchedStreams;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use domain::audit::Actor;
use domain::security::{About, SecurityEvent, record};
use domain::{InstallationId, Scope};
use futures::StreamExt;
use std::sync::{Arc, OnceLock};
use store::access::Access;
use store::sessions::Session;

/// The session of a request, and its project if a header names it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SessionCell(Arc<Cell>);

#[derive(Debug, Default)]
struct Cell {
    session: OnceLock<Noted>,
    project: OnceLock<Scope>,
}

#[derive(Debug)]
struct Noted {
    streams: WatchedStreams,
    hash: String,
    installation: InstallationId,
    by: Actor,
}

impl SessionCell {
    /// Records the session and its token's hash, and where its streams are checked.
    pub fn note(&self, streams: WatchedStreams, hash: String, session: &Session) {
        let (installation, by) = (session.installation_id, session.actor());
        let _ = self.0.session.set(Noted { streams, hash, installation, by });
    }

    /// Records the project.
    pub fn note_project(&self, scope: Scope) {
        let _ = self.0.project.set(scope);
    }

    /// Writes a refusal into the security log; a 404 counts only for a signed-in caller.
    pub fn log_refusal(&self, status: StatusCode, code: &str, call: &str) {
        let noted = self.0.session.get();
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

    /// The answer; if it is an event stream, it is cut off when the session ends or the project is deleted.
    pub fn bound(&self, response: Response) -> Response {
        let kind = response.headers().get(CONTENT_TYPE);
        let streams = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        let Some(Noted { streams: open, hash, .. }) = self.0.session.get().filter(|_| streams)
        else {
            return response;
        };
        let project = self.0.project.get().copied();
        let end = open.end_of(Access { session: hash.clone(), project });
        response.map(|body| Body::from_stream(body.into_data_stream().take_until(Box::pin(end))))
    }
}
