//! A handle on one model: opens calls, retries those that are worth it, reads the reply.

mod blocks;
mod classify;
mod completions;
mod converse;
pub(crate) mod error;
mod lines;
mod marks;
mod messages;
#[cfg(test)]
mod patience_tests;
mod progress;
mod retry;
mod stream;
mod thinking;
mod thoughts;
mod turns;
mod wire;

pub(crate) use progress::{Progress, Reply, UNREADABLE};
pub(crate) use retry::Patience;

use crate::config::{Access, AgentModels, CONNECT_TIMEOUT, ModelConfig, Provider};
use crate::error::{AgentError, ErrorCode};
use crate::pipe::Reader;
use domain::AgentId;
use error::{Kind, ModelError};
use genai::adapter::AdapterKind;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatStreamEvent, ContentPart, MessageContent, ToolCall,
    ToolChoice,
};
use genai::resolver::{AuthData, Endpoint};
use genai::{ModelIden, ServiceTarget};
use reqwest::redirect::Policy;
use settings::SecretError;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use thinking::{Parts, Thinking};

/// A model that agents call. Cheap to clone; clones share one pool of connections.
#[derive(Clone)]
pub struct Model {
    /// Made at the first call, because reading the system's certificates would triple a function's start.
    http: Arc<OnceLock<reqwest::Client>>,
    target: ServiceTarget,
    access: Access,
    options: ChatOptions,
    /// The most tokens of a reply, as the options tell the model.
    reply_tokens: u32,
    /// The name of the model for summaries.
    summary_name: Option<String>,
    /// The names of the models of single agents.
    agent_names: AgentModels,
    /// Whether requests mark what the provider should cache for the next call.
    marks_prefix: bool,
    patience: Patience,
    /// The longest silence in a call whose reader is a person.
    idle_timeout: Duration,
}

/// A reply that has begun.
enum Events {
    Completions(Box<completions::Stream>),
    Messages(Box<messages::Stream>),
    Bedrock(Box<converse::Stream>),
}

impl Events {
    /// The next event. `progress` keeps what the provider accepts and counts before the end.
    async fn next(
        &mut self,
        progress: &mut Progress,
    ) -> Option<Result<ChatStreamEvent, ModelError>> {
        match self {
            Self::Completions(stream) => stream.next().await,
            Self::Bedrock(stream) => stream.next().await,
            Self::Messages(stream) => {
                let event = stream.next().await;
                if matches!(event, Some(Ok(_))) {
                    progress.accept();
                }
                progress.count_input(stream.reading().counted_input());
                event
            }
        }
    }
}

/// The configuration does not describe a model.
#[derive(Debug, thiserror::Error)]
#[error("the model's base URL must begin with http:// or https://, and its name must not be empty")]
pub struct ModelSetupError;

/// Why a call gave no reply.
pub(crate) enum Stop {
    /// The provider or the network failed.
    Failed(ModelError),
    /// The call was not begun, because its owner has to do something first.
    Refused(AgentError),
    /// The reader has left, so the call ends before it costs more.
    ReaderGone,
}

impl From<ModelError> for Stop {
    fn from(error: ModelError) -> Self {
        Self::Failed(error)
    }
}

impl Model {
    /// A handle on the configured model; it connects at the first call.
    pub fn new(config: ModelConfig) -> Result<Self, ModelSetupError> {
        let web = ["http://", "https://"].iter().any(|start| config.base_url.starts_with(start));
        if !web || config.name.trim().is_empty() {
            return Err(ModelSetupError);
        }
        let adapter = match (config.provider, &config.access) {
            (Provider::OpenAi, Access::Key(_)) => AdapterKind::OpenAI,
            (Provider::Anthropic, Access::Key(_)) => AdapterKind::Anthropic,
            (Provider::Bedrock, Access::Role(_)) => AdapterKind::BedrockApi,
            _ => return Err(ModelSetupError),
        };
        let marks_prefix = marks::are_for(adapter, &config.name);
        let target = ServiceTarget {
            endpoint: Endpoint::from_owned(config.base_url),
            // Set for each call, because the key may have changed by then.
            auth: AuthData::None,
            model: ModelIden::new(adapter, config.name),
        };
        let replies = config.replies;
        let mut options = ChatOptions::default()
            .with_max_tokens(replies.tokens)
            .with_stream_header_timeout(config.idle_timeout)
            .with_stream_read_timeout(config.idle_timeout);
        options.temperature = replies.temperature;
        options.reasoning_effort = replies.effort;
        Ok(Self {
            http: Arc::default(),
            target,
            access: config.access,
            options,
            reply_tokens: replies.tokens,
            summary_name: config.summary_name.filter(|name| !name.trim().is_empty()),
            agent_names: config.agent_names,
            marks_prefix,
            patience: Patience::Reader,
            idle_timeout: config.idle_timeout,
        })
    }

    /// The agent's own model, or this one if it has none.
    pub(crate) fn of_agent(&self, agent: AgentId) -> Self {
        match self.agent_names.of(agent) {
            Some(name) => self.named(name),
            None => self.clone(),
        }
    }

