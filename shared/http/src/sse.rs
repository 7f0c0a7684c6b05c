//! Streams chat replies as server-sent events.
//!
//! Every stream ends in a named way: `on_chat_model_end` is always the last event, and an error has a separate event
//! before it. A reader that disconnects drops the stream, and with it the producer.

use crate::OpenStream;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, HeaderName};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use domain::ThreadId;
use domain::chat::{ChatEvent, ProposedCommand};
use domain::step::StepStatus;
use futures::{Stream, StreamExt};
use serde::Serialize;
use std::convert::Infallible;
use std::time::Duration;
use utoipa::ToSchema;

/// After this much silence the stream sends a comment, so that gateways do not consider it dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// One event of a chat stream: the JSON after `data:`.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ChatStreamEvent {
    /// More text of the reply.
    OnChatModelStream {
        /// The text.
        chunk: Chunk,
        /// The conversation.
        thread_id: ThreadId,
    },
    /// A tool has done its work.
    OnToolEnd {
        /// Its name.
        tool: String,
        /// Its effect, in words for people.
        summary: String,
        /// The conversation.
        thread_id: ThreadId,
    },
    /// The agent proposes a command.
    OnCommand {
        /// The command.
        command: ProposedCommand,
        /// The conversation.
        thread_id: ThreadId,
    },
    /// A command printed more.
    OnCommandOutput {
        /// The command's number.
        number: u32,
        /// Its output since the last event.
        content: String,
        /// The conversation.
        thread_id: ThreadId,
    },
    /// The reply no longer follows a command.
    OnCommandEnd {
        /// The command's number.
        number: u32,
        /// Its status: `completed`, `failed`, or the one with which it continues without the reply.
        status: StepStatus,
        /// Its exit code, when it exited.
        exit_code: Option<i32>,
        /// The conversation.
        thread_id: ThreadId,
    },
    /// The reply broke off.
    Error {
        /// The reason, for programs: `insufficient_credits`, `budget_reached`, `model_overloaded` and others.
        code: &'static str,
        /// The reason, for people.
        detail: String,
        /// The conversation.
        thread_id: ThreadId,
    },
    /// The last event.
    OnChatModelEnd {
        /// The conversation.
        thread_id: ThreadId,
    },
}

/// A server-sent event with JSON in its `data`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SentEvent {
    /// Of a chat: a `ChatStreamEvent`.
    #[schema(content_media_type = "application/json")]
    pub data: String,
}

/// A piece of text.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Chunk {
    /// The text.
    pub content: String,
}

/// A reply as an event stream.
pub fn chat_stream<S>(open: OpenStream, thread_id: ThreadId, events: S) -> Response
where
    S: Stream<Item = ChatEvent> + Send + 'static,
{
    let end = ChatStreamEvent::OnChatModelEnd { thread_id: thread_id.clone() };
    let lines = events
        .map(move |event| named(event, thread_id.clone()))
        .chain(futures::stream::iter([end]))
        .map(|event| Ok::<_, Infallible>(render(&event)));
    stream(open, lines)
}

/// Sends the events until they end, then frees the stream's place.
pub fn stream<S>(open: OpenStream, events: S) -> Response
where
    S: Stream<Item = Result<Event, Infallible>> + Send + 'static,
{
    let end = futures::stream::once(open.close()).filter_map(async |()| None);
    let events = events.chain(end);
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    let mut response = Sse::new(events).keep_alive(keep_alive).into_response();
    // Proxies that buffer or rewrite the stream would delay the text.
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

fn named(event: ChatEvent, thread_id: ThreadId) -> ChatStreamEvent {
    match event {
        ChatEvent::Text(content) => {
            ChatStreamEvent::OnChatModelStream { chunk: Chunk { content }, thread_id }
        }
        ChatEvent::Tool { tool, summary } => {
            ChatStreamEvent::OnToolEnd { tool, summary, thread_id }
        }
        ChatEvent::Command(command) => ChatStreamEvent::OnCommand { command, thread_id },
        ChatEvent::CommandOutput { number, content } => {
            ChatStreamEvent::OnCommandOutput { number, content, thread_id }
        }
        ChatEvent::CommandEnd { number, status, exit_code } => {
            ChatStreamEvent::OnCommandEnd { number, status, exit_code, thread_id }
        }
        ChatEvent::Error { code, detail } => ChatStreamEvent::Error { code, detail, thread_id },
    }
}

/// These types always serialize; if one did not, the event would be an empty comment.
fn render(event: &ChatStreamEvent) -> Event {
    serde_json::to_string(event)
        .map_or_else(|_| Event::default(), |json| Event::default().data(json))
}
