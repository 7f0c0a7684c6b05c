//! The conversation of a turn: kept in the table, or only read.

use crate::error::AgentError;
use domain::chat::{Message, Summary};
use domain::{AgentId, Scope, ThreadId};
use store::threads::{Thread, Threads};

/// The messages so far and where new ones go.
pub(crate) enum Conversation {
    /// A thread of the table; the turn adds what is said to it.
    Kept { threads: Threads, scope: Scope, agent: AgentId, thread: Thread },
    /// Messages for this turn only: preparing thirty steps must not fill the user's chat.
    Passing { id: ThreadId, messages: Vec<Message> },
}

impl Conversation {
    pub(crate) fn thread_id(&self) -> &ThreadId {
        match self {
            Self::Kept { thread, .. } => &thread.id,
            Self::Passing { id, .. } => id,
        }
    }

    pub(crate) fn messages(&self) -> &[Message] {
        match self {
            Self::Kept { thread, .. } => &thread.messages,
            Self::Passing { messages, .. } => messages,
        }
    }

    /// The summary of the beginning, if it was condensed. A passing conversation is short and has none.
    pub(crate) fn summary(&self) -> Option<&Summary> {
        match self {
            Self::Kept { thread, .. } => {
                let newest = thread.messages.iter().rev().find_map(|m| m.summary.as_ref());
                newest.filter(|summary| summary.messages < thread.messages.len())
            }
            Self::Passing { .. } => None,
        }
    }

    pub(crate) fn is_kept(&self) -> bool {
        matches!(self, Self::Kept { .. })
    }

    /// Adds a message; for a kept thread, it is in the table when this returns.
    pub(crate) async fn add(&mut self, message: Message) -> Result<(), AgentError> {
        match self {
            Self::Kept { threads, scope, agent, thread } => {
                threads.append(*scope, *agent, thread, message).await.map_err(AgentError::internal)
            }
            Self::Passing { messages, .. } => {
                messages.push(message);
                Ok(())
            }
        }
    }
}
