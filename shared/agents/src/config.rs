//! Configures which model answers, and how to reach it.

use crate::exchange::Effort;
use bedrock::Signer;
use domain::AgentId;
use settings::Secret;
use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;

/// The longest silence between two chunks of a reply before the call counts as cut off.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// The longest wait for a connection to the provider.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The most tokens of one reply, unless the configuration sets another limit. Every current model family allows this
/// many.
pub const REPLY_TOKENS: u32 = 16_000;
/// The limits that may be configured: a whole script fits within the lowest, and no current model writes more than the
/// highest.
const REPLY_TOKENS_RANGE: std::ops::RangeInclusive<u32> = 2_000..=128_000;
/// The temperatures that providers accept.
const TEMPERATURES: std::ops::RangeInclusive<f64> = 0.0..=2.0;

/// The wire protocol that the provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Chat Completions, the protocol of OpenAI and of many compatible servers.
    OpenAi,
    /// Anthropic's Messages.
    Anthropic,
    /// Bedrock's Converse, which the function's role is allowed to call.
    Bedrock,
}

/// A name that belongs to no provider.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model provider must be `openai`, `anthropic` or `bedrock`")]
pub struct UnknownProvider;

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, UnknownProvider> {
        match name {
            "openai" => Ok(Self::OpenAi),
            "anthropic" => Ok(Self::Anthropic),
            "bedrock" => Ok(Self::Bedrock),
            _ => Err(UnknownProvider),
        }
    }
}

/// The credential for calling a provider.
#[derive(Clone)]
pub enum Access {
    /// A key from the provider.
    Key(Secret),
    /// The function's role, which signs calls of Bedrock.
    Role(Signer),
}

impl From<Secret> for Access {
    fn from(key: Secret) -> Self {
        Self::Key(key)
    }
}

impl From<&str> for Access {
    fn from(key: &str) -> Self {
        Self::Key(key.into())
    }
}

impl From<Signer> for Access {
    fn from(signer: Signer) -> Self {
        Self::Role(signer)
    }
}

impl Provider {
    /// The provider's own address, used when no base URL is configured. Empty for Bedrock without a region.
    fn default_base_url(self, access: &Access) -> String {
        match (self, access) {
            (Self::OpenAi, _) => "https://api.openai.com/v1/".to_owned(),
            (Self::Anthropic, _) => "https://api.anthropic.com/v1/".to_owned(),
            (Self::Bedrock, Access::Role(signer)) => signer.base_url().unwrap_or_default(),
            (Self::Bedrock, Access::Key(_)) => String::new(),
        }
    }
}

/// How the model replies.
#[derive(Debug, Clone)]
pub struct ReplySettings {
    /// The most tokens of a reply, thoughts included.
    pub(crate) tokens: u32,
    /// How freely it chooses its words; `None` for the provider's default.
    pub(crate) temperature: Option<f64>,
    /// How long it thinks before it answers; `None` for the provider's default.
    pub(crate) effort: Option<Effort>,
}

impl Default for ReplySettings {
    fn default() -> Self {
        Self { tokens: REPLY_TOKENS, temperature: None, effort: None }
    }
}

/// A setting that is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidReplySetting {
    /// `MODEL_REPLY_TOKENS`
    #[error("the tokens of a reply must be a whole number from 2000 to 128000")]
    Tokens,
    /// `MODEL_TEMPERATURE`
    #[error("the temperature must be a number from 0 to 2")]
    Temperature,
    /// `MODEL_EFFORT`
    #[error("the effort must be `none`, `minimal`, `low`, `medium`, `high` or `max`")]
    Effort,
}

