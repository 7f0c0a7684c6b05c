//! Asks the services that listen inside a sandbox.
//!
//! The request goes to the agent through the gateway, and the answer comes back through another function into the
//! table, where the caller polls for it. Content that does not fit a frame goes through the bucket, and is deleted
//! there once it has arrived.

use crate::polling::{Pauses, poll};
use aws::{AwsError, Delivery, Gateway, Objects, preview_keys};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::preview::{
    ANSWER_BYTES, ListeningPort, PreviewAnswer, PreviewAsk, PreviewBody, PreviewFailure,
    PreviewRequest, Previewed,
};
use domain::report::Chain;
use domain::{RunId, Scope};
use protocol::{FRAME_BYTES, PreviewOrder, ToAgent};
use settings::{ConfigError, SdkConfig};
use std::time::Duration;
use store::previews::Previews;
use store::sandboxes::Sandboxes;
use store::{StoreError, Table};

/// How long to wait for a service's answer: the service's time, and the way there and back.
const PATIENCE: Duration = Duration::from_secs(domain::preview::SERVICE_SECONDS + 3);

/// How long to wait for a list of ports.
const LIST_PATIENCE: Duration = Duration::from_secs(5);

const PAUSES: Pauses =
    Pauses { first: Duration::from_millis(10), longest: Duration::from_millis(200) };

/// Asks services inside sandboxes.
#[derive(Clone, Debug)]
pub struct Previewing {
    sandboxes: Sandboxes,
    previews: Previews,
    gateway: Gateway,
    objects: Objects,
}

