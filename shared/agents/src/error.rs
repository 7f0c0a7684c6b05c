//! The error type for everything that ends a turn early.

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

/// Why a turn ended early or could not begin. Programs see the code's name, whose meaning never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
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

impl ErrorCode {
    /// The name for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::InvalidMessage => "invalid_message",
            Self::InvalidScript => "invalid_script",
            Self::SecretInScript => "secret_in_script",
            Self::NotConfigured => "not_configured",
            Self::Unpaid(refusal) => refusal.code(),
            Self::Internal => "internal",
            Self::ModelRateLimited => "model_rate_limited",
            Self::ModelOverloaded => "model_overloaded",
            Self::ModelUnreachable => "model_unreachable",
            Self::ModelRefused => "model_refused",
            Self::ModelInvalidRequest => "model_invalid_request",
            Self::ModelContextOverflow => "model_context_overflow",
            Self::ModelInterrupted => "model_interrupted",
            Self::ModelFiltered => "model_filtered",
            Self::ReplyCutShort => "reply_cut_short",
            Self::TurnOverBudget => "turn_over_budget",
            Self::TurnTimedOut => "turn_timed_out",
            Self::AgentQuestion => "agent_question",
            Self::ModelOnlyTalked => "model_only_talked",
            Self::ModelMistakes => "model_mistakes",
            Self::BadScript => "bad_script",
            Self::ToolError => "tool_error",
            Self::StaleRun => "stale_run",
            Self::NoCommand => "no_command",
            Self::NoSuchAgent => "no_such_agent",
        }
    }
}

/// Why a turn ended without an answer, with a public text for its reader and a cause for the log.
#[derive(Debug)]
pub struct AgentError {
    audience: Audience,
    code: ErrorCode,
    public: String,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
    retry_after: Option<Duration>,
}

impl AgentError {
    /// An error that the caller can solve or wait out.
    pub fn caller(code: ErrorCode, public: impl Into<String>) -> Self {
        Self {
            audience: Audience::Caller,
            code,
            public: public.into(),
            cause: None,
            retry_after: None,
        }
    }

    /// An error that the model can solve by calling its tool again.
    pub fn model(text: impl Into<String>) -> Self {
        Self { audience: Audience::Model, ..Self::caller(ErrorCode::ToolError, text) }
    }

    /// An error that only the operator can solve.
    pub fn operator(code: ErrorCode, public: impl Into<String>) -> Self {
        Self { audience: Audience::Operator, ..Self::caller(code, public) }
    }

    /// An error of the store, which could not be reached or refused the call.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::operator(ErrorCode::Internal, "Something went wrong on our side. Please try again.")
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
    pub fn code(&self) -> ErrorCode {
        self.code
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
        let code = self.code.as_str();
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
