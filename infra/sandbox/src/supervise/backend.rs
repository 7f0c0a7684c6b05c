//! Terraform's HTTP backend, on the sandbox's loopback interface.
//!
//! It only reads requests and passes them to the agent. The agent recognizes the client by the password, keeps the
//! state with the gateway, and answers. So no process in here can read a state unless a command of the sandbox asked
//! for it.
//!
//! A project has a state for each root module. The variables that every command gets are the same in every folder, so they
//! cannot tell root modules apart, and a variable that one script sets is gone in the next one, which would then plan with
//! another module's state. So a root module names its state in its own files, as the user name in its backend block:
//! `backend "http" { username = "network" }`. A block without a user name means the default state.

use std::collections::HashMap;
use std::io;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures::StreamExt;
use protocol::STATE_BYTES;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::AbortHandle;

use super::{Events, send};
use crate::pipe::{DATA_BYTES, Event};

/// How many requests may be in progress at once; each may hold a whole state.
const AT_ONCE: usize = 4;

/// How much of an oversized body is read, in bytes: a client that is still writing would not see the answer.
const DRAINED_BYTES: u64 = 256 * 1024 * 1024;

/// The state of a root module that names none.
const USUAL: &str = "main";

/// The user name in requests of a root module that names no state; the password identifies the client.
const USER: &str = "groundcrew";

/// The path of a state, before its name.
const PLACE: &str = "/terraform/";

/// How often Terraform repeats a request that got no answer. Its waits grow to half a minute, and each attempt waits for the
/// gateway, so this bridges about six minutes without a connection. With Terraform's default of two, a state is given up
/// after one.
const RETRIES: &str = "10";

/// The longest accepted password, path or lock id, in bytes.
const TEXT_BYTES: usize = 512;

/// A part of an answer: its status, its data, and whether it is the last part.
type Part = (u16, Vec<u8>, bool);

/// Answers that the agent still owes.
type Jobs = Arc<Mutex<HashMap<u64, mpsc::UnboundedSender<Part>>>>;

/// The listener; dropping it stops it.
pub struct Backend {
    port: u16,
    jobs: Jobs,
    serving: AbortHandle,
}

impl Drop for Backend {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

#[derive(Clone)]
struct Server {
    /// Weak, so that the last event is written when the supervisor ends even if requests are still open here.
    events: mpsc::WeakSender<crate::pipe::Frame<Event>>,
    jobs: Jobs,
    next: Arc<AtomicU64>,
    room: Arc<Semaphore>,
}

/// Starts to listen on a free port.
pub async fn start(events: &Events) -> io::Result<Backend> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let port = listener.local_addr()?.port();
    let jobs = Jobs::default();
    let server = Server {
        events: events.downgrade(),
        jobs: jobs.clone(),
        next: Arc::default(),
        room: Arc::new(Semaphore::new(AT_ONCE)),
    };
    let router = Router::new().fallback(pass_on).with_state(server);
    let serving = tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(%error, "Terraform's backend has ended");
        }
    });
    Ok(Backend { port, jobs, serving: serving.abort_handle() })
}

impl Backend {
    /// The variables with which `backend "http" {}` needs no arguments.
    pub fn environment(&self, password: &str) -> [(&'static str, String); 6] {
        let address = format!("http://127.0.0.1:{}{PLACE}{USUAL}", self.port);
        [
            ("TF_HTTP_ADDRESS", address.clone()),
            ("TF_HTTP_LOCK_ADDRESS", address.clone()),
            ("TF_HTTP_UNLOCK_ADDRESS", address),
            ("TF_HTTP_USERNAME", USER.to_owned()),
            ("TF_HTTP_PASSWORD", password.to_owned()),
            ("TF_HTTP_RETRY_MAX", RETRIES.to_owned()),
        ]
    }

    /// Passes a part of the agent's answer to the client that asked, if the client is still connected.
    pub fn respond(&self, job: u64, part: Part) {
        let asker = lock(&self.jobs).get(&job).cloned();
        if let Some(asker) = asker {
            let _ = asker.send(part);
        }
    }
}

/// A panic during an insert leaves a usable map.
fn lock(jobs: &Jobs) -> std::sync::MutexGuard<'_, HashMap<u64, mpsc::UnboundedSender<Part>>> {
    jobs.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the job once its client has its answer or has disconnected.
struct Open {
    job: u64,
    jobs: Jobs,
}

impl Drop for Open {
    fn drop(&mut self) {
        lock(&self.jobs).remove(&self.job);
    }
}

async fn pass_on(State(server): State<Server>, request: Request) -> Response {
    let Ok(_room) = server.room.acquire().await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let (head, body) = request.into_parts();
    let Some((body, bytes)) = read(body).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let job = server.next.fetch_add(1, Ordering::Relaxed);
    let (sender, mut parts) = mpsc::unbounded_channel();
    lock(&server.jobs).insert(job, sender);
    let _open = Open { job, jobs: server.jobs.clone() };
    let (user, password) = user(&head.headers).unwrap_or_default();
    let asked = Event::Backend {
        job,
        method: bounded(head.method.as_str()),
        path: bounded(&place(head.uri.path(), &user)),
        lock_id: head.uri.query().and_then(lock_id).map(bounded),
        password: bounded(&password),
        bytes,
    };
    let Some(events) = server.events.upgrade() else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    // In a separate task: a client that disconnects must not leave half a body with the agent.
    tokio::spawn(async move {
        for part in body.chunks(DATA_BYTES) {
            send(&events, Event::BackendPart { job }, part.to_vec()).await;
        }
        send(&events, asked, Vec::new()).await;
    });
    let mut content = Vec::new();
    while let Some((status, data, last)) = parts.recv().await {
        content.extend(data);
        if last {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
            let kind = [(CONTENT_TYPE, "application/json")];
            return (status, kind, Bytes::from(content)).into_response();
        }
    }
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}

/// The body and its size; for an oversized body only the size. `None` if the body does not arrive.
async fn read(body: Body) -> Option<(Vec<u8>, u64)> {
    let mut stream = body.into_data_stream();
    let (mut kept, mut bytes) = (Vec::new(), 0);
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.ok()?;
        bytes += chunk.len() as u64;
        if bytes <= STATE_BYTES {
            kept.extend_from_slice(&chunk);
        } else {
            kept = Vec::new();
        }
        if bytes > DRAINED_BYTES {
            break;
        }
    }
    Some((kept, bytes))
}

fn bounded(text: &str) -> String {
    text[..text.floor_char_boundary(TEXT_BYTES)].to_owned()
}

fn lock_id(query: &str) -> Option<&str> {
    query.split('&').find_map(|pair| pair.strip_prefix("ID="))
}

/// The path of the state that a request means: the address's path, unless the user name names another state.
fn place(path: &str, user: &str) -> String {
    match user {
        "" | USER => path.to_owned(),
        state => format!("{PLACE}{state}"),
    }
}

/// The user name and password.
fn user(headers: &HeaderMap) -> Option<(String, String)> {
    let basic = headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Basic ")?;
    let pair = String::from_utf8(STANDARD.decode(basic).ok()?).ok()?;
    pair.split_once(':').map(|(user, password)| (user.to_owned(), password.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_module_names_its_state_by_its_user() {
        assert_eq!(place("/terraform/main", USER), "/terraform/main");
        assert_eq!(place("/terraform/main", ""), "/terraform/main");
        assert_eq!(place("/terraform/other", USER), "/terraform/other");
        assert_eq!(place("/terraform/main", "network"), "/terraform/network");
    }
}
