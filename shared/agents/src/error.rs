//! The error type for everything that ends a turn early.

use domain::ledger::Refusal;
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

/// Why a turn ended without an answer, with a public text for its reader and a cause for the log.
#[derive(Debug)]
pub struct AgentError {
    audience: Audience,
    code: &'static str,
    public: String,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
    retry_after: Option<Duration>,
}

impl AgentError {
    /// An error that the caller can solve or wait out.
    pub fn caller(code: &'static str, public: impl Into<String>) -> Self {
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
        Self { audience: Audience::Model, ..Self::caller("tool_error", text) }
    }

    /// An error that only the operator can solve.
    pub fn operator(code: &'static str, public: impl Into<String>) -> Self {
        Self { audience: Audience::Operator, ..Self::caller(code, public) }
    }

    /// An error of the store, which could not be reached or refused the call.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::operator("internal", "Something went wrong on our side. Please try again.")
            .because(cause)
    }

    /// The same with a cause for the log.
    pub fn because(mut self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    pub(crate) fn retry_after(mut self, wait: Option<Duration>) -> Self {
        self.retry_after = wait;
        self
    }

    /// Who can do something about it.
    pub fn audience(&self) -> Audience {
        self.audience
    }

    /// A stable code for programs, such as `model_overloaded`.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The sentence for people; contains nothing internal.
    pub fn public_text(&self) -> &str {
        &self.public
    }

    /// Whether a payment or a higher budget resolves it.
    pub fn is_about_money(&self) -> bool {
        let refusals = [Refusal::InsufficientCredits, Refusal::BudgetReached];
        refusals.iter().any(|refusal| refusal.code() == self.code)
    }

    /// How long the provider asked us to wait, if it did.
    pub fn wait(&self) -> Option<Duration> {
        self.retry_after
    }

    /// Writes the cause to the log, once, at the boundary that ends the turn.
    pub(crate) fn log(&self) {
        let cause = self.cause.as_ref().map(ToString::to_string).unwrap_or_default();
        match self.audience {
            Audience::Operator => {
                tracing::error!(code = self.code, cause, "an agent's turn failed")
            }
            Audience::Caller | Audience::Model => {
                tracing::warn!(code = self.code, cause, "an agent's turn ended early");
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
