//! Sends requests to the services that listen inside, on the loopback interface.
//!
//! A request reaches a port only if a process that the supervisor has started listens on it ([`ports`]). So it can
//! reach neither the supervisor's own port nor, without a separate namespace for the sandbox, a service of the machine.
//! The address is always one of the loopback interface, so no request leads to another machine.
//!
//! The service sees a request for `localhost` and its own port, which development servers insist on.

mod ports;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use futures::StreamExt;
use hyper::client::conn::http1;
use hyper::header::{HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Uri};
use hyper_util::rt::TokioIo;
use protocol::{
    ANSWER_BYTES, AT_ONCE, LISTED_PORTS, ListeningPort, PreviewAnswer, PreviewAsk, PreviewFailure,
    PreviewRequest, SERVICE_SECONDS,
};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::{Events, send};
use crate::pipe::Event;

/// How long a service may take to answer, and to send the whole answer.
const PATIENCE: Duration = Duration::from_secs(SERVICE_SECONDS);

/// The largest head of an answer, in bytes.
const HEAD_BYTES: usize = 64 * 1024;

/// The largest part of a body that is passed on at once, in bytes: terminals wait no longer than writing it takes.
const PART_BYTES: usize = 64 * 1024;

/// Access to the services.
pub struct Previews {
    room: Arc<Semaphore>,
}

impl Previews {
    pub fn new() -> Self {
        Self { room: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Starts to answer; [`Event::Previewed`] follows in any case.
    pub fn start(&self, job: u64, ask: PreviewAsk, body: Vec<u8>, events: Events) {
        let room = self.room.clone();
        tokio::spawn(async move {
            let answer = match ask {
                PreviewAsk::Ports => PreviewAnswer::Ports { ports: listed().await },
                PreviewAsk::Fetch(request) => {
                    let fetched = async {
                        let _room = room.acquire().await;
                        fetch(job, request, body, &events).await
                    };
                    let fetched = timeout(PATIENCE, fetched).await;
                    let fetched = fetched.unwrap_or(Err(PreviewFailure::TooSlow));
                    fetched.unwrap_or_else(|reason| PreviewAnswer::Failed { reason })
                }
            };
            send(&events, Event::Previewed { job, answer }, Vec::new()).await;
        });
    }
}

async fn listed() -> Vec<ListeningPort> {
    let found = tokio::task::spawn_blocking(ports::listening).await.unwrap_or_default();
    let listed = found.into_iter().take(LISTED_PORTS);
    listed.map(|(port, service)| ListeningPort { port, program: service.program }).collect()
}

async fn place(port: u16) -> Option<IpAddr> {
    let mut found = tokio::task::spawn_blocking(ports::listening).await.unwrap_or_default();
    found.remove(&port).map(|listener| listener.address)
}

/// Closes the connection when its request ends.
struct Connection(AbortHandle);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn fetch(
    job: u64,
    asked: PreviewRequest,
    body: Vec<u8>,
    events: &Events,
) -> Result<PreviewAnswer, PreviewFailure> {
    let port = asked.port;
    let address = place(port).await.ok_or(PreviewFailure::NotListening)?;
    let request = request(asked, body).ok_or(PreviewFailure::Broken)?;
    // Each connection serves one request, so that a restarted service is not asked over its predecessor's connection.
    let stream = TcpStream::connect(SocketAddr::new(address, port)).await;
    let stream = stream.map_err(|_| PreviewFailure::NotListening)?;
    let mut builder = http1::Builder::new();
    let connected = builder.max_buf_size(HEAD_BYTES).handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = connected.map_err(|_| PreviewFailure::Broken)?;
    let _connection = Connection(tokio::spawn(connection).abort_handle());
    let response = sender.send_request(request).await.map_err(|_| PreviewFailure::Broken)?;
    let (head, body) = response.into_parts();
    let plain = |(name, value): (&HeaderName, &HeaderValue)| {
        Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
    };
    let headers = head.headers.iter().filter_map(plain).collect();
    let (mut parts, mut bytes) = (Body::new(body).into_data_stream(), 0);
    while let Some(part) = parts.next().await {
        let part = part.map_err(|_| PreviewFailure::Broken)?;
        bytes += part.len();
        if bytes > ANSWER_BYTES {
            return Err(PreviewFailure::TooLarge);
        }
        for part in part.chunks(PART_BYTES) {
            send(events, Event::PreviewPart { job }, part.to_vec()).await;
        }
    }
    Ok(PreviewAnswer::Served { status: head.status.as_u16(), headers })
}

/// The request as the service gets it; `None` if it is not a valid one.
fn request(asked: PreviewRequest, body: Vec<u8>) -> Option<Request<Body>> {
    let PreviewRequest { port, method, path, headers } = asked;
    let mut given = HeaderMap::new();
    for (name, value) in headers {
        given.append(HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?);
    }
    given.insert(HOST, HeaderValue::try_from(format!("localhost:{port}")).ok()?);
    let mut request = Request::new(Body::from(body));
    *request.method_mut() = Method::from_bytes(method.as_bytes()).ok()?;
    *request.uri_mut() = Uri::try_from(path).ok().filter(|uri| uri.path().starts_with('/'))?;
    *request.headers_mut() = given;
    Some(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(path: &str, headers: &[(&str, &str)]) -> PreviewRequest {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let headers = headers.iter().map(owned).collect();
        PreviewRequest { port: 8080, method: "GET".into(), path: path.into(), headers }
    }

    #[test]
    fn a_request_always_names_its_own_service() {
        let own = request(asked("/a?b=c", &[("host", "evil.example")]), Vec::new()).unwrap();
        assert_eq!(
            (own.uri().to_string().as_str(), &own.headers()["host"]),
            ("/a?b=c", &HeaderValue::from_static("localhost:8080"))
        );
        for smuggled in [
            asked("/a b HTTP/1.1\r\nX: y", &[]),
            asked("/", &[("x-own", "a\r\nHost: evil.example")]),
            asked("/", &[("x own", "a")]),
        ] {
            assert!(request(smuggled, Vec::new()).is_none());
        }
    }
}