    /// Its name at its provider.
    pub fn name(&self) -> &str {
        &self.target.model.model_name
    }

    /// The models of single agents, each with the agents that use it.
    pub fn of_agents(&self) -> Vec<(Vec<AgentId>, Self)> {
        let by_name = self.agent_names.by_name().into_iter();
        by_name.map(|(name, agents)| (agents, self.named(name))).collect()
    }

    /// Another model of the same provider.
    fn named(&self, name: &str) -> Self {
        let adapter = self.target.model.adapter_kind;
        let mut target = self.target.clone();
        target.model = ModelIden::new(adapter, name.to_owned());
        Self { target, marks_prefix: marks::are_for(adapter, name), ..self.clone() }
    }

    /// The same model, for calls that wait this long for a busy or silent provider.
    pub(crate) fn with_patience(&self, patience: Patience) -> Self {
        let idle = self.idle_timeout.saturating_mul(patience.silences());
        let options = self.options.clone();
        let options = options.with_stream_header_timeout(idle).with_stream_read_timeout(idle);
        Self { options, patience, ..self.clone() }
    }

    /// The same model, forced to call the tool `name`.
    pub(crate) fn bound_to(&self, name: &str) -> Self {
        let mut options = self.options.clone().with_tool_choice(ToolChoice::tool(name));
        if self.target.model.adapter_kind != AdapterKind::OpenAI {
            // Claude refuses a forced tool together with thinking.
            options.reasoning_effort = None;
        }
        Self { options, ..self.clone() }
    }

    /// The model for summaries of at most this many tokens. Their input is sent only once, so nothing is marked.
    pub(crate) fn summarizer(&self, reply_tokens: u32) -> Self {
        let reply_tokens = reply_tokens.min(self.reply_tokens);
        let options = self.options.clone().with_max_tokens(reply_tokens);
        let model = match &self.summary_name {
            Some(name) => self.named(name),
            None => self.clone(),
        };
        Self { options, reply_tokens, marks_prefix: false, ..model }
    }

    /// The settings of its replies by variable, without those that are left to the provider.
    pub(crate) fn settings(&self) -> Vec<String> {
        let temperature =
            self.options.temperature.map(|given| format!("MODEL_TEMPERATURE={given}"));
        let effort = self.options.reasoning_effort.as_ref();
        let effort = effort.map(|given| format!("MODEL_EFFORT={given}"));
        let tokens = Some(format!("MODEL_REPLY_TOKENS={}", self.reply_tokens));
        [temperature, effort, tokens].into_iter().flatten().collect()
    }

    /// Copies of the model, each without one of its settings and with that setting's name, to find the setting that the
    /// model refuses.
    pub(crate) fn plainer(&self) -> Vec<(String, Self)> {
        let mut plainer = Vec::new();
        if let Some(given) = self.options.temperature {
            let options = ChatOptions { temperature: None, ..self.options.clone() };
            plainer.push((format!("MODEL_TEMPERATURE={given}"), Self { options, ..self.clone() }));
        }
        if let Some(given) = &self.options.reasoning_effort {
            let options = ChatOptions { reasoning_effort: None, ..self.options.clone() };
            plainer.push((format!("MODEL_EFFORT={given}"), Self { options, ..self.clone() }));
        }
        for tokens in [8_000, 4_000].into_iter().filter(|tokens| *tokens < self.reply_tokens) {
            let options = self.options.clone().with_max_tokens(tokens);
            let setting = format!("MODEL_REPLY_TOKENS={}", self.reply_tokens);
            let setting = format!("{setting}: it answers with {tokens}");
            plainer.push((setting, Self { options, reply_tokens: tokens, ..self.clone() }));
        }
        plainer
    }

    /// The most tokens of a reply: the limit that the call names, and the basis of its worst case.
    pub(crate) fn reply_tokens(&self) -> u32 {
        self.reply_tokens
    }

    /// Checks that there is a key for the model; the function's role needs none.
    pub(crate) async fn check_key(&self) -> Result<(), AgentError> {
        match &self.access {
            Access::Key(key) => key.get().await.map(drop).map_err(without_key),
            Access::Role(_) => Ok(()),
        }
    }

    fn http(&self) -> Result<&reqwest::Client, ModelError> {
        if let Some(http) = self.http.get() {
            return Ok(http);
        }
        // The key and the conversation must go to the provider only, and never where it redirects them.
        let http = reqwest::Client::builder().redirect(Policy::none());
        // Nagle's algorithm would hold small frames back for up to 40 ms.
        let http = http.connect_timeout(CONNECT_TIMEOUT).tcp_nodelay(true).build();
        let http = http.map_err(|error| ModelError::new(Kind::Invalid, error.to_string()))?;
        Ok(self.http.get_or_init(|| http))
    }

