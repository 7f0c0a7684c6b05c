//! The events of a reply, from either client.

use super::classify::classify;
use super::error::ModelError;
use super::{completions, converse};
use futures::StreamExt;
use genai::chat::{ChatStream, ChatStreamEvent};

/// A reply that has begun.
pub(super) enum Events {
    Library(ChatStream),
    Completions(Box<completions::Stream>),
    Bedrock(Box<converse::Stream>),
}

impl Events {
    /// The next event; `answering` says whether an event of the reply itself has come.
    pub(super) async fn next(
        &mut self,
        answering: bool,
    ) -> Option<Result<ChatStreamEvent, ModelError>> {
        match self {
            Self::Library(events) => {
                let event = events.next().await?;
                Some(event.map_err(|error| classify(&error, answering)))
            }
            Self::Completions(stream) => stream.next().await,
            Self::Bedrock(stream) => stream.next().await,
        }
    }
}
