//! The events of a reply, from either client.

use super::classify::classify;
use super::error::ModelError;
use super::progress::{Accepted, Progress};
use super::{completions, converse};
use futures::StreamExt;
use genai::chat::{ChatFrameSink, ChatStream, ChatStreamEvent, FrameCtx, RawFrameRef};
use serde_json::Value;
use tokio::sync::watch;

/// A reply that has begun, or that begins when its first event is read.
pub(super) enum Events {
    Library(ChatStream, watch::Receiver<Option<Accepted>>),
    Completions(Box<completions::Stream>),
    Bedrock(Box<converse::Stream>),
}

impl Events {
    /// The next event; `answering` says whether an event of the reply itself has come.
    pub(super) async fn next(
        &mut self,
        answering: bool,
        progress: &mut Progress,
    ) -> Option<Result<ChatStreamEvent, ModelError>> {
        match self {
            Self::Library(events, accepted) => {
                let event = tokio::select! {
                    biased;
                    Ok(()) = accepted.changed() => None,
                    event = events.next() => Some(event),
                };
                if let Some(accepted) = *accepted.borrow_and_update() {
                    progress.accept(accepted);
                }
                let Some(event) = event else { return Some(Ok(ChatStreamEvent::Start)) };
                let begun = answering || progress.accepted;
                Some(event?.map_err(|error| classify(&error, begun)))
            }
            Self::Completions(stream) => stream.next().await,
            Self::Bedrock(stream) => stream.next().await,
        }
    }
}

/// Notices when a provider accepts a request of the client library. The library sends the request when its first event
/// is read, and says nothing before the reply's first piece.
pub(super) struct Acceptance(watch::Sender<Option<Accepted>>);

/// A sink for the frames of one call, and what it notices.
pub(super) fn acceptance() -> (Acceptance, watch::Receiver<Option<Accepted>>) {
    let (noticed, accepted) = watch::channel(None);
    (Acceptance(noticed), accepted)
}

impl ChatFrameSink for Acceptance {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        self.0.send_if_modified(|accepted| {
            let first = accepted.is_none() && frame.event != Some("error");
            if first {
                *accepted = Some(Accepted { input: counted_input(frame.data) });
            }
            first
        });
    }
}

/// The count of the input in Anthropic's `message_start`, with what was cached, and what of it came from the cache.
fn counted_input(data: &str) -> Option<(u64, u64)> {
    let message: Value = serde_json::from_str(data).ok()?;
    let usage = message.pointer("/message/usage")?;
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    let cached = count("cache_read_input_tokens").unwrap_or_default();
    let written = count("cache_creation_input_tokens").unwrap_or_default();
    let input = count("input_tokens")?.saturating_add(cached).saturating_add(written);
    (input > 0).then_some((input, cached))
}
