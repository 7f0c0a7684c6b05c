//! Secrets of the operator: the GitHub app's, and the model's key.

use crate::AwsError;
use aws_sdk_secretsmanager::Client;
use settings::SdkConfig;

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

    /// The text of a secret.
    pub async fn get(&self, id: &str) -> Result<String, AwsError> {
        let found = self
            .client
            .get_secret_value()
            .secret_id(id)
            .send()
            .await
            .map_err(AwsError::of("secretsmanager:GetSecretValue"))?;
        found
            .secret_string
            .ok_or("the secret holds bytes, not text")
            .map_err(AwsError::of("secretsmanager:GetSecretValue"))
    }
}
