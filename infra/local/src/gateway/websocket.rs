//! API Gateway's WebSocket API: sockets in front of a function that sees one event at a time.
//!
//! `$connect` is called before the socket is accepted and may refuse it; each message becomes one `$default` event in a
//! separate task, so two messages may overtake each other as they do in the cloud, which exposes a receiver that relies
//! on their order; `$disconnect` follows once the socket is closed.

use crate::engines::connections::{Connections, MESSAGE_BYTES, Outgoing};
use crate::functions::WebSocketFunction;
use crate::names;
use aws_lambda_events::apigw::ApiGatewayWebsocketProxyRequest;
use axum::Router;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures::stream::{SplitSink, SplitStream};
use futures::{SinkExt, StreamExt};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, sleep_until};

/// The largest frame from a client, in bytes: API Gateway's own limit of 32 KB.
const FRAME_BYTES: usize = 32 * 1024;
/// How long a connection may last.
const LIFE: Duration = Duration::from_secs(2 * 60 * 60);
/// How long a connection may be silent in both directions.
const IDLE: Duration = Duration::from_secs(10 * 60);
/// How many messages of one connection are handled at the same time; further ones wait in the socket.
const MESSAGES_AT_ONCE: usize = 100;
/// Close codes of RFC 6455.
const NORMAL: u16 = 1000;
const GOING_AWAY: u16 = 1001;
const NO_STATUS: u16 = 1005;
const ABNORMAL: u16 = 1006;
const TOO_BIG: u16 = 1009;

/// The gateway in front of one function.
#[derive(Clone)]
pub struct Gateway {
    /// Connections, shared with the management API.
    pub connections: Connections,
    /// The function.
    pub function: WebSocketFunction,
}

impl Gateway {
    /// The route `/ws`.
    pub fn router(self) -> Router {
        Router::new().route("/ws", get(connect)).with_state(self)
    }

    async fn call(&self, event: Value) -> StatusCode {
        let event: ApiGatewayWebsocketProxyRequest = match serde_json::from_value(event) {
            Ok(event) => event,
            Err(error) => {
                tracing::error!(%error, "the gateway created an invalid event");
                return StatusCode::INTERNAL_SERVER_ERROR;
            }
        };
        let answer = (self.function)(event).await;
        u16::try_from(answer.status_code)
            .ok()
            .and_then(|code| StatusCode::from_u16(code).ok())
            .unwrap_or(StatusCode::BAD_GATEWAY)
    }
}

async fn connect(
    State(gateway): State<Gateway>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let agent = text(&headers, header::USER_AGENT.as_str());
    let (id, queue) = gateway.connections.open(peer.ip().to_string(), agent);
    let context = Context {
        id: id.clone(),
        source_ip: peer.ip().to_string(),
        connected_ms: crate::ids::now_ms(),
    };
    let mut event = context.event("$connect", "CONNECT");
    event["headers"] = headers_once(&headers);
    event["multiValueHeaders"] = headers_all(&headers);
    event["queryStringParameters"] = json!(query);
    event["multiValueQueryStringParameters"] = query
        .iter()
        .map(|(name, value)| (name.clone(), json!([value])))
        .collect::<Map<_, _>>()
        .into();
    let status = gateway.call(event).await;
    if !status.is_success() {
        gateway.connections.close(&id);
        return status.into_response();
    }
    gateway.connections.admit(&id);
    let failed = gateway.clone();
    let failed_context = context.clone();
    upgrade
        .max_frame_size(FRAME_BYTES)
        .max_message_size(MESSAGE_BYTES)
        .on_failed_upgrade(move |error| {
            tracing::debug!(%error, "a socket closed before its upgrade was complete");
            tokio::spawn(async move { failed.disconnect(&failed_context, &LOST).await });
        })
        .on_upgrade(move |socket| async move {
            let end = gateway.live(&context, socket, queue).await;
            gateway.disconnect(&context, &end).await;
        })
}

impl Gateway {
    /// A connection's life, up to its end.
    ///
    /// Reading, writing and the clock run concurrently: a function that waits to post to a full queue must not keep
    /// that queue from being emptied.
    async fn live(
        &self,
        context: &Context,
        socket: WebSocket,
        mut queue: mpsc::Receiver<Outgoing>,
    ) -> End {
        let (mut sink, mut stream) = socket.split();
        let active = Mutex::new(Instant::now());
        let end = tokio::select! {
            end = self.read(context, &mut stream, &active) => end,
            end = write(&mut sink, &mut queue, &active) => end,
            end = expire(&active) => end,
        };
        if end.tell {
            let frame = CloseFrame { code: end.code, reason: Utf8Bytes::from_static(end.reason) };
            let _ = sink.send(Message::Close(Some(frame))).await;
        }
        end
    }