    /// Sends the request; returns when a reply begins.
    async fn open(&self, request: ChatRequest, progress: &mut Progress) -> Result<Events, Stop> {
        let (target, options) = (&self.target, &self.options);
        let request = if self.marks_prefix { marks::set(request) } else { request };
        let key = match &self.access {
            Access::Role(signer) => {
                let stream = converse::open(self.http()?, signer, target, request, options).await?;
                progress.accept();
                return Ok(Events::Bedrock(Box::new(stream)));
            }
            Access::Key(key) => key.get().await,
        };
        let key = key.map_err(|error| Stop::Refused(without_key(error)))?;
        let http = self.http()?;
        if target.model.adapter_kind == AdapterKind::OpenAI {
            let stream = completions::open(http, &key, target, request, options).await?;
            progress.accept();
            return Ok(Events::Completions(Box::new(stream)));
        }
        // Anthropic accepts with its first event, which counts the input.
        let stream = messages::open(http, &key, target, request, options).await?;
        Ok(Events::Messages(Box::new(stream)))
    }

    /// Makes one call and passes its text on as it comes. `progress` holds what has arrived, even if the call fails, so
    /// that it can be kept and paid for.
    pub(crate) async fn call(
        &self,
        request: &ChatRequest,
        reader: &mut Reader,
        progress: &mut Progress,
    ) -> Result<Reply, Stop> {
        let (mut attempt, mut waited) = (1, Duration::ZERO);
        loop {
            let accepted = progress.accepted;
            let error = match self.attempt(request.clone(), reader, progress).await {
                Err(Stop::Failed(error)) => error,
                end => {
                    reader.goes_on().await;
                    return end;
                }
            };
            progress.accepted = accepted || error.leaves_a_bill();
            // Once the reader has seen a part, a second try would repeat or contradict it.
            let wait = retry::wait(&error, attempt, waited, self.patience, rand::random())
                .filter(|_| progress.is_empty());
            let Some(wait) = wait else {
                reader.goes_on().await;
                return Err(error.into());
            };
            if let Some(notice) = retry::notice(&error, wait, waited, self.patience) {
                reader.waits(notice).await;
            }
            tracing::warn!(attempt, cause = %error, "a failed model call is tried again");
            tokio::select! {
                () = tokio::time::sleep(wait) => (attempt, waited) = (attempt + 1, waited + wait),
                () = reader.gone() => return Err(Stop::ReaderGone),
            }
        }
    }

    async fn attempt(
        &self,
        request: ChatRequest,
        reader: &mut Reader,
        progress: &mut Progress,
    ) -> Result<Reply, Stop> {
        if reader.has_left() {
            return Err(Stop::ReaderGone);
        }
        let mut events = self.open(request, progress).await?;
        let (mut answering, mut thinking) = (false, Thinking::default());
        loop {
            let event = tokio::select! {
                biased;
                // Until the provider has accepted the request, it is unknown whether it has to be paid for.
                () = reader.gone(), if progress.accepted => return Err(Stop::ReaderGone),
                event = events.next(progress) => event,
            };
            let early = || ModelError::new(Kind::Interrupted, "the stream ended early");
            match event.ok_or_else(early)?? {
                // The provider has begun to work; nothing of the reply has come.
                ChatStreamEvent::Start => continue,
                ChatStreamEvent::Chunk(chunk) => {
                    take(thinking.push(&chunk.content), reader, progress).await?;
                }
                ChatStreamEvent::ToolCallChunk(chunk) => progress.tool_call(&chunk.tool_call)?,
                ChatStreamEvent::End(end) => {
                    take(thinking.end(), reader, progress).await?;
                    return Ok(Reply::from_end(end, progress)?);
                }
                ChatStreamEvent::ReasoningChunk(chunk) => progress.thought(&chunk.content)?,
                ChatStreamEvent::ThoughtSignatureChunk(chunk) => {
                    progress.thought(&chunk.content)?
                }
                ChatStreamEvent::Heartbeat => {}
            }
            if !std::mem::replace(&mut answering, true) {
                reader.goes_on().await;
            }
        }
    }
}

/// Keeps a piece of the reply and passes on the part that is for its reader.
async fn take(
    parts: Parts,
    reader: &mut Reader,
    progress: &mut Progress,
) -> Result<(), ModelError> {
    progress.thought_bytes(parts.thought_bytes)?;
    if !parts.text.is_empty() {
        progress.text(&parts.text)?;
        reader.text(parts.text).await;
    }
    Ok(())
}

/// The message without the parts that only the provider that wrote it can read.
pub(crate) fn unsigned(mut message: ChatMessage) -> ChatMessage {
    let parts = message.content.into_parts().into_iter().filter_map(|part| match part {
        ContentPart::ThoughtSignature(_) | ContentPart::ReasoningContent(_) => None,
        ContentPart::ToolCall(call) => {
            Some(ContentPart::ToolCall(ToolCall { thought_signatures: None, ..call }))
        }
        other => Some(other),
    });
    message.content = MessageContent::from_parts(parts.collect::<Vec<_>>());
    message
}

/// The error of a call without a key, which is not begun.
fn without_key(error: SecretError) -> AgentError {
    match error {
        SecretError::Empty(_) => AgentError::operator(ErrorCode::NotConfigured, error.to_string()),
        SecretError::Unreadable { .. } => AgentError::internal(error),
    }
}
