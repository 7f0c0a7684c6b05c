//! A handle on one model: opens calls, retries those that are worth it, reads the reply.
//!
//! The three protocols are read here and not by a library, because the agents depend on what a library for all
//! providers leaves out: a bound on each message and each error, the count that Anthropic gives at the beginning,
//! replies of servers that only resemble OpenAI's, forced tools and cached input on Bedrock, and the names of errors in
//! the middle of a reply. None of this can be recovered later without a second call, which would have to be paid for,
//! too.

mod blocks;
mod classify;
mod completions;
mod converse;
mod dialect;
pub(crate) mod error;
mod events;
mod fields;
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
use crate::error::{AgentError, EarlyEnd};
use crate::exchange::{Dialect, Effort, Event, Options, Request};
use crate::pipe::Reader;
use dialect::Dialects;
use domain::AgentId;
use domain::report::Chain;
use error::{Field, Kind, ModelError};
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
    target: Target,
    access: Access,
    options: Options,
    /// The name of the model for summaries.
    summary_name: Option<String>,
    /// The names of the models of single agents.
    agent_names: AgentModels,
    patience: Patience,
    /// The longest silence in a call whose reader is a person.
    idle_timeout: Duration,
    /// How the servers of its models want their requests.
    dialects: Dialects,
    /// Whether a server that wants shorter replies is an error.
    keeps_limit: bool,
}

/// Which model answers, and where.
#[derive(Debug, Clone)]
struct Target {
    provider: Provider,
    /// Ends with a slash or with a query.
    base_url: String,
    model: String,
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
    /// The call was not begun, because there is no key for this model.
    WithoutKey(AgentError),
    /// The reader has left, so the call ends before it costs more.
    ReaderGone,
}

impl Stop {
    /// Whether another provider's model may be able to answer the same call.
    pub(crate) fn is_the_providers(&self) -> bool {
        match self {
            Self::Failed(error) => error.is_the_providers(),
            Self::WithoutKey(_) => true,
            Self::Refused(_) | Self::ReaderGone => false,
        }
    }

