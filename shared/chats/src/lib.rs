#![doc = include_str!("../README.md")]

mod draft;
mod refusal;

use agents::{AgentContext, CommandDesk, Machines, Turn};
use aws::Secrets;
use axum::response::Response;
use bedrock::Signer;
use domain::step::{Command, MAX_REASON_CHARS, StepEdit, Track};
use domain::{AgentId, Scope};
use flows::{SealedMessage, Vault};
use http_kit::{ApiError, ErrorCode, OpenStreams, sse};
use serde::{Deserialize, Serialize};
use settings::{ConfigError, SdkConfig};
use std::sync::Arc;
use std::time::Duration;
use store::Table;
use utoipa::ToSchema;

pub use draft::{Draft, DraftSecret, DraftSecrets, Selection};
pub use refusal::of_vault;

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
    /// Finds that the user marked as harmless: they stay as typed, everywhere in the message.
    #[serde(default)]
    #[schema(max_items = 32)]
    pub not_secrets: Vec<Selection>,
}

impl ChatMessage {
    /// A message whose author marked no secrets.
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

/// The longest life of a reply's stream: after this time the gateway ends it.
const LONGEST_REPLY: Duration = Duration::from_secs(900);

impl Chats {
    /// Uses the table, the model's configuration and key, and the sealing key.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        let secrets = Secrets::new(sdk);
        Ok(Self {
            agents: AgentContext::from_env(&Signer::new(sdk), table, |purpose, id| {
                secrets.secret(purpose, id)
            })?,
            vault: Vault::from_env(sdk, table)?,
            streams: OpenStreams::from_env(table)?,
        })
    }

    /// The same, with agents that may run commands through `desk`.
    pub fn with_command_desk(self, desk: Arc<dyn CommandDesk>) -> Self {
        Self { agents: self.agents.with_command_desk(desk), ..self }
    }

    /// The same, with agents that may ask the project's sandbox without an approval.
    pub fn with_machines(self, machines: Arc<dyn Machines>) -> Self {
        Self { agents: self.agents.with_machines(machines), ..self }
    }

    /// Streams the agent's reply to a message, after sealing the secrets in the message.
    ///
    /// If the turn cannot begin, the answer is an ordinary error: the project does not exist, the message is empty or
    /// too long, or the credits do not suffice. A later failure ends the stream with an event.
    pub async fn open(
        &self,
        agent: AgentId,
        scope: Scope,
        message: &ChatMessage,
    ) -> Result<Response, ApiError> {
        let open = self.streams.open(scope.installation, LONGEST_REPLY).await?;
        let (sealed, turn) = match self.begin(agent, scope, message).await {
            Ok(begun) => begun,
            Err(refusal) => {
                open.close().await;
                return Err(refusal);
            }
        };
        let thread_id = turn.thread_id().clone();
        let (reply, ended) = turn.into_reply();
        Ok(sse::chat_stream(open, thread_id, sealed.announced(reply), ended))
    }

    async fn begin(
        &self,
        agent: AgentId,
        scope: Scope,
        message: &ChatMessage,
    ) -> Result<(SealedMessage, Turn), ApiError> {
        let sealed = self.seal(scope, message).await?;
        let turn = agents::chat(&self.agents, agent, scope, &sealed.text).await;
        Ok((sealed, turn.map_err(refusal::of_agent)?))
    }

    /// Seals the secrets of a message among the project's credentials and returns the message without them.
    pub async fn seal(
        &self,
        scope: Scope,
        message: &ChatMessage,
    ) -> Result<SealedMessage, ApiError> {
        let choices = draft::choices(&message.message, &message.secrets, &message.not_secrets)?;
        let sealed = self.vault.seal_message(scope, &message.message, &choices).await;
        sealed.map_err(refusal::of_vault)
    }

    /// The parts of a draft that would be sealed, under the names that they would get; nothing is stored.
    pub async fn draft_secrets(
        &self,
        scope: Scope,
        draft: &Draft,
    ) -> Result<DraftSecrets, ApiError> {
        let choices = draft::checked(draft)?;
        let found = self.vault.find(scope, &draft.message, &choices).await;
        let found = found.map_err(refusal::of_vault)?;
        Ok(draft::in_units(&draft.message, found))
    }

    /// The reason for a rejection, without secrets and surrounding white space; `None` if nothing remains.
    pub async fn seal_reason(
        &self,
        scope: Scope,
        reason: Option<String>,
    ) -> Result<Option<String>, ApiError> {
        let reason = reason.map(|reason| reason.trim().to_owned());
        let Some(message) = reason.filter(|reason| !reason.is_empty()) else { return Ok(None) };
        if message.chars().count() > MAX_REASON_CHARS {
            let detail = "This reason is too long. Keep it within 1,000 characters.";
            return Err(ApiError::unprocessable(ErrorCode::ReasonTooLong, detail));
        }
        Ok(Some(self.seal(scope, &ChatMessage::plain(message)).await?.text))
    }

    /// Checks an owner's text for a waiting command with the tools that need no sandbox; 422 if it cannot be a command.
    pub async fn examine_edit(
        &self,
        scope: Scope,
        track: Track,
        edit: &StepEdit,
    ) -> Result<Command, ApiError> {
        let examined = agents::examine_edit(&self.agents, scope, track, edit).await;
        examined.map_err(refusal::of_agent)
    }

    /// Answers 402 if the project cannot pay for any model call.
    pub async fn check_credit(&self, scope: Scope) -> Result<(), ApiError> {
        let credit = self.agents.check_credit(scope).await;
        credit.map_err(refusal::of_agent)
    }
}
