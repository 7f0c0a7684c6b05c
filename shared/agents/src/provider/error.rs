//! The errors between Groundcrew and a model, by what to do about them.

use crate::error::{AgentError, EarlyEnd};
use std::fmt;
use std::time::Duration;

/// Why a model call gave no complete reply.
#[derive(Debug)]
pub(crate) struct ModelError {
    pub(crate) kind: Kind,
    /// For the log: status and error type, never a key or any text of the conversation.
    pub(crate) cause: String,
}

/// The kinds of failure that are handled differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Too many requests, with the wait that the provider asked for, if any.
    RateLimited(Option<Duration>),
    /// The provider is overloaded (5xx), or reported that during a reply.
    Overloaded(Option<Duration>),
    /// No connection, or no answer on it.
    Unreachable,
    /// The key, the account or the model's name was refused.
    Refused,
    /// The provider did not understand our request: a bug of ours or an incompatible server.
    Invalid,
    /// The conversation is longer than the model can read.
    ContextOverflow,
    /// The reply ended before its end: cut off, malformed or silent for too long.
    Interrupted,
    /// The provider's filter withheld the reply.
    Filtered,
    /// The reply ended at its longest allowed length.
    CutShort,
    /// The reply or the turn exceeded its limit of tokens, bytes or calls.
    OverBudget,
    /// The turn took longer than allowed.
    TimedOut,
}

impl ModelError {
    pub(crate) fn new(kind: Kind, cause: impl Into<String>) -> Self {
        Self { kind, cause: cause.into() }
    }

    /// The sentence for the reader.
    pub(crate) fn public_text(&self) -> String {
        self.kind.for_reader().public_text().to_owned()
    }

    /// Whether an immediate second call may succeed, as long as the reader has seen no part of a reply.
    pub(crate) fn is_transient(&self) -> bool {
        use Kind::{Interrupted, Overloaded, RateLimited, Unreachable};
        matches!(self.kind, RateLimited(_) | Overloaded(_) | Unreachable | Interrupted)
    }

    /// Whether the provider charges for what was sent: it had accepted the request, and did not take that back by
    /// reporting an error.
    pub(super) fn leaves_a_bill(&self) -> bool {
        use Kind::{CutShort, Filtered, Interrupted, OverBudget, TimedOut};
        matches!(self.kind, Interrupted | Filtered | CutShort | OverBudget | TimedOut)
    }

    /// Whether another provider's model may be able to answer the same call.
    pub(crate) fn is_the_providers(&self) -> bool {
        self.is_transient() || self.kind == Kind::Refused
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.cause)
    }
}

impl std::error::Error for ModelError {}

impl From<ModelError> for AgentError {
    fn from(error: ModelError) -> Self {
        error.kind.for_reader().because(error)
    }
}

impl Kind {
    /// The text for the reader.
    fn for_reader(self) -> AgentError {
        let caller = |code, text: &str| AgentError::caller(code, text);
        let operator = |code, text: &str| AgentError::operator(code, text);
        match self {
            Kind::RateLimited(wait) => {
                let when = match wait {
                    Some(wait) => format!("in {} seconds", wait.as_secs().max(1)),
                    None => "in a minute".to_owned(),
                };
                let text =
                    format!("The AI model is getting too many requests. Please try again {when}.");
                caller(EarlyEnd::ModelRateLimited, &text).with_retry_after(wait)
            }
            Kind::Overloaded(wait) => caller(
                EarlyEnd::ModelOverloaded,
                "The AI model is overloaded. Please try again in a moment.",
            )
            .with_retry_after(wait),
            Kind::Unreachable => caller(
                EarlyEnd::ModelUnreachable,
                "The AI model cannot be reached. Please try again in a moment.",
            ),
            Kind::Refused => operator(
                EarlyEnd::ModelRefused,
                "The AI model refused this site's access. Its operator has to look at the model settings.",
            ),
            Kind::Invalid => operator(
                EarlyEnd::ModelInvalidRequest,
                "The AI model could not read our request. Its operator has to look at the model settings.",
            ),
            Kind::ContextOverflow => caller(
                EarlyEnd::ModelContextOverflow,
                "This project has become too long for the AI model to read. Please ask for something smaller.",
            ),
            Kind::Interrupted => caller(
                EarlyEnd::ModelInterrupted,
                "The AI model's reply broke off. Please try again.",
            ),
            Kind::Filtered => caller(
                EarlyEnd::ModelFiltered,
                "The AI model declined to answer this. Please put it differently.",
            ),
            Kind::CutShort => caller(
                EarlyEnd::ReplyCutShort,
                "The AI model's reply reached its longest length. What was written is kept; ask it to go on.",
            ),
            Kind::OverBudget => caller(
                EarlyEnd::TurnOverBudget,
                "This took more work than one message may ask for. What was written is kept; please continue with a smaller request.",
            ),
            Kind::TimedOut => caller(
                EarlyEnd::TurnTimedOut,
                "This took too long. What was written is kept; please try again.",
            ),
        }
    }
}
