//! Which model speaks, and how it is reached.

use std::str::FromStr;
use std::time::Duration;

/// Longest silence between two chunks of a reply before the call counts as cut off.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// Longest wait for a connection to the provider.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The wire protocol that the provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Chat Completions, as OpenAI and the many servers compatible with it speak it.
    OpenAi,
    /// Anthropic's Messages.
    Anthropic,
}

/// No provider has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model provider must be `openai` or `anthropic`")]
pub struct UnknownProvider;

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, UnknownProvider> {
        match name {
            "openai" => Ok(Self::OpenAi),
            "anthropic" => Ok(Self::Anthropic),
            _ => Err(UnknownProvider),
        }
    }
}

impl Provider {
    /// Where the provider itself answers; used when no base URL is configured.
    fn default_base_url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1/",
            Self::Anthropic => "https://api.anthropic.com/v1/",
        }
    }
}

/// Everything a [`Model`](crate::Model) is made from.
#[derive(Clone)]
pub struct ModelConfig {
    pub(crate) provider: Provider,
    pub(crate) name: String,
    pub(crate) base_url: String,
    pub(crate) key: String,
    pub(crate) idle_timeout: Duration,
}

impl ModelConfig {
    /// A model by its provider, its name there, the base URL including the version
    /// (`https://api.openai.com/v1`; `None` for the provider's own) and the key.
    pub fn new(
        provider: Provider,
        name: impl Into<String>,
        base_url: Option<&str>,
        key: impl Into<String>,
    ) -> Self {
        let base_url = base_url.map(str::trim).filter(|url| !url.is_empty());
        let base_url = base_url.unwrap_or_else(|| provider.default_base_url());
        Self {
            provider,
            name: name.into(),
            // The last path segment of a URL without the slash would be replaced, not extended.
            base_url: format!("{}/", base_url.trim_end_matches('/')),
            key: key.into(),
            idle_timeout: IDLE_TIMEOUT,
        }
    }

    /// Another bound than [`IDLE_TIMEOUT`] for silence in mid-reply.
    pub fn with_idle_timeout(mut self, idle_timeout: Duration) -> Self {
        self.idle_timeout = idle_timeout;
        self
    }
}

/// The key never reaches a log.
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
    fn printing_the_configuration_does_not_print_the_key() {
        let config = ModelConfig::new(Provider::OpenAi, "m", None, "sk-hidden");
        assert!(!format!("{config:?}").contains("hidden"));
    }
}
