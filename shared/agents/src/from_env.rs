//! Makes agents as the environment configures them.

use crate::{Access, AgentContext, AgentModels, InvalidReplySetting, Model, ModelConfig, Provider};
use crate::{ReplySettings, UnknownProvider};
use bedrock::Signer;
use settings::{ConfigError, Secret, var, var_or};
use store::Table;

/// What the secret is for, in the operator's words.
const KEY: &str = "the key of the AI model";
const FALLBACK_KEY: &str = "the key of the fallback AI model";

impl AgentContext {
    /// Reads `MODEL_PROVIDER`, `MODEL_NAME`, `MODEL_BASE_URL`, `MODEL_SUMMARY_NAME`, `MODEL_AGENT_NAMES`,
    /// `MODEL_REPLY_TOKENS`, `MODEL_TEMPERATURE`, `MODEL_EFFORT`, and the key, which is in `MODEL_API_KEY` or in the secret that
    /// `MODEL_API_KEY_SECRET_ID` names. `secret` makes a secret from its purpose and its id. A name in
    /// `MODEL_FALLBACK_NAME` adds a second model, from the same variables with `FALLBACK_` in their names. Calls of
    /// Bedrock are signed by `signer`, without a key.
    pub fn from_env(
        signer: &Signer,
        table: &Table,
        secret: impl Fn(&'static str, String) -> Secret,
    ) -> Result<Self, ConfigError> {
        let (model, fallback) = Model::from_env(signer, secret)?;
        let context = Self::new(table, model);
        Ok(match fallback {
            Some(fallback) => context.with_fallback(fallback),
            None => context,
        })
    }
}

impl Model {
    /// The model of the environment and its fallback, if there is one, from the variables of
    /// [`AgentContext::from_env`].
    pub fn from_env(
        signer: &Signer,
        secret: impl Fn(&'static str, String) -> Secret,
    ) -> Result<(Self, Option<Self>), ConfigError> {
        let replies = replies()?;
        let provider = provider("MODEL_PROVIDER", &var_or("MODEL_PROVIDER", "openai"))?;
        let base_url = var("MODEL_BASE_URL").ok();
        let access = match provider {
            Provider::Bedrock => role(signer, base_url.as_deref())?,
            Provider::OpenAi | Provider::Anthropic => match var("MODEL_API_KEY_SECRET_ID") {
                Ok(id) => secret(KEY, id).into(),
                Err(_) => Secret::given(KEY, var("MODEL_API_KEY")?).into(),
            },
        };
        let config = ModelConfig::new(provider, var("MODEL_NAME")?, base_url.as_deref(), access)
            .with_replies(replies.clone());
        let config = match var("MODEL_SUMMARY_NAME") {
            Ok(name) => config.with_summary_model(name),
            Err(_) => config,
        };
        let names = var_or("MODEL_AGENT_NAMES", "").parse::<AgentModels>();
        let names = names.map_err(|refused| invalid("MODEL_AGENT_NAMES", refused.to_string()))?;
        let config = config.with_agent_models(names);
        let model = Model::new(config).map_err(|e| invalid("MODEL_BASE_URL", e.to_string()))?;
        let Ok(name) = var("MODEL_FALLBACK_NAME") else { return Ok((model, None)) };
        Ok((model, Some(fallback(name, replies, signer, secret)?)))
    }
}

/// The model that takes over when the first one does not answer.
fn fallback(
    name: String,
    replies: ReplySettings,
    signer: &Signer,
    secret: impl Fn(&'static str, String) -> Secret,
) -> Result<Model, ConfigError> {
    let named = var_or("MODEL_FALLBACK_PROVIDER", "openai");
    let base_url = var("MODEL_FALLBACK_BASE_URL").ok();
    let provider = provider("MODEL_FALLBACK_PROVIDER", &named)?;
    let access = match provider {
        Provider::Bedrock => role(signer, base_url.as_deref())?,
        Provider::OpenAi | Provider::Anthropic => match var("MODEL_FALLBACK_API_KEY_SECRET_ID") {
            Ok(id) => secret(FALLBACK_KEY, id).into(),
            Err(_) => Secret::given(FALLBACK_KEY, var("MODEL_FALLBACK_API_KEY")?).into(),
        },
    };
    let config = ModelConfig::new(provider, name, base_url.as_deref(), access);
    let config = config.with_replies(replies);
    Model::new(config).map_err(|e| invalid("MODEL_FALLBACK_BASE_URL", e.to_string()))
}

/// The role that signs calls of Bedrock. The address or the environment names its region.
fn role(signer: &Signer, base_url: Option<&str>) -> Result<Access, ConfigError> {
    if base_url.is_none() && signer.base_url().is_err() {
        return Err(ConfigError::Missing("AWS_REGION"));
    }
    Ok(signer.clone().into())
}

fn provider(variable: &'static str, name: &str) -> Result<Provider, ConfigError> {
    name.parse().map_err(|unknown: UnknownProvider| invalid(variable, unknown.to_string()))
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
