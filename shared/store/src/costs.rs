//! The usage of each project: tokens and micro-dollars, counted once per model call.

use crate::StoreError;
use crate::keys::partition;
use crate::table::{Change, IntoWrite, Key, Table, number};
use aws_sdk_dynamodb::types::builders::{PutBuilder, UpdateBuilder};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::estimate::Used;
use domain::money::saved_by_caching;
use domain::{AgentId, MicroDollars, Scope, Timestamp, TokenUsage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// A charge for a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SandboxCharge {
    /// The charged time.
    pub seconds: i64,
    /// The charged amount.
    pub micro_usd: MicroDollars,
}

/// The sum of a project's model calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Costs {
    /// Tokens sent.
    #[serde(default)]
    pub input_tokens: u64,
    /// Tokens written.
    #[serde(default)]
    pub output_tokens: u64,
    /// Tokens sent that the provider had cached from an earlier call.
    #[serde(default)]
    pub cached_tokens: u64,
    /// What the provider charged less for these tokens. Users pay the same for every token.
    #[serde(default)]
    pub saved_micro_usd: MicroDollars,
    /// The price of the tokens.
    #[serde(default)]
    pub micro_usd: MicroDollars,
    /// When the last call was counted.
    #[serde(default)]
    pub last_updated: Option<Timestamp>,
    /// The project's budget; the agents stop when it is used up. Absent instead of null, because conditions of DynamoDB
    /// do not treat null as absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<MicroDollars>,
    /// The counted running time of its sandbox, in seconds.
    #[serde(default)]
    pub sandbox_seconds: u64,
    /// The sandbox's part of the costs.
    #[serde(default)]
    pub sandbox_micro_usd: MicroDollars,
    /// The sum of the project's holds.
    #[serde(default)]
    pub held: MicroDollars,
    /// The budget (0 without one) minus the costs and the holds. Stored, because conditions of DynamoDB compare but
    /// do not subtract.
    #[serde(default)]
    left: MicroDollars,
}

impl Costs {
    /// The part of the sent tokens that the provider had cached, from 0 to 1.
    pub fn cached_share(&self) -> f64 {
        // Both are far below 2^53, so the division is exact enough for any share.
        self.cached_tokens.min(self.input_tokens) as f64 / self.input_tokens.max(1) as f64
    }

    /// The amount that may still be held; `None` without a budget.
    pub fn left(&self) -> Option<MicroDollars> {
        self.budget.map(|budget| budget - self.micro_usd - self.held)
    }

    fn with_budget(self, budget: Option<MicroDollars>) -> Self {
        let left = budget.unwrap_or_default() - self.micro_usd - self.held;
        Self { budget, left, ..self }
    }
}

/// A part of a project's costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens sent and written.
    #[serde(flatten)]
    pub tokens: TokenUsage,
    /// The price of the tokens.
    pub micro_usd: MicroDollars,
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        let (sum, more) = (&mut self.tokens, other.tokens);
        sum.input_tokens = sum.input_tokens.saturating_add(more.input_tokens);
        sum.output_tokens = sum.output_tokens.saturating_add(more.output_tokens);
        self.micro_usd += other.micro_usd;
    }
}

impl From<Usage> for Used {
    fn from(usage: Usage) -> Self {
        Self { tokens: usage.tokens.total(), cost: usage.micro_usd }
    }
}

/// A project's costs in parts. The days add up to the whole, and so do the agents and the sandbox together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Breakdown {
    /// By the agent that made the calls.
    pub by_agent: BTreeMap<AgentId, Usage>,
    /// By the day, in UTC: `2026-11-20`.
    pub by_day: BTreeMap<String, Usage>,
    /// How long the sandbox has run, in seconds.
    pub sandbox_seconds: u64,
    /// The price of the sandbox's running time.
    pub sandbox_micro_usd: MicroDollars,
}

/// A row of the costs: the whole, or a part that has no field for the sandbox.
#[derive(Deserialize)]
struct Part {
    #[serde(flatten)]
    usage: Usage,
    #[serde(default)]
    sandbox_seconds: u64,
    #[serde(default)]
    sandbox_micro_usd: MicroDollars,
}

