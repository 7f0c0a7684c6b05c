//! The queues that feed the functions, here or at a third party.

use super::elsewhere::Elsewhere;
use super::sqs::{Delivery, Sqs};
use crate::names;
use anyhow::Result;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// How long one poll waits.
const WAIT: Duration = Duration::from_secs(20);

/// The queues that are read.
#[derive(Clone)]
pub enum Queues {
    /// The queues of this stack.
    Here(Sqs),
    /// The queues of a third party.
    Elsewhere(Box<Elsewhere>),
}

/// A message in flight.
pub struct Record {
    /// Message id.
    pub id: String,
    /// The receipt handle by which the message is deleted.
    pub receipt: String,
    /// The message in the form of Lambda's event.
    pub event: Value,
}

impl Queues {
    /// Waits for messages, at most `max` of them.
    pub async fn receive(&self, queue: &str, max: usize) -> Result<Vec<Record>> {
        match self {
            Self::Here(sqs) => {
                let batch = sqs.receive(queue, max, None, WAIT).await?;
                Ok(batch.iter().map(|delivery| record(queue, delivery)).collect())
            }
            Self::Elsewhere(elsewhere) => elsewhere.receive(queue, max, WAIT).await,
        }
    }

    /// Deletes a message.
    pub async fn delete(&self, queue: &str, receipt: &str) -> Result<()> {
        match self {
            Self::Here(sqs) => Ok(sqs.delete(queue, receipt).await?),
            Self::Elsewhere(elsewhere) => elsewhere.delete(queue, receipt).await,
        }
    }
}

fn record(queue: &str, delivery: &Delivery) -> Record {
    let attributes: Map<_, _> = delivery
        .message
        .attributes
        .iter()
        .map(|(name, attribute)| {
            let value = json!({
                "stringValue": attribute.string_value,
                "binaryValue": attribute.binary_value,
                "stringListValues": [],
                "binaryListValues": [],
                "dataType": attribute.data_type,
            });
            (name.clone(), value)
        })
        .collect();
    let event = json!({
        "messageId": delivery.id,
        "receiptHandle": delivery.receipt,
        "body": delivery.message.body,
        "md5OfBody": delivery.md5_of_body(),
        "attributes": delivery.system_attributes(),
        "messageAttributes": attributes,
        "eventSource": "aws:sqs",
        "eventSourceARN": names::queue_arn(queue),
        "awsRegion": names::REGION,
    });
    Record { id: delivery.id.clone(), receipt: delivery.receipt.clone(), event }
}
