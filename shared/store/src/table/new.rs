//! Writes items that were not read before.

use super::items::{render, set_expiry, unless_refused};
use super::{Item, Key, Table};
use crate::StoreError;
use serde::Serialize;

impl Table {
    /// Writes an item, whether or not it exists.
    pub(crate) async fn put<T: Serialize>(&self, key: &Key, value: &T) -> Result<(), StoreError> {
        let item = render(key, value, 1)?;
        let put = self.client.put_item().table_name(&self.name).set_item(Some(item));
        Box::pin(put.send()).await.map(drop).map_err(StoreError::dynamo("PutItem"))
    }

    /// Writes an item that must not exist yet; `false` if it does.
    pub(crate) async fn put_new<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
        expires_at: Option<i64>,
    ) -> Result<bool, StoreError> {
        let mut item = render(key, value, 1)?;
        set_expiry(&mut item, expires_at);
        self.put_absent(item).await
    }

    /// Writes an item that must not exist yet, with this version; `false` if it does.
    pub(crate) async fn put_new_at<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
        version: u64,
    ) -> Result<bool, StoreError> {
        self.put_absent(render(key, value, version)?).await
    }

    async fn put_absent(&self, item: Item) -> Result<bool, StoreError> {
        let put = self.client.put_item().table_name(&self.name).set_item(Some(item));
        let put = put.condition_expression("attribute_not_exists(pk)");
        unless_refused("PutItem", Box::pin(put.send()).await)
    }
}
