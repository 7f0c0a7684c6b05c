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
    /// The numbers in the provider's message about a field that it did not accept.
    pub(crate) numbers: Vec<u32>,
}

/// What a provider refuses until its operator or ours changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Denied {
    Key,
    /// The key is known, and its account may not use the model.
    Use,
    /// The account has nothing left to pay with, or has used up its quota.
    Money,
    /// The model's name.
    Model,
    /// What answers at the address is not the provider.
    Address,
}

/// The part of our request that a provider did not accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// The limit of the reply: its name or its height.
    ReplyTokens,
    /// The wish that the tokens of a stream be counted.
    Usage,
    Temperature,
    Effort,
    /// The model cannot call tools at all.
    Tools,
    Other,
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
    /// The key, the account, the model's name or the address is not right.
    Refused(Denied),
    /// The provider did not accept our request: a setting that does not fit the model, a bug of ours or an incompatible
    /// server.
    Invalid(Field),
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
        Self { kind, cause: cause.into(), numbers: Vec::new() }
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

    /// The part of the request that was not accepted, if that is why there is no reply.
    pub(crate) fn field(&self) -> Option<Field> {
        match self.kind {
            Kind::Invalid(field) => Some(field),
            _ => None,
        }
    }

    /// Whether another provider's model may be able to answer the same call.
    pub(crate) fn is_the_providers(&self) -> bool {
        self.is_transient() || matches!(self.kind, Kind::Refused(_))
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = format!("{:?}", self.kind);
        let kind = kind.split('(').next().unwrap_or_default();
        write!(f, "{kind}: {}", self.cause)
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
            Kind::Refused(denied) => operator(EarlyEnd::ModelRefused, denied.for_reader()),
            Kind::Invalid(field) => operator(EarlyEnd::ModelInvalidRequest, field.for_reader()),
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

impl Denied {
    /// The text for the reader, with the setting that the operator has to look at.
    fn for_reader(self) -> &'static str {
        match self {
            Self::Key => {
                "The AI model refused this site's key. Its operator has to check MODEL_API_KEY."
            }
            Self::Use => {
                "The AI model refused this site's access. Its operator has to check whether the account of MODEL_API_KEY may use the model in MODEL_NAME."
            }
            Self::Money => {
                "This site's account at the AI model's provider has nothing left to spend. Its operator has to pay there, or raise the account's limit."
            }
            Self::Model => {
                "The AI model's provider does not know this model. Its operator has to check MODEL_NAME."
            }
            Self::Address => {
                "The AI model was not found at its address. Its operator has to check MODEL_BASE_URL."
            }
        }
    }
}

impl Field {
    /// The text for the reader, with the setting that the operator has to look at.
    fn for_reader(self) -> &'static str {
        match self {
            Self::ReplyTokens => {
                "The AI model does not write replies as long as this site asks for. Its operator has to lower MODEL_REPLY_TOKENS."
            }
            Self::Temperature => {
                "The AI model does not accept this site's temperature. Its operator has to change MODEL_TEMPERATURE or leave it out."
            }
            Self::Effort => {
                "The AI model does not accept this site's effort. Its operator has to change MODEL_EFFORT or leave it out."
            }
            Self::Tools => {
                "The AI model cannot call tools, which agents need. Its operator has to choose another model in MODEL_NAME."
            }
            Self::Usage | Self::Other => {
                "The AI model could not read our request. Its operator has to look at the model settings."
            }
        }
    }
}
