//! Ends event streams when the session that opened them ends, or when their project is deleted.
//!
//! The extractors that check the session and the project record them beside the request. This layer then cuts off every
//! answer that is an event stream once either is gone. Routes need no code for it.

use crate::sse::CutOff;
use crate::watched_streams::WatchedStreams;
use axum::http::StatusCode;
use axum::response::Response;
use domain::audit::Actor;
use domain::security::{About, SecurityEvent, record};
use domain::{InstallationId, Scope};
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
    pub fn bound(&self, mut response: Response) -> Response {
        let Some(cut_off) = response.extensions_mut().remove::<CutOff>() else { return response };
        let Some(Noted { streams: open, hash, .. }) = self.0.session.get() else { return response };
        let project = self.0.project.get().copied();
        let end = open.end_of(Access { session: hash.clone(), project });
        response.map(|body| cut_off.at(end, body))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{OpenStreams, sse};
    use domain::Timestamp;
    use futures::{FutureExt, StreamExt, stream};
    use std::future::pending;
    use std::time::Duration;
    use store::testing::{sizes, table};
    use tokio::sync::oneshot::channel;

    fn session() -> Session {
        let now = Timestamp::now();
        Session {
            user_id: 1,
            installation_id: InstallationId(7),
            shared: false,
            guest: false,
            account: None,
            login: "ann".to_owned(),
            name: None,
            avatar_url: String::new(),
            signed_in_at: now,
            ends_at: now,
        }
    }

    #[tokio::test]
    async fn a_stream_whose_session_has_ended_is_over_once_its_producer_has_ended() {
        let table = table().await;
        let streams = OpenStreams::from_env(&table).unwrap();
        let open = streams.open(InstallationId(7), Duration::from_secs(60)).await.unwrap();
        let (reader, reader_left) = channel::<()>();
        let (producer, ended) = channel::<()>();
        let events = stream::once(async move {
            let _reader = reader;
            pending().await
        });
        let cell = SessionCell::default();
        // The table has no such session.
        cell.note(WatchedStreams::new(&table), "ended".to_owned(), &session());
        let response = cell.bound(sse::stream(open, events, ended.map(drop)));
        let mut body = response.into_body().into_data_stream();
        tokio::select! {
            biased;
            left = reader_left => left.unwrap_err(),
            _ = body.next() => panic!("the stream is over before its producer knows"),
        };
        assert!(body.next().now_or_never().is_none(), "the producer is still paying");
        drop(producer);
        assert!(body.next().await.is_none());
        assert!(sizes(&table).await.is_empty(), "the place is free before the last byte");
    }
}
