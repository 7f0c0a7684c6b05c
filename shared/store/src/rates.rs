//! Counts the recent calls of each caller, with one counter for each caller and window.
//!
//! Windows are fixed, so up to twice as many calls can pass around the boundary of two; in return, a call costs one
//! conditional write and no read. Counters expire by their time to live. Each key is a hash of caller and time
//! together: the table holds no addresses, and two windows of the same caller have nothing in common.

use crate::StoreError;
use crate::table::{Key, Table, number, unless_refused};
use domain::Timestamp;
use domain::secret_token::sha256_hex;

/// The length of the usual window, in seconds.
pub const WINDOW_SECONDS: i64 = 60;

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

    /// Counts a call of `who` to `what`; if this window already has `allowed` calls, returns the seconds until the
    /// next one begins.
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
    /// counted together either all pass or are all refused, so up to that many more than `allowed` can pass.
    pub async fn count_several(
        &self,
        calls: u32,
        window_seconds: i64,
        what: &str,
        who: &str,
        allowed: u32,
        now: Timestamp,
    ) -> Result<Option<u32>, StoreError> {
        let seconds = now.epoch_seconds();
        let window = seconds.div_euclid(window_seconds);
        let ends = (window + 1) * window_seconds;
        let wait = || Some(u32::try_from(ends - seconds).unwrap_or(1).max(1));
        if allowed == 0 {
            return Ok(wait());
        }
        let name = sha256_hex(format!("{what}\n{who}\n{window}").as_bytes());
        let update = self
            .table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(Key::new(format!("LIMIT#{name}"), "LIMIT").attributes()))
            .update_expression("ADD calls :more SET expires_at = :ends")
            .condition_expression("attribute_not_exists(calls) OR calls < :allowed")
            .expression_attribute_values(":more", number(calls))
            .expression_attribute_values(":ends", number(ends))
            .expression_attribute_values(":allowed", number(allowed));
        let counted = unless_refused("UpdateItem", update.send().await)?;
        Ok((!counted).then(wait).flatten())
    }
}