impl ReplySettings {
    /// Parses the texts of the settings; an empty text leaves its setting unchanged.
    pub fn parse(
        tokens: &str,
        temperature: &str,
        effort: &str,
    ) -> Result<Self, InvalidReplySetting> {
        let given = |text: &'_ str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let tokens = given(tokens).map_or(Ok(REPLY_TOKENS), |text| {
            let tokens = text.parse().ok().filter(|tokens| REPLY_TOKENS_RANGE.contains(tokens));
            tokens.ok_or(InvalidReplySetting::Tokens)
        })?;
        let temperature = given(temperature).map(|text| {
            let temperature = text.parse().ok().filter(|number| TEMPERATURES.contains(number));
            temperature.ok_or(InvalidReplySetting::Temperature)
        });
        let effort =
            given(effort).map(|text| Effort::named(&text).ok_or(InvalidReplySetting::Effort));
        Ok(Self { tokens, temperature: temperature.transpose()?, effort: effort.transpose()? })
    }
}

/// The models of single agents, by the agents' ids: `executor=a-large-model,documenter=a-small-one`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentModels(BTreeMap<AgentId, String>);

/// A text that does not name the models of agents.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAgentModels {
    /// A part that is not an agent's id, an equals sign and a name.
    #[error("`{0}` is not of the form `agent=model`")]
    Form(String),
    /// An id that belongs to no agent.
    #[error("there is no agent `{0}`")]
    Agent(String),
    /// An agent that is named twice.
    #[error("the agent `{0}` has two models")]
    Twice(String),
}

impl AgentModels {
    /// The name of the agent's own model, if it has one.
    pub(crate) fn of(&self, agent: AgentId) -> Option<&str> {
        self.0.get(&agent).map(String::as_str)
    }

    /// The different models, each with the agents that use it.
    pub(crate) fn by_name(&self) -> BTreeMap<&str, Vec<AgentId>> {
        let mut by_name: BTreeMap<&str, Vec<AgentId>> = BTreeMap::new();
        for (agent, name) in &self.0 {
            by_name.entry(name).or_default().push(*agent);
        }
        by_name
    }
}

impl FromStr for AgentModels {
    type Err = InvalidAgentModels;

    fn from_str(text: &str) -> Result<Self, InvalidAgentModels> {
        let mut names = BTreeMap::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = || InvalidAgentModels::Form(part.to_owned());
            let (agent, name) = part.split_once('=').ok_or_else(wrong)?;
            let (agent, name) = (agent.trim(), name.trim());
            if name.is_empty() || name.contains(char::is_whitespace) {
                return Err(wrong());
            }
            let known = agent.parse().map_err(|_| InvalidAgentModels::Agent(agent.to_owned()))?;
            if names.insert(known, name.to_owned()).is_some() {
                return Err(InvalidAgentModels::Twice(agent.to_owned()));
            }
        }
        Ok(Self(names))
    }
}

/// Everything that a [`Model`](crate::Model) is made from.
#[derive(Clone)]
pub struct ModelConfig {
    pub(crate) provider: Provider,
    pub(crate) name: String,
    pub(crate) base_url: String,
    pub(crate) access: Access,
    pub(crate) replies: ReplySettings,
    /// The name of the model that shortens long conversations; `None` for the same model.
    pub(crate) summary_name: Option<String>,
    /// The names of the models of single agents; the others get [`ModelConfig::name`].
    pub(crate) agent_names: AgentModels,
    pub(crate) idle_timeout: Duration,
}

impl ModelConfig {
    /// A model by its provider, its name there, the base URL including the version
    /// (`https://api.openai.com/v1`; `None` for the provider's own) and the key, or the signer for Bedrock.
    pub fn new(
        provider: Provider,
        name: impl Into<String>,
        base_url: Option<&str>,
        access: impl Into<Access>,
    ) -> Self {
        let access = access.into();
        let base_url = base_url.map(str::trim).filter(|url| !url.is_empty()).map(str::to_owned);
        let base_url = base_url.unwrap_or_else(|| provider.default_base_url(&access));
        Self {
            provider,
            name: name.into(),
            // Without the slash at its end, the last path segment of a URL would be replaced, not extended.
            base_url: format!("{}/", base_url.trim_end_matches('/')),
            access,
            replies: ReplySettings::default(),
            summary_name: None,
            agent_names: AgentModels::default(),
            idle_timeout: IDLE_TIMEOUT,
        }
    }

