//! JSON bodies whose errors have our own form.

use crate::{ApiError, ErrorCode, malformed};
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde::de::DeserializeOwned;

/// A JSON body like axum's, whose errors are [`ApiError`]s.
#[derive(Debug, Clone, Copy)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match axum::Json::<T>::from_request(request, state).await {
            Ok(axum::Json(value)) => Ok(Self(value)),
            Err(rejection) => Err(explain(&rejection)),
        }
    }
}

fn explain(rejection: &JsonRejection) -> ApiError {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::TooLarge, "This is too large.")
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ApiError::bad_request(
            ErrorCode::NotJson,
            "Send JSON, with Content-Type: application/json.",
        ),
        StatusCode::UNPROCESSABLE_ENTITY => {
            ApiError::invalid_body(malformed::problem(rejection).as_deref())
        }
        _ => ApiError::bad_request(ErrorCode::InvalidJson, "The body is not valid JSON."),
    }
}
