//! Counts the store requests between a call and its answer.

use api_tests::{App, Call};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// How long the engine delays each answer: longer than a busy machine takes to send two requests together.
const DELAY_MS: u64 = 60;

/// One request to the store, as the engine recorded it.
#[derive(Deserialize)]
struct Note {
    operation: String,
    began_ms: f64,
    ended_ms: f64,
    units: f64,
}

/// The cost of one API call at the store.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// The status of its answer.
    pub status: u16,
    /// The longest chain of requests, each of which waited for the previous one.
    pub rounds: usize,
    /// Capacity units of reads and writes.
    pub units: f64,
    calls: BTreeMap<String, usize>,
}

impl Cost {
    /// The number of requests, and of round trips: a busy machine may send requests one after the other that usually go
    /// together, so of several measurements the least counts.
    pub fn size(&self) -> (usize, usize) {
        (self.calls.values().sum(), self.rounds)
    }

    /// The operations and how often each was called.
    pub fn operations(&self) -> String {
        let times = |(name, times): (&String, &usize)| match times {
            1 => name.clone(),
            _ => format!("{times} {name}"),
        };
        let all: Vec<_> = self.calls.iter().map(times).collect();
        if all.is_empty() { "none".to_owned() } else { all.join(", ") }
    }
}

/// Makes the call and returns its cost.
pub async fn cost(app: &App, call: Call) -> Cost {
    set_delay(app, DELAY_MS).await;
    let status = call.send().await.status;
    let notes: Vec<Note> = read_notes(app).await;
    set_delay(app, 0).await;
    let mut calls = BTreeMap::new();
    for note in &notes {
        *calls.entry(note.operation.clone()).or_default() += 1;
    }
    // The sum of no values is -0.
    let units = notes.iter().map(|note| note.units).sum::<f64>() + 0.0;
    Cost { status, rounds: chain(notes), units, calls }
}

/// The longest chain of requests that do not overlap.
fn chain(mut notes: Vec<Note>) -> usize {
    notes.sort_by(|a, b| a.ended_ms.total_cmp(&b.ended_ms));
    let (mut rounds, mut end) = (0, f64::MIN);
    for note in notes.iter() {
        if note.began_ms >= end {
            (rounds, end) = (rounds + 1, note.ended_ms);
        }
    }
    rounds
}

async fn set_delay(app: &App, delay_ms: u64) {
    let order = reqwest::Client::new().post(address(app)).json(&json!({"delay_ms": delay_ms}));
    order.send().await.unwrap().error_for_status().unwrap();
}

async fn read_notes(app: &App) -> Vec<Note> {
    reqwest::get(address(app)).await.unwrap().json().await.unwrap()
}

fn address(app: &App) -> String {
    format!("{}/_local/dynamodb/meter", app.engines())
}
