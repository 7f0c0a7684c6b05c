//! The events of a reply, from either client.

use super::classify::classify;
use super::converse::Stream;

use super::error::ModelError;
use futures::StreamExt;
use genai::chat::{ChatStream, ChatStreamEvent};

/// A reply that has begun.
pub(super) enum Events {
    Library(ChatStream),
    Bedrock(Box<Stream>),
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
            Self::Bedrock(stream) => stream.next().await,
        }
    }
}
