//! The AWS engines: one listener, told apart as the SDKs tell them apart.
//!
//! The JSON protocols name their service in `X-Amz-Target`; API Gateway's management calls have a path
//! of their own, `/@connections/{id}`; what is left is S3. Every call must be signed with the local
//! credential, as it must be signed in the cloud (`signature`).

pub mod connections;
pub mod dynamodb;
pub mod ecs;
pub mod s3;
mod signature;
pub mod sqs;
pub mod vault;
mod wire;

pub use wire::{ApiError, JsonReply};

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use std::path::Path;

/// The largest JSON call taken, in bytes: DynamoDB's own limit.
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
}

impl Engines {
    /// Opens every engine over the data folder.
    pub async fn open(data: &Path, ecs: ecs::Ecs) -> anyhow::Result<Self> {
        Ok(Self {
            dynamodb: dynamodb::DynamoDb::open(&data.join("dynamodb.sqlite"))?,
            s3: s3::S3::open(&data.join("s3"))?,
            sqs: sqs::Sqs::open(&data.join("sqs.sqlite"))?,
            secrets: vault::Secrets::open(data.join("secrets.json")).await?,
            kms: vault::Kms::open(data.join("kms.json")).await?,
            ecs,
            connections: connections::Connections::default(),
        })
    }

    /// Everything behind the engines' listener.
    pub fn router(&self) -> Router {
        let s3 = self.s3.clone();
        let json = Router::new()
            .fallback(json)
            .with_state(self.clone())
            .layer(DefaultBodyLimit::max(CALL_BYTES));
        let connections = self.connections.router().layer(middleware::from_fn(signature::signed));
        let others =
            Router::new().fallback(move |request: Request| async move { s3.answer(request).await });
        let json = json.layer(middleware::from_fn(signature::signed));
        let dynamodb = self.dynamodb.clone();
        let calls = axum::routing::get(async move || axum::Json(dynamodb.calls()));
        let engines = Router::new().merge(connections).route(CALLS, calls).fallback(
            move |request: Request| async move {
                let router =
                    if request.headers().contains_key("x-amz-target") { json } else { others };
                tower::ServiceExt::oneshot(router, request).await
            },
        );
        engines.layer(middleware::from_fn(signature::local_host))
    }
}

/// Tells how often each DynamoDB operation was called; no bucket is named so.
const CALLS: &str = "/_local/dynamodb/calls";

/// Answers a call of one of the JSON protocols.
async fn json(State(engines): State<Engines>, headers: HeaderMap, body: bytes::Bytes) -> Response {
    let target =
        headers.get("x-amz-target").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (service, operation) = target.split_once('.').unwrap_or((target, ""));
    match service {
        "DynamoDB_20120810" => engines.dynamodb.answer(operation, body).await,
        "AmazonSQS" => engines.sqs.answer(operation, &body).await,
        "AmazonEC2ContainerServiceV20141113" => engines.ecs.answer(operation, &body).await,
        "secretsmanager" => engines.secrets.answer(headers, body).await,
        "TrentService" => engines.kms.answer(headers, body).await,
        _ => ApiError::new("UnknownOperationException", format!("no engine answers {target}"))
            .into_response(),
    }
}
