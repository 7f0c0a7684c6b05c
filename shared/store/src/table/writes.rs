//! The parts of a transaction: each names its table and its key here, and its conditions where it is made.

use super::items::{built, render, set_expiry};
use super::{Key, Table};
use crate::StoreError;
use aws_sdk_dynamodb::types::builders::{
    ConditionCheckBuilder, DeleteBuilder, PutBuilder, UpdateBuilder,
};
use aws_sdk_dynamodb::types::{ConditionCheck, Delete, Put, TransactWriteItem, Update};
use serde::Serialize;

/// A part that can join a transaction.
pub(crate) trait IntoWrite {
    fn into_write(self) -> Result<TransactWriteItem, StoreError>;
}

impl IntoWrite for PutBuilder {
    fn into_write(self) -> Result<TransactWriteItem, StoreError> {
        Ok(TransactWriteItem::builder().put(built(self.build())?).build())
    }
}

impl IntoWrite for UpdateBuilder {
    fn into_write(self) -> Result<TransactWriteItem, StoreError> {
        Ok(TransactWriteItem::builder().update(built(self.build())?).build())
    }
}

impl IntoWrite for DeleteBuilder {
    fn into_write(self) -> Result<TransactWriteItem, StoreError> {
        Ok(TransactWriteItem::builder().delete(built(self.build())?).build())
    }
}

impl IntoWrite for ConditionCheckBuilder {
    fn into_write(self) -> Result<TransactWriteItem, StoreError> {
        Ok(TransactWriteItem::builder().condition_check(built(self.build())?).build())
    }
}

impl Table {
    pub(crate) fn put_in_transaction<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
        version: u64,
    ) -> Result<PutBuilder, StoreError> {
        Ok(Put::builder().table_name(&self.name).set_item(Some(render(key, value, version)?)))
    }

    /// Like [`Table::put_in_transaction`], for an item that expires by its time to live.
    pub(crate) fn expiring_put_in_transaction<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
        expires_at: i64,
    ) -> Result<PutBuilder, StoreError> {
        let mut item = render(key, value, 1)?;
        set_expiry(&mut item, Some(expires_at));
        Ok(Put::builder().table_name(&self.name).set_item(Some(item)))
    }

    pub(crate) fn update_in_transaction(&self, key: &Key) -> UpdateBuilder {
        Update::builder().table_name(&self.name).set_key(Some(key.attributes()))
    }

    pub(crate) fn delete_in_transaction(&self, key: &Key) -> DeleteBuilder {
        Delete::builder().table_name(&self.name).set_key(Some(key.attributes()))
    }

    /// A condition on an item that the transaction does not change.
    pub(crate) fn check_in_transaction(&self, key: &Key) -> ConditionCheckBuilder {
        ConditionCheck::builder().table_name(&self.name).set_key(Some(key.attributes()))
    }
}
