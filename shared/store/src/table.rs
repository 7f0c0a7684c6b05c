//! The single table: keys, versions and conditional writes.
//!
//! Every item that changes carries a `version`. [`Table::modify`] reads the item, asks for its new value, and writes
//! that only if the version is unchanged: a write that loses a race starts over on the winner's value, and never
//! overwrites it. Reads are consistent, because users expect to see what they have just written; eventually consistent
//! reads would cost half as much, but would not guarantee that.
//!
//! The SDK's calls are boxed. Otherwise each of their futures would be part of every future that waits for it, and a
//! turn of an agent outgrew a thread's stack.

mod gated;
mod items;
mod new;
mod sizes;
mod writes;

use crate::StoreError;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes, TransactWriteItem};
pub(crate) use gated::Made;
use items::{built, failed, parse, render};
pub(crate) use items::{number, text, unless_refused};
use serde::Serialize;
use serde::de::DeserializeOwned;
use settings::{ConfigError, SdkConfig, var};
pub(crate) use sizes::batches;
#[cfg(feature = "testing")]
pub(crate) use sizes::item_bytes;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;
pub(crate) use writes::IntoWrite;

/// Attempts at a conditional write before giving up; each lost attempt means that another caller won.
pub(crate) const MAX_ATTEMPTS: usize = 12;

/// The longest pauses before a transaction that collided with another is repeated, in milliseconds. All model calls of
/// an installation write to one item, its balance.
const PAUSES: [u64; MAX_ATTEMPTS - 1] = [2, 4, 8, 16, 32, 64, 64, 64, 64, 64, 64];

/// The most items that DynamoDB reads in one call.
const BATCH_KEYS: usize = 100;

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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// The number of its writes, from 1; a step counts from a number of its execution.
    pub version: u64,
}

