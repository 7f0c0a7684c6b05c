//! Items in the form in which DynamoDB stores them.

use super::{Item, Key, Stored};
use crate::StoreError;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::{AttributeValue, CancellationReason};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// DynamoDB's code for a failed condition.
const CONDITION_FAILED: &str = "ConditionalCheckFailedException";
/// Its code for the same in a transaction.
const CONDITION_FAILED_IN_TRANSACTION: &str = "ConditionalCheckFailed";

pub(crate) fn number(n: impl ToString) -> AttributeValue {
    AttributeValue::N(n.to_string())
}

pub(crate) fn text(item: &Item, name: &str) -> String {
    item.get(name).and_then(|value| value.as_s().ok()).cloned().unwrap_or_default()
}

/// Unwraps a builder with all required fields, which cannot fail, so that callers need no error path.
pub(super) fn built<T>(
    result: Result<T, aws_sdk_dynamodb::error::BuildError>,
) -> Result<T, StoreError> {
    result.map_err(|source| StoreError::Dynamo { operation: "build", source: Box::new(source) })
}

pub(super) fn parse<T: DeserializeOwned>(item: Item) -> Result<Stored<T>, StoreError> {
    let version = item
        .get("version")
        .and_then(|value| value.as_n().ok())
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(0);
    Ok(Stored { value: serde_dynamo::from_item(item)?, version })
}

pub(super) fn render<T: Serialize>(key: &Key, value: &T, version: u64) -> Result<Item, StoreError> {
    let mut item: Item = serde_dynamo::to_item(value)?;
    item.extend(key.attributes());
    item.insert("version".to_owned(), number(version));
    Ok(item)
}

pub(super) fn set_expiry(item: &mut Item, expires_at: Option<i64>) {
    if let Some(seconds) = expires_at {
        item.insert("expires_at".to_owned(), number(seconds));
    }
}

/// The writes of a transaction whose conditions failed, with their items.
pub(super) fn failed(reasons: &[CancellationReason]) -> BTreeMap<usize, Item> {
    let is_failed = |reason: &CancellationReason| {
        reason.code().is_some_and(|code| code == CONDITION_FAILED_IN_TRANSACTION)
    };
    let failed = reasons.iter().enumerate().filter(|(_, reason)| is_failed(reason));
    failed.map(|(at, reason)| (at, reason.item().cloned().unwrap_or_default())).collect()
}

/// Whether a conditional write succeeded.
pub(crate) fn unless_refused<O, E, R>(
    operation: &'static str,
    sent: Result<O, SdkError<E, R>>,
) -> Result<bool, StoreError>
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
    R: std::fmt::Debug + Send + Sync + 'static,
{
    match sent {
        Ok(_) => Ok(true),
        Err(error) if error.code() == Some(CONDITION_FAILED) => Ok(false),
        Err(error) => Err(StoreError::dynamo(operation)(error)),
    }
}
