//! A message to a planning agent, answered as a stream.

use crate::App;
use axum::response::Response;
use domain::{AgentId, Scope};
use http_kit::{ApiError, sse};

impl App {
    /// The agent's reply to a message, as it is written; secrets in the message are sealed first.
    pub(crate) async fn chat(
        &self,
        agent: AgentId,
        scope: Scope,
        message: &str,
    ) -> Result<Response, ApiError> {
        let sealed = self.vault.seal_message(scope, message).await;
        let sealed = sealed.map_err(|e| ApiError::of_vault(e.code(), e))?;
        let turn = agents::chat(&self.agents, agent, scope, &sealed.text)
            .await
            .map_err(|error| ApiError::of_agent(error.code(), error.public_text()))?;
        Ok(sse::chat_stream(turn.thread_id().clone(), sealed.announced(turn.into_reply())))
    }
}
