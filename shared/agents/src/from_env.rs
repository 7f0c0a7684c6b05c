//! Agents as the environment configures them.

use crate::{AgentContext, Model, ModelConfig, Provider, UnknownProvider};
use domain::report::Chain;
use settings::{ConfigError, var, var_or};
use std::error::Error;
use store::Table;

impl AgentContext {
    /// From `MODEL_PROVIDER`, `MODEL_NAME`, `MODEL_BASE_URL`, and the key in `MODEL_API_KEY` or in the
    /// secret that `MODEL_API_KEY_SECRET_ID` names, which `read_secret` reads.
    pub async fn from_env<E: Error + 'static>(
        table: &Table,
        read_secret: impl AsyncFn(&str) -> Result<String, E>,
    ) -> Result<Self, ConfigError> {
        let provider: Provider = var_or("MODEL_PROVIDER", "openai")
            .parse()
            .map_err(|unknown: UnknownProvider| invalid("MODEL_PROVIDER", unknown.to_string()))?;
        let base_url = var("MODEL_BASE_URL").ok();
        let key = api_key(read_secret).await?;
        let config = ModelConfig::new(provider, var("MODEL_NAME")?, base_url.as_deref(), key);
        let model = Model::new(config).map_err(|e| invalid("MODEL_BASE_URL", e.to_string()))?;
        Ok(Self::new(table, model))
    }
}

async fn api_key<E: Error + 'static>(
    read_secret: impl AsyncFn(&str) -> Result<String, E>,
) -> Result<String, ConfigError> {
    let Ok(secret_id) = var("MODEL_API_KEY_SECRET_ID") else { return var("MODEL_API_KEY") };
    let key = read_secret(&secret_id).await;
    key.map_err(|error| invalid("MODEL_API_KEY_SECRET_ID", Chain(&error).to_string()))
}

fn invalid(name: &'static str, reason: String) -> ConfigError {
    ConfigError::Invalid { name, reason }
}
