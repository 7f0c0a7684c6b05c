//! Third-party implementations of DynamoDB, S3, SQS, Secrets Manager and KMS (`--aws ADDRESS`).
//!
//! An author who writes both ends of a protocol makes the same mistake twice, so the product can also run over engines that
//! others wrote, such as moto. Calls still arrive at this stack's port and are passed on unchanged; sandboxes, WebSockets
//! and presigned addresses stay here. The resources that CloudFormation creates in the cloud are created in those engines,
//! and their queues feed the functions.

use super::queues::Record;
use crate::hops::without_hops;
use crate::names;
use anyhow::{Context, Result};
use aws_config::BehaviorVersion;
use aws_sdk_dynamodb::types as dynamodb;
use aws_sdk_sqs::types::{MessageSystemAttributeName, QueueAttributeName};
use axum::body::Body;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The pause between two polls of a queue.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Engines at another address. Cheap to clone.
#[derive(Clone)]
pub struct Elsewhere {
    http: reqwest::Client,
    /// Without a trailing slash.
    address: String,
    sdk: aws_config::SdkConfig,
    /// Allows one call of DynamoDB or SQS at a time: moto answers each in a separate thread and does not make the check and
    /// the writes of a transaction, or the deletion of a message, atomic.
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl Elsewhere {
    /// The engines at this address.
    pub async fn at(address: &str) -> Result<Self> {
        let address = address.trim_end_matches('/').to_owned();
        let http = reqwest::Client::builder().no_proxy();
        let http = http.redirect(reqwest::redirect::Policy::none()).build()?;
        let sdk = aws_config::defaults(BehaviorVersion::latest()).load().await;
        Ok(Self { http, address, sdk, turn: Arc::default() })
    }

    /// Passes a call on, and returns its answer.
    pub async fn answer(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let target = parts.headers.get("x-amz-target").and_then(|target| target.to_str().ok());
        let _turn = match target.is_some_and(in_turn) {
            true => Some(self.turn.lock().await),
            false => None,
        };
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let call = self.http.request(parts.method, format!("{}{path}", self.address));
        let length = parts.headers.get(header::CONTENT_LENGTH).cloned();
        let mut headers = without_hops(parts.headers);
        headers.extend(length.map(|length| (header::CONTENT_LENGTH, length)));
        let body = reqwest::Body::wrap_stream(body.into_data_stream());
        match call.headers(headers).body(body).send().await {
            Ok(answer) => {
                let length = answer.headers().get(header::CONTENT_LENGTH).cloned();
                let mut headers = without_hops(answer.headers().clone());
                headers.extend(length.map(|length| (header::CONTENT_LENGTH, length)));
                (answer.status(), headers, Body::from_stream(answer.bytes_stream())).into_response()
            }
            Err(error) => {
                tracing::warn!(%error, "the third-party engines do not answer");
                StatusCode::BAD_GATEWAY.into_response()
            }
        }
    }

    /// Creates the table unless it exists.
    pub async fn create_table(&self, table: &str) -> Result<()> {
        let config = aws_sdk_dynamodb::config::Builder::from(&self.sdk).endpoint_url(&self.address);
        let client = aws_sdk_dynamodb::Client::from_conf(config.build());
        if client.describe_table().table_name(table).send().await.is_ok() {
            return Ok(());
        }
        let mut create = client.create_table().table_name(table);
        create = create.billing_mode(dynamodb::BillingMode::PayPerRequest);
        for (name, kind) in [("pk", dynamodb::KeyType::Hash), ("sk", dynamodb::KeyType::Range)] {
            let attribute = dynamodb::AttributeDefinition::builder().attribute_name(name);
            let attribute = attribute.attribute_type(dynamodb::ScalarAttributeType::S).build()?;
            let key = dynamodb::KeySchemaElement::builder().attribute_name(name).key_type(kind);
            create = create.attribute_definitions(attribute).key_schema(key.build()?);
        }
        create.send().await.context("cannot create the table in the third-party engine").map(drop)
    }

    /// Creates the bucket unless it exists.
    pub async fn create_bucket(&self, bucket: &str) -> Result<()> {
        let config = aws_sdk_s3::config::Builder::from(&self.sdk).endpoint_url(&self.address);
        let client = aws_sdk_s3::Client::from_conf(config.force_path_style(true).build());
        if client.head_bucket().bucket(bucket).send().await.is_ok() {
            return Ok(());
        }
        let created = client.create_bucket().bucket(bucket).send().await;
        created.context("cannot create the bucket in the third-party engine").map(drop)
    }

    /// Sets a secret's value, creating the secret if necessary.
    pub async fn set_secret(&self, id: &str, value: &str) -> Result<()> {
        let config =
            aws_sdk_secretsmanager::config::Builder::from(&self.sdk).endpoint_url(&self.address);
        let client = aws_sdk_secretsmanager::Client::from_conf(config.build());
        if client.put_secret_value().secret_id(id).secret_string(value).send().await.is_ok() {
            return Ok(());
        }
        let created = client.create_secret().name(id).secret_string(value).send().await;
        created
            .with_context(|| format!("cannot create the secret {id} in the third-party engine"))
            .map(drop)
    }

    /// Creates a key with this alias unless there is one.
    pub async fn create_key(&self, alias: &str) -> Result<()> {
        let config = aws_sdk_kms::config::Builder::from(&self.sdk).endpoint_url(&self.address);
        let client = aws_sdk_kms::Client::from_conf(config.build());
        if client.describe_key().key_id(alias).send().await.is_ok() {
            return Ok(());
        }
        let key = client
            .create_key()
            .send()
            .await
            .context("cannot create the key in the third-party engine")?;
        let id = key.key_metadata.map(|key| key.key_id).context("a key without an id")?;
        let named = client.create_alias().alias_name(alias).target_key_id(id).send().await;
        named.context("cannot name the key in the third-party engine").map(drop)
    }

    /// Creates a FIFO queue unless it exists; `redrive` is the dead-letter queue and the number of receives before a
    /// message goes there.
    pub async fn create_queue(
        &self,
        name: &str,
        visibility_seconds: u32,
        redrive: Option<(u32, String)>,
    ) -> Result<()> {
        let mut create = self.sqs().create_queue().queue_name(name);
        create = create.attributes(QueueAttributeName::FifoQueue, "true");
        let seconds = visibility_seconds.to_string();
        create = create.attributes(QueueAttributeName::VisibilityTimeout, seconds);
        if let Some((receives, dead)) = redrive {
            let dead = self.sqs().get_queue_url().queue_name(dead).send().await?;
            let dead = dead.queue_url.context("a queue without an address")?;
            let arn = self.sqs().get_queue_attributes().queue_url(dead);
            let arn = arn.attribute_names(QueueAttributeName::QueueArn).send().await?;
            let arn = arn.attributes().and_then(|all| all.get(&QueueAttributeName::QueueArn));
            let policy = json!({"deadLetterTargetArn": arn, "maxReceiveCount": receives});
            create = create.attributes(QueueAttributeName::RedrivePolicy, policy.to_string());
        }
        let created = create.send().await;
        created
            .with_context(|| format!("cannot create the queue {name} in the third-party engine"))
            .map(drop)
    }

    /// Receives up to `max` messages, waiting up to `wait` for the first.
    ///
    /// It polls repeatedly: moto decides at the start of a long poll which groups have a message in flight, so a message
    /// that follows a deleted one in its group would wait until the end of the poll.
    pub async fn receive(&self, queue: &str, max: usize, wait: Duration) -> Result<Vec<Record>> {
        let deadline = Instant::now() + wait;
        loop {
            let messages = self.messages(queue, max).await?;
            if !messages.is_empty() || Instant::now() >= deadline {
                return Ok(messages);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    async fn messages(&self, queue: &str, max: usize) -> Result<Vec<Record>> {
        let _turn = self.turn.lock().await;
        let receive = self.sqs().receive_message().queue_url(self.queue_url(queue));
        let receive = receive.max_number_of_messages(i32::try_from(max)?);
        let receive = receive.wait_time_seconds(0);
        let receive = receive.message_system_attribute_names(MessageSystemAttributeName::All);
        let messages = receive.send().await?.messages.unwrap_or_default();
        Ok(messages.into_iter().filter_map(|message| record(queue, message)).collect())
    }

    /// Deletes a message that was received.
    pub async fn delete(&self, queue: &str, receipt: &str) -> Result<()> {
        let _turn = self.turn.lock().await;
        let delete = self.sqs().delete_message().queue_url(self.queue_url(queue));
        Ok(delete.receipt_handle(receipt).send().await.map(drop)?)
    }

    fn sqs(&self) -> aws_sdk_sqs::Client {
        let config = aws_sdk_sqs::config::Builder::from(&self.sdk).endpoint_url(&self.address);
        aws_sdk_sqs::Client::from_conf(config.build())
    }

    fn queue_url(&self, queue: &str) -> String {
        format!("{}/{}/{queue}", self.address, names::ACCOUNT)
    }
}

/// Whether calls of this operation are made one at a time.
fn in_turn(target: &str) -> bool {
    ["DynamoDB", "AmazonSQS"].iter().any(|service| target.starts_with(service))
}

/// A message in the form of Lambda's event; the product's messages have no attributes.
fn record(queue: &str, message: aws_sdk_sqs::types::Message) -> Option<Record> {
    let (id, receipt) = (message.message_id?, message.receipt_handle?);
    let attributes: Map<String, Value> = message
        .attributes
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.as_str().to_owned(), Value::String(value)))
        .collect();
    let event = json!({
        "messageId": id,
        "receiptHandle": receipt,
        "body": message.body,
        "md5OfBody": message.md5_of_body,
        "attributes": attributes,
        "messageAttributes": {},
        "eventSource": "aws:sqs",
        "eventSourceARN": names::queue_arn(queue),
        "awsRegion": names::REGION,
    });
    Some(Record { id, receipt, event })
}
