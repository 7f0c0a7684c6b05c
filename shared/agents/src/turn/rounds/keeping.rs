//! Keeps the messages of a turn, round by round.

use super::Rounds;
use crate::error::AgentError;
use crate::exchange::CallResult;
use crate::provider::Reply;
use crate::tools;
use crate::turn::End;
use domain::chat::{Message, Role, ToolResult};

impl Rounds<'_> {
    pub(super) async fn keep_round(
        &mut self,
        reply: &Reply,
        text: String,
        results: &[CallResult],
        notes: Vec<String>,
    ) -> Result<(), End> {
        let tool_calls = reply.calls.iter().map(tools::kept).collect();
        self.add(Message { tool_calls, notes, ..Message::assistant(text) }).await?;
        let result = |response: &CallResult| ToolResult {
            call_id: response.id.clone(),
            content: response.content.clone(),
        };
        let results = Message::tool_results(results.iter().map(result).collect());
        Ok(self.add(results).await?)
    }

    /// Adds a message to the conversation; the first reply also stores a new summary.
    pub(super) async fn add(&mut self, mut message: Message) -> Result<(), AgentError> {
        if message.role == Role::Assistant {
            message.summary = self.unkept.take();
        }
        self.task.conversation.add(message).await
    }

    /// Keeps what the agent said before the turn broke off, with the reason that its reader saw.
    pub(super) async fn keep_partial(&mut self, text: String, reason: Option<String>) {
        let notes: Vec<String> = reason.into_iter().collect();
        if text.is_empty() && notes.is_empty() {
            return;
        }
        let message = Message { partial: true, notes, ..Message::assistant(text) };
        if let Err(error) = self.add(message).await {
            error.log();
        }
    }
}
