//! Holds the most that a model call can cost before the call, and charges what it used afterward, once.
//!
//! The price is an integer of micro-dollars per token ([`domain::money`]), so nothing is rounded. Before a call, its
//! worst case is held: everything that is sent, at one token per byte, which no text exceeds, and the longest reply
//! that the model may give. If a provider gives no count, or a call is cut off before its count comes, the tokens are
//! estimated from the bytes sent and received, and marked as estimated. A provider charges for what was sent once it has
//! accepted a request, so a call that ends before its reply begins is charged, too. Only a refused call is free.
//!
//! A bill never exceeds its hold: the ledger charges no more than was held, whatever a provider counts, and a reply
//! that grows past the requested length is ended.
//!
//! A crash needs no repair here: a hold that stays open is released when it expires.

use crate::context::{AgentContext, no_such_project};
use crate::error::{AgentError, EarlyEnd};
use crate::exchange::Request;
use crate::provider::{Model, Progress};
use crate::tokens;
use domain::ledger::HOLD_RENEWED_SECONDS;
use domain::report::Chain;
use domain::{AgentId, MicroDollars, Scope, Timestamp, TokenUsage};
use std::convert::Infallible;
use std::time::Duration;
use store::costs::ModelCall;
use store::ledger::{Funds, Hold, HoldError};

/// Attempts to end a hold; each failed attempt means that the table did not answer.
const ATTEMPTS: usize = 5;

impl AgentContext {
    /// Whether the project's credits and budget allow a short call to a model now. Errors: `insufficient_credits`,
    /// `budget_reached`, `not_found`, `internal`.
    pub async fn check_credit(&self, scope: Scope) -> Result<(), AgentError> {
        self.check_key().await?;
        let funds = self.funds(scope).await?;
        self.cover(scope, funds, 0).await
    }

    /// Checks that there is a key for the model, or for the one that takes over without it.
    pub(crate) async fn check_key(&self) -> Result<(), AgentError> {
        match (self.model.check_key().await, &self.fallback) {
            (Err(error), Some(fallback)) => fallback.check_key().await.map_err(|_| error),
            (checked, _) => checked,
        }
    }

    /// Whether a call that sends this many bytes could be paid for. Expired holds do not count.
    pub(crate) async fn cover(
        &self,
        scope: Scope,
        funds: Funds,
        bytes: usize,
    ) -> Result<(), AgentError> {
        let worst = worst_case(bytes, 1, self.model.reply_tokens());
        let Err(refusal) = funds.cover(worst) else { return Ok(()) };
        let released = self.ledger.release_expired(Timestamp::now()).await;
        match released.map_err(AgentError::internal)? {
            0 => Err(refused(refusal.into())),
            _ => self.funds(scope).await?.cover(worst).map_err(|refusal| refused(refusal.into())),
        }
    }

    /// What pays for the project's calls.
    pub(crate) async fn funds(&self, scope: Scope) -> Result<Funds, AgentError> {
        self.ledger.funds(scope).await.map_err(refused)
    }
}

/// Holds the worst case of a call.
pub(crate) async fn hold(
    context: &AgentContext,
    scope: Scope,
    request: &Request,
    model: &Model,
) -> Result<Hold, AgentError> {
    let worst = worst_case(request.bytes(), request.messages.len(), model.reply_tokens());
    context.ledger.hold(scope, worst).await.map_err(refused)
}

/// Makes a call, and renews its hold until the call ends.
pub(crate) async fn while_held<T>(
    context: &AgentContext,
    hold: &Hold,
    call: impl Future<Output = T>,
) -> T {
    tokio::select! {
        biased;
        done = call => done,
        never = keep(context, hold) => match never {},
    }
}

async fn keep(context: &AgentContext, hold: &Hold) -> Infallible {
    loop {
        tokio::time::sleep(Duration::from_secs(HOLD_RENEWED_SECONDS)).await;
        match context.ledger.renew(hold).await {
            Ok(true) => {}
            Ok(false) => tracing::warn!(project = %hold.scope, "a hold has ended before its call"),
            Err(error) => {
                tracing::warn!(project = %hold.scope, cause = %Chain(&error), "a hold could not be renewed");
            }
        }
    }
}

/// Charges one call and returns the tokens that it used. If the count cannot be written, it is logged so that an
/// operator can add it, and the turn continues.
pub(crate) async fn settle(
    context: &AgentContext,
    agent: AgentId,
    hold: &Hold,
    request: &Request,
    progress: &Progress,
) -> u64 {
    let counted = progress.counted;
    let usage = counted.unwrap_or_else(|| TokenUsage {
        input_tokens: progress.counted_input.unwrap_or(tokens::of_bytes(request.bytes())),
        output_tokens: progress.estimated_tokens(),
    });
    let call = ModelCall {
        call_id: hold.id.clone(),
        agent,
        usage,
        micro_usd: usage.cost(),
        estimated: counted.is_none(),
        cached_tokens: progress.cached_tokens.min(usage.input_tokens),
        at: Timestamp::now(),
    };
    let mut cause = String::new();
    for _ in 0..ATTEMPTS {
        match context.ledger.settle(hold, &call).await {
            // An earlier attempt settled it, but its answer was lost.
            Ok(_) => return usage.total(),
            Err(error) => cause = Chain(&error).to_string(),
        }
    }
    tracing::error!(
        project = %hold.scope,
        call = call.call_id,
        input_tokens = usage.input_tokens,
        output_tokens = usage.output_tokens,
        cause,
        "a model call was not counted"
    );
    usage.total()
}

/// Releases the hold of a call that used nothing, because no provider accepted it.
pub(crate) async fn release(context: &AgentContext, hold: &Hold) {
    if let Err(error) = context.ledger.release(hold).await {
        tracing::warn!(project = %hold.scope, cause = %Chain(&error), "a hold could not be released; it lasts until it expires");
    }
}

fn worst_case(bytes: usize, messages: usize, reply_tokens: u32) -> MicroDollars {
    let input_tokens = tokens::at_most(bytes, messages);
    TokenUsage { input_tokens, output_tokens: reply_tokens.into() }.cost()
}

fn refused(error: HoldError) -> AgentError {
    match error {
        HoldError::Refused(refusal) => {
            AgentError::caller(EarlyEnd::Unpaid(refusal), refusal.to_string())
        }
        HoldError::NoSuchProject => no_such_project(),
        HoldError::Store(error) => AgentError::internal(error),
    }
}
