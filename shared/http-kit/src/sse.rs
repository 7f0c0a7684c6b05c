//! Streams chat replies as server-sent events.
//!
//! Every stream ends in a named way: `on_chat_model_end` is always the last event, and an error has a separate event
//! before it. A reader that disconnects drops the stream, and with it the events' producer. A stream that is cut off,
//! because its session ended or its project was deleted, sends nothing more, but it is over only once the producer has
//! ended: a function may stop running as soon as it has answered, and a model call that it has made must be paid first.

use crate::OpenStream;
use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, HeaderName};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use domain::ThreadId;
use domain::chat::ChatEvent;
use futures::{Stream, StreamExt};
use serde::Serialize;
use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use utoipa::ToSchema;

/// After this much silence the stream sends a comment, so that gateways do not consider it dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// One event of a chat stream: the JSON after `data:`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ChatStreamEvent {
    /// The part of the reply.
    #[serde(flatten)]
    pub event: ChatEvent,
    /// The conversation.
    pub thread_id: ThreadId,
}

/// A server-sent event with JSON in its `data`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SentEvent {
    /// Of a chat: a `ChatStreamEvent`.
    #[schema(content_media_type = "application/json")]
    pub data: String,
}

/// Cuts off an event stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct CutOff(Arc<Notify>);

impl CutOff {
    /// The stream's body, which sends no more events after `end`.
    pub fn at(self, end: impl Future<Output = ()> + Send + 'static, body: Body) -> Body {
        let cut = async move {
            end.await;
            self.0.notify_one();
            // The body is over when its producer has ended.
            pending::<()>().await;
        };
        Body::from_stream(body.into_data_stream().take_until(cut))
    }

    async fn comes(self) {
        self.0.notified().await;
    }
}

/// A reply as an event stream; `ended` is the end of the turn that produces it.
pub fn chat_stream<S>(
    open: OpenStream,
    thread_id: ThreadId,
    events: S,
    ended: impl Future<Output = ()> + Send + 'static,
) -> Response
where
    S: Stream<Item = ChatEvent> + Send + 'static,
{
    let lines = events
        .chain(futures::stream::iter([ChatEvent::End]))
        .map(move |event| ChatStreamEvent { event, thread_id: thread_id.clone() })
        .map(|event| Ok::<_, Infallible>(render(&event)));
    stream(open, lines, ended)
}

/// Sends the events until they end or are cut off, which drops them; then waits until their producer has ended, and
/// frees the stream's place.
pub fn stream<S>(
    open: OpenStream,
    events: S,
    ended: impl Future<Output = ()> + Send + 'static,
) -> Response
where
    S: Stream<Item = Result<Event, Infallible>> + Send + 'static,
{
    let cut_off = CutOff::default();
    let end = async move {
        ended.await;
        open.close().await;
    };
    let end = futures::stream::once(end).filter_map(async |()| None);
    let events = events.take_until(cut_off.clone().comes()).chain(end);
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    let mut response = Sse::new(events).keep_alive(keep_alive).into_response();
    // Proxies that buffer or rewrite the stream would delay the text.
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response.extensions_mut().insert(cut_off);
    response
}

/// These types always serialize; if one did not, the event would be an empty comment.
fn render(event: &ChatStreamEvent) -> Event {
    serde_json::to_string(event)
        .map_or_else(|_| Event::default(), |json| Event::default().data(json))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use domain::ErrorCode;
    use domain::chat::ProposedCommand;
    use domain::step::CommandTarget;
    use domain::step::StepStatus;

    #[test]
    fn each_event_has_its_name_first_and_its_conversation_last() {
        let command = ProposedCommand {
            number: 1,
            target: CommandTarget::Sandbox,
            script: "ls".to_owned(),
            sha256: "ab".to_owned(),
            status: StepStatus::InProgress,
            needs_approval: false,
            attempt: 2,
            verdict: None,
        };
        let ended = |exit_code| ChatEvent::CommandEnd {
            number: 1,
            status: StepStatus::Completed,
            exit_code,
        };
        let events = [
            (
                ChatEvent::text("Hi"),
                r#"{"event":"on_chat_model_stream","chunk":{"content":"Hi"},"thread_id":"t"}"#,
            ),
            (
                ChatEvent::Tool { tool: "write".to_owned(), summary: "Written".to_owned() },
                r#"{"event":"on_tool_end","tool":"write","summary":"Written","thread_id":"t"}"#,
            ),
            (
                ChatEvent::Command { command },
                r#"{"event":"on_command","command":{"number":1,"target":"sandbox","script":"ls","sha256":"ab","status":"in_progress","needs_approval":false,"attempt":2},"thread_id":"t"}"#,
            ),
            (
                ChatEvent::CommandOutput { number: 1, content: "a\n".to_owned() },
                r#"{"event":"on_command_output","number":1,"content":"a\n","thread_id":"t"}"#,
            ),
            (
                ended(Some(0)),
                r#"{"event":"on_command_end","number":1,"status":"completed","exit_code":0,"thread_id":"t"}"#,
            ),
            (
                ended(None),
                r#"{"event":"on_command_end","number":1,"status":"completed","exit_code":null,"thread_id":"t"}"#,
            ),
            (
                ChatEvent::Error { code: ErrorCode::ModelOverloaded, detail: "Busy.".to_owned() },
                r#"{"event":"error","code":"model_overloaded","detail":"Busy.","thread_id":"t"}"#,
            ),
            (ChatEvent::End, r#"{"event":"on_chat_model_end","thread_id":"t"}"#),
        ];
        for (event, wire) in events {
            let sent = ChatStreamEvent { event, thread_id: ThreadId::from("t") };
            assert_eq!(serde_json::to_string(&sent).unwrap(), wire);
        }
    }
}
