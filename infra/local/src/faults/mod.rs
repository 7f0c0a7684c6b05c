//! Breaking the product on purpose, at one outside call (`--faults`; for `tests/faults` alone).
//!
//! Every call of a function to an outside party passes here: those to the AWS engines, to Stripe and to the
//! model. A recording names them in order. Each has a name that is the same in every run (`call`), so that a test can
//! enumerate the calls of a scenario once and then ask for one fault at each of them: the call or its answer is
//! lost, or the processes of the functions (`lives`), or this whole machine, die before it or after it.
//!
//! Time can be compressed where waiting is all that happens: the queues' clock is put forward, and the schedule's
//! minute is called when it is asked for.

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

/// How often an SDK makes a call before it gives up: a call that is lost is lost so often.
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

/// Which call a fault strikes, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    /// The call's name.
    call: String,
    /// Which one of this name, from 1.
    nth: u32,
    /// Kind of fault.
    kind: Kind,
}

/// What happens at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// It is never carried out, however often the SDK tries.
    Lost,
    /// It is carried out, and the first answer is lost: the SDK makes it again.
    AnswerLostOnce,
    /// It is carried out as often as the SDK tries, and no answer comes.
    AnswerLost,
    /// The functions die, and it is not carried out.
    FunctionsKilledBefore,
    /// It is carried out, and the functions die.
    FunctionsKilledAfter,
    /// Everything dies, and it is not carried out.
    MachineKilledBefore,
    /// It is carried out, and everything dies.
    MachineKilledAfter,
}

impl Faults {
    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.0.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a call and says what happens to it.
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

/// Lets a call pass, unless it is the one that a fault was ordered for.
pub async fn strike(State(faults): State<Faults>, request: Request, next: Next) -> Response {
    let (request, name) = call::named(request).await;
    let Some(kind) = name.and_then(|name| faults.note(name)) else {
        return next.run(request).await;
    };
    let before = [Kind::Lost, Kind::FunctionsKilledBefore, Kind::MachineKilledBefore];
    if !before.contains(&kind) {
        // To its end: an answer without a reader may never have been written.
        let (_, body) = next.run(request).await.into_parts();
        axum::body::to_bytes(body, usize::MAX).await.ok();
    }
    match kind {
        Kind::Lost | Kind::AnswerLost | Kind::AnswerLostOnce => {}
        Kind::FunctionsKilledBefore | Kind::FunctionsKilledAfter => {
            // In its own task: this one ends with the connection of the process that dies.
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
    // The server has no other way: the panic ends the task of this connection, and nothing is printed.
    std::panic::resume_unwind(Box::new("the connection is cut"))
}
