//! Returns the conversations so far, for a page that is opened again.

use crate::App;
use domain::chat::{Message, Role};
use domain::{AgentId, Scope, ThreadId};
use http_kit::ApiError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A conversation.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ThreadBody {
    /// Its id; null before the first message.
    #[schema(required)]
    pub thread_id: Option<ThreadId>,
    /// From the first to the last; of a long conversation, the end.
    pub messages: Vec<ThreadMessage>,
    /// Whether messages before these are left out; absent if none are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub earlier_left_out: bool,
}

/// The speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The person.
    User,
    /// The agent.
    Assistant,
}

/// A message, for people.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ThreadMessage {
    /// The speaker.
    pub role: Speaker,
    /// Markdown.
    pub content: String,
    /// The effects of the agent's tools in this message.
    pub notes: Vec<String>,
}

impl App {
    /// The project's conversation with an agent.
    pub(crate) async fn thread(
        &self,
        scope: Scope,
        agent: AgentId,
    ) -> Result<ThreadBody, ApiError> {
        let thread = self.threads.load(scope, agent).await?;
        let Some(thread) = thread else {
            // Either no message was sent yet, or the caller has no such project. Only the latter is an error.
            self.projects.get(scope).await?.ok_or_else(ApiError::not_found)?;
            let messages = Vec::new();
            return Ok(ThreadBody { thread_id: None, messages, earlier_left_out: false });
        };
        Ok(ThreadBody {
            thread_id: Some(thread.id.clone()),
            earlier_left_out: thread.begins_earlier(),
            messages: readable(thread.messages),
        })
    }
}

/// One reply per question: what an agent said before and after its tool calls belongs together.
fn readable(messages: Vec<Message>) -> Vec<ThreadMessage> {
    let mut shown: Vec<ThreadMessage> = Vec::new();
    for message in messages.into_iter().filter(|message| message.role != Role::Tool) {
        let role = if message.role == Role::User { Speaker::User } else { Speaker::Assistant };
        match shown.last_mut().filter(|last| last.role == role && role == Speaker::Assistant) {
            Some(last) => {
                if !last.content.is_empty() && !message.text.is_empty() {
                    last.content.push_str("\n\n");
                }
                last.content.push_str(&message.text);
                last.notes.extend(message.notes);
            }
            None => shown.push(ThreadMessage { role, content: message.text, notes: message.notes }),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::chat::ToolResult;

    #[test]
    fn a_reply_around_a_tool_call_is_shown_as_one() {
        let result = ToolResult { call_id: "1".into(), content: "ok".into() };
        let messages = vec![
            Message::user("hello"),
            Message { notes: vec!["Plan written".into()], ..Message::assistant("I write it.") },
            Message::tool_results(vec![result]),
            Message::assistant("There it is."),
            Message::user("thanks"),
        ];
        let shown = readable(messages);
        let texts: Vec<_> = shown.iter().map(|m| (m.role, m.content.as_str())).collect();
        assert_eq!(
            texts,
            [
                (Speaker::User, "hello"),
                (Speaker::Assistant, "I write it.\n\nThere it is."),
                (Speaker::User, "thanks")
            ]
        );
        assert_eq!(shown[1].notes, ["Plan written"]);
    }
}
