//! The single table: keys, versions and conditional writes.
//!
//! Every item that changes carries a `version`. [`Table::modify`] reads it, asks what should become
//! of the item, and writes only if the version is still the one it read: a lost race starts over on
//! what the winner left, and never overwrites it. Reads are consistent: a user who has just written
//! expects to see it, and half the price is not worth explaining why they do not.

use crate::StoreError;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{AttributeValue, CancellationReason, Delete, Put, TransactWriteItem};
use serde::Serialize;
use serde::de::DeserializeOwned;
use settings::{ConfigError, SdkConfig, var};
use std::collections::HashMap;
use std::time::Duration;

/// Attempts at a conditional write before giving up; each lost one means that somebody else won.
pub(crate) const MAX_ATTEMPTS: usize = 12;

/// Longest pauses before trying a transaction again that collided with another, in milliseconds. All
/// model calls of an installation meet in one item, its balance.
const PAUSES: [u64; MAX_ATTEMPTS - 1] = [2, 4, 8, 16, 32, 64, 64, 64, 64, 64, 64];

/// DynamoDB's code for a condition that did not hold.
const CONDITION_FAILED: &str = "ConditionalCheckFailed";

pub(crate) type Item = HashMap<String, AttributeValue>;

/// The DynamoDB table, cheap to clone.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) client: Client,
    pub(crate) name: String,
}

impl Table {
    /// The table that `TABLE_NAME` names.
    pub fn from_env(sdk: &SdkConfig) -> Result<Self, ConfigError> {
        Ok(Self::new(Client::new(sdk), var("TABLE_NAME")?))
    }
}

/// Partition key and sort key of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub pk: String,
    pub sk: String,
}

impl Key {
    pub fn new(pk: impl Into<String>, sk: impl Into<String>) -> Self {
        Self { pk: pk.into(), sk: sk.into() }
    }

    pub fn attributes(&self) -> Item {
        HashMap::from([
            ("pk".to_owned(), AttributeValue::S(self.pk.clone())),
            ("sk".to_owned(), AttributeValue::S(self.sk.clone())),
        ])
    }
}

/// An item's value and the version it has in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored<T> {
    /// The value.
    pub value: T,
    /// Counts its writes, from 1.
    pub version: u64,
}

/// What [`Table::modify`] shall do with the item it was shown.
pub(crate) enum Change<T, R> {
    Write(T, R),
    Keep(R),
}

