//! Counts the recent calls of each caller, with one item for each caller and limit.
//!
//! In no interval of a window's length do more calls pass than allowed ([`crate::sliding`]). A call costs one
//! conditional write and no read, and a second write after a pause of some minutes. Items expire by their time to live
//! once their last call no longer counts. Each key is a hash of caller and limit together: the table holds no addresses,
//! and two limits of the same caller have nothing in common.

use crate::StoreError;
use crate::sliding::{Count, Limit, Next, PARTS};
use crate::table::{Item, Key, MAX_ATTEMPTS, Table, number};
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValuesOnConditionCheckFailure};
use domain::Timestamp;
use domain::secret_token::sha256_hex;
use std::collections::HashMap;

/// The length of the usual window, in seconds.
pub const WINDOW_SECONDS: i64 = 60;
/// The longest that a refused caller of the usual window waits, in seconds: the window and a part of it.
pub const LONGEST_WAIT: u32 = (WINDOW_SECONDS + WINDOW_SECONDS / PARTS) as u32;

/// The counters of the table.
#[derive(Clone, Debug)]
pub struct Rates {
    table: Table,
}

impl Rates {
    /// The counters in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Counts a call of `who` to `what`; if `allowed` calls passed in the last window, returns the seconds until the
    /// next one passes.
    pub async fn count(
        &self,
        what: &str,
        who: &str,
        allowed: u32,
        now: Timestamp,
    ) -> Result<Option<u32>, StoreError> {
        self.count_within(WINDOW_SECONDS, what, who, allowed, now).await
    }

    /// The same in windows of another length; `what` belongs to one length.
    pub async fn count_within(
        &self,
        window_seconds: i64,
        what: &str,
        who: &str,
        allowed: u32,
        now: Timestamp,
    ) -> Result<Option<u32>, StoreError> {
        self.count_several(1, window_seconds, what, who, allowed, now).await
    }

    /// Counts several calls at once, in windows of the given length; `what` belongs to one length. Calls that are
    /// counted together either all pass or are all refused, so up to one less than that many more than `allowed` can
    /// pass.
    pub async fn count_several(
        &self,
        calls: u32,
        window_seconds: i64,
        what: &str,
        who: &str,
        allowed: u32,
        now: Timestamp,
    ) -> Result<Option<u32>, StoreError> {
        if allowed == 0 {
            return Ok(Some(u32::try_from(window_seconds).unwrap_or(1).max(1)));
        }
        let (limit, seconds) = (Limit { window_seconds, allowed }, now.epoch_seconds());
        let key = key(what, who, limit);
        let mut count = limit.count(calls, seconds);
        for _ in 0..MAX_ATTEMPTS {
            let Some(item) = self.attempt(&key, count).await? else { return Ok(None) };
            match count.after_refusal(&numbers(&item), seconds) {
                Next::Try(other) => count = other,
                Next::Wait(wait) => return Ok(Some(wait)),
            }
        }
        Err(StoreError::Contended)
    }

    /// Counts calls; if the condition fails, returns the item at which it failed.
    async fn attempt(&self, key: &Key, count: Count) -> Result<Option<Item>, StoreError> {
        let mut update = self
            .table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(key.attributes()))
            .update_expression(count.update())
            .condition_expression(count.condition())
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        for (name, value) in count.values() {
            update = update.expression_attribute_values(name, number(value));
        }
        let Err(error) = Box::pin(update.send()).await else { return Ok(None) };
        match error.as_service_error() {
            Some(UpdateItemError::ConditionalCheckFailedException(refused)) => {
                Ok(Some(refused.item().cloned().unwrap_or_default()))
            }
            _ => Err(StoreError::dynamo("UpdateItem")(error)),
        }
    }
}

fn key(what: &str, who: &str, limit: Limit) -> Key {
    // Numbers of parts with another length would mean other times.
    let name = sha256_hex(format!("{what}\n{who}\n{}", limit.part_seconds()).as_bytes());
    Key::new(format!("LIMIT#{name}"), "LIMIT")
}

/// The numbers of an item that counts calls.
pub(crate) fn numbers(item: &Item) -> HashMap<String, i64> {
    let number = |value: &AttributeValue| value.as_n().ok()?.parse().ok();
    item.iter().filter_map(|(name, value)| Some((name.clone(), number(value)?))).collect()
}
