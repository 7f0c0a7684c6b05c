//! A turn as its reader sees it.

use crate::{AgentEvent, Turn};
use domain::chat::ChatEvent;
use futures::{Stream, StreamExt};

impl Turn {
    /// The events for a reader; the reply ends when the stream ends.
    pub fn into_reply(self) -> impl Stream<Item = ChatEvent> + Send + 'static {
        self.filter_map(async |event| match event {
            AgentEvent::Text(text) => Some(ChatEvent::Text(text)),
            AgentEvent::ToolDone { tool, summary } => Some(ChatEvent::Tool { tool, summary }),
            AgentEvent::Command(command) => Some(ChatEvent::Command(command)),
            AgentEvent::CommandOutput { number, content } => {
                Some(ChatEvent::CommandOutput { number, content })
            }
            AgentEvent::CommandEnd { number, status, exit_code } => {
                Some(ChatEvent::CommandEnd { number, status, exit_code })
            }
            AgentEvent::Failed(error) => Some(ChatEvent::Error {
                code: error.code().as_str(),
                detail: error.public_text().to_owned(),
            }),
            AgentEvent::Done { .. } => None,
        })
    }
}
