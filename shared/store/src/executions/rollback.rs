//! The rollback of a change, which runs as a separate step beside the steps of the execution.
//!
//! Reading the execution also reads its rollback, and a past change keeps both. A rollback begins only while no step of
//! its plan is under way, and no step of that plan runs after it began, unless it failed. Both are conditions of the
//! transactions that begin them, so if a rollback and an approval come at the same time, one is refused. In the same way,
//! a change that is rolled back is not completed, and a completed one is not rolled back.

use super::{Execution, ExecutionError, Executions};
use crate::StoreError;
use crate::audit::decision_write;
use crate::keys::partition;
use crate::pipelines::{self, PipelineError, Pipelines};
use crate::table::{IntoWrite, Key};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::audit::{Actor, DecisionRecord, Verdict};
use domain::stage::{Pipeline, StageRefusal};
use domain::step::{Phase, Refusal, Step, Track, offered};
use domain::{PlanId, RunId, Scope};

/// The sort key of the rollback, which is also that of its track.
pub(super) const ROLLBACK: &str = "EXECUTION#ROLLBACK";

pub(super) fn key(scope: Scope) -> Key {
    Key::new(partition(scope), ROLLBACK)
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

impl Execution {
    /// Whether the steps may no longer run, because the change is rolled back or is about to be.
    pub fn is_rolled_back(&self) -> bool {
        self.rollback.as_ref().is_some_and(|rollback| !rollback.phase.has_failed())
    }
}

impl Executions {
    /// Begins the rollback that an owner saw with a step, and records who did; asking again while it runs is harmless.
    pub async fn roll_back(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        (step_number, sha256): (u32, &str),
        by: &Actor,
        credentials: &[String],
    ) -> Result<Step, ExecutionError> {
        let (execution, kept) = self.load_kept(scope).await?.ok_or(ExecutionError::NoSuchStep)?;
        if execution.plan_id.as_ref() != Some(plan_id) {
            return Err(ExecutionError::StalePlan);
        }
        if let Some(begun) = execution.rollback.clone().filter(|_| execution.is_rolled_back()) {
            return Ok(begun);
        }
        if execution.steps.iter().any(|step| step.phase.is_at_work()) {
            return Err(Refusal::StepUnderWay.into());
        }
        let (step, rollback) = offered(&execution.steps).ok_or(Refusal::IllegalTransition)?;
        if (step.number, rollback.sha256.as_str()) != (step_number, sha256) {
            return Err(Refusal::CommandChanged.into());
        }
        let key = key(scope);
        let former = kept.rollback;
        let attempts = former.as_ref().map_or(0, |former| former.value.attempt);
        let run_id = RunId::random();
        let (shown, runs) = step.rolling_back(rollback, run_id, attempts, credentials.to_vec());
        let version = former.as_ref().map_or(1, |former| former.version + 1);
        let write = match former {
            Some(former) => self.table.replacement(&key, former.version, &runs)?,
            None => {
                let put = self.table.put_in_transaction(&key, &runs, 1)?;
                let put = put.condition_expression("attribute_not_exists(pk)");
                put.into_write()?
            }
        };
        let record =
            DecisionRecord::new(Track::Rollback, Verdict::Approved, &shown, &runs, by.clone());
        let mut writes = vec![write, decision_write(&self.table, scope, &record)?];
        writes.push(pipelines::not_completed(&self.table, scope)?);
        writes.extend(self.on(Track::Rollback).mark_write(scope, (&runs, version), true)?);
        for step in &execution.steps {
            writes.push(self.is_idle(scope, step)?);
        }
        match self.table.transact(writes).await? {
            true => Ok(runs),
            false => Err(StoreError::Contended.into()),
        }
    }

    /// The condition that a step belongs to its plan and is not under way.
    fn is_idle(&self, scope: Scope, step: &Step) -> Result<TransactWriteItem, StoreError> {
        let mut condition = "plan_id = :plan".to_owned();
        let mut check = self
            .table
            .check_in_transaction(&self.step_key(scope, step.number))
            .expression_attribute_values(":plan", text(step.plan_id.as_str()));
        for phase in Phase::ALL.into_iter().filter(|phase| phase.is_at_work()) {
            let name = format!(":{}", phase.as_str());
            condition += &format!(" AND phase <> {name}");
            check = check.expression_attribute_values(name, text(phase.as_str()));
        }
        check.condition_expression(condition).into_write()
    }

    /// The condition that the change of this plan is not rolled back.
    pub(super) fn stands(
        &self,
        scope: Scope,
        plan_id: &PlanId,
    ) -> Result<TransactWriteItem, StoreError> {
        let check = self
            .table
            .check_in_transaction(&key(scope))
            .condition_expression("attribute_not_exists(pk) OR plan_id <> :plan OR phase = :failed")
            .expression_attribute_values(":plan", text(plan_id.as_str()))
            .expression_attribute_values(":failed", text(Phase::Failed.as_str()));
        check.into_write()
    }

    /// Changes the pipeline, unless the change of this plan is rolled back.
    pub async fn confirm(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        act: impl Fn(&mut Pipeline) -> Result<(), StageRefusal>,
    ) -> Result<Option<Pipeline>, PipelineError> {
        let stands = self.stands(scope, plan_id)?;
        let changed = Pipelines::new(&self.table).change_with(scope, vec![stands], act).await;
        let lost = matches!(changed, Err(PipelineError::Store(StoreError::Contended)));
        match lost && self.is_rolled_back(scope, plan_id).await? {
            true => Err(StageRefusal::RolledBack.into()),
            false => changed,
        }
    }

    /// Refuses if the change of this plan is rolled back.
    pub(super) async fn check_stands(
        &self,
        scope: Scope,
        plan_id: &PlanId,
    ) -> Result<(), ExecutionError> {
        match self.is_rolled_back(scope, plan_id).await? {
            true => Err(Refusal::RolledBack.into()),
            false => Ok(()),
        }
    }

    async fn is_rolled_back(&self, scope: Scope, plan_id: &PlanId) -> Result<bool, StoreError> {
        let begun = self.table.get::<Step>(&key(scope)).await?;
        let over = |step: &Step| &step.plan_id == plan_id && !step.phase.has_failed();
        Ok(begun.is_some_and(|begun| over(&begun.value)))
    }
}
