//! What each project has used: tokens and micro-dollars, counted once per model call.

use crate::StoreError;
use crate::projects::partition;
use crate::table::{Key, Table, built, number};
use aws_sdk_dynamodb::types::builders::PutBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ConditionCheck, TransactWriteItem, Update};
use domain::{AgentId, MicroDollars, Scope, Timestamp, TokenUsage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::AddAssign;

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
    /// What the project may use before its agents stop.
    // Absent and not null, which no condition of DynamoDB would take for absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<MicroDollars>,
}

impl Costs {
    /// Whether the project has used what it may.
    pub fn budget_reached(&self) -> bool {
        self.budget.is_some_and(|budget| self.micro_usd >= budget)
    }
}

/// A part of a project's costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens sent and written.
    #[serde(flatten)]
    pub tokens: TokenUsage,
    /// What they cost.
    pub micro_usd: MicroDollars,
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.tokens.input_tokens += other.tokens.input_tokens;
        self.tokens.output_tokens += other.tokens.output_tokens;
        self.micro_usd += other.micro_usd;
    }
}

/// A project's costs in parts. Each part sums up to the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Breakdown {
    /// By who called.
    pub by_agent: BTreeMap<AgentId, Usage>,
    /// By the day, in UTC: `2026-11-20`.
    pub by_day: BTreeMap<String, Usage>,
}

/// How the sort keys of the parts begin.
const AGENT: &str = "COSTS#AGENT#";
const DAY: &str = "COSTS#DAY#";

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

    /// What the project's owner allows it to use, from now on; `None` lifts the limit. `false` without a project.
    pub async fn set_budget(
        &self,
        scope: Scope,
        budget: Option<MicroDollars>,
    ) -> Result<bool, StoreError> {
        let update = self
            .table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(key(scope).attributes()))
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":one", number(1));
        let update = match budget {
            Some(budget) => update
                .update_expression("SET budget = :budget ADD version :one")
                .expression_attribute_values(":budget", number(budget.0)),
            None => update.update_expression("REMOVE budget ADD version :one"),
        };
        match update.send().await {
            Ok(_) => Ok(true),
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(|e| e.is_conditional_check_failed_exception()) =>
            {
                Ok(false)
            }
            Err(error) => Err(StoreError::dynamo("UpdateItem")(error)),
        }
    }

    /// A project's costs by agent and by day; `None` when there is no such project for this installation.
    pub async fn breakdown(&self, scope: Scope) -> Result<Option<Breakdown>, StoreError> {
        let rows = self.table.query::<Usage>(&partition(scope), "COSTS").await?;
        let mut breakdown = Breakdown::default();
        let mut there = false;
        for (sk, row) in rows {
            if let Some(agent) = sk.strip_prefix(AGENT) {
                breakdown.by_agent.extend(agent.parse().ok().map(|agent| (agent, row.value)));
            } else if let Some(day) = sk.strip_prefix(DAY) {
                breakdown.by_day.insert(day.to_owned(), row.value);
            } else {
                there = true;
            }
        }
        Ok(there.then_some(breakdown))
    }
}

/// The writes that count a call: once, in the project's sum and in its parts.
pub(crate) fn counting(
    table: &Table,
    scope: Scope,
    call: &ModelCall,
) -> Result<[TransactWriteItem; 4], StoreError> {
    let once = table
        .put_in_transaction(&call_key(scope, &call.call_id), call, 1)?
        .condition_expression("attribute_not_exists(pk)");
    let parts = [
        key(scope),
        Key::new(partition(scope), format!("{AGENT}{}", call.agent)),
        Key::new(partition(scope), format!("{DAY}{}", call.at.day())),
    ];
    let [whole, agent, day] = parts.map(|key| {
        let sum = Update::builder()
            .table_name(&table.name)
            .set_key(Some(key.attributes()))
            .update_expression(
                "ADD input_tokens :in, output_tokens :out, micro_usd :cost, version :one SET last_updated = :at",
            )
            .expression_attribute_values(":in", number(call.usage.input_tokens))
            .expression_attribute_values(":out", number(call.usage.output_tokens))
            .expression_attribute_values(":cost", number(call.micro_usd.0))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":at", AttributeValue::S(call.at.to_string()));
        Ok::<_, StoreError>(TransactWriteItem::builder().update(built(sum.build())?).build())
    });
    let once = TransactWriteItem::builder().put(built(once.build())?).build();
    Ok([once, whole?, agent?, day?])
}

/// The condition that a project is there and within its budget.
pub(crate) fn within_budget(table: &Table, scope: Scope) -> Result<TransactWriteItem, StoreError> {
    let check = ConditionCheck::builder()
        .table_name(&table.name)
        .set_key(Some(key(scope).attributes()))
        .condition_expression(
            "attribute_exists(pk) AND (attribute_not_exists(budget) OR micro_usd < budget)",
        );
    Ok(TransactWriteItem::builder().condition_check(built(check.build())?).build())
}