/// The decision of [`Table::modify`]'s caller about the item that it read.
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
        let request = self.client.get_item().table_name(&self.name);
        let request = request.set_key(Some(key.attributes())).consistent_read(true);
        let output = Box::pin(request.send()).await.map_err(StoreError::dynamo("GetItem"))?;
        output.item.map(parse).transpose()
    }

    /// The existing items among these keys, by key.
    pub(crate) async fn get_many(
        &self,
        keys: &[Key],
    ) -> Result<HashMap<(String, String), Item>, StoreError> {
        let mut found = HashMap::new();
        // A read that names a key twice is refused.
        let keys: Vec<_> = keys.iter().collect::<BTreeSet<_>>().into_iter().collect();
        for keys in keys.chunks(BATCH_KEYS) {
            let mut wanted = KeysAndAttributes::builder().consistent_read(true);
            for key in keys {
                wanted = wanted.keys(key.attributes());
            }
            let mut asked = Some(built(wanted.build())?);
            for _ in 0..MAX_ATTEMPTS {
                let Some(wanted) = asked.take() else { break };
                let request = self.client.batch_get_item().request_items(&self.name, wanted);
                let answer = Box::pin(request.send()).await;
                let answer = answer.map_err(StoreError::dynamo("BatchGetItem"))?;
                for item in answer
                    .responses
                    .into_iter()
                    .flat_map(|mut tables| tables.remove(&self.name))
                    .flatten()
                {
                    found.insert((text(&item, "pk"), text(&item, "sk")), item);
                }
                // DynamoDB returns at most 16 MB and names the keys to ask for again.
                asked = answer.unprocessed_keys.and_then(|mut tables| tables.remove(&self.name));
            }
            if asked.is_some() {
                return Err(StoreError::Contended);
            }
        }
        Ok(found)
    }

    /// Reads an item, lets `decide` choose its new value, and writes that if the item is unchanged.
    ///
    /// `None` if the item does not exist. `decide` may run several times.
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

    /// Like [`Table::modify`], with additional writes in the same transaction.
    pub(crate) async fn modify_with<T, R, E>(
        &self,
        key: Key,
        mut decide: impl FnMut(T) -> Result<Change<T, (R, Vec<TransactWriteItem>)>, E>,
    ) -> Result<Option<R>, E>
    where
        T: Serialize + DeserializeOwned,
        E: From<StoreError>,
    {
        self.modify_stored(key, |stored: Stored<T>| decide(stored.value)).await
    }

    /// Like [`Table::modify_with`], for a caller that needs the item's version; a write increases it by one.
    pub(crate) async fn modify_stored<T, R, E>(
        &self,
        key: Key,
        mut decide: impl FnMut(Stored<T>) -> Result<Change<T, (R, Vec<TransactWriteItem>)>, E>,
    ) -> Result<Option<R>, E>
    where
        T: Serialize + DeserializeOwned,
        E: From<StoreError>,
    {
        for _ in 0..MAX_ATTEMPTS {
            let Some(stored) = self.get::<T>(&key).await? else { return Ok(None) };
            let version = stored.version;
            match decide(stored)? {
                Change::Keep((result, _)) => return Ok(Some(result)),
                Change::Write(value, (result, more)) => {
                    let written = if more.is_empty() {
                        self.replace(&key, version, &value).await?
                    } else {
                        let first = self.replacement(&key, version, &value)?;
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

    pub(crate) fn replacement<T: Serialize>(
        &self,
        key: &Key,
        version: u64,
        value: &T,
    ) -> Result<TransactWriteItem, StoreError> {
        let put = self
            .put_in_transaction(key, value, version + 1)?
            .condition_expression("version = :version")
            .expression_attribute_values(":version", number(version));
        put.into_write()
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
        unless_refused("PutItem", Box::pin(put.send()).await)
    }

    /// Deletes an item and returns its value; only one caller ever gets it.
    pub(crate) async fn take<T: DeserializeOwned>(
        &self,
        key: &Key,
    ) -> Result<Option<T>, StoreError> {
        let request = self
            .client
            .delete_item()
            .table_name(&self.name)
            .set_key(Some(key.attributes()))
            .return_values(aws_sdk_dynamodb::types::ReturnValue::AllOld);
        let output = Box::pin(request.send()).await.map_err(StoreError::dynamo("DeleteItem"))?;
        Ok(output.attributes.map(parse).transpose()?.map(|stored| stored.value))
    }

    /// All items of a partition whose sort key begins with `prefix`, in order, with their sort keys.
    pub(crate) async fn query<T: DeserializeOwned>(
        &self,
        pk: &str,
        prefix: &str,
    ) -> Result<Vec<(String, Stored<T>)>, StoreError> {
        let mut found = Vec::new();
        self.for_each(pk, prefix, |sk, item| {
            found.push((sk, parse(item)?));
            Ok(())
        })
        .await?;
        Ok(found)
    }

    /// Gives `take` the sort key and the attributes of each item of a partition whose sort key begins with `prefix`, in
    /// order.
    async fn for_each(
        &self,
        pk: &str,
        prefix: &str,
        mut take: impl FnMut(String, Item) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut pages = self.starting_with(pk, prefix).into_paginator().items().send();
        while let Some(item) = pages.next().await {
            let item = item.map_err(StoreError::dynamo("Query"))?;
            take(text(&item, "sk"), item)?;
        }
        Ok(())
    }

    /// The query for a partition's items whose sort key begins with `prefix`.
    fn starting_with(&self, pk: &str, prefix: &str) -> QueryFluentBuilder {
        self.client
            .query()
            .table_name(&self.name)
            .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
            .expression_attribute_values(":pk", AttributeValue::S(pk.to_owned()))
            .expression_attribute_values(":prefix", AttributeValue::S(prefix.to_owned()))
            .consistent_read(true)
    }

    /// A page of a partition's items whose sort key begins with `prefix`, in reverse order, and whether there may be
    /// more. `before` is the last sort key of the previous page.
    pub(crate) async fn page_before<T: DeserializeOwned>(
        &self,
        pk: &str,
        prefix: &str,
        before: Option<String>,
        limit: usize,
    ) -> Result<(Vec<(String, Stored<T>)>, bool), StoreError> {
        let start = before.map(|sk| Key::new(pk, sk).attributes());
        let request = self
            .starting_with(pk, prefix)
            .scan_index_forward(false)
            .set_exclusive_start_key(start)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX));
        let output = Box::pin(request.send()).await.map_err(StoreError::dynamo("Query"))?;
        let more = output.last_evaluated_key.is_some();
        let rows = output.items.unwrap_or_default().into_iter();
        let rows = rows.map(|item| Ok((text(&item, "sk"), parse(item)?)));
        Ok((rows.collect::<Result<_, StoreError>>()?, more))
    }

    /// Writes all or nothing; `false` if a condition failed.
    ///
    /// A transaction that only collided with another is tried again.
    pub(crate) async fn transact(
        &self,
        writes: Vec<TransactWriteItem>,
    ) -> Result<bool, StoreError> {
        Ok(self.transact_or_why(writes).await?.is_ok())
    }

    /// Writes all or nothing, and reports which of the writes failed their condition.
    pub(crate) async fn transact_or_why(
        &self,
        writes: Vec<TransactWriteItem>,
    ) -> Result<Result<(), Vec<usize>>, StoreError> {
        let written = self.transact_or_items(writes).await?;
        Ok(written.map_err(|failed| failed.into_keys().collect()))
    }

    /// The same, with the items at which they failed, for writes that ask for them; others' are empty.
    pub(crate) async fn transact_or_items(
        &self,
        writes: Vec<TransactWriteItem>,
    ) -> Result<Result<(), BTreeMap<usize, Item>>, StoreError> {
        for attempt in 0..MAX_ATTEMPTS {
            if let Some(pause) = PAUSES.get(attempt.wrapping_sub(1)) {
                tokio::time::sleep(Duration::from_millis(rand::random_range(0..=*pause))).await;
            }
            let request = self.client.transact_write_items();
            let request = request.set_transact_items(Some(writes.clone()));
            let Err(error) = Box::pin(request.send()).await else {
                return Ok(Ok(()));
            };
            match error.as_service_error() {
                Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                    let failed = failed(cancelled.cancellation_reasons());
                    if !failed.is_empty() {
                        return Ok(Err(failed));
                    }
                }
                _ => return Err(StoreError::dynamo("TransactWriteItems")(error)),
            }
        }
        Err(StoreError::Contended)
    }
}
