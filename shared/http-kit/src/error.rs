//! Errors with two audiences: the caller and the operator.

use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use domain::ErrorCode;
use domain::stage::StageRefusal;
use serde::Serialize;
use settings::SecretError;
use std::error::Error;
use std::sync::Arc;
use store::StoreError;
use utoipa::ToSchema;

/// The body of every answer that is not a success.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ErrorBody {
    /// The error in words, for people.
    pub detail: String,
    /// The stable error code, for programs.
    pub code: ErrorCode,
    /// Names this call in the logs.
    pub request_id: String,
}

/// An error answer to a call.
#[derive(Debug, Clone)]
pub struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) code: ErrorCode,
    pub(crate) detail: String,
    pub(crate) cause: Option<Arc<dyn Error + Send + Sync>>,
    /// Seconds after which another attempt may succeed.
    pub(crate) retry_after: Option<u32>,
}

impl ApiError {
    /// An error with this status, stable code and public text.
    pub fn new(status: StatusCode, code: ErrorCode, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into(), cause: None, retry_after: None }
    }

    /// 400: the request is invalid.
    pub fn bad_request(code: ErrorCode, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, detail)
    }

    /// 401: the caller has not signed in, or the session does not match the call.
    pub fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, ErrorCode::SignedOut, "Sign in to continue.")
    }

    /// 404: the thing does not exist, or belongs to another installation.
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, ErrorCode::NotFound, "Not found.")
    }

    /// 409: the current state does not allow the call.
    pub fn conflict(code: ErrorCode, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, detail)
    }

    /// 422: an input is out of bounds.
    pub fn unprocessable(code: ErrorCode, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
    }

    /// 422: the body has not the form that the call needs. `problem` names the field and what belongs there.
    pub(crate) fn invalid_body(problem: Option<&str>) -> Self {
        let problem = problem.map(|problem| format!(": {problem}")).unwrap_or_default();
        let detail = format!("The request body is invalid{problem}.");
        Self::unprocessable(ErrorCode::InvalidBody, detail)
    }

    /// 429: too many calls; the next one passes after this many seconds.
    pub fn rate_limited(seconds: u32) -> Self {
        let detail = format!("Too many requests. Try again in {seconds} seconds.");
        let error = Self::new(StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited, detail);
        Self { retry_after: Some(seconds), ..error }
    }

    /// Adds that another attempt may succeed after this many seconds.
    #[must_use]
    pub fn after(self, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// Adds a sentence to the end of the public text.
    #[must_use]
    pub fn with_more(mut self, sentence: &str) -> Self {
        self.detail = format!("{} {sentence}", self.detail);
        self
    }

    /// 500: our own fault; only the log gets the cause.
    pub fn internal(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let detail = "Something went wrong on our side. Try again.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::Internal, detail).because(cause)
    }

    /// 502: a provider that we depend on failed.
    pub fn bad_gateway(detail: &str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(StatusCode::BAD_GATEWAY, ErrorCode::ProviderFailed, detail).because(cause)
    }

    /// 503 for a secret that the operator has not added yet, 500 for one that cannot be read.
    pub fn of_secret(error: SecretError) -> Self {
        match error {
            SecretError::Empty(_) => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                ErrorCode::NotConfigured,
                error.to_string(),
            ),
            SecretError::Unreadable { .. } => Self::internal(error),
        }
    }

    /// Seconds after which another attempt may succeed, if known.
    pub fn retry_after(&self) -> Option<u32> {
        self.retry_after
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The cause, for the log alone.
    pub fn cause(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.cause.as_deref()
    }

    fn because(self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { cause: Some(cause.into().into()), ..self }
    }

    /// The public text.
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

/// [`crate::finish`] writes the body, because only that layer has the request id.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<StageRefusal> for ApiError {
    fn from(refusal: StageRefusal) -> Self {
        let code = match refusal {
            StageRefusal::Locked => ErrorCode::StageLocked,
            StageRefusal::RolledBack => ErrorCode::RolledBack,
            StageRefusal::RequirementsNotReady
            | StageRefusal::PlanMissing
            | StageRefusal::ArchitectureMissing
            | StageRefusal::ImplementationMissing
            | StageRefusal::StepsOpen
            | StageRefusal::ChecksOpen => ErrorCode::StageGate,
        };
        Self::conflict(code, refusal.to_string())
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Contended => Self::conflict(
                ErrorCode::Contended,
                "This was changed elsewhere at the same time. Try again.",
            ),
            StoreError::Dynamo { .. } | StoreError::Shape(_) => Self::internal(error),
        }
    }
}
