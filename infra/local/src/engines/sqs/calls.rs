//! The calls of the SQS API, from and to JSON.

use super::attributes::{md5_of_attributes, md5_of_body};
use super::requests::{CreateQueue, GetQueueUrl, InFlight, OfQueue, ReceiveMessage, SendMessage};
use super::{Delivery, NewMessage, QueueSettings, Sqs};
use crate::engines::wire::{ApiError, JsonReply};
use crate::names;
use axum::http::HeaderValue;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::time::Duration;

/// The largest message, in bytes: SQS's own limit of 1 MiB.
const MESSAGE_BYTES: usize = 1024 * 1024;
/// How many messages one receive may return.
const MESSAGES_PER_RECEIVE: usize = 10;
/// The longest long poll, in seconds.
const WAIT_SECONDS: u64 = 20;
/// Visibility timeout of a queue created without one, in seconds.
const VISIBILITY_SECONDS: u32 = 30;

impl Sqs {
    /// Answers one call.
    pub async fn answer(&self, operation: &str, body: &[u8]) -> Response {
        let reply = match operation {
            "SendMessage" => self.send_message(body).await,
            "ReceiveMessage" => self.receive_message(body).await,
            "DeleteMessage" => self.delete_message(body).await,
            "ChangeMessageVisibility" => self.change_message_visibility(body).await,
            "CreateQueue" => self.create(body).await,
            "GetQueueUrl" => self.queue_url(body).await,
            "GetQueueAttributes" => self.queue_attributes(body).await,
            _ => Err(ApiError::new(
                "UnsupportedOperation",
                format!("the local stack does not support {operation}"),
            )),
        };
        match reply {
            Ok(reply) => JsonReply(reply).into_response(),
            Err(error) => {
                let code = HeaderValue::from_str(&format!("{};Sender", query_code(error.kind())));
                let mut response = error.into_response();
                if let Ok(code) = code {
                    response.headers_mut().insert("x-amzn-query-error", code);
                }
                response
            }
        }
    }

    async fn send_message(&self, body: &[u8]) -> Result<Value, ApiError> {
        let call: SendMessage = read(body)?;
        let queue = queue_name(&call.queue_url)?;
        if call.message_body.is_empty() || call.message_body.len() > MESSAGE_BYTES {
            return Err(invalid(
                "One or more parameters are invalid. Reason: Message must be 1 byte to 1 MiB.",
            ));
        }
        let Some(group) = call.message_group_id.filter(|group| !group.is_empty()) else {
            return Err(ApiError::new(
                "MissingParameter",
                "The request must contain the parameter MessageGroupId.",
            ));
        };
        let given = call.message_deduplication_id;
        let (attributes, text) = (call.message_attributes, call.message_body);
        let (md5_body, md5_attributes) = (md5_of_body(&text), md5_of_attributes(&attributes));
        let now = self.now_ms();
        let (id, seq) = self
            .change(move |store| {
                let deduplication = match given {
                    Some(id) => id,
                    None if store.settings(&queue)?.content_based => hex::encode(Sha256::digest(text.as_bytes())),
                    None => {
                        return Err(invalid(
                            "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
                        ));
                    }
                };
                let message = NewMessage { body: text, attributes, group, deduplication };
                store.send(&queue, &message, now)
            })
            .await?;
        Ok(json!({
            "MessageId": id,
            "MD5OfMessageBody": md5_body,
            "MD5OfMessageAttributes": md5_attributes,
            "SequenceNumber": sequence_number(seq),
        }))
    }

