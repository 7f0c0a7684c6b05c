//! The WebSocket API's management side, which sends to connections.

use crate::AwsError;
use aws_sdk_apigatewaymanagement::Client;
use aws_sdk_apigatewaymanagement::config::Builder;
use aws_sdk_apigatewaymanagement::primitives::Blob;
use serde::Serialize;
use settings::SdkConfig;
use settings::{ConfigError, var};

/// Whether a message reached its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// The gateway has accepted it.
    Delivered,
    /// The connection is closed.
    Gone,
}

/// Sends to open WebSocket connections.
#[derive(Clone, Debug)]
pub struct Gateway {
    client: Client,
}

impl Gateway {
    /// A gateway without connections.
    #[cfg(feature = "testing")]
    pub fn of(client: Client) -> Self {
        Self { client }
    }

    /// The gateway at `WEBSOCKET_MANAGEMENT_URL`.
    pub fn from_env(sdk: &SdkConfig) -> Result<Self, ConfigError> {
        let url = var("WEBSOCKET_MANAGEMENT_URL")?;
        Ok(Self { client: Client::from_conf(Builder::from(sdk).endpoint_url(url).build()) })
    }

    /// Closes a connection; also succeeds if it is already closed.
    pub async fn close(&self, connection_id: &str) -> Result<(), AwsError> {
        match self.client.delete_connection().connection_id(connection_id).send().await {
            Ok(_) => Ok(()),
            Err(error) if error.as_service_error().is_some_and(|e| e.is_gone_exception()) => Ok(()),
            Err(error) => Err(AwsError::of("execute-api:DeleteConnection")(error)),
        }
    }

    /// Sends `message` as JSON text.
    pub async fn post(
        &self,
        connection_id: &str,
        message: &impl Serialize,
    ) -> Result<Delivery, AwsError> {
        let data = serde_json::to_vec(message).map_err(AwsError::of("gateway: render"))?;
        let sent = self
            .client
            .post_to_connection()
            .connection_id(connection_id)
            .data(Blob::new(data))
            .send()
            .await;
        match sent {
            Ok(_) => Ok(Delivery::Delivered),
            Err(error) if error.as_service_error().is_some_and(|e| e.is_gone_exception()) => {
                Ok(Delivery::Gone)
            }
            Err(error) => Err(AwsError::of("execute-api:PostToConnection")(error)),
        }
    }
}
