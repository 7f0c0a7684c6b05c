//! Chat replies as server-sent events.
//!
//! Every stream ends in a named way: `on_chat_model_end` is always the last event, an error comes as an
//! event of its own before it, and a reader that goes away drops the stream and with it the producer.

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

/// A comment is sent after this much silence, so that no gateway takes the stream for dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// One event of a chat stream, as it stands behind `data:`.
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
    /// A tool has done something.
    OnToolEnd {
        /// Its name.
        tool: String,
        /// What it did, for people.
        summary: String,
        /// The conversation.
        thread_id: ThreadId,
    },
    /// The agent wants to run a command.
    OnCommand {
        /// The command.
        command: ProposedCommand,
        /// The conversation.
        thread_id: ThreadId,
    },
    /// A command printed more.
    OnCommandOutput {
        /// Which command.
        number: u32,
        /// What it printed since the last time.
        content: String,
        /// The conversation.
        thread_id: ThreadId,
    },
    /// The reply follows a command no longer.
    OnCommandEnd {
        /// Which command.
        number: u32,
        /// Where it stands: `completed`, `failed`, or what it goes on as without the reply.
        status: StepStatus,
        /// Its exit code, when it exited.
        exit_code: Option<i32>,
        /// The conversation.
        thread_id: ThreadId,
    },
    /// The reply broke off.
    Error {
        /// Why, for programs: `insufficient_credits`, `budget_reached`, `model_overloaded` and others.
        code: &'static str,
        /// Why, for people.
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

/// A server-sent event as it comes: what it says is JSON in its `data`.
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

/// Events as they come, until there are no more; then the stream's place is given back.
pub fn stream<S>(open: OpenStream, events: S) -> Response
where
    S: Stream<Item = Result<Event, Infallible>> + Send + 'static,
{
    let end = futures::stream::once(open.close()).filter_map(async |()| None);
    let events = events.chain(end);
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    let mut response = Sse::new(events).keep_alive(keep_alive).into_response();
    // Proxies that buffer or rewrite would hold the text back.
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

/// These types always render; an empty event would be the comment it is.
fn render(event: &ChatStreamEvent) -> Event {
    serde_json::to_string(event)
        .map_or_else(|_| Event::default(), |json| Event::default().data(json))
}
