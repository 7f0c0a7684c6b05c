//! What each project has used: tokens and micro-dollars, counted once per model call.

use crate::StoreError;
use crate::projects::partition;
use crate::table::{Key, Table, built, number};
use aws_sdk_dynamodb::types::builders::PutBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem, Update};
use domain::{AgentId, MicroDollars, Scope, Timestamp, TokenUsage};
use serde::{Deserialize, Serialize};

/// The sum of a project's model calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Costs {
    /// Tokens sent.
    #[serde(default)]
    pub input_tokens: u64,
    /// Tokens written.
    #[serde(default)]
    pub output_tokens: u64,
    /// What they cost.
    #[serde(default)]
    pub micro_usd: MicroDollars,
    /// When the last call was counted.
    #[serde(default)]
    pub last_updated: Option<Timestamp>,
}

/// One model call, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCall {
    /// Ours, one per call: what makes counting it twice impossible.
    pub call_id: String,
    /// Who called.
    pub agent: AgentId,
    /// What it used.
    #[serde(flatten)]
    pub usage: TokenUsage,
    /// What that cost.
    pub micro_usd: MicroDollars,
    /// The provider gave no count, so this is our own estimate.
    pub estimated: bool,
    /// When.
    pub at: Timestamp,
}

/// The costs of the table.
#[derive(Clone, Debug)]
pub struct CostBook {
    table: Table,
}

fn key(scope: Scope) -> Key {
    Key::new(partition(scope), "COSTS")
}

fn call_key(scope: Scope, call_id: &str) -> Key {
    Key::new(partition(scope), format!("CALL#{call_id}"))
}

pub(crate) fn initial(table: &Table, scope: Scope) -> Result<Vec<PutBuilder>, StoreError> {
    Ok(vec![table.put_in_transaction(&key(scope), &Costs::default(), 1)?])
}

impl CostBook {
    /// The costs in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// A project's costs; `None` when there is no such project for this installation.
    pub async fn get(&self, scope: Scope) -> Result<Option<Costs>, StoreError> {
        Ok(self.table.get(&key(scope)).await?.map(|stored| stored.value))
    }

    /// Counts a call; a call id that was counted before changes nothing and answers `false`.
    pub async fn record(&self, scope: Scope, call: &ModelCall) -> Result<bool, StoreError> {
        let once = self
            .table
            .put_in_transaction(&call_key(scope, &call.call_id), call, 1)?
            .condition_expression("attribute_not_exists(pk)");
        let sum = Update::builder()
            .table_name(&self.table.name)
            .set_key(Some(key(scope).attributes()))
            .update_expression(
                "ADD input_tokens :in, output_tokens :out, micro_usd :cost, version :one SET last_updated = :at",
            )
            .expression_attribute_values(":in", number(call.usage.input_tokens))
            .expression_attribute_values(":out", number(call.usage.output_tokens))
            .expression_attribute_values(":cost", number(call.micro_usd.0))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":at", AttributeValue::S(call.at.to_string()));
        self.table
            .transact(vec![
                TransactWriteItem::builder().put(built(once.build())?).build(),
                TransactWriteItem::builder().update(built(sum.build())?).build(),
            ])
            .await
    }
}
