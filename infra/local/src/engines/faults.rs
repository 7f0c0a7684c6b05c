//! Faults that a test orders: the n-th call of the engines from now fails, or takes the whole process with it.
//!
//! Counted are the calls that change something or that somebody waits for; a queue's reader asks all the time and is
//! left out.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};

/// Operations that a poller repeats.
const POLLS: [&str; 3] =
    ["AmazonSQS.ReceiveMessage", "AmazonSQS.DeleteMessage", "AmazonSQS.ChangeMessageVisibility"];

/// What becomes of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// It fails, and nothing is done.
    FailBefore,
    /// It is carried out, and its answer is lost.
    FailAfter,
    /// The process ends, and nothing is done.
    DieBefore,
    /// It is carried out, and the process ends.
    DieAfter,
}

/// An order for a fault.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Order {
    /// What becomes of it.
    pub fault: Fault,
    /// The first call that it is for, from 1.
    pub at: u64,
    /// How many calls after one another: an SDK tries three times.
    pub calls: u64,
}

/// The order that stands, and the calls that were counted since it was given.
#[derive(Clone, Debug, Default)]
pub struct Faults(Arc<Mutex<(Option<Order>, u64)>>);

impl Faults {
    /// Gives an order, or takes it back; how many calls were counted since the one before.
    pub fn order(&self, order: Option<Order>) -> u64 {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = state.1;
        *state = (order, 0);
        counted
    }

    fn next(&self) -> Option<Fault> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.1 += 1;
        let (order, count) = *state;
        let order = order.filter(|order| (order.at..order.at + order.calls).contains(&count));
        order.map(|order| order.fault)
    }
}

/// Carries orders out.
pub async fn apply(State(faults): State<Faults>, request: Request, next: Next) -> Response {
    let target = request.headers().get("x-amz-target").and_then(|value| value.to_str().ok());
    if target.is_some_and(|target| POLLS.contains(&target)) {
        return next.run(request).await;
    }
    match faults.next() {
        None => next.run(request).await,
        Some(Fault::FailBefore) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Some(Fault::FailAfter) => {
            next.run(request).await;
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
        Some(Fault::DieBefore) => std::process::abort(),
        Some(Fault::DieAfter) => {
            next.run(request).await;
            std::process::abort()
        }
    }
}
