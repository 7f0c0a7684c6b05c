//! Decisions and ended runs of a project. Each is written with the step's transition and never changes. Runs of checks
//! for drift are kept for a while, everything else as long as the project.

use crate::StoreError;
use crate::keys::partition;
use crate::table::{IntoWrite, Key, Table};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::audit::{DecisionRecord, RunRecord, Verdict};
use domain::step::Track;
use domain::{PlanId, Scope};
use serde::Serialize;

/// Prefix of the sort keys of decisions.
const DECISIONS: &str = "AUDIT#DECISION#";
/// Prefix of the sort keys of ended runs.
const RUNS: &str = "AUDIT#RUN#";
/// How long the record of a check for drift is kept, in seconds: 90 days. Without a limit, a schedule would write them
/// forever.
const DRIFT_RUN_SECONDS: i64 = 90 * 24 * 60 * 60;

/// The audit records of the table.
#[derive(Clone, Debug)]
pub struct Audit {
    table: Table,
}

fn decision_key(
    scope: Scope,
    (track, plan_id, step_number): (Track, &PlanId, u32),
    attempt: u32,
    verdict: Verdict,
) -> Key {
    let (track, verdict) = (track.as_str(), verdict.as_str());
    let sk = format!("{DECISIONS}{track}#{plan_id}#{step_number:06}#{attempt:06}#{verdict}");
    Key::new(partition(scope), sk)
}

fn run_key(scope: Scope, run: &RunRecord) -> Key {
    let (track, plan_id) = (run.track.as_str(), &run.plan_id);
    let sk = format!("{RUNS}{track}#{plan_id}#{:06}#{:06}", run.step_number, run.attempt);
    Key::new(partition(scope), sk)
}

impl Audit {
    /// The audit records in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The record of exactly this decision on an attempt, if it was made.
    pub async fn decision(
        &self,
        scope: Scope,
        step: (Track, &PlanId, u32),
        attempt: u32,
        verdict: Verdict,
    ) -> Result<Option<DecisionRecord>, StoreError> {
        let key = decision_key(scope, step, attempt, verdict);
        Ok(self.table.get(&key).await?.map(|stored| stored.value))
    }

    /// Records a decision that moves no step.
    pub async fn record(&self, scope: Scope, decision: &DecisionRecord) -> Result<(), StoreError> {
        let write = decision_write(&self.table, scope, decision)?;
        self.table.transact(vec![write]).await.map(drop)
    }

    /// All decisions of a project, the newest first.
    pub async fn decisions(&self, scope: Scope) -> Result<Vec<DecisionRecord>, StoreError> {
        let found = self.table.query::<DecisionRecord>(&partition(scope), DECISIONS).await?;
        let mut decisions: Vec<_> = found.into_iter().map(|(_, stored)| stored.value).collect();
        decisions.sort_by_key(|decision| std::cmp::Reverse(decision.at));
        Ok(decisions)
    }

    /// All ended runs of a project, the newest first.
    pub async fn runs(&self, scope: Scope) -> Result<Vec<RunRecord>, StoreError> {
        let found = self.table.query::<RunRecord>(&partition(scope), RUNS).await?;
        let mut runs: Vec<_> = found.into_iter().map(|(_, stored)| stored.value).collect();
        runs.sort_by_key(|run| std::cmp::Reverse(run.ended_at));
        Ok(runs)
    }
}

/// The write of a decision's record, for the transaction that moves its step.
pub(crate) fn decision_write(
    table: &Table,
    scope: Scope,
    decision: &DecisionRecord,
) -> Result<TransactWriteItem, StoreError> {
    let step = (decision.track, &decision.plan_id, decision.step_number);
    let mut key = decision_key(scope, step, decision.attempt, decision.verdict);
    let often = matches!(
        decision.verdict,
        Verdict::Edited | Verdict::Autonomy | Verdict::Scheduled | Verdict::Restored
    );
    if often || decision.verdict.is_about_a_link() {
        // An attempt is decided once, but an owner can repeat these decisions as often as they like.
        let sha256 = decision.command.as_ref().map_or("", |command| &command.sha256);
        key.sk = format!("{}#{}#{sha256}", key.sk, decision.at);
    }
    write(table, &key, decision)
}

/// The write of a run's record, for the transaction that ends it.
pub(crate) fn run_write(
    table: &Table,
    scope: Scope,
    run: &RunRecord,
) -> Result<TransactWriteItem, StoreError> {
    let key = run_key(scope, run);
    if run.track == Track::Drift {
        let end = run.ended_at.plus_seconds(DRIFT_RUN_SECONDS).epoch_seconds();
        let put = table.expiring_put_in_transaction(&key, run, end)?;
        return put.into_write();
    }
    write(table, &key, run)
}

fn write<T: Serialize>(
    table: &Table,
    key: &Key,
    record: &T,
) -> Result<TransactWriteItem, StoreError> {
    let put = table.put_in_transaction(key, record, 1)?;
    put.into_write()
}