/// Prefix of the sort keys of the parts.
const AGENT: &str = "COSTS#AGENT#";
const DAY: &str = "COSTS#DAY#";

/// The record of one model call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCall {
    /// Our own id of the call, which makes it impossible to count a call twice.
    pub call_id: String,
    /// The agent that made the call.
    pub agent: AgentId,
    /// Tokens that the call used.
    #[serde(flatten)]
    pub usage: TokenUsage,
    /// The price of the call.
    pub micro_usd: MicroDollars,
    /// Whether the tokens are our own estimate, because the provider gave no count.
    pub estimated: bool,
    /// How many of the sent tokens the provider had cached from an earlier call. The provider charges less for them,
    /// but users pay the same.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Time of the call.
    pub at: Timestamp,
}

impl ModelCall {
    /// What the provider charged less for the call because it had tokens cached.
    pub fn saved(&self) -> MicroDollars {
        saved_by_caching(self.cached_tokens.min(self.usage.input_tokens))
    }

    /// The same call with its price capped at `most`, whatever the provider counted.
    #[must_use]
    pub fn charged_at_most(&self, most: MicroDollars) -> Self {
        let charge = self.micro_usd.clamp(MicroDollars::ZERO, most.max(MicroDollars::ZERO));
        if charge == self.micro_usd {
            return self.clone();
        }
        let usage = self.usage.paid_by(charge);
        let cached_tokens = self.cached_tokens.min(usage.input_tokens);
        Self { usage, micro_usd: charge, cached_tokens, ..self.clone() }
    }
}

/// The costs of the table.
#[derive(Clone, Debug)]
pub struct CostBook {
    table: Table,
}

pub(crate) fn key(scope: Scope) -> Key {
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

    /// A project's costs; `None` if this installation has no such project.
    pub async fn get(&self, scope: Scope) -> Result<Option<Costs>, StoreError> {
        Ok(self.table.get(&key(scope)).await?.map(|stored| stored.value))
    }

    /// Sets the project's budget; `None` lifts it. `false` if the project does not exist.
    ///
    /// Calls that already hold credits continue; they count against the new budget.
    pub async fn set_budget(
        &self,
        scope: Scope,
        budget: Option<MicroDollars>,
    ) -> Result<bool, StoreError> {
        let set = self.table.modify(key(scope), |costs: Costs| {
            Ok::<_, StoreError>(Change::Write(costs.with_budget(budget), ()))
        });
        set.await.map(|set| set.is_some())
    }

    /// What one of a project's agents has used.
    pub async fn of_agent(&self, scope: Scope, agent: AgentId) -> Result<Usage, StoreError> {
        let key = Key::new(partition(scope), format!("{AGENT}{agent}"));
        Ok(self.table.get(&key).await?.map(|stored| stored.value).unwrap_or_default())
    }

    /// A project's costs by agent and by day; `None` if this installation has no such project.
    pub async fn breakdown(&self, scope: Scope) -> Result<Option<Breakdown>, StoreError> {
        let rows = self.table.query::<Part>(&partition(scope), "COSTS").await?;
        let mut breakdown = Breakdown::default();
        let mut there = false;
        for (sk, row) in rows {
            if let Some(agent) = sk.strip_prefix(AGENT) {
                breakdown.by_agent.extend(agent.parse().ok().map(|agent| (agent, row.value.usage)));
            } else if let Some(day) = sk.strip_prefix(DAY) {
                breakdown.by_day.insert(day.to_owned(), row.value.usage);
            } else {
                there = true;
                breakdown.sandbox_seconds = row.value.sandbox_seconds;
                breakdown.sandbox_micro_usd = row.value.sandbox_micro_usd;
            }
        }
        Ok(there.then_some(breakdown))
    }
}

/// The write that makes it impossible to count a call twice.
pub(crate) fn once(
    table: &Table,
    scope: Scope,
    call: &ModelCall,
) -> Result<TransactWriteItem, StoreError> {
    let once = table
        .put_in_transaction(&call_key(scope, &call.call_id), call, 1)?
        .condition_expression("attribute_not_exists(pk)");
    once.into_write()
}

