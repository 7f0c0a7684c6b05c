//! Counts and measures the product's calls to DynamoDB, for the tests that set limits on them.
//!
//! `GET /_local/dynamodb/calls` counts the calls of each operation since the start. A `POST` to
//! `/_local/dynamodb/meter` with `{"delay_ms": 60}` starts to record each call with its capacity units, and delays
//! every answer by that long, so that two calls sent together overlap even on a busy machine and two that wait for each
//! other never do; `GET` returns the records. Until then nothing is recorded, delayed or parsed a second time.

use axum::routing::get;
use axum::{Json, Router};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A name that no bucket has.
const CALLS: &str = "/_local/dynamodb/calls";
const METER: &str = "/_local/dynamodb/meter";

/// The engine's counters.
#[derive(Clone, Default)]
pub struct Meter(Arc<Mutex<Counted>>);

#[derive(Default)]
struct Counted {
    operations: BTreeMap<String, u64>,
    notes: Option<Notes>,
}

struct Notes {
    since: Instant,
    delay: Duration,
    calls: Vec<Note>,
}

/// One finished call; times are in milliseconds since recording began.
#[derive(Clone, Serialize)]
struct Note {
    operation: String,
    /// The call as it was sent, for the output of a failing test.
    call: Value,
    began_ms: f64,
    ended_ms: f64,
    units: f64,
}

#[derive(Deserialize)]
struct Begin {
    delay_ms: u64,
}

/// A call that is being recorded.
pub struct Reading {
    meter: Meter,
    operation: String,
    call: Value,
    began: Instant,
    delay: Duration,
}

impl Meter {
    /// Counts a call; returns a `Reading` if calls are recorded.
    pub fn begin(&self, operation: &str, body: &Bytes) -> Option<Reading> {
        let mut counted = self.counted();
        *counted.operations.entry(operation.to_owned()).or_default() += 1;
        counted.notes.as_ref().map(|notes| Reading {
            meter: self.clone(),
            operation: operation.to_owned(),
            call: serde_json::from_slice(body).unwrap_or_default(),
            began: Instant::now(),
            delay: notes.delay,
        })
    }

    /// The routes for the tests.
    pub fn router(&self) -> Router {
        let (counts, notes, begin) = (self.clone(), self.clone(), self.clone());
        let calls = get(async move || Json(counts.counted().operations.clone()));
        let meter = get(async move || {
            Json(notes.counted().notes.as_ref().map(|notes| notes.calls.clone()))
        });
        let meter = meter.post(async move |Json(order): Json<Begin>| {
            let delay = Duration::from_millis(order.delay_ms);
            let notes = Notes { since: Instant::now(), delay, calls: Vec::new() };
            begin.counted().notes = Some(notes);
        });
        Router::new().route(CALLS, calls).route(METER, meter)
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reading {
    /// The call, with a request for its capacity units added.
    pub fn body(&self) -> Bytes {
        let mut call = self.call.clone();
        if let Some(call) = call.as_object_mut() {
            call.insert("ReturnConsumedCapacity".to_owned(), json!("TOTAL"));
        }
        call.to_string().into()
    }

    /// Delays the answer and records the call. The units of a refused call are unknown.
    pub async fn end(self, reply: Option<&Vec<u8>>) {
        let units = reply.map(|reply| units(reply)).unwrap_or_default();
        tokio::time::sleep(self.delay).await;
        let mut counted = self.meter.counted();
        // A call that began before the latest start belongs to no running test.
        if let Some(notes) = counted.notes.as_mut().filter(|notes| notes.since <= self.began) {
            let since = |at: Instant| (at - notes.since).as_secs_f64() * 1000.0;
            let (began_ms, ended_ms) = (since(self.began), since(Instant::now()));
            let Self { operation, call, .. } = self;
            notes.calls.push(Note { operation, call, began_ms, ended_ms, units });
        }
    }
}

/// The units of a reply: those of one table, or of each table of a batch or transaction.
fn units(reply: &[u8]) -> f64 {
    let reply: Value = serde_json::from_slice(reply).unwrap_or_default();
    let of = |consumed: &Value| consumed["CapacityUnits"].as_f64().unwrap_or_default();
    match &reply["ConsumedCapacity"] {
        Value::Array(tables) => tables.iter().map(of).sum(),
        one => of(one),
    }
}