impl Table {
    /// The table of this name.
    pub fn new(client: Client, name: impl Into<String>) -> Self {
        Self { client, name: name.into() }
    }

    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        key: &Key,
    ) -> Result<Option<Stored<T>>, StoreError> {
        let output = self
            .client
            .get_item()
            .table_name(&self.name)
            .set_key(Some(key.attributes()))
            .consistent_read(true)
            .send()
            .await
            .map_err(StoreError::dynamo("GetItem"))?;
        output.item.map(parse).transpose()
    }

    /// Writes an item that must not exist yet; `false` when it does.
    pub(crate) async fn put_new<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
        expires_at: Option<i64>,
    ) -> Result<bool, StoreError> {
        let mut item = render(key, value, 1)?;
        set_expiry(&mut item, expires_at);
        let put = self.client.put_item().table_name(&self.name).set_item(Some(item));
        lost_race(put.condition_expression("attribute_not_exists(pk)").send().await)
    }

    /// Reads an item, lets `decide` say what becomes of it, and writes that if nobody came between.
    ///
    /// `None` when there is no such item. `decide` may be asked several times.
    pub(crate) async fn modify<T, R, E>(
        &self,
        key: Key,
        mut decide: impl FnMut(T) -> Result<Change<T, R>, E>,
    ) -> Result<Option<R>, E>
    where
        T: Serialize + DeserializeOwned,
        E: From<StoreError>,
    {
        let alone = |value: T| -> Result<_, E> {
            Ok(match decide(value)? {
                Change::Write(value, result) => Change::Write(value, (result, Vec::new())),
                Change::Keep(result) => Change::Keep((result, Vec::new())),
            })
        };
        self.modify_with(key, alone).await
    }

    /// Like [`Table::modify`], with further writes in the same transaction as the item's.
    pub(crate) async fn modify_with<T, R, E>(
        &self,
        key: Key,
        mut decide: impl FnMut(T) -> Result<Change<T, (R, Vec<TransactWriteItem>)>, E>,
    ) -> Result<Option<R>, E>
    where
        T: Serialize + DeserializeOwned,
        E: From<StoreError>,
    {
        for _ in 0..MAX_ATTEMPTS {
            let Some(stored) = self.get::<T>(&key).await? else { return Ok(None) };
            match decide(stored.value)? {
                Change::Keep((result, _)) => return Ok(Some(result)),
                Change::Write(value, (result, more)) => {
                    let written = if more.is_empty() {
                        self.replace(&key, stored.version, &value).await?
                    } else {
                        let first = self.replacement(&key, stored.version, &value)?;
                        self.transact([vec![first], more].concat()).await?
                    };
                    if written {
                        return Ok(Some(result));
                    }
                }
            }
        }
        Err(StoreError::Contended.into())
    }

    fn replacement<T: Serialize>(
        &self,
        key: &Key,
        version: u64,
        value: &T,
    ) -> Result<TransactWriteItem, StoreError> {
        let put = self
            .put_in_transaction(key, value, version + 1)?
            .condition_expression("version = :version")
            .expression_attribute_values(":version", number(version));
        Ok(TransactWriteItem::builder().put(built(put.build())?).build())
    }

    pub(crate) async fn replace<T: Serialize>(
        &self,
        key: &Key,
        version: u64,
        value: &T,
    ) -> Result<bool, StoreError> {
        let put = self
            .client
            .put_item()
            .table_name(&self.name)
            .set_item(Some(render(key, value, version + 1)?))
            .condition_expression("version = :version")
            .expression_attribute_values(":version", number(version));
        lost_race(put.send().await)
    }

    /// Deletes an item and returns what it was; only one caller ever gets it.
    pub(crate) async fn take<T: DeserializeOwned>(
        &self,
        key: &Key,
    ) -> Result<Option<T>, StoreError> {
        let output = self
            .client
            .delete_item()
            .table_name(&self.name)
            .set_key(Some(key.attributes()))
            .return_values(aws_sdk_dynamodb::types::ReturnValue::AllOld)
            .send()
            .await
            .map_err(StoreError::dynamo("DeleteItem"))?;
        Ok(output.attributes.map(parse).transpose()?.map(|stored| stored.value))
    }

    /// All items of a partition whose sort key begins with `prefix`, in order, with their sort keys.
    pub(crate) async fn query<T: DeserializeOwned>(
        &self,
        pk: &str,
        prefix: &str,
    ) -> Result<Vec<(String, Stored<T>)>, StoreError> {
        let mut pages = self
            .client
            .query()
            .table_name(&self.name)
            .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
            .expression_attribute_values(":pk", AttributeValue::S(pk.to_owned()))
            .expression_attribute_values(":prefix", AttributeValue::S(prefix.to_owned()))
            .consistent_read(true)
            .into_paginator()
            .items()
            .send();
        let mut found = Vec::new();
        while let Some(item) = pages.next().await {
            let item = item.map_err(StoreError::dynamo("Query"))?;
            found.push((text(&item, "sk"), parse(item)?));
        }
        Ok(found)
    }

    /// A page of a partition's items whose sort key begins with `prefix`, the last ones first, and whether there
    /// may be more. `before` is the sort key that the page before ended with.
    pub(crate) async fn page_before<T: DeserializeOwned>(
        &self,
        pk: &str,
        prefix: &str,
        before: Option<String>,
        limit: usize,
    ) -> Result<(Vec<(String, Stored<T>)>, bool), StoreError> {
        let start = before.map(|sk| Key::new(pk, sk).attributes());
        let output = self
            .client
            .query()
            .table_name(&self.name)
            .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
            .expression_attribute_values(":pk", AttributeValue::S(pk.to_owned()))
            .expression_attribute_values(":prefix", AttributeValue::S(prefix.to_owned()))
            .scan_index_forward(false)
            .set_exclusive_start_key(start)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .consistent_read(true)
            .send()
            .await
            .map_err(StoreError::dynamo("Query"))?;
        let more = output.last_evaluated_key.is_some();
        let rows = output.items.unwrap_or_default().into_iter();
        let rows = rows.map(|item| Ok((text(&item, "sk"), parse(item)?)));
        Ok((rows.collect::<Result<_, StoreError>>()?, more))
    }

    /// Writes all or nothing; `false` when a condition did not hold.
    ///
    /// A transaction that only collided with another is tried again.
    pub(crate) async fn transact(
        &self,
        writes: Vec<TransactWriteItem>,
    ) -> Result<bool, StoreError> {
        Ok(self.transact_or_why(writes).await?.is_ok())
    }

    /// Writes all or nothing, and tells which of the writes had a condition that did not hold.
    pub(crate) async fn transact_or_why(
        &self,
        writes: Vec<TransactWriteItem>,
    ) -> Result<Result<(), Vec<usize>>, StoreError> {
        for attempt in 0..MAX_ATTEMPTS {
            if let Some(pause) = PAUSES.get(attempt.wrapping_sub(1)) {
                tokio::time::sleep(Duration::from_millis(rand::random_range(0..=*pause))).await;
            }
            let request = self.client.transact_write_items();
            let Err(error) = request.set_transact_items(Some(writes.clone())).send().await else {
                return Ok(Ok(()));
            };
            match error.as_service_error() {
                Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                    let failed = |(at, reason): (usize, &CancellationReason)| {
                        (reason.code() == Some(CONDITION_FAILED)).then_some(at)
                    };
                    let reasons = cancelled.cancellation_reasons().iter();
                    let failed: Vec<_> = reasons.enumerate().filter_map(failed).collect();
                    if !failed.is_empty() {
                        return Ok(Err(failed));
                    }
                }
                _ => return Err(StoreError::dynamo("TransactWriteItems")(error)),
            }
        }
        Err(StoreError::Contended)
    }

    pub(crate) fn put_in_transaction<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
        version: u64,
    ) -> Result<aws_sdk_dynamodb::types::builders::PutBuilder, StoreError> {
        Ok(Put::builder().table_name(&self.name).set_item(Some(render(key, value, version)?)))
    }

    /// Like [`Table::put_in_transaction`], for an item that leaves by its time to live.
    pub(crate) fn expiring_put_in_transaction<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
        expires_at: i64,
    ) -> Result<aws_sdk_dynamodb::types::builders::PutBuilder, StoreError> {
        let mut item = render(key, value, 1)?;
        set_expiry(&mut item, Some(expires_at));
        Ok(Put::builder().table_name(&self.name).set_item(Some(item)))
    }

    pub(crate) fn delete_in_transaction(
        &self,
        key: &Key,
    ) -> aws_sdk_dynamodb::types::builders::DeleteBuilder {
        Delete::builder().table_name(&self.name).set_key(Some(key.attributes()))
    }
}

