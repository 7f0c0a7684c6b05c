//! Answers a user's message while they read.

use crate::context::AgentContext;
use crate::error::{AgentError, EarlyEnd};
use crate::pipe::Turn;
use crate::provider::Patience;
use crate::roles;
use crate::turn::{self, Conversation, Task};
use domain::chat::{Message, user_message};
use domain::{AgentId, Scope};

/// The most bytes of the conversation that count when we check whether the user can pay for an answer: about as much as
/// we send of a long conversation.
const HISTORY_BYTES: usize = 200_000;

/// Answers `message` in the project's conversation with `agent`.
///
/// When this returns, the message is in the table and the turn is under way; its events are read
/// from the [`Turn`]. Errors before that are answered directly: `invalid_message`,
/// `not_found` for a project that this installation does not have, `insufficient_credits` and
/// `budget_reached` when the first call to the model could not be paid, `not_configured` without a model's key,
/// `internal`.
pub async fn chat(
    context: &AgentContext,
    agent: AgentId,
    scope: Scope,
    message: &str,
) -> Result<Turn, AgentError> {
    let message = user_message(message)
        .map_err(|problem| AgentError::caller(EarlyEnd::InvalidMessage, problem.to_string()))?;
    let thread =
        async { context.threads.load_or_begin(scope, agent).await.map_err(AgentError::internal) };
    let role = roles::in_chat(context, agent, scope);
    let (role, thread, funds, ()) =
        futures::try_join!(role, thread, context.funds(scope), context.check_key())?;
    let said = thread.messages.iter().map(|said| said.text.len()).sum::<usize>().min(HISTORY_BYTES);
    let sent = role.prompt.len() + role.context.len() + said + message.len();
    context.cover(scope, funds, sent).await?;
    let threads = context.threads.clone();
    let mut conversation = Conversation::Kept { threads, scope, agent, thread };
    conversation.add(Message::user(message)).await?;
    let roles::Role { prompt, context: shown, tools, goal } = role;
    let patience = Patience::Reader;
    let task = Task { scope, agent, prompt, context: shown, tools, goal, conversation, patience };
    Ok(turn::start(context.clone(), task))
}
