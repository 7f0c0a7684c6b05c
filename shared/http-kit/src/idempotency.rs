//! The key by which a repeated call is recognized.

use crate::{ApiError, ErrorCode};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;

/// The longest key that a caller may choose, in bytes.
const KEY_BYTES: usize = 255;

/// The value of the header `Idempotency-Key`, if the call has one.
#[derive(Clone, Debug)]
pub struct IdempotencyKey(pub Option<String>);

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let Some(key) = parts.headers.get("idempotency-key") else { return Ok(Self(None)) };
        match key.to_str() {
            Ok(key) if (1..=KEY_BYTES).contains(&key.len()) => Ok(Self(Some(key.to_owned()))),
            _ => {
                let detail = format!("An idempotency key must have 1 to {KEY_BYTES} characters.");
                Err(ApiError::bad_request(ErrorCode::InvalidIdempotencyKey, detail))
            }
        }
    }
}
