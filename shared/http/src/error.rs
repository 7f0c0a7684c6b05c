//! Errors with two audiences.

use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use domain::ledger::Refusal;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::sync::Arc;
use store::StoreError;
use utoipa::ToSchema;

/// The body of every answer that is not a success.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// What happened, for the person who reads it.
    pub detail: String,
    /// What happened, for programs; it does not change.
    pub code: String,
    /// Names this call in the logs.
    pub request_id: String,
}

/// A call that is answered with an error.
#[derive(Debug, Clone)]
pub struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) detail: String,
    pub(crate) cause: Option<Arc<dyn Error + Send + Sync>>,
    /// Seconds until it is worth trying again.
    pub(crate) retry_after: Option<u32>,
}

impl ApiError {
    /// An error of this status, stable code and public text.
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into(), cause: None, retry_after: None }
    }

    /// 400: the call makes no sense.
    pub fn bad_request(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, detail)
    }

    /// 401: nobody is signed in, or somebody else than the call says.
    pub fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "signed_out", "Sign in to continue.")
    }

    /// 402: the caller has to pay first.
    pub fn payment_required(refusal: Refusal) -> Self {
        Self::new(StatusCode::PAYMENT_REQUIRED, refusal.code(), refusal.to_string())
    }

    /// 404: there is no such thing, or it is another's.
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "Not found.")
    }

    /// 409: the state of things does not allow it.
    pub fn conflict(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, detail)
    }

    /// 422: what was typed is out of bounds.
    pub fn unprocessable(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
    }

    /// 429: too many calls; the next window begins in so many seconds.
    pub fn rate_limited(seconds: u32) -> Self {
        let detail = format!("Too many requests. Try again in {seconds} seconds.");
        let error = Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", detail);
        Self { retry_after: Some(seconds), ..error }
    }

    /// 500: ours to mend; the cause is for the log alone.
    pub fn internal(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let detail = "Something went wrong on our side. Try again.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail).because(cause)
    }

    /// 502: a provider that we depend on failed.
    pub fn bad_gateway(detail: &str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(StatusCode::BAD_GATEWAY, "provider_failed", detail).because(cause)
    }

    /// What an agent's turn ended with before it began, by its stable code.
    pub fn of_agent(code: &'static str, detail: &str) -> Self {
        match code {
            "not_found" => Self::not_found(),
            "internal" => Self::internal("an agent's turn failed; its cause is logged there"),
            "invalid_message" => Self::unprocessable(code, detail),
            "insufficient_credits" | "budget_reached" => {
                Self::new(StatusCode::PAYMENT_REQUIRED, code, detail)
            }
            _ => Self::new(StatusCode::BAD_GATEWAY, code, detail),
        }
    }

    /// What the vault did not take, by its stable code; everything but its own failures is for the caller.
    pub fn of_vault(code: &'static str, error: impl Error + Send + Sync + 'static) -> Self {
        match code {
            "not_found" => Self::not_found(),
            "internal" => Self::internal(error),
            _ => Self::unprocessable(code, error.to_string()),
        }
    }

    /// Seconds until it is worth trying again, where that is known.
    pub fn retry_after(&self) -> Option<u32> {
        self.retry_after
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// What is for the log alone.
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

/// The layer of [`crate::finish`] writes the body: only it knows the request id.
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

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Contended => Self::conflict(
                "contended",
                "Somebody else changed this at the same time. Try again.",
            ),
            StoreError::Dynamo { .. } | StoreError::Shape(_) => Self::internal(error),
        }
    }
}