/// The writes that count a call in the sum of an existing project and in its parts, and end its hold. The sum comes
/// first.
pub(crate) fn counting(
    table: &Table,
    scope: Scope,
    call: &ModelCall,
    held: MicroDollars,
) -> Result<[TransactWriteItem; 3], StoreError> {
    let whole = table.update_in_transaction(&key(scope))
        .update_expression(
            "ADD input_tokens :in, output_tokens :out, cached_tokens :cached, saved_micro_usd :saved, \
             micro_usd :cost, held :held, #left :left, version :one SET last_updated = :at",
        )
        // The sum of a deleted project must not come back: other calls take it as a sign that the project exists.
        .condition_expression("attribute_exists(pk)")
        .expression_attribute_names("#left", "left")
        .expression_attribute_values(":cached", number(call.cached_tokens))
        .expression_attribute_values(":saved", number(call.saved().0))
        .expression_attribute_values(":held", number((-held).0))
        .expression_attribute_values(":left", number((held - call.micro_usd).0));
    let part = |name: String| {
        table.update_in_transaction(&Key::new(partition(scope), name)).update_expression(
            "ADD input_tokens :in, output_tokens :out, micro_usd :cost, version :one \
                 SET last_updated = :at",
        )
    };
    let sums =
        [whole, part(format!("{AGENT}{}", call.agent)), part(format!("{DAY}{}", call.at.day()))];
    let [whole, agent, day] = sums.map(|sum| {
        let sum = sum
            .expression_attribute_values(":in", number(call.usage.input_tokens))
            .expression_attribute_values(":out", number(call.usage.output_tokens))
            .expression_attribute_values(":cost", number(call.micro_usd.0))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":at", AttributeValue::S(call.at.to_string()));
        sum.into_write()
    });
    Ok([whole?, agent?, day?])
}

/// The writes that count a sandbox's charge, in the project's sum and in the day's.
pub(crate) fn counting_sandbox(
    table: &Table,
    scope: Scope,
    charge: SandboxCharge,
    at: Timestamp,
) -> Result<[TransactWriteItem; 2], StoreError> {
    let update = |key: Key, expression: &str| {
        table
            .update_in_transaction(&key)
            .update_expression(expression)
            .expression_attribute_values(":cost", number(charge.micro_usd.0))
            .expression_attribute_values(":none", number(0))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":at", AttributeValue::S(at.to_string()))
    };
    let whole = update(
        key(scope),
        "ADD sandbox_seconds :seconds, sandbox_micro_usd :cost, micro_usd :cost, #left :left, held :none, \
         version :one SET last_updated = :at",
    )
    .condition_expression("attribute_exists(pk)")
    .expression_attribute_names("#left", "left")
    .expression_attribute_values(":left", number((-charge.micro_usd).0))
    .expression_attribute_values(":seconds", number(charge.seconds));
    let day = update(
        Key::new(partition(scope), format!("{DAY}{}", at.day())),
        "ADD input_tokens :none, output_tokens :none, micro_usd :cost, version :one SET last_updated = :at",
    );
    let write = |update: UpdateBuilder| update.into_write();
    Ok([write(whole)?, write(day)?])
}

/// Counts a hold against a project's budget, if the project exists and its budget covers the hold.
pub(crate) fn holding(
    table: &Table,
    scope: Scope,
    worst: MicroDollars,
) -> Result<TransactWriteItem, StoreError> {
    let covered = "attribute_exists(pk) AND (attribute_not_exists(budget) OR #left >= :worst)";
    let update = moving_hold(table, scope, worst)
        .condition_expression(covered)
        .expression_attribute_values(":worst", number(worst.0));
    update.into_write()
}

/// Removes a released hold from a project's budget.
pub(crate) fn releasing(
    table: &Table,
    scope: Scope,
    held: MicroDollars,
) -> Result<TransactWriteItem, StoreError> {
    let update = moving_hold(table, scope, -held).condition_expression("attribute_exists(pk)");
    update.into_write()
}

fn moving_hold(table: &Table, scope: Scope, held: MicroDollars) -> UpdateBuilder {
    table
        .update_in_transaction(&key(scope))
        .update_expression("ADD held :held, #left :left, version :one")
        .expression_attribute_names("#left", "left")
        .expression_attribute_values(":held", number(held.0))
        .expression_attribute_values(":left", number((-held).0))
        .expression_attribute_values(":one", number(1))
}
