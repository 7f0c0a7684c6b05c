//! What the product asks of DynamoDB, for the tests that hold it to a number.
//!
//! `GET /_local/dynamodb/calls` counts the calls of each operation since the start. A `POST` to
//! `/_local/dynamodb/meter` with `{"delay_ms": 60}` begins to note each call with its capacity units, and holds every
//! answer back for that long, so that two calls sent together overlap on a busy machine as well and two that wait for
//! each other never do; `GET` answers the notes. Nothing is noted, held back or parsed a second time before that.

use axum::routing::get;
use axum::{Json, Router};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// No bucket is named so.
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

/// One finished call; times are milliseconds since the notes began.
#[derive(Clone, Serialize)]
struct Note {
    operation: String,
    /// The call as it was sent: what a test that fails prints.
    call: Value,
    began_ms: f64,
    ended_ms: f64,
    units: f64,
}

#[derive(Deserialize)]
struct Begin {
    delay_ms: u64,
}

/// A call that is noted.
pub struct Reading {
    meter: Meter,
    operation: String,
    call: Value,
    began: Instant,
    delay: Duration,
}

impl Meter {
    /// Counts a call; a reading, if calls are noted.
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

    /// The calls of the tests.
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
    /// The call, asking for its capacity units too.
    pub fn body(&self) -> Bytes {
        let mut call = self.call.clone();
        if let Some(call) = call.as_object_mut() {
            call.insert("ReturnConsumedCapacity".to_owned(), json!("TOTAL"));
        }
        call.to_string().into()
    }

    /// Holds the answer back and notes the call. A refused call's units are not known.
    pub async fn end(self, reply: Option<&Vec<u8>>) {
        let units = reply.map(|reply| units(reply)).unwrap_or_default();
        tokio::time::sleep(self.delay).await;
        let mut counted = self.meter.counted();
        // A call from before the latest start belongs to no running test.
        if let Some(notes) = counted.notes.as_mut().filter(|notes| notes.since <= self.began) {
            let since = |at: Instant| (at - notes.since).as_secs_f64() * 1000.0;
            let (began_ms, ended_ms) = (since(self.began), since(Instant::now()));
            let Self { operation, call, .. } = self;
            notes.calls.push(Note { operation, call, began_ms, ended_ms, units });
        }
    }
}

/// The units of a reply: one table's, or those of each table of a batch or transaction.
fn units(reply: &[u8]) -> f64 {
    let reply: Value = serde_json::from_slice(reply).unwrap_or_default();
    let of = |consumed: &Value| consumed["CapacityUnits"].as_f64().unwrap_or_default();
    match &reply["ConsumedCapacity"] {
        Value::Array(tables) => tables.iter().map(of).sum(),
        one => of(one),
    }
}
