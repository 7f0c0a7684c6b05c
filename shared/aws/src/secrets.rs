//! The operator's secrets: those of the GitHub App, and the model's key.

use crate::AwsError;
use aws_sdk_secretsmanager::Client;
use aws_sdk_secretsmanager::operation::get_secret_value::GetSecretValueError;
use settings::{SdkConfig, Secret};

/// Secrets Manager.
#[derive(Clone, Debug)]
pub struct Secrets {
    client: Client,
}

impl Secrets {
    /// The account's secrets.
    pub fn new(sdk: &SdkConfig) -> Self {
        Self { client: Client::new(sdk) }
    }

    /// The secret with this id, read when it is first needed.
    pub fn secret(&self, purpose: &'static str, id: String) -> Secret {
        let secrets = self.clone();
        Secret::read_by(purpose, move || {
            let (secrets, id) = (secrets.clone(), id.clone());
            async move { Ok(secrets.get(&id).await?) }
        })
    }

    /// The text of a secret, or `None` while it has no value.
    async fn get(&self, id: &str) -> Result<Option<String>, AwsError> {
        let found = self.client.get_secret_value().secret_id(id).send().await;
        match found.map_err(|error| error.into_service_error()) {
            Ok(found) => Ok(found.secret_string),
            // The answer for a secret that exists without a value.
            Err(GetSecretValueError::ResourceNotFoundException(_)) => Ok(None),
            Err(error) => Err(AwsError::of("secretsmanager:GetSecretValue")(error)),
        }
    }
}