    async fn receive_message(&self, body: &[u8]) -> Result<Value, ApiError> {
        let call: ReceiveMessage = read(body)?;
        let queue = queue_name(&call.queue_url)?;
        let max = call.max_number_of_messages.unwrap_or(1);
        if !(1..=MESSAGES_PER_RECEIVE).contains(&max) {
            return Err(invalid(
                "Value for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10.",
            ));
        }
        let wait = Duration::from_secs(call.wait_time_seconds.unwrap_or(0).min(WAIT_SECONDS));
        let messages = self.receive(&queue, max, call.visibility_timeout, wait).await?;
        let system: Vec<_> =
            call.attribute_names.into_iter().chain(call.message_system_attribute_names).collect();
        let messages: Vec<_> = messages
            .iter()
            .map(|delivery| describe(delivery, &system, !call.message_attribute_names.is_empty()))
            .collect();
        Ok(if messages.is_empty() { json!({}) } else { json!({"Messages": messages}) })
    }

    async fn delete_message(&self, body: &[u8]) -> Result<Value, ApiError> {
        let call: InFlight = read(body)?;
        self.delete(&queue_name(&call.queue_url)?, &call.receipt_handle).await?;
        Ok(json!({}))
    }

    async fn change_message_visibility(&self, body: &[u8]) -> Result<Value, ApiError> {
        let call: InFlight = read(body)?;
        let queue = queue_name(&call.queue_url)?;
        let seconds = call.visibility_timeout.unwrap_or(0);
        let now = self.now_ms();
        self.change(move |store| {
            store.change_visibility(&queue, &call.receipt_handle, seconds, now)
        })
        .await?;
        Ok(json!({}))
    }

    async fn create(&self, body: &[u8]) -> Result<Value, ApiError> {
        let call: CreateQueue = read(body)?;
        if !call.queue_name.ends_with(".fifo") {
            return Err(invalid(
                "The local stack supports only FIFO queues: the name must end in .fifo",
            ));
        }
        let attribute = |name: &str| call.attributes.get(name).map(String::as_str);
        let redrive = attribute("RedrivePolicy").map(redrive).transpose()?;
        let settings = QueueSettings {
            visibility_seconds: attribute("VisibilityTimeout")
                .and_then(|s| s.parse().ok())
                .unwrap_or(VISIBILITY_SECONDS),
            redrive,
            content_based: attribute("ContentBasedDeduplication") == Some("true"),
        };
        self.create_queue(&call.queue_name, settings).await?;
        Ok(json!({"QueueUrl": queue_path(&call.queue_name)}))
    }

    async fn queue_url(&self, body: &[u8]) -> Result<Value, ApiError> {
        let call: GetQueueUrl = read(body)?;
        let name = call.queue_name.clone();
        self.with(move |store| store.settings(&name)).await?;
        Ok(json!({"QueueUrl": queue_path(&call.queue_name)}))
    }

    async fn queue_attributes(&self, body: &[u8]) -> Result<Value, ApiError> {
        let call: OfQueue = read(body)?;
        let queue = queue_name(&call.queue_url)?;
        let name = queue.clone();
        let now = self.now_ms();
        let (settings, (waiting, in_flight)) =
            self.with(move |store| Ok((store.settings(&name)?, store.counts(&name, now)?))).await?;
        let mut attributes = Map::new();
        attributes.insert("QueueArn".to_owned(), json!(names::queue_arn(&queue)));
        attributes.insert("FifoQueue".to_owned(), json!("true"));
        attributes
            .insert("VisibilityTimeout".to_owned(), json!(settings.visibility_seconds.to_string()));
        attributes.insert(
            "ContentBasedDeduplication".to_owned(),
            json!(settings.content_based.to_string()),
        );
        attributes.insert("ApproximateNumberOfMessages".to_owned(), json!(waiting.to_string()));
        attributes.insert(
            "ApproximateNumberOfMessagesNotVisible".to_owned(),
            json!(in_flight.to_string()),
        );
        if let Some((max, dead)) = settings.redrive {
            let policy =
                json!({"deadLetterTargetArn": names::queue_arn(&dead), "maxReceiveCount": max});
            attributes.insert("RedrivePolicy".to_owned(), json!(policy.to_string()));
        }
        attributes.retain(|name, _| asked(&call.attribute_names, name));
        Ok(json!({"Attributes": attributes}))
    }
}

