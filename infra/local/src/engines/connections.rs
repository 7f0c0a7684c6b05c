//! API Gateway's WebSocket connections, as its management API shows them: `/@connections/{id}`.
//!
//! A connection is known here from the moment `$connect` is called until its socket closes. A post to it puts the
//! message into the socket's queue, in the order of the calls; a post to a closed connection, or to one that `$connect`
//! has not admitted yet, is answered with 410, as by API Gateway.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;

/// The largest message, in bytes: API Gateway's own limit of 128 KB.
pub const MESSAGE_BYTES: usize = 128 * 1024;
/// How many messages a slow client's queue holds before a post has to wait.
const QUEUED_MESSAGES: usize = 256;
/// The largest body that is read at all, in bytes: larger than the limit, so that an oversized message gets API
/// Gateway's own error.
const BODY_BYTES: usize = 4 * MESSAGE_BYTES;

/// All connections.
#[derive(Clone, Default)]
pub struct Connections(Arc<Mutex<HashMap<String, Connection>>>);

/// An item in a connection's queue.
#[derive(Debug)]
pub enum Outgoing {
    /// A message.
    Message(Bytes),
    /// Close the connection.
    Close,
}

/// One connection.
#[derive(Clone)]
pub struct Connection {
    outgoing: mpsc::Sender<Outgoing>,
    admitted: bool,
    connected_ms: i64,
    active_ms: i64,
    source_ip: String,
    user_agent: String,
}

impl Connection {
    /// A connection that is not admitted yet, and its queue.
    fn new(source_ip: String, user_agent: String) -> (Self, mpsc::Receiver<Outgoing>) {
        let (outgoing, queue) = mpsc::channel(QUEUED_MESSAGES);
        let now = crate::ids::now_ms();
        let (connected_ms, active_ms) = (now, now);
        let connection =
            Self { outgoing, admitted: false, connected_ms, active_ms, source_ip, user_agent };
        (connection, queue)
    }
}

impl Connections {
    /// Adds a new connection; returns its id and its queue.
    pub fn open(
        &self,
        source_ip: String,
        user_agent: String,
    ) -> (String, mpsc::Receiver<Outgoing>) {
        let id = crate::ids::connection_id();
        let (connection, queue) = Connection::new(source_ip, user_agent);
        self.all().insert(id.clone(), connection);
        (id, queue)
    }

    /// Opens and admits a recorded connection. If it was open already, its old queue ends.
    pub fn reopen(&self, id: &str) -> mpsc::Receiver<Outgoing> {
        let (connection, queue) = Connection::new("127.0.0.1".to_owned(), String::new());
        self.all().insert(id.to_owned(), Connection { admitted: true, ..connection });
        queue
    }

    /// Lets messages through, once `$connect` has accepted the connection.
    pub fn admit(&self, id: &str) {
        self.all().entry(id.to_owned()).and_modify(|connection| connection.admitted = true);
    }

    /// Records that the client sent something.
    pub fn touch(&self, id: &str) {
        let now = crate::ids::now_ms();
        self.all().entry(id.to_owned()).and_modify(|connection| connection.active_ms = now);
    }

    /// Removes a connection: posts to it answer 410 from now on.
    pub fn close(&self, id: &str) {
        self.all().remove(id);
    }

    /// The routes of the management API.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/@connections/{id}", post(send).get(describe).delete(disconnect))
            .layer(DefaultBodyLimit::max(BODY_BYTES))
            .with_state(self.clone())
    }

    fn admitted(&self, id: &str) -> Result<Connection, Refusal> {
        self.all().get(id).filter(|connection| connection.admitted).cloned().ok_or(Refusal::Gone)
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Connection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn send(
    State(all): State<Connections>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Refusal> {
    let connection = all.admitted(&id)?;
    if body.len() > MESSAGE_BYTES {
        return Err(Refusal::TooLarge);
    }
    connection.outgoing.send(Outgoing::Message(body)).await.map_err(|_closed| Refusal::Gone)?;
    Ok(StatusCode::OK)
}

async fn describe(
    State(all): State<Connections>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let connection = all.admitted(&id)?;
    let body = json!({
        "connectedAt": crate::ids::rfc3339(connection.connected_ms),
        "lastActiveAt": crate::ids::rfc3339(connection.active_ms),
        "identity": {"sourceIp": connection.source_ip, "userAgent": connection.user_agent},
    });
    Ok(axum::Json(body).into_response())
}

async fn disconnect(
    State(all): State<Connections>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let connection = all.admitted(&id)?;
    connection.outgoing.send(Outgoing::Close).await.map_err(|_closed| Refusal::Gone)?;
    Ok(StatusCode::NO_CONTENT)
}

enum Refusal {
    Gone,
    TooLarge,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, kind, message) = match self {
            Self::Gone => (StatusCode::GONE, "GoneException", "The connection is gone."),
            Self::TooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "PayloadTooLargeException",
                "The message is larger than 128 KB.",
            ),
        };
        (status, [("x-amzn-errortype", kind)], axum::Json(json!({"message": message})))
            .into_response()
    }
}
