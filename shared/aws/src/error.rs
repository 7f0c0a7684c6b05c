//! A service of AWS that did not do what it was asked.

use std::error::Error;

/// A failed call; the operator's to read, never a user's.
#[derive(Debug, thiserror::Error)]
#[error("{call}")]
pub struct AwsError {
    call: &'static str,
    #[source]
    source: Box<dyn Error + Send + Sync>,
}

impl AwsError {
    /// The failure of `call`.
    pub fn of<E: Into<Box<dyn Error + Send + Sync>>>(call: &'static str) -> impl FnOnce(E) -> Self {
        move |source| Self { call, source: source.into() }
    }
}