/// A service's answer.
#[derive(Debug)]
pub struct Service {
    /// Its status.
    pub status: u16,
    /// Its headers, all of them.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// The reason for a missing answer.
#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    /// No sandbox is connected.
    #[error("The sandbox is not running.")]
    NotRunning,
    /// Its agent is too old for previews.
    #[error("This sandbox cannot show its services. Stop it and start it again.")]
    Unable,
    /// The sandbox did not answer.
    #[error("The sandbox did not answer in time.")]
    Silent,
    /// The request does not fit.
    #[error("The request is too large.")]
    RequestTooLarge,
    /// The sandbox has no answer of the service.
    #[error("the service: {0:?}")]
    Failed(PreviewFailure),
    /// The answer is not valid.
    #[error("the sandbox's answer is invalid")]
    Nonsense,
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A service failed.
    #[error(transparent)]
    Aws(#[from] AwsError),
}

impl Previewing {
    /// Uses the table, the gateway and the bucket.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            sandboxes: Sandboxes::new(table),
            previews: Previews::new(table),
            gateway: Gateway::from_env(sdk)?,
            objects: Objects::from_env(sdk)?,
        })
    }

    /// The ports on which services listen.
    pub async fn ports(&self, scope: Scope) -> Result<Vec<ListeningPort>, PreviewError> {
        let connection = self.connection(scope).await?;
        let id = RunId::random();
        let order = PreviewOrder {
            request_id: id.0.clone(),
            ask: PreviewAsk::Ports,
            body: PreviewBody::Nowhere,
            body_url: None,
            answer_url: None,
        };
        self.post(&connection, order).await?;
        match self.answer(scope, &id, LIST_PATIENCE).await?.answer {
            PreviewAnswer::Ports { ports } => Ok(ports),
            PreviewAnswer::Failed { reason } => Err(PreviewError::Failed(reason)),
            PreviewAnswer::Served { .. } => Err(PreviewError::Nonsense),
        }
    }

    /// A service's answer to a request.
    pub async fn fetch(
        &self,
        scope: Scope,
        request: PreviewRequest,
        body: Vec<u8>,
    ) -> Result<Service, PreviewError> {
        let connection = self.connection(scope).await?;
        let id = RunId::random();
        let [body_key, answer_key] = preview_keys(scope, &id);
        let mut order = PreviewOrder {
            request_id: id.0.clone(),
            ask: PreviewAsk::Fetch(request),
            body: here(&body),
            body_url: None,
            answer_url: Some(self.objects.presign_put(&answer_key).await?),
        };
        let stored = !fits(&order);
        if stored {
            order.body = PreviewBody::Stored { bytes: body.len() as u64 };
            order.body_url = Some(self.objects.presign_get(&body_key).await?);
            if body.is_empty() || !fits(&order) {
                return Err(PreviewError::RequestTooLarge);
            }
            self.objects.put(&body_key, body).await?;
        }
        let served = self.served(scope, (&connection, order), &id, &answer_key).await;
        if stored {
            self.forget(&body_key).await;
        }
        served
    }

    async fn served(
        &self,
        scope: Scope,
        (connection, order): (&str, PreviewOrder),
        id: &RunId,
        answer_key: &str,
    ) -> Result<Service, PreviewError> {
        self.post(connection, order).await?;
        let Previewed { answer, body } = self.answer(scope, id, PATIENCE).await?;
        let (status, headers) = match answer {
            PreviewAnswer::Served { status, headers } => (status, headers),
            PreviewAnswer::Failed { reason } => return Err(PreviewError::Failed(reason)),
            PreviewAnswer::Ports { .. } => return Err(PreviewError::Nonsense),
        };
        let body = match body {
            PreviewBody::Nowhere => Vec::new(),
            PreviewBody::Here { base64 } => {
                STANDARD.decode(base64).map_err(|_| PreviewError::Nonsense)?
            }
            PreviewBody::Stored { .. } => self.stored(answer_key).await?,
        };
        Ok(Service { status, headers, body })
    }

    /// The agent limits what it uploads, but the address that it was given would accept more.
    async fn stored(&self, key: &str) -> Result<Vec<u8>, PreviewError> {
        let object = self.objects.get(key).await?.ok_or(PreviewError::Nonsense)?;
        let too_large = object.length.is_none_or(|length| length > ANSWER_BYTES as u64);
        let content = match too_large {
            true => Err(PreviewError::Failed(PreviewFailure::TooLarge)),
            false => Ok(object.body.collect().await),
        };
        self.forget(key).await;
        let content = content?.map_err(|_| PreviewError::Silent)?;
        Ok(content.to_vec())
    }

    /// An object that remains is deleted with the project.
    async fn forget(&self, key: &str) {
        if let Err(error) = self.objects.delete(key).await {
            tracing::warn!(error = %Chain(&error), "a preview's content could not be deleted");
        }
    }

    async fn connection(&self, scope: Scope) -> Result<String, PreviewError> {
        let sandbox = self.sandboxes.get(scope).await?.filter(|sandbox| sandbox.is_up());
        let sandbox = sandbox.ok_or(PreviewError::NotRunning)?;
        let connection = sandbox.connection_id.ok_or(PreviewError::NotRunning)?;
        sandbox.previews.then_some(connection).ok_or(PreviewError::Unable)
    }

    async fn post(&self, connection: &str, order: PreviewOrder) -> Result<(), PreviewError> {
        match self.gateway.post(connection, &ToAgent::Preview(order)).await? {
            Delivery::Delivered => Ok(()),
            Delivery::Gone => Err(PreviewError::NotRunning),
        }
    }

    async fn answer(
        &self,
        scope: Scope,
        id: &RunId,
        patience: Duration,
    ) -> Result<Previewed, PreviewError> {
        let look = || self.previews.answered(scope, id);
        poll(patience, PAUSES, look).await?.ok_or(PreviewError::Silent)
    }
}

fn here(body: &[u8]) -> PreviewBody {
    match body {
        [] => PreviewBody::Nowhere,
        body => PreviewBody::Here { base64: STANDARD.encode(body) },
    }
}

fn fits(order: &PreviewOrder) -> bool {
    let frame = serde_json::to_string(&ToAgent::Preview(order.clone()));
    frame.is_ok_and(|frame| frame.len() <= FRAME_BYTES)
}
