//! SQS event source mappings: what reads the queues and calls the functions.
//!
//! Each mapping keeps one long poll open and handles every batch in a task of its own, up to
//! [`BATCHES_AT_ONCE`]. The queue itself hands out one batch of a group at a time, so order within a group
//! is kept however many run. A batch is done as Lambda does it: what the function reports in
//! `batchItemFailures` stays invisible until its timeout, the rest is deleted; a function that panics, takes
//! longer than it may, or reports something strange has failed the whole batch.

use crate::engines::sqs::{Delivery, Sqs};
use crate::functions::QueueMapping;
use crate::names;
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Batches of one mapping that are handled at the same time.
const BATCHES_AT_ONCE: usize = 10;
/// How long one poll waits.
const WAIT: Duration = Duration::from_secs(20);
/// How long to wait after the queue failed.
const PAUSE: Duration = Duration::from_secs(1);

/// Reads a queue until `stop`.
pub async fn poll(sqs: Sqs, mapping: QueueMapping, stop: CancellationToken) {
    let turns = Arc::new(Semaphore::new(BATCHES_AT_ONCE));
    loop {
        let Ok(turn) = turns.clone().acquire_owned().await else { return };
        let received = tokio::select! {
            () = stop.cancelled() => return,
            received = sqs.receive(mapping.queue, mapping.batch, None, WAIT) => received,
        };
        match received {
            Ok(batch) if batch.is_empty() => {}
            Ok(batch) => {
                let (sqs, mapping) = (sqs.clone(), mapping.clone());
                tokio::spawn(async move {
                    handle(&sqs, &mapping, batch).await;
                    drop(turn);
                });
            }
            Err(error) => {
                tracing::error!(queue = mapping.queue, %error, "a queue cannot be read");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

async fn handle(sqs: &Sqs, mapping: &QueueMapping, batch: Vec<Delivery>) {
    let Some(failed) = call(mapping, &batch).await else {
        tracing::warn!(queue = mapping.queue, messages = batch.len(), "a batch failed");
        return;
    };
    for delivery in batch.iter().filter(|delivery| !failed.contains(&delivery.id)) {
        if let Err(error) = sqs.delete(mapping.queue, &delivery.receipt).await {
            tracing::warn!(queue = mapping.queue, message = delivery.id, %error, "a handled message was not deleted");
        }
    }
}

/// The ids of the messages that failed; none when the whole batch did.
async fn call(mapping: &QueueMapping, batch: &[Delivery]) -> Option<HashSet<String>> {
    let event: SqsEvent = match serde_json::from_value(event(mapping.queue, batch)) {
        Ok(event) => event,
        Err(error) => {
            tracing::error!(%error, "the poller built an event that cannot be read");
            return None;
        }
    };
    // In a task of its own, so that a panic is a failed batch and not the end of the poller.
    let mut running = tokio::spawn((mapping.function)(event));
    match tokio::time::timeout(mapping.timeout, &mut running).await {
        Ok(Ok(response)) => failures(&response, batch),
        Ok(Err(error)) => {
            tracing::error!(queue = mapping.queue, %error, "a function died");
            None
        }
        Err(_elapsed) => {
            running.abort();
            tracing::error!(queue = mapping.queue, "a function took too long");
            None
        }
    }
}

fn failures(response: &SqsBatchResponse, batch: &[Delivery]) -> Option<HashSet<String>> {
    let ids: HashSet<_> = response
        .batch_item_failures
        .iter()
        .map(|failure| failure.item_identifier.clone())
        .collect();
    ids.iter().all(|id| batch.iter().any(|delivery| delivery.id == *id)).then_some(ids)
}

/// The event as Lambda gets it.
fn event(queue: &str, batch: &[Delivery]) -> Value {
    let records: Vec<_> = batch
        .iter()
        .map(|delivery| {
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
            json!({
                "messageId": delivery.id,
                "receiptHandle": delivery.receipt,
                "body": delivery.message.body,
                "md5OfBody": delivery.md5_of_body(),
                "attributes": delivery.system_attributes(),
                "messageAttributes": attributes,
                "eventSource": "aws:sqs",
                "eventSourceARN": names::queue_arn(queue),
                "awsRegion": names::REGION,
            })
        })
        .collect();
    json!({"Records": records})
}