    /// What happened, for the log; nothing for a reader that left.
    pub(crate) fn cause(&self) -> String {
        match self {
            Self::Failed(error) => error.to_string(),
            Self::Refused(error) | Self::WithoutKey(error) => Chain(error).to_string(),
            Self::ReaderGone => String::new(),
        }
    }
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
        match (config.provider, &config.access) {
            (Provider::OpenAi | Provider::Anthropic, Access::Key(_)) => {}
            (Provider::Bedrock, Access::Role(_)) => {}
            _ => return Err(ModelSetupError),
        }
        let options = Options {
            reply_tokens: config.replies.tokens,
            temperature: config.replies.temperature,
            effort: config.replies.effort,
            forced: None,
            marked: marks::are_for(config.provider, &config.name),
            silence: config.idle_timeout,
            dialect: Dialect::default(),
        };
        let (provider, base_url, model) = (config.provider, config.base_url, config.name);
        Ok(Self {
            http: Arc::default(),
            target: Target { provider, base_url, model },
            access: config.access,
            options,
            summary_name: config.summary_name.filter(|name| !name.trim().is_empty()),
            agent_names: config.agent_names,
            patience: Patience::Reader,
            idle_timeout: config.idle_timeout,
            dialects: Dialects::default(),
            keeps_limit: false,
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
        &self.target.model
    }

    /// The models of single agents, each with the agents that use it.
    pub fn of_agents(&self) -> Vec<(Vec<AgentId>, Self)> {
        let by_name = self.agent_names.by_name().into_iter();
        by_name.map(|(name, agents)| (agents, self.named(name))).collect()
    }

    /// Another model of the same provider.
    fn named(&self, name: &str) -> Self {
        let target = Target { model: name.to_owned(), ..self.target.clone() };
        let marked = marks::are_for(target.provider, name);
        Self { target, options: Options { marked, ..self.options.clone() }, ..self.clone() }
    }

    /// The same model, for calls that wait this long for a busy or silent provider.
    pub(crate) fn with_patience(&self, patience: Patience) -> Self {
        let silence = self.idle_timeout.saturating_mul(patience.silences());
        Self { options: Options { silence, ..self.options.clone() }, patience, ..self.clone() }
    }

    /// The same model, forced to call the tool `name`.
    pub(crate) fn bound_to(&self, name: &str) -> Self {
        let mut options = Options { forced: Some(name.to_owned()), ..self.options.clone() };
        if self.target.provider != Provider::OpenAi {
            // Claude refuses a forced tool together with thinking.
            options.effort = None;
        }
        Self { options, ..self.clone() }
    }

    /// The model for summaries of at most this many tokens. Their input is sent only once, so nothing is marked.
    pub(crate) fn summarizer(&self, reply_tokens: u32) -> Self {
        let model = match &self.summary_name {
            Some(name) => self.named(name),
            None => self.clone(),
        };
        let reply_tokens = reply_tokens.min(self.options.reply_tokens);
        // Condensing needs few thoughts.
        let least = |given| if given == Effort::None { given } else { Effort::Low };
        let effort = model.options.effort.map(least);
        let options = Options { reply_tokens, effort, marked: false, ..model.options.clone() };
        Self { options, ..model }
    }

    /// The same model for a trial, which tells its operator if the model's replies have to be shorter than they are set.
    pub(crate) fn unlearning(&self) -> Self {
        Self { dialects: Dialects::default(), keeps_limit: true, ..self.clone() }
    }

    /// The settings of its replies by variable, without those that are left to the provider.
    pub(crate) fn settings(&self) -> Vec<String> {
        let temperature =
            self.options.temperature.map(|given| format!("MODEL_TEMPERATURE={given}"));
        let effort = self.options.effort.map(|given| format!("MODEL_EFFORT={}", given.name()));
        let tokens = Some(format!("MODEL_REPLY_TOKENS={}", self.options.reply_tokens));
        [temperature, effort, tokens].into_iter().flatten().collect()
    }

    /// Copies of the model, each without one of its settings and with that setting's name, to find the setting that the
    /// model refuses.
    pub(crate) fn plainer(&self) -> Vec<(String, Self)> {
        let with = |setting: String, options| (setting, Self { options, ..self.clone() });
        let mut plainer = Vec::new();
        if let Some(given) = self.options.temperature {
            let options = Options { temperature: None, ..self.options.clone() };
            plainer.push(with(format!("MODEL_TEMPERATURE={given}"), options));
        }
        if let Some(given) = self.options.effort {
            let options = Options { effort: None, ..self.options.clone() };
            plainer.push(with(format!("MODEL_EFFORT={}", given.name()), options));
        }
        let longest = self.options.reply_tokens;
        for tokens in [8_000, 4_000].into_iter().filter(|tokens| *tokens < longest) {
            let options = Options { reply_tokens: tokens, ..self.options.clone() };
            let setting = format!("MODEL_REPLY_TOKENS={longest}: it answers with {tokens}");
            plainer.push(with(setting, options));
        }
        plainer
    }

    /// The most tokens of a reply: the limit that the call names, and the basis of its worst case.
    pub(crate) fn reply_tokens(&self) -> u32 {
        self.options.reply_tokens
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
        let http =
            http.map_err(|error| ModelError::new(Kind::Invalid(Field::Other), error.to_string()))?;
        Ok(self.http.get_or_init(|| http))
    }

    /// Makes one call and passes its text on as it comes. `progress` holds what has arrived, even if the call fails, so
    /// that it can be kept and paid for.
    pub(crate) async fn call(
        &self,
        request: &Request,
        reader: &mut Reader,
        progress: &mut Progress,
    ) -> Result<Reply, Stop> {
        let (mut attempt, mut waited) = (1, Duration::ZERO);
        loop {
            let accepted = progress.accepted;
            let error = match self.attempt(request, reader, progress).await {
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
            tracing::warn!(attempt, cause = %Chain(&error), "a failed model call is tried again");
            tokio::select! {
                () = tokio::time::sleep(wait) => (attempt, waited) = (attempt + 1, waited + wait),
                () = reader.gone() => return Err(Stop::ReaderGone),
            }
        }
    }

    async fn attempt(
        &self,
        request: &Request,
        reader: &mut Reader,
        progress: &mut Progress,
    ) -> Result<Reply, Stop> {
        if reader.has_left() {
            return Err(Stop::ReaderGone);
        }
        let mut events = self.open(request, progress).await?;
        let name = &self.target.model;
        let begun = self.dialects.of(name, &self.options).dialect.begins_in_thoughts;
        let mut thinking = if begun { Thinking::begun() } else { Thinking::default() };
        let mut answering = false;
        loop {
            let event = tokio::select! {
                biased;
                // Until the provider has accepted the request, it is unknown whether it has to be paid for.
                () = reader.gone(), if progress.accepted => return Err(Stop::ReaderGone),
                event = events.next(progress) => event,
            };
            let early = || ModelError::new(Kind::Interrupted, "the stream ended early");
            match event.ok_or_else(early)?? {
                Event::Begun => continue,
                Event::Text(text) => take(thinking.push(&text), reader, progress).await?,
                Event::Call(call) => progress.call(&call)?,
                Event::Thought(piece) => progress.thought(&piece)?,
                Event::End(end) => {
                    take(thinking.end(), reader, progress).await?;
                    if let Some(end) = thinking::unopened(&progress.text) {
                        progress.were_thoughts(end);
                        self.dialects.begins_in_thoughts(name);
                    }
                    return Ok(Reply::from_end(end, progress)?);
                }
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

/// The error of a call without a key, which is not begun.
fn without_key(error: SecretError) -> AgentError {
    match error {
        SecretError::Empty(_) => AgentError::operator(EarlyEnd::NotConfigured, error.to_string()),
        SecretError::Unreadable { .. } => AgentError::internal(error),
    }
}