    /// Passes the client's messages on.
    async fn read(
        &self,
        context: &Context,
        stream: &mut SplitStream<WebSocket>,
        active: &Mutex<Instant>,
    ) -> End {
        let turns = Arc::new(Semaphore::new(MESSAGES_AT_ONCE));
        while let Some(incoming) = stream.next().await {
            note(active);
            match incoming {
                Ok(Message::Text(text)) => {
                    self.deliver(context, text.to_string(), false, &turns).await;
                }
                Ok(Message::Binary(bytes)) => {
                    self.deliver(context, STANDARD.encode(bytes), true, &turns).await;
                }
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(Message::Close(frame)) => {
                    let code = frame.map_or(NO_STATUS, |frame| frame.code);
                    return End { code, reason: "Closed by the client", tell: false };
                }
                Err(error) if is_too_long(&error) => {
                    return End { code: TOO_BIG, reason: "Message too long", tell: true };
                }
                Err(error) => {
                    tracing::debug!(%error, "a socket failed");
                    return LOST;
                }
            }
        }
        LOST
    }

    /// Calls the function for one message, in a separate task.
    async fn deliver(&self, context: &Context, body: String, binary: bool, turns: &Arc<Semaphore>) {
        let Ok(turn) = turns.clone().acquire_owned().await else { return };
        self.connections.touch(&context.id);
        let mut event = context.event("$default", "MESSAGE");
        event["body"] = json!(body);
        event["isBase64Encoded"] = json!(binary);
        event["requestContext"]["messageId"] = json!(crate::ids::connection_id());
        let gateway = self.clone();
        tokio::spawn(async move {
            let status = gateway.call(event).await;
            if !status.is_success() {
                tracing::debug!(%status, "a message was not handled");
            }
            drop(turn);
        });
    }

    async fn disconnect(&self, context: &Context, end: &End) {
        self.connections.close(&context.id);
        let mut event = context.event("$disconnect", "DISCONNECT");
        event["requestContext"]["disconnectStatusCode"] = json!(end.code);
        event["requestContext"]["disconnectReason"] = json!(end.reason);
        self.call(event).await;
    }
}

/// How a connection ended, and whether the client must be notified.
struct End {
    code: u16,
    reason: &'static str,
    tell: bool,
}

const LOST: End = End { code: ABNORMAL, reason: "Connection closed abnormally", tell: false };

/// Sends the messages in the queue.
async fn write(
    sink: &mut SplitSink<WebSocket, Message>,
    queue: &mut mpsc::Receiver<Outgoing>,
    active: &Mutex<Instant>,
) -> End {
    while let Some(Outgoing::Message(bytes)) = queue.recv().await {
        note(active);
        let text = Utf8Bytes::try_from(bytes.clone());
        if sink.send(text.map_or(Message::Binary(bytes), Message::Text)).await.is_err() {
            return LOST;
        }
    }
    End { code: NORMAL, reason: "Closed by the server", tell: true }
}

/// Waits until the connection has been silent, or open, for too long.
async fn expire(active: &Mutex<Instant>) -> End {
    let end = Instant::now() + LIFE;
    loop {
        let idle = *active.lock().unwrap_or_else(PoisonError::into_inner) + IDLE;
        let now = Instant::now();
        if now >= end {
            return End {
                code: GOING_AWAY,
                reason: "Connection duration limit exceeded",
                tell: true,
            };
        }
        if now >= idle {
            return End { code: GOING_AWAY, reason: "Idle timeout", tell: true };
        }
        sleep_until(idle.min(end)).await;
    }
}

fn note(active: &Mutex<Instant>) {
    *active.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
}

/// Whether the client exceeded the limit of a frame or a message.
fn is_too_long(error: &axum::Error) -> bool {
    // axum exposes tungstenite's error only as text.
    let beneath =
        std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    beneath.into_iter().any(|error| error.to_string().contains("too long"))
}

/// The part of the context that every event of a connection has.
#[derive(Clone)]
struct Context {
    id: String,
    source_ip: String,
    connected_ms: i64,
}

impl Context {
    fn event(&self, route: &str, kind: &str) -> Value {
        let request = crate::ids::request_id();
        json!({
            "requestContext": {
                "routeKey": route,
                "eventType": kind,
                "connectionId": self.id,
                "connectedAt": self.connected_ms,
                "requestTimeEpoch": crate::ids::now_ms(),
                "requestId": request,
                "extendedRequestId": request,
                "messageDirection": "IN",
                "stage": "ws",
                "apiId": "local",
                "accountId": names::ACCOUNT,
                "domainName": "localhost",
                "messageId": null,
                "identity": {"sourceIp": self.source_ip},
            },
            "isBase64Encoded": false,
        })
    }
}

fn text(headers: &HeaderMap, name: &str) -> String {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

fn headers_once(headers: &HeaderMap) -> Value {
    headers
        .keys()
        .map(|name| (name.as_str().to_owned(), json!(text(headers, name.as_str()))))
        .collect::<Map<_, _>>()
        .into()
}

fn headers_all(headers: &HeaderMap) -> Value {
    let all = |name| {
        headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect::<Vec<_>>()
    };
    headers
        .keys()
        .map(|name| (name.as_str().to_owned(), json!(all(name))))
        .collect::<Map<_, _>>()
        .into()
}
