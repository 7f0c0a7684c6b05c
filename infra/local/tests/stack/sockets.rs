use crate::local::{Clients, Local, soon};
use aws_lambda_events::apigw::{ApiGatewayProxyResponse, ApiGatewayWebsocketProxyRequest};
use aws_sdk_apigatewaymanagement::primitives::Blob;
use futures::{SinkExt, StreamExt};
use local_stack::Functions;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio::sync::{Barrier, mpsc};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Event = ApiGatewayWebsocketProxyRequest;

/// A function that passes its events on, refuses connections with `?refuse=1`, and waits at the barrier for `meet`.
async fn start() -> (Local, mpsc::UnboundedReceiver<Event>) {
    let (events, received) = mpsc::unbounded_channel();
    let barrier = Arc::new(Barrier::new(2));
    let websocket: local_stack::functions::WebSocketFunction = Arc::new(move |event: Event| {
        let (events, barrier) = (events.clone(), barrier.clone());
        Box::pin(async move {
            let mut answer = ApiGatewayProxyResponse::default();
            let refused = event.query_string_parameters.first("refuse").is_some();
            answer.status_code = if refused { 403 } else { 200 };
            if event.body.as_deref() == Some("meet") {
                barrier.wait().await;
            }
            let _ = events.send(event);
            answer
        })
    });
    (Local::with(Functions { websocket, ..Functions::nothing() }).await, received)
}

async fn connect(
    at: &Clients,
    query: &str,
) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, Error> {
    soon(connect_async(format!("ws://127.0.0.1:{}/ws{query}", at.ports.site)))
        .await
        .map(|(socket, _)| socket)
}

async fn next(events: &mut mpsc::UnboundedReceiver<Event>, route: &str) -> Event {
    let event = soon(events.recv()).await.unwrap();
    assert_eq!(event.request_context.route_key.as_deref(), Some(route));
    event
}

#[tokio::test]
async fn a_connection_has_events_from_connect_to_disconnect() {
    let (local, mut events) = start().await;
    let mut socket = connect(&local.clients, "?ticket=t%201").await.unwrap();
    let event = next(&mut events, "$connect").await;
    assert_eq!(event.query_string_parameters.first("ticket"), Some("t 1"));
    assert!(event.headers.contains_key("sec-websocket-key"));
    let id = event.request_context.connection_id.unwrap();

    socket.send(Message::text("{\"type\":\"attach\"}")).await.unwrap();
    let event = next(&mut events, "$default").await;
    assert_eq!(event.body.as_deref(), Some("{\"type\":\"attach\"}"));
    assert_eq!(event.request_context.connection_id.as_deref(), Some(&*id));

    let api = local.clients.connections();
    api.post_to_connection().connection_id(&id).data(Blob::new("hello")).send().await.unwrap();
    assert_eq!(soon(socket.next()).await.unwrap().unwrap(), Message::text("hello"));
    assert!(api.get_connection().connection_id(&id).send().await.unwrap().connected_at().is_some());

    socket.close(None).await.unwrap();
    next(&mut events, "$disconnect").await;
    let gone = api
        .post_to_connection()
        .connection_id(&id)
        .data(Blob::new("late"))
        .send()
        .await
        .unwrap_err();
    assert!(gone.into_service_error().is_gone_exception());
}

#[tokio::test]
async fn a_refused_connect_opens_no_connection() {
    let (local, mut events) = start().await;
    let Err(Error::Http(refusal)) = connect(&local.clients, "?refuse=1").await else {
        panic!("not refused")
    };
    assert_eq!(refusal.status(), 403);
    let id = next(&mut events, "$connect").await.request_context.connection_id.unwrap();
    let api = local.clients.connections();
    let gone =
        api.post_to_connection().connection_id(id).data(Blob::new("x")).send().await.unwrap_err();
    assert!(gone.into_service_error().is_gone_exception());
}

#[tokio::test]
async fn messages_are_handled_at_the_same_time() {
    let (local, mut events) = start().await;
    let mut socket = connect(&local.clients, "").await.unwrap();
    next(&mut events, "$connect").await;
    // Each waits for the other, so handling them one after the other would wait forever.
    socket.send(Message::text("meet")).await.unwrap();
    socket.send(Message::text("meet")).await.unwrap();
    next(&mut events, "$default").await;
    next(&mut events, "$default").await;
}

#[tokio::test]
async fn a_message_that_is_too_large_is_refused_in_both_directions() {
    let (local, mut events) = start().await;
    let mut socket = connect(&local.clients, "").await.unwrap();
    let id = next(&mut events, "$connect").await.request_context.connection_id.unwrap();
    let api = local.clients.connections();
    let large = Blob::new(vec![b'x'; 128 * 1024 + 1]);
    let refused = api.post_to_connection().connection_id(&id).data(large).send().await.unwrap_err();
    assert!(refused.into_service_error().is_payload_too_large_exception());
    socket.send(Message::text("x".repeat(32 * 1024 + 1))).await.unwrap();
    let event = next(&mut events, "$disconnect").await;
    assert_eq!(event.request_context.disconnect_status_code, Some(1009));
}

#[tokio::test]
async fn a_connection_can_be_closed_by_the_management_api() {
    let (local, mut events) = start().await;
    let mut socket = connect(&local.clients, "").await.unwrap();
    let id = next(&mut events, "$connect").await.request_context.connection_id.unwrap();
    local.clients.connections().delete_connection().connection_id(id).send().await.unwrap();
    assert!(matches!(soon(socket.next()).await, Some(Ok(Message::Close(_)))));
    next(&mut events, "$disconnect").await;
}
