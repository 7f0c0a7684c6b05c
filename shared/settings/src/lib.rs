#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod secret;
mod trust;

use aws_config::BehaviorVersion;

pub use aws_config::SdkConfig;
pub use secret::{Secret, SecretError};

/// A missing or unusable variable, with which the function does not start.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not set, or empty.
    #[error("the environment variable {0} is not set")]
    Missing(&'static str),
    /// Set to something unusable.
    #[error("the environment variable {name}: {reason}")]
    Invalid {
        /// The variable.
        name: &'static str,
        /// Why its value cannot be used.
        reason: String,
    },
}

/// A variable that must be set.
pub fn var(name: &'static str) -> Result<String, ConfigError> {
    std::env::var(name).ok().filter(|value| !value.is_empty()).ok_or(ConfigError::Missing(name))
}

/// A variable with a default.
pub fn var_or(name: &'static str, default: &str) -> String {
    var(name).unwrap_or_else(|_| default.to_owned())
}

/// A limit that must be a number, with a default.
pub fn count_or(name: &'static str, default: u32) -> Result<u32, ConfigError> {
    let given = var_or(name, &default.to_string());
    let invalid =
        |_| ConfigError::Invalid { name, reason: format!("{given:?} is not a whole number") };
    given.parse().map_err(invalid)
}

/// Region, credentials and endpoints, from the SDK's usual sources.
pub async fn sdk_config() -> SdkConfig {
    let sources = aws_config::defaults(BehaviorVersion::latest());
    match trust::client() {
        Some(client) => sources.http_client(client).load().await,
        None => sources.load().await,
    }
}
