//! Agents as the environment configures them.

use crate::UnknownProvider;
use crate::{AgentContext, InvalidReplySetting, Model, ModelConfig, Provider, ReplySettings};
use settings::{ConfigError, Secret, var, var_or};
use store::Table;

/// What the secret is for, as an operator reads it.
const KEY: &str = "the key of the AI model";

impl AgentContext {
    /// From `MODEL_PROVIDER`, `MODEL_NAME`, `MODEL_BASE_URL`, `MODEL_SUMMARY_NAME`, `MODEL_REPLY_TOKENS`,
    /// `MODEL_TEMPERATURE`, `MODEL_EFFORT`, and the key in `MODEL_API_KEY` or in the
    /// secret that `MODEL_API_KEY_SECRET_ID` names, which `secret` makes of what it is for and its id.
    pub fn from_env(
        table: &Table,
        secret: impl FnOnce(&'static str, String) -> Secret,
    ) -> Result<Self, ConfigError> {
        let provider: Provider = var_or("MODEL_PROVIDER", "openai")
            .parse()
            .map_err(|unknown: UnknownProvider| invalid("MODEL_PROVIDER", unknown.to_string()))?;
        let base_url = var("MODEL_BASE_URL").ok();
        let key = match var("MODEL_API_KEY_SECRET_ID") {
            Ok(id) => secret(KEY, id),
            Err(_) => Secret::given(KEY, var("MODEL_API_KEY")?),
        };
        let config = ModelConfig::new(provider, var("MODEL_NAME")?, base_url.as_deref(), key)
            .with_replies(replies()?);
        let config = match var("MODEL_SUMMARY_NAME") {
            Ok(name) => config.with_summary_model(name),
            Err(_) => config,
        };
        let model = Model::new(config).map_err(|e| invalid("MODEL_BASE_URL", e.to_string()))?;
        Ok(Self::new(table, model))
    }
}

fn replies() -> Result<ReplySettings, ConfigError> {
    let tokens = var_or("MODEL_REPLY_TOKENS", "");
    let temperature = var_or("MODEL_TEMPERATURE", "");
    let effort = var_or("MODEL_EFFORT", "");
    ReplySettings::parse(&tokens, &temperature, &effort).map_err(|refused| {
        let name = match refused {
            InvalidReplySetting::Tokens => "MODEL_REPLY_TOKENS",
            InvalidReplySetting::Temperature => "MODEL_TEMPERATURE",
            InvalidReplySetting::Effort => "MODEL_EFFORT",
        };
        invalid(name, refused.to_string())
    })
}

fn invalid(name: &'static str, reason: String) -> ConfigError {
    ConfigError::Invalid { name, reason }
}
