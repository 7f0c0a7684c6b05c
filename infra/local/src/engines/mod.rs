//! The AWS engines behind one listener, which distinguishes the services by the form of the request.
//!
//! The JSON protocols name their service in `X-Amz-Target`; API Gateway's management calls and SES have their own
//! paths; everything else is S3. Every call must be signed with the local credential, as in the cloud (`signature`).

pub mod connections;
pub mod dynamodb;
pub mod ecs;
pub mod elsewhere;
pub mod queues;
pub mod s3;
pub mod ses;
mod signature;
pub mod sqs;
pub mod vault;
mod wire;

pub use wire::{ApiError, JsonReply};

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use queues::Queues;
use std::path::Path;

/// ECS's prefix in `X-Amz-Target`.
const ECS: &str = "AmazonEC2ContainerServiceV20141113";
/// The largest accepted JSON call, in bytes: DynamoDB's own limit.
const CALL_BYTES: usize = 16 * 1024 * 1024;

/// Every engine, ready to answer.
#[derive(Clone)]
pub struct Engines {
    /// DynamoDB.
    pub dynamodb: dynamodb::DynamoDb,
    /// S3.
    pub s3: s3::S3,
    /// SQS.
    pub sqs: sqs::Sqs,
    /// Secrets Manager.
    pub secrets: vault::Secrets,
    /// KMS.
    pub kms: vault::Kms,
    /// ECS.
    pub ecs: ecs::Ecs,
    /// API Gateway's WebSocket connections.
    pub connections: connections::Connections,
    /// SES.
    pub ses: ses::Ses,
    /// Other engines that answer the calls of the five services above instead.
    pub elsewhere: Option<elsewhere::Elsewhere>,
}

impl Engines {
    /// Opens every engine over the data folder.
    pub async fn open(data: &Path, ecs: ecs::Ecs, aws: Option<&str>) -> anyhow::Result<Self> {
        let elsewhere = match aws {
            Some(address) => Some(elsewhere::Elsewhere::at(address).await?),
            None => None,
        };
        Ok(Self {
            elsewhere,
            dynamodb: dynamodb::DynamoDb::open(&data.join("dynamodb.sqlite"))?,
            s3: s3::S3::open(&data.join("s3"))?,
            sqs: sqs::Sqs::open(&data.join("sqs.sqlite"))?,
            secrets: vault::Secrets::open(data.join("secrets.json")).await?,
            kms: vault::Kms::open(data.join("kms.json")).await?,
            ecs,
            connections: connections::Connections::default(),
            ses: ses::Ses::open(data.join("mail.json"))?,
        })
    }

    /// The queues that feed the functions.
    pub fn queues(&self) -> Queues {
        match &self.elsewhere {
            Some(elsewhere) => Queues::Elsewhere(Box::new(elsewhere.clone())),
            None => Queues::Here(self.sqs.clone()),
        }
    }

    /// The router behind the engines' listener.
    pub fn router(&self) -> Router {
        let s3 = self.s3.clone();
        let json = Router::new()
            .fallback(json)
            .with_state(self.clone())
            .layer(DefaultBodyLimit::max(CALL_BYTES));
        let connections = self.connections.router().layer(middleware::from_fn(signature::signed));
        let mail = self.ses.router().layer(middleware::from_fn(signature::signed));
        let others =
            Router::new().fallback(move |request: Request| async move { s3.answer(request).await });
        let json = json.layer(middleware::from_fn(signature::signed));
        let elsewhere = self.elsewhere.clone();
        let engines =
            Router::new().merge(connections).merge(mail).merge(self.dynamodb.metering()).fallback(
                move |request: Request| async move {
                    let target = request.headers().get("x-amz-target");
                    // Sandboxes always belong to this stack, wherever the other services are.
                    let of_ecs =
                        target.is_some_and(|target| target.as_bytes().starts_with(ECS.as_bytes()));
                    if let Some(elsewhere) = elsewhere.filter(|_| !of_ecs) {
                        return Ok(elsewhere.answer(request).await);
                    }
                    let router = if target.is_some() { json } else { others };
                    tower::ServiceExt::oneshot(router, request).await
                },
            );
        engines.layer(middleware::from_fn(signature::local_host))
    }
}

/// Answers a call of one of the JSON protocols.
async fn json(State(engines): State<Engines>, headers: HeaderMap, body: bytes::Bytes) -> Response {
    let target =
        headers.get("x-amz-target").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (service, operation) = target.split_once('.').unwrap_or((target, ""));
    match service {
        "DynamoDB_20120810" => engines.dynamodb.answer(operation, body).await,
        "AmazonSQS" => engines.sqs.answer(operation, &body).await,
        ECS => engines.ecs.answer(operation, &body).await,
        "secretsmanager" => engines.secrets.answer(headers, body).await,
        "TrentService" => engines.kms.answer(headers, body).await,
        _ => ApiError::new("UnknownOperationException", format!("no engine serves {target}"))
            .into_response(),
    }
}