    /// Sets how the model replies.
    pub fn with_replies(mut self, replies: ReplySettings) -> Self {
        self.replies = replies;
        self
    }

    /// Sets another model of the same provider that summarizes long conversations; a small one is enough.
    pub fn with_summary_model(mut self, name: impl Into<String>) -> Self {
        self.summary_name = Some(name.into());
        self
    }

    /// Sets other models of the same provider for single agents.
    pub fn with_agent_models(mut self, names: AgentModels) -> Self {
        self.agent_names = names;
        self
    }

    /// Sets a limit other than [`IDLE_TIMEOUT`] for silence during a reply.
    pub fn with_idle_timeout(mut self, idle_timeout: Duration) -> Self {
        self.idle_timeout = idle_timeout;
        self
    }
}

/// Leaves out the key, so that it never reaches a log.
impl std::fmt::Debug for ModelConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelConfig")
            .field("provider", &self.provider)
            .field("name", &self.name)
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_extended_and_never_loses_its_version() {
        for given in [
            Some("http://localhost:3000/_local/model/v1"),
            Some("http://localhost:3000/_local/model/v1/"),
        ] {
            let config = ModelConfig::new(Provider::OpenAi, "m", given, "");
            assert_eq!(config.base_url, "http://localhost:3000/_local/model/v1/");
        }
        for none in [None, Some(""), Some("  ")] {
            let config = ModelConfig::new(Provider::Anthropic, "m", none, "");
            assert_eq!(config.base_url, "https://api.anthropic.com/v1/");
        }
    }

    #[test]
    fn reply_settings_are_applied_or_refused_by_name() {
        let refused = |tokens: &str, temperature: &str, effort: &str| {
            ReplySettings::parse(tokens, temperature, effort).unwrap_err()
        };
        let none = ReplySettings::parse("", " ", "").unwrap();
        assert_eq!((none.tokens, none.temperature), (REPLY_TOKENS, None));
        assert!(none.effort.is_none());
        let all = ReplySettings::parse("8000", "0.2", "low").unwrap();
        assert_eq!((all.tokens, all.temperature), (8_000, Some(0.2)));
        assert!(matches!(all.effort, Some(Effort::Low)));
        for tokens in ["1999", "128001", "-1", "many", "8e3"] {
            assert_eq!(refused(tokens, "", ""), InvalidReplySetting::Tokens);
        }
        for temperature in ["-0.1", "2.1", "NaN", "warm"] {
            assert_eq!(refused("", temperature, ""), InvalidReplySetting::Temperature);
        }
        assert_eq!(refused("", "", "hard"), InvalidReplySetting::Effort);
    }

    #[test]
    fn the_models_of_agents_are_read_or_refused_by_name() {
        let read = |text: &str| text.parse::<AgentModels>();
        assert_eq!(read(" , "), Ok(AgentModels::default()));
        let arn = "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.x-v1:0";
        let models =
            read(&format!("executor = {arn}, documenter=small,devops-helper=small")).unwrap();
        assert_eq!(models.of(AgentId::Executor), Some(arn));
        assert_eq!(models.of(AgentId::Validator), None);
        let by_name = models.by_name();
        assert_eq!(by_name["small"], [AgentId::Documenter, AgentId::DevopsHelper]);
        let refused = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(refused("executor"), "`executor` is not of the form `agent=model`");
        assert_eq!(refused("executor=a b"), "`executor=a b` is not of the form `agent=model`");
        assert_eq!(refused("planner=m"), "there is no agent `planner`");
        assert_eq!(refused("executor=a,executor=b"), "the agent `executor` has two models");
    }

    #[test]
    fn printing_the_configuration_does_not_print_the_key() {
        let config = ModelConfig::new(Provider::OpenAi, "m", None, "sk-hidden");
        assert!(!format!("{config:?}").contains("hidden"));
    }
}
