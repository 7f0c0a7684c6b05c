//! Ends event streams when the session that opened them ends, or when their project is deleted.
//!
//! The extractors that check the session and the project record them beside the request. This layer then cuts off every
//! answer that is an event stream once either is gone. Routes need no code for it.

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use domain::audit::Actor;
use domain::report::Chain;
use domain::security::{About, SecurityEvent, record};
use domain::{InstallationId, Scope};
use futures::StreamExt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use store::StoreError;
use store::projects::Projects;
use store::sessions::{Session, Sessions};

/// How often an open stream checks its session and its project; the stream ends within 5 s of either.
const LOOK_EVERY: Duration = Duration::from_secs(4);

/// The session of a request, and its project if a header names it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SessionCell(Arc<Cell>);

#[derive(Debug, Default)]
struct Cell {
    session: OnceLock<Noted>,
    project: OnceLock<(Projects, Scope)>,
}

#[derive(Debug)]
struct Noted {
    sessions: Sessions,
    hash: String,
    installation: InstallationId,
    by: Actor,
}

/// The conditions for a stream to stay open.
#[derive(Debug)]
struct Access {
    sessions: Sessions,
    hash: String,
    project: Option<(Projects, Scope)>,
}

impl SessionCell {
    /// Records the session and its token's hash.
    pub fn note(&self, sessions: Sessions, hash: String, session: &Session) {
        let (installation, by) = (session.installation_id, session.actor());
        let _ = self.0.session.set(Noted { sessions, hash, installation, by });
    }

    /// Records the project.
    pub fn note_project(&self, projects: Projects, scope: Scope) {
        let _ = self.0.project.set((projects, scope));
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
        let Some(Noted { sessions, hash, .. }) = self.0.session.get().filter(|_| streams) else {
            return response;
        };
        let project = self.0.project.get().cloned();
        let access = Access { sessions: sessions.clone(), hash: hash.clone(), project };
        let end = end_of(access);
        response.map(|body| Body::from_stream(body.into_data_stream().take_until(Box::pin(end))))
    }
}

/// Waits until the access has ended.
async fn end_of(access: Access) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        match access.lasts().await {
            Ok(true) => {}
            Ok(false) => return,
            // The next check decides, because a short outage of the table must not end a conversation.
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "the session or the project of an open stream cannot be read; the stream stays open for now");
            }
        }
    }
}

impl Access {
    /// Whether the session is open and the project exists.
    async fn lasts(&self) -> Result<bool, StoreError> {
        let exists = async {
            match &self.project {
                Some((projects, scope)) => projects.exists(*scope).await,
                None => Ok(true),
            }
        };
        let (open, exists) = tokio::try_join!(self.sessions.is_open(&self.hash), exists)?;
        Ok(open && exists)
    }
}
