//! An AWS call that failed.

use std::error::Error;

/// A failed call, described for the operator and never shown to a user.
#[derive(Debug, thiserror::Error)]
#[error("{call}")]
pub struct AwsError {
    call: &'static str,
    #[source]
    source: Box<dyn Error + Send + Sync>,
}

impl AwsError {
    /// Wraps the cause of a failed `call`.
    pub fn of<E: Into<Box<dyn Error + Send + Sync>>>(call: &'static str) -> impl FnOnce(E) -> Self {
        move |source| Self { call, source: source.into() }
    }
}
