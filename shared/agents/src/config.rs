//! Configures which model answers, and how to reach it.

use bedrock::Signer;
use genai::chat::ReasoningEffort;
use settings::Secret;
use std::str::FromStr;
use std::time::Duration;

/// The longest silence between two chunks of a reply before the call counts as cut off.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// The longest wait for a connection to the provider.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The most tokens of one reply, unless the configuration sets another limit. Every current model family allows this
/// many.
pub const REPLY_TOKENS: u32 = 16_000;
/// The limits that may be configured: a whole script fits the least, and no current model writes more than the most.
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
    pub(crate) effort: Option<ReasoningEffort>,
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
        let effort = given(effort)
            .map(|text| ReasoningEffort::from_keyword(&text).ok_or(InvalidReplySetting::Effort));
        Ok(Self { tokens, temperature: temperature.transpose()?, effort: effort.transpose()? })
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
        assert!(matches!(all.effort, Some(ReasoningEffort::Low)));
        for tokens in ["1999", "128001", "-1", "many", "8e3"] {
            assert_eq!(refused(tokens, "", ""), InvalidReplySetting::Tokens);
        }
        for temperature in ["-0.1", "2.1", "NaN", "warm"] {
            assert_eq!(refused("", temperature, ""), InvalidReplySetting::Temperature);
        }
        assert_eq!(refused("", "", "hard"), InvalidReplySetting::Effort);
    }

    #[test]
    fn printing_the_configuration_does_not_print_the_key() {
        let config = ModelConfig::new(Provider::OpenAi, "m", None, "sk-hidden");
        assert!(!format!("{config:?}").contains("hidden"));
    }
}
