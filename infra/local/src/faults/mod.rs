//! Breaks the product on purpose, at one outside call (`--faults`; only for `tests/faults`).
//!
//! Every call of a function to an outside party passes through here: those to the AWS engines, to Stripe and to the
//! model. A recording lists their names in order. Each name is the same in every run (`call`), so a test can enumerate
//! the calls of a scenario once and then request one fault at each of them: the call or its answer is lost, or the
//! functions' processes (`lives`), or this whole machine, die before it or after it.
//!
//! Time can be compressed where a test would only wait: the queues' clock can be moved forward, and the schedule's call
//! of each minute is made on request.

mod call;
mod control;
mod lives;

pub use control::clock;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use lives::Lives;
use rustix::process::{Signal, getpid, kill_process};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// How often an SDK tries a call before it gives up: a lost call is lost this often.
const ATTEMPTS: u32 = 3;

/// The faults of a stack.
#[derive(Clone, Default)]
pub struct Faults(Arc<Inner>);

#[derive(Default)]
struct Inner {
    plan: Mutex<Plan>,
    lives: OnceLock<Lives>,
}

#[derive(Default)]
struct Plan {
    calls: Vec<String>,
    order: Option<Order>,
    seen: u32,
    struck: u32,
}

/// Which call a fault affects, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    /// The call's name.
    call: String,
    /// Which call of this name, counted from 1.
    nth: u32,
    /// Kind of fault.
    kind: Kind,
}

/// The effect of a fault on a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// The call is never carried out, however often the SDK tries.
    Lost,
    /// The call is carried out and its first answer is lost, so the SDK makes it again.
    AnswerLostOnce,
    /// The call is carried out as often as the SDK tries, and no answer arrives.
    AnswerLost,
    /// The functions die, and the call is not carried out.
    FunctionsKilledBefore,
    /// The call is carried out, and the functions die.
    FunctionsKilledAfter,
    /// Everything dies, and the call is not carried out.
    MachineKilledBefore,
    /// The call is carried out, and everything dies.
    MachineKilledAfter,
}

impl Faults {
    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.0.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a call and returns its fault, if any.
    fn note(&self, name: String) -> Option<Kind> {
        let mut plan = self.plan();
        plan.calls.push(name.clone());
        let order = plan.order.clone().filter(|order| order.call == name)?;
        plan.seen += 1;
        let times = match order.kind {
            Kind::Lost | Kind::AnswerLost => ATTEMPTS,
            _ => 1,
        };
        let strikes = plan.seen >= order.nth && plan.struck < times;
        plan.struck += u32::from(strikes);
        strikes.then_some(order.kind)
    }
}

/// Lets a call pass unless a fault was requested for it.
pub async fn strike(State(faults): State<Faults>, request: Request, next: Next) -> Response {
    let (request, name) = call::named(request).await;
    let Some(kind) = name.and_then(|name| faults.note(name)) else {
        return next.run(request).await;
    };
    let before = [Kind::Lost, Kind::FunctionsKilledBefore, Kind::MachineKilledBefore];
    if !before.contains(&kind) {
        // Read to the end: an answer without a reader may never be written.
        let (_, body) = next.run(request).await.into_parts();
        axum::body::to_bytes(body, usize::MAX).await.ok();
    }
    match kind {
        Kind::Lost | Kind::AnswerLost | Kind::AnswerLostOnce => {}
        Kind::FunctionsKilledBefore | Kind::FunctionsKilledAfter => {
            // In a separate task: this one ends with the connection of the process that dies.
            let killed = tokio::spawn(async move {
                if let Some(lives) = faults.0.lives.get() {
                    lives.end().await;
                }
            });
            killed.await.ok();
        }
        Kind::MachineKilledBefore | Kind::MachineKilledAfter => {
            if let Err(error) = kill_process(getpid(), Signal::KILL) {
                tracing::error!(%error, "this process cannot be killed");
            }
            std::future::pending::<()>().await;
        }
    }
    cut()
}

/// Closes the connection without an answer.
fn cut() -> Response<Body> {
    // axum offers no other way: the panic ends the task of this connection, and nothing is printed.
    std::panic::resume_unwind(Box::new("the connection is cut"))
}