pub(crate) fn number(n: impl ToString) -> AttributeValue {
    AttributeValue::N(n.to_string())
}

pub(crate) fn text(item: &Item, name: &str) -> String {
    item.get(name).and_then(|value| value.as_s().ok()).cloned().unwrap_or_default()
}

/// A builder that lacks nothing cannot fail; this keeps that out of the callers.
pub(crate) fn built<T>(
    result: Result<T, aws_sdk_dynamodb::error::BuildError>,
) -> Result<T, StoreError> {
    result.map_err(|source| StoreError::Dynamo { operation: "build", source: Box::new(source) })
}

fn parse<T: DeserializeOwned>(item: Item) -> Result<Stored<T>, StoreError> {
    let version = item
        .get("version")
        .and_then(|value| value.as_n().ok())
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(0);
    Ok(Stored { value: serde_dynamo::from_item(item)?, version })
}

fn render<T: Serialize>(key: &Key, value: &T, version: u64) -> Result<Item, StoreError> {
    let mut item: Item = serde_dynamo::to_item(value)?;
    item.extend(key.attributes());
    item.insert("version".to_owned(), number(version));
    Ok(item)
}

fn set_expiry(item: &mut Item, expires_at: Option<i64>) {
    if let Some(seconds) = expires_at {
        item.insert("expires_at".to_owned(), number(seconds));
    }
}

fn lost_race<O, R>(
    sent: Result<O, aws_sdk_dynamodb::error::SdkError<PutItemError, R>>,
) -> Result<bool, StoreError>
where
    R: std::fmt::Debug + Send + Sync + 'static,
{
    match sent {
        Ok(_) => Ok(true),
        Err(error)
            if error
                .as_service_error()
                .is_some_and(|e| e.is_conditional_check_failed_exception()) =>
        {
            Ok(false)
        }
        Err(error) => Err(StoreError::dynamo("PutItem")(error)),
    }
}
