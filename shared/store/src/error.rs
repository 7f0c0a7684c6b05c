//! Failures between the functions and their table.

use aws_sdk_dynamodb::error::SdkError;
use std::error::Error;

/// A failed read or write.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Other callers kept changing the item, so nothing was written.
    #[error("the item was changed by others")]
    Contended,
    /// DynamoDB did not answer, or refused.
    #[error("DynamoDB: {operation}")]
    Dynamo {
        /// The call.
        operation: &'static str,
        /// The SDK's error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// An item does not have the form that this version of the code writes.
    #[error("an item of the table cannot be read or written")]
    Shape(#[from] serde_dynamo::Error),
}

impl StoreError {
    pub(crate) fn dynamo_shape(what: &'static str) -> Self {
        Self::Dynamo { operation: "read", source: what.into() }
    }

    pub(crate) fn dynamo<E, R>(operation: &'static str) -> impl FnOnce(SdkError<E, R>) -> Self
    where
        E: Error + Send + Sync + 'static,
        R: std::fmt::Debug + Send + Sync + 'static,
    {
        move |source| Self::Dynamo { operation, source: Box::new(source) }
    }
}
