//! One turn of any agent: call the model, run the tools that it calls, send it their results, until it has answered.
//!
//! A turn ends in a named way: the model answered, the wanted tool did its work, a budget is spent, the model failed,
//! or the reader has left. In each case, the turn keeps what the model said and counts what it used before the stream
//! ends.

mod keep;
mod rounds;
mod window;
#[cfg(test)]
mod window_properties;

pub(crate) use keep::Conversation;
pub(crate) use rounds::ends::is_question;

use crate::context::AgentContext;
use crate::error::AgentError;
use crate::fence::Shown;
use crate::pipe::{Turn, pipe};
use crate::provider::{Patience, Stop};
use crate::tools::Tool;
use domain::{AgentId, Scope};

/// The task of a turn.
pub(crate) struct Task {
    pub(crate) scope: Scope,
    pub(crate) agent: AgentId,
    /// The system prompt.
    pub(crate) prompt: String,
    /// Fenced data about the project, put before the user's last message.
    pub(crate) context: Shown,
    pub(crate) tools: Vec<Box<dyn Tool>>,
    /// The tool that must do its work for the turn to succeed; it also ends the turn.
    pub(crate) goal: Option<&'static str>,
    /// The conversation; its last message is the one that the turn answers.
    pub(crate) conversation: Conversation,
    /// Who waits for the reply.
    pub(crate) patience: Patience,
}

/// Why a turn ended early.
pub(crate) enum End {
    Failed(AgentError),
    ReaderGone,
}

impl From<AgentError> for End {
    fn from(error: AgentError) -> Self {
        Self::Failed(error)
    }
}

impl From<Stop> for End {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Failed(error) => Self::Failed(error.into()),
            Stop::Refused(error) | Stop::WithoutKey(error) => Self::Failed(error),
            Stop::ReaderGone => Self::ReaderGone,
        }
    }
}

/// Begins a turn in the background and returns its events.
pub(crate) fn start(context: AgentContext, mut task: Task) -> Turn {
    let thread_id = task.conversation.thread_id().clone();
    let (mut reader, turn) = pipe(thread_id);
    // A separate task, because the turn must still be kept and counted if the reader leaves.
    tokio::spawn(async move {
        let ended = rounds::Rounds::new(&context, &mut task, &mut reader).run().await;
        if let Err(End::Failed(error)) = ended {
            error.log();
            reader.fail(error).await;
        }
    });
    turn
}
