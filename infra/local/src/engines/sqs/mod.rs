//! SQS: FIFO queues in an SQLite file, speaking the `AwsJson1.0` protocol of the SDKs.
//!
//! # Why a custom engine
//!
//! The product relies on the guarantees of FIFO queues: one message of a group at a time, in order, once per
//! deduplication id; a failed message comes back after its visibility timeout and, after enough attempts, goes to the
//! dead-letter queue. The available in-memory engines deliver a group's next message while the first is in flight, and
//! lose everything when killed. SQS loses nothing, so an approved step must still be in its queue after a kill: each
//! change here is one SQLite transaction, committed before the call is answered.
//!
//! # Waiting
//!
//! A long poll waits for a change of any queue or for the next message whose timeout ends, whichever comes first;
//! nothing polls by the clock, so a message reaches a waiting reader at once.
//!
//! Not implemented: standard queues, delays, per-group deduplication scope, permissions, tags.

mod attributes;
mod calls;
mod requests;
mod store;

pub use attributes::MessageAttribute;
pub use store::{Delivery, NewMessage, QueueSettings};

use super::wire::ApiError;
use anyhow::Result;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::Store;
use tokio::sync::Notify;
use tokio::time::Instant;

/// The SQS engine.
#[derive(Clone)]
pub struct Sqs {
    store: Arc<Mutex<Store>>,
    changed: Arc<Notify>,
    ahead_ms: Arc<AtomicI64>,
}

impl Sqs {
    /// Opens or creates the file of the queues.
    pub fn open(file: &Path) -> Result<Self> {
        let store = Arc::new(Mutex::new(Store::open(file)?));
        Ok(Self { store, changed: Arc::default(), ahead_ms: Arc::default() })
    }

    /// Moves the queues' clock forward, so that a test need not wait for a visibility timeout.
    pub fn put_forward(&self, seconds: u32) {
        self.ahead_ms.fetch_add(i64::from(seconds) * 1000, Ordering::Relaxed);
        self.changed.notify_waiters();
    }

    fn now_ms(&self) -> i64 {
        crate::ids::now_ms() + self.ahead_ms.load(Ordering::Relaxed)
    }

    /// Creates a queue, or updates the settings of an existing one.
    pub async fn create_queue(&self, name: &str, settings: QueueSettings) -> Result<(), ApiError> {
        let name = name.to_owned();
        self.with(move |store| store.create_queue(&name, &settings)).await
    }

    /// Receives up to `max` messages, waiting up to `wait` for the first.
    pub async fn receive(
        &self,
        queue: &str,
        max: usize,
        visibility_seconds: Option<u32>,
        wait: Duration,
    ) -> Result<Vec<Delivery>, ApiError> {
        let deadline = Instant::now() + wait;
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            let name = queue.to_owned();
            let now = self.now_ms();
            let received =
                self.with(move |store| store.receive(&name, max, visibility_seconds, now)).await?;
            if received.moved > 0 {
                self.changed.notify_waiters();
            }
            if !received.messages.is_empty() || Instant::now() >= deadline {
                return Ok(received.messages);
            }
            let next = received.next_visible_ms.map(|at| u64::try_from(at - now).unwrap_or(0));
            let wake = next
                .map_or(deadline, |ms| deadline.min(Instant::now() + Duration::from_millis(ms)));
            tokio::select! {
                () = changed => {}
                () = tokio::time::sleep_until(wake) => {}
            }
        }
    }

    /// Deletes a message that was received and is still in flight.
    pub async fn delete(&self, queue: &str, receipt: &str) -> Result<(), ApiError> {
        let (queue, receipt) = (queue.to_owned(), receipt.to_owned());
        let now = self.now_ms();
        self.change(move |store| store.delete(&queue, &receipt, now)).await
    }

    /// Runs a transaction on a thread that may block.
    async fn with<T: Send + 'static>(
        &self,
        transaction: impl FnOnce(&mut Store) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let store = self.store.clone();
        // A panic inside rolls SQLite's transaction back, so the store is sound afterward.
        let run = move || transaction(&mut store.lock().unwrap_or_else(PoisonError::into_inner));
        tokio::task::spawn_blocking(run).await.map_err(|error| ApiError::internal(&error))?
    }

    /// Like [`Self::with`], then wakes the receivers that wait for messages.
    async fn change<T: Send + 'static>(
        &self,
        transaction: impl FnOnce(&mut Store) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let result = self.with(transaction).await;
        self.changed.notify_waiters();
        result
    }
}