impl Delivery {
    /// The system attributes of a delivery, by name.
    pub fn system_attributes(&self) -> BTreeMap<&'static str, String> {
        let mut attributes = BTreeMap::from([
            ("ApproximateReceiveCount", self.receives.to_string()),
            ("ApproximateFirstReceiveTimestamp", self.first_receive_ms.to_string()),
            ("SentTimestamp", self.sent_ms.to_string()),
            ("SenderId", names::ACCOUNT.to_owned()),
            ("MessageGroupId", self.message.group.clone()),
            ("MessageDeduplicationId", self.message.deduplication.clone()),
            ("SequenceNumber", sequence_number(self.seq)),
        ]);
        if let Some(source) = &self.source_queue {
            attributes.insert("DeadLetterQueueSourceArn", names::queue_arn(source));
        }
        attributes
    }

    /// MD5 of the body, in hexadecimal.
    pub fn md5_of_body(&self) -> String {
        md5_of_body(&self.message.body)
    }
}

/// The error's name in SQS's older protocol, which the SDKs use.
fn query_code(kind: &str) -> &str {
    match kind {
        "QueueDoesNotExist" => "AWS.SimpleQueueService.NonExistentQueue",
        "MessageNotInflight" => "AWS.SimpleQueueService.MessageNotInflight",
        "UnsupportedOperation" => "AWS.SimpleQueueService.UnsupportedOperation",
        "InvalidParameterValueException" => "InvalidParameterValue",
        other => other,
    }
}

fn describe(delivery: &Delivery, system: &[String], with_attributes: bool) -> Value {
    let attributes: Map<_, _> = delivery
        .system_attributes()
        .into_iter()
        .filter(|(name, _)| asked(system, name))
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect();
    let mut message = json!({
        "MessageId": delivery.id,
        "ReceiptHandle": delivery.receipt,
        "Body": delivery.message.body,
        "MD5OfBody": delivery.md5_of_body(),
        "Attributes": attributes,
    });
    if with_attributes && !delivery.message.attributes.is_empty() {
        message["MessageAttributes"] = json!(delivery.message.attributes);
        message["MD5OfMessageAttributes"] = json!(md5_of_attributes(&delivery.message.attributes));
    }
    message
}

fn asked(names: &[String], name: &str) -> bool {
    names.iter().any(|asked| asked == "All" || asked == name)
}

/// Twenty digits, so that text order equals number order.
fn sequence_number(seq: i64) -> String {
    format!("{seq:020}")
}

/// The last part of a queue's address.
fn queue_name(address: &str) -> Result<String, ApiError> {
    let name = address.rsplit('/').next().filter(|name| !name.is_empty());
    name.map(str::to_owned).ok_or_else(|| invalid("QueueUrl does not name a queue"))
}

/// An address without a host: the SDKs only use the queue's name, and the listener's port may change.
fn queue_path(queue: &str) -> String {
    format!("http://sqs.{}.localhost/{}/{queue}", names::REGION, names::ACCOUNT)
}

fn redrive(policy: &str) -> Result<(u32, String), ApiError> {
    let bad = || invalid("Value for parameter RedrivePolicy is invalid.");
    let policy: Value = serde_json::from_str(policy).map_err(|_| bad())?;
    let max = &policy["maxReceiveCount"];
    let max = max
        .as_u64()
        .or_else(|| max.as_str()?.parse().ok())
        .and_then(|n| u32::try_from(n).ok())
        .ok_or_else(bad)?;
    let dead = policy["deadLetterTargetArn"]
        .as_str()
        .and_then(|arn| arn.rsplit(':').next())
        .ok_or_else(bad)?;
    Ok((max, dead.to_owned()))
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body)
        .map_err(|error| ApiError::new("SerializationException", error.to_string()))
}

fn invalid(message: &str) -> ApiError {
    ApiError::new("InvalidParameterValueException", message)
}
