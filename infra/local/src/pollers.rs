//! SQS event source mappings: read the queues and call the functions.
//!
//! Each mapping keeps one long poll open and handles every batch in a separate task, up to [`BATCHES_AT_ONCE`]. The
//! queue itself returns one batch of a group at a time, so order within a group is kept however many tasks run. Results
//! are treated as in Lambda: messages that the function reports in `batchItemFailures` stay invisible until their
//! timeout, and the rest are deleted; if the function panics, exceeds its time limit, or returns an invalid report, the
//! whole batch has failed.

use crate::engines::queues::{Queues, Record};
use crate::functions::QueueMapping;
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// How many batches of one mapping are handled at the same time.
const BATCHES_AT_ONCE: usize = 10;
/// How long to wait after the queue failed.
const PAUSE: Duration = Duration::from_secs(1);

/// Reads a queue until `stop`.
pub async fn poll(queues: Queues, mapping: QueueMapping, stop: CancellationToken) {
    let turns = Arc::new(Semaphore::new(BATCHES_AT_ONCE));
    loop {
        let Ok(turn) = turns.clone().acquire_owned().await else { return };
        let received = tokio::select! {
            () = stop.cancelled() => return,
            received = queues.receive(mapping.queue, mapping.batch) => received,
        };
        match received {
            Ok(batch) if batch.is_empty() => {}
            Ok(batch) => {
                let (queues, mapping) = (queues.clone(), mapping.clone());
                tokio::spawn(async move {
                    handle(&queues, &mapping, batch).await;
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

async fn handle(queues: &Queues, mapping: &QueueMapping, batch: Vec<Record>) {
    let Some(failed) = call(mapping, &batch).await else {
        tracing::warn!(queue = mapping.queue, messages = batch.len(), "a batch failed");
        return;
    };
    for record in batch.iter().filter(|record| !failed.contains(&record.id)) {
        if let Err(error) = queues.delete(mapping.queue, &record.receipt).await {
            tracing::warn!(queue = mapping.queue, message = record.id, %error, "a handled message was not deleted");
        }
    }
}

/// The ids of the messages that failed; `None` if the whole batch failed.
async fn call(mapping: &QueueMapping, batch: &[Record]) -> Option<HashSet<String>> {
    let event: SqsEvent = match serde_json::from_value(event(batch)) {
        Ok(event) => event,
        Err(error) => {
            tracing::error!(%error, "the poller created an invalid event");
            return None;
        }
    };
    // In a separate task, so that a panic fails the batch and does not end the poller.
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

fn failures(response: &SqsBatchResponse, batch: &[Record]) -> Option<HashSet<String>> {
    let ids: HashSet<_> = response
        .batch_item_failures
        .iter()
        .map(|failure| failure.item_identifier.clone())
        .collect();
    ids.iter().all(|id| batch.iter().any(|record| record.id == *id)).then_some(ids)
}

/// The event in Lambda's form.
fn event(batch: &[Record]) -> Value {
    let records: Vec<_> = batch.iter().map(|record| &record.event).collect();
    json!({"Records": records})
}
