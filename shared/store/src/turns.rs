//! The turns that were requested of agents. Each has an item from its request until its end.
//!
//! A message only offers a turn, and there may be several. Its receiver *takes* the turn by a conditional write, and
//! the turn's end deletes the item. So a turn runs once, whichever of its messages arrives, and how often:
//!
//! - Without an item, the turn is over, and a late message finds nothing to take.
//! - While its lease lasts, the reader of another message is working on it.
//! - If the same message is delivered again, its queue has given up on the former reader. The current reader takes over
//!   the turn, and the former one learns at its next renewal that it has lost the lease.

use crate::StoreError;
use crate::table::{Key, Table, number, unless_refused};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::work::AgentRun;
use domain::{RunId, Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// How long a turn stays with a reader that does not renew its lease, in seconds. This is shorter than the lease of its
/// message: otherwise the reader of the same message's next delivery would be the first to notice.
const LEASE_SECONDS: i64 = 40;
/// How long a message may take to reach its reader, in seconds; a cold start takes one.
const UNTAKEN_SECONDS: i64 = 10;
/// How long the item of a turn that does not end is kept, in seconds: as long as a queue keeps a message, 14 days.
const KEPT_SECONDS: i64 = 14 * 24 * 60 * 60;
/// One partition suffices for all turns: each turn takes seconds and writes to it only a few times.
const TURNS: &str = "TURNS";
/// Prefix of its sort keys.
const PREFIX: &str = "TURN#";

/// A requested turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The run that was asked for.
    pub run: AgentRun,
    /// How often it was offered again.
    pub offers: u32,
    offered_at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    leased_until: Option<i64>,
}

impl Turn {
    fn is_leased(&self, now: i64) -> bool {
        self.leased_until.is_some_and(|until| until > now)
    }
}

/// A reader's right to a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    run_id: RunId,
    holder: String,
}

/// The turns of the table.
#[derive(Clone, Debug)]
pub struct Turns {
    table: Table,
}

fn key(run_id: &RunId) -> Key {
    Key::new(TURNS, format!("{PREFIX}{run_id}"))
}

impl Turns {
    /// The turns in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// Records the request for a turn, before its first message is sent. Asking twice is harmless.
    pub async fn ask(&self, run: &AgentRun) -> Result<(), StoreError> {
        let now = Timestamp::now().epoch_seconds();
        let turn = Turn { run: run.clone(), offers: 0, offered_at: now, leased_until: None };
        self.table.put_new(&key(run.run_id()), &turn, Some(now + KEPT_SECONDS)).await.map(drop)
    }

    /// Takes a turn for the reader of a message; `None` if it is over, or the reader of another message has it.
    pub async fn take(
        &self,
        run_id: &RunId,
        message_id: &str,
    ) -> Result<Option<Lease>, StoreError> {
        let lease = Lease { run_id: run_id.clone(), holder: RunId::random().to_string() };
        let now = Timestamp::now().epoch_seconds();
        let update = self
            .update(run_id)
            .update_expression("SET message_id = :message, holder = :holder, leased_until = :until")
            .condition_expression(
                "attribute_exists(pk) AND (attribute_not_exists(leased_until) \
                 OR leased_until <= :now OR message_id = :message)",
            )
            .expression_attribute_values(":message", AttributeValue::S(message_id.to_owned()))
            .expression_attribute_values(":holder", AttributeValue::S(lease.holder.clone()))
            .expression_attribute_values(":until", number(now + LEASE_SECONDS))
            .expression_attribute_values(":now", number(now));
        let taken = unless_refused("UpdateItem", update.send().await)?;
        Ok(taken.then_some(lease))
    }

    /// Keeps a turn for longer; `false` if another reader has taken it.
    pub async fn renew(&self, lease: &Lease) -> Result<bool, StoreError> {
        let until = Timestamp::now().epoch_seconds() + LEASE_SECONDS;
        let update = self
            .update(&lease.run_id)
            .update_expression("SET leased_until = :until")
            .condition_expression("holder = :holder")
            .expression_attribute_values(":holder", AttributeValue::S(lease.holder.clone()))
            .expression_attribute_values(":until", number(until));
        unless_refused("UpdateItem", update.send().await)
    }

    /// Records that a turn is over, unless another reader has taken it.
    pub async fn end(&self, lease: &Lease) -> Result<(), StoreError> {
        let delete = self
            .table
            .client
            .delete_item()
            .table_name(&self.table.name)
            .set_key(Some(key(&lease.run_id).attributes()))
            .condition_expression("holder = :holder")
            .expression_attribute_values(":holder", AttributeValue::S(lease.holder.clone()));
        unless_refused("DeleteItem", delete.send().await).map(drop)
    }

    /// The turns that no function has taken in time. If another turn of the same project is under way, a turn may only
    /// be waiting for its end.
    pub async fn untaken(&self) -> Result<Vec<Turn>, StoreError> {
        let rows = self.table.query::<Turn>(TURNS, PREFIX).await?;
        let turns: Vec<Turn> = rows.into_iter().map(|(_, row)| row.value).collect();
        let now = Timestamp::now().epoch_seconds();
        let at_work: Vec<Scope> =
            turns.iter().filter(|turn| turn.is_leased(now)).map(|turn| turn.run.scope()).collect();
        let lost = |turn: &Turn| {
            turn.offered_at + UNTAKEN_SECONDS <= now && !at_work.contains(&turn.run.scope())
        };
        Ok(turns.into_iter().filter(lost).collect())
    }

    /// Records that a turn was offered again.
    pub async fn offered(&self, turn: &Turn) -> Result<(), StoreError> {
        let update = self
            .update(turn.run.run_id())
            .update_expression("SET offers = :next, offered_at = :now")
            .condition_expression("offers = :seen")
            .expression_attribute_values(":next", number(turn.offers + 1))
            .expression_attribute_values(":seen", number(turn.offers))
            .expression_attribute_values(":now", number(Timestamp::now().epoch_seconds()));
        unless_refused("UpdateItem", update.send().await).map(drop)
    }

    fn update(&self, run_id: &RunId) -> UpdateItemFluentBuilder {
        let update = self.table.client.update_item().table_name(&self.table.name);
        update.set_key(Some(key(run_id).attributes()))
    }
}
