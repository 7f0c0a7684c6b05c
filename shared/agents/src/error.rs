//! The error type for everything that ends a turn early.

use domain::ErrorCode;
use domain::ledger::Refusal;
use domain::report::Chain;
use std::fmt;
use std::time::Duration;

/// Who can do something about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The model: it gets the text as its tool's answer and tries again within the turn.
    Model,
    /// The caller: trying again later, or asking differently, may help.
    Caller,
    /// The operator: nothing that a caller does will help.
    Operator,
}

/// Why a turn ended early or could not begin. Programs see its code, whose meaning never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlyEnd {
    /// The installation has no such project or step.
    NotFound,
    /// The message is empty or too long.
    InvalidMessage,
    /// The owner's text cannot be a command.
    InvalidScript,
    /// The owner's text contains a secret in plain text.
    SecretInScript,
    /// The operator has not added the model's key yet.
    NotConfigured,
    /// The credits or the project's budget do not cover the next call.
    Unpaid(Refusal),
    /// The store or another part of Groundcrew failed.
    Internal,
    /// The provider got too many requests.
    ModelRateLimited,
    /// The provider is overloaded.
    ModelOverloaded,
    /// The provider cannot be reached.
    ModelUnreachable,
    /// The provider refused the key, the account or the model's name.
    ModelRefused,
    /// The provider could not read the request.
    ModelInvalidRequest,
    /// The conversation is longer than the model can read.
    ModelContextOverflow,
    /// The reply broke off.
    ModelInterrupted,
    /// The provider withheld the reply.
    ModelFiltered,
    /// The reply reached its longest length.
    ReplyCutShort,
    /// The turn used up its tokens or calls.
    TurnOverBudget,
    /// The turn used up its time.
    TurnTimedOut,
    /// The model asked the user a question instead of doing its work.
    AgentQuestion,
    /// The model wrote text instead of doing its work.
    ModelOnlyTalked,
    /// Each of the model's tool calls was refused.
    ModelMistakes,
    /// The model wrote no usable script.
    BadScript,
    /// The model made a mistake and can call its tool again.
    ToolError,
    /// The step no longer waits for this run.
    StaleRun,
    /// The step has no command to run again.
    NoCommand,
    /// The agent does not do this kind of work.
    NoSuchAgent,
}

impl EarlyEnd {
    /// The code for programs.
    pub fn code(self) -> ErrorCode {
        match self {
            Self::NotFound => ErrorCode::NotFound,
            Self::InvalidMessage => ErrorCode::InvalidMessage,
            Self::InvalidScript => ErrorCode::InvalidScript,
            Self::SecretInScript => ErrorCode::SecretInScript,
            Self::NotConfigured => ErrorCode::NotConfigured,
            Self::Unpaid(refusal) => refusal.code(),
            Self::Internal => ErrorCode::Internal,
            Self::ModelRateLimited => ErrorCode::ModelRateLimited,
            Self::ModelOverloaded => ErrorCode::ModelOverloaded,
            Self::ModelUnreachable => ErrorCode::ModelUnreachable,
            Self::ModelRefused => ErrorCode::ModelRefused,
            Self::ModelInvalidRequest => ErrorCode::ModelInvalidRequest,
            Self::ModelContextOverflow => ErrorCode::ModelContextOverflow,
            Self::ModelInterrupted => ErrorCode::ModelInterrupted,
            Self::ModelFiltered => ErrorCode::ModelFiltered,
            Self::ReplyCutShort => ErrorCode::ReplyCutShort,
            Self::TurnOverBudget => ErrorCode::TurnOverBudget,
            Self::TurnTimedOut => ErrorCode::TurnTimedOut,
            Self::AgentQuestion => ErrorCode::AgentQuestion,
            Self::ModelOnlyTalked => ErrorCode::ModelOnlyTalked,
            Self::ModelMistakes => ErrorCode::ModelMistakes,
            Self::BadScript => ErrorCode::BadScript,
            Self::ToolError => ErrorCode::ToolError,
            Self::StaleRun => ErrorCode::StaleRun,
            Self::NoCommand => ErrorCode::NoCommand,
            Self::NoSuchAgent => ErrorCode::NoSuchAgent,
        }
    }
}

/// Why a turn ended without an answer, with a public text for its reader and a cause for the log.
#[derive(Debug)]
pub struct AgentError {
    audience: Audience,
    end: EarlyEnd,
    public: String,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
    retry_after: Option<Duration>,
}

impl AgentError {
    /// An error that the caller can solve or wait out.
    pub fn caller(end: EarlyEnd, public: impl Into<String>) -> Self {
        Self {
            audience: Audience::Caller,
            end,
            public: public.into(),
            cause: None,
            retry_after: None,
        }
    }

    /// An error that the model can solve by calling its tool again.
    pub fn model(text: impl Into<String>) -> Self {
        Self { audience: Audience::Model, ..Self::caller(EarlyEnd::ToolError, text) }
    }

    /// An error that only the operator can solve.
    pub fn operator(end: EarlyEnd, public: impl Into<String>) -> Self {
        Self { audience: Audience::Operator, ..Self::caller(end, public) }
    }

    /// An error of the store, which could not be reached or refused the call.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::operator(EarlyEnd::Internal, "Something went wrong on our side. Please try again.")
            .because(cause)
    }

    /// The same with a cause for the log.
    pub fn because(mut self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    pub(crate) fn with_retry_after(mut self, wait: Option<Duration>) -> Self {
        self.retry_after = wait;
        self
    }

    /// Who can do something about it.
    pub fn audience(&self) -> Audience {
        self.audience
    }

    /// Why the turn ended early or could not begin.
    pub fn end(&self) -> EarlyEnd {
        self.end
    }

    /// The same as a code for programs.
    pub fn code(&self) -> ErrorCode {
        self.end.code()
    }

    /// The sentence for people; contains nothing internal.
    pub fn public_text(&self) -> &str {
        &self.public
    }

    /// How long the provider asked us to wait, if it did.
    pub fn wait(&self) -> Option<Duration> {
        self.retry_after
    }

    /// Writes the cause to the log, once, at the boundary that ends the turn.
    pub(crate) fn log(&self) {
        let cause =
            self.cause.as_ref().map(|cause| Chain(&**cause).to_string()).unwrap_or_default();
        let code = self.code().as_str();
        match self.audience {
            Audience::Operator => {
                tracing::error!(code, cause, "an agent's turn failed")
            }
            Audience::Caller | Audience::Model => {
                tracing::warn!(code, cause, "an agent's turn ended early");
            }
        }
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.public)
    }
}

impl std::error::Error for AgentError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|cause| &**cause as _)
    }
}
