//! The HTTP interface through which a test requests faults.

use super::{Faults, Order, Plan, lives::Lives};
use crate::engines::sqs::Sqs;
use crate::events;
use crate::functions::{EventFunction, Functions};
use anyhow::Result;
use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

/// The calls since the last order, and how often its fault occurred.
#[derive(Serialize)]
struct Report {
    calls: Vec<String>,
    struck: u32,
    invoked: usize,
}

#[derive(Deserialize)]
struct Skip {
    seconds: u32,
}

#[derive(Clone)]
struct Clock {
    sqs: Sqs,
    reaper: EventFunction,
}

impl Faults {
    /// The functions, in processes that can be killed from now on.
    pub async fn functions(&self) -> Result<Functions> {
        let lives = Lives::begin().await?;
        let functions = lives.functions().await;
        self.0.lives.set(lives).ok();
        Ok(functions)
    }

    /// The routes for a test, in addition to those of the engines.
    pub fn router(&self) -> Router {
        Router::new().route("/_local/faults", get(report).post(order)).with_state(self.clone())
    }
}

/// Controls the clock of a stack whose time can be compressed.
pub fn clock(sqs: Sqs, reaper: EventFunction) -> Router {
    let clock = Clock { sqs, reaper };
    Router::new().route("/skip", post(skip)).route("/minute", post(minute)).with_state(clock)
}

/// Begins a new recording, with or without a fault.
async fn order(State(faults): State<Faults>, Json(order): Json<Option<Order>>) {
    *faults.plan() = Plan { order, ..Plan::default() };
}

async fn report(State(faults): State<Faults>) -> Json<Report> {
    let invoked = faults.0.lives.get().map_or(0, Lives::invoked);
    let plan = faults.plan();
    Json(Report { calls: plan.calls.clone(), struck: plan.struck, invoked })
}

/// Makes messages in flight visible this many seconds earlier.
async fn skip(State(clock): State<Clock>, Json(skip): Json<Skip>) {
    clock.sqs.put_forward(skip.seconds);
}

/// Makes the schedule's call of each minute now.
async fn minute(State(clock): State<Clock>) -> Json<bool> {
    Json(events::minute(&clock.reaper).await)
}
