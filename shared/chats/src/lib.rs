#![doc = include_str!("../README.md")]

mod draft;

use agents::{AgentContext, CommandDesk};
use aws::Secrets;
use axum::response::Response;
use domain::{AgentId, Scope};
use flows::{SealedMessage, Vault};
use http_kit::{ApiError, OpenStreams, sse};
use serde::{Deserialize, Serialize};
use settings::{ConfigError, SdkConfig};
use std::sync::Arc;
use std::time::Duration;
use store::Table;
use utoipa::ToSchema;

pub use draft::{Draft, DraftSecret, DraftSecrets, Selection, draft_secrets};

/// A message to an agent.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ChatMessage {
    /// 1 to 20,000 characters.
    pub message: String,
    /// The conversation; a project has one per agent, so it may be left out.
    pub thread_id: Option<String>,
    /// Parts of the message that the user marked as secret: they are sealed, whatever they look like.
    #[serde(default)]
    #[schema(max_items = 32)]
    pub secrets: Vec<Selection>,
    /// Finds that the user took back: they are kept as typed, wherever they stand in the message.
    #[serde(default)]
    #[schema(max_items = 32)]
    pub not_secrets: Vec<Selection>,
}

impl ChatMessage {
    /// A message whose author said nothing about its secrets.
    pub fn plain(message: String) -> Self {
        Self { message, thread_id: None, secrets: Vec::new(), not_secrets: Vec::new() }
    }
}

/// The conversations of projects with their agents.
#[derive(Clone)]
pub struct Chats {
    agents: AgentContext,
    vault: Vault,
    streams: OpenStreams,
}

/// How long a reply's stream lives at most: the gateway ends it then.
const LONGEST_REPLY: Duration = Duration::from_secs(900);

impl Chats {
    /// From the table, the model's configuration and key, and the sealing key.
    pub async fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        let secrets = Secrets::new(sdk);
        Ok(Self {
            agents: AgentContext::from_env(table, async |id| secrets.get(id).await).await?,
            vault: Vault::from_env(sdk, table)?,
            streams: OpenStreams::from_env(table),
        })
    }

    /// The same, with agents that may run commands through `desk`.
    pub fn with_command_desk(self, desk: Arc<dyn CommandDesk>) -> Self {
        Self { agents: self.agents.with_command_desk(desk), ..self }
    }

    /// The agent's reply to a message, as it is written; secrets in the message are sealed first.
    ///
    /// What keeps a turn from beginning is an ordinary answer: no such project, a message of no or too great length, no
    /// credits. What goes wrong later ends the stream with an event.
    pub async fn open(
        &self,
        agent: AgentId,
        scope: Scope,
        message: &ChatMessage,
    ) -> Result<Response, ApiError> {
        let open = self.streams.open(scope.installation, LONGEST_REPLY).await?;
        let sealed = self.seal(scope, message).await?;
        let turn = agents::chat(&self.agents, agent, scope, &sealed.text)
            .await
            .map_err(|error| ApiError::of_agent(error.code(), error.public_text()))?;
        Ok(sse::chat_stream(open, turn.thread_id().clone(), sealed.announced(turn.into_reply())))
    }

    /// A message without its secrets, which are the project's sealed credentials from now on.
    pub async fn seal(
        &self,
        scope: Scope,
        message: &ChatMessage,
    ) -> Result<SealedMessage, ApiError> {
        let choices = draft::choices(&message.message, &message.secrets, &message.not_secrets)?;
        let sealed = self.vault.seal_message(scope, &message.message, &choices).await;
        sealed.map_err(|error| ApiError::of_vault(error.code(), error))
    }

    /// Refuses with 402 when no model call of the project could be paid for.
    pub async fn check_credit(&self, scope: Scope) -> Result<(), ApiError> {
        let credit = self.agents.check_credit(scope).await;
        credit.map_err(|error| ApiError::of_agent(error.code(), error.public_text()))
    }
}
