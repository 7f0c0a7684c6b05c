//! Adds new steps: those of a plan, and those that arrive one by one.
//!
//! A write replaces a step's item only if its version is the one that was read. Steps of a new plan take the places of
//! the former plan's steps. If their versions began at 1 again, a write that had read the former step at version 1
//! would find version 1 and replace the new step. So new steps begin at a number that no earlier item in the place had:
//! a random one out of 2^52, from which each write counts on.

use super::load::Kept;
use super::marks::{Place, Versions};
use super::{Execution, ExecutionError, Executions, Header, header_key};
use crate::StoreError;
use crate::table::{IntoWrite, number};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use domain::plan::PlannedStep;
use domain::step::{Phase, Step};
use domain::{PlanId, Scope, Timestamp};

/// Where versions of steps begin: enough numbers that no two beginnings coincide, and exact in every number format.
const FIRST_VERSIONS: std::ops::Range<u64> = 1..1 << 52;
/// How often a new plan is started while steps of the former one move.
const START_TRIES: usize = 3;
/// The condition that no step runs, so that a step that began to run after the execution was read is not lost.
const IS_IDLE: &str = "attribute_not_exists(pk) OR phase <> :running";

/// The version of a new step in a place where another step may have been.
pub(crate) fn first_version() -> u64 {
    rand::random_range(FIRST_VERSIONS)
}

impl Executions {
    /// Starts the execution of a plan. Does nothing if this plan's execution exists.
    pub async fn start(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        planned: &[PlannedStep],
    ) -> Result<Option<()>, ExecutionError> {
        let mut replaced = None;
        for _ in 0..START_TRIES {
            let Some((former, kept)) = self.load_kept(scope).await? else { return Ok(None) };
            if former.plan_id.as_ref() == Some(plan_id) {
                return Ok(Some(()));
            }
            if is_running(&former) {
                return Err(ExecutionError::StillRunning);
            }
            // Another plan came first, and it may be newer than this one.
            if *replaced.get_or_insert(former.plan_id.clone()) != former.plan_id {
                break;
            }
            let writes = self.start_writes(scope, plan_id, planned, &kept)?;
            if self.table.transact(writes).await? {
                return Ok(Some(()));
            }
            // Another call came first, or a step of the former plan has moved.
        }
        Err(StoreError::Contended.into())
    }

    fn start_writes(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        planned: &[PlannedStep],
        kept: &Kept,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let (plan_id_now, started_at) = (Some(plan_id.clone()), Some(Timestamp::now()));
        let replaced = &kept.header;
        let used_before = replaced.value.used_before;
        let header = Header { plan_id: plan_id_now, started_at, used_before, ..Header::default() };
        let version = first_version();
        let header = self.with_marks(header, planned.len(), version);
        let header = self
            .table
            .put_in_transaction(&header_key(scope, self.track), &header, replaced.version + 1)?
            .condition_expression("version = :version")
            .expression_attribute_values(":version", number(replaced.version));
        let mut writes = vec![header.into_write()?];
        let running = || AttributeValue::S(Phase::Running.as_str().to_owned());
        for (number, planned) in (1..).zip(planned) {
            let PlannedStep { description, prompt, .. } = planned.clone();
            let step = Step::new(plan_id.clone(), number, description, prompt);
            let put = self
                .table
                .put_in_transaction(&self.step_key(scope, number), &step, version)?
                .condition_expression(IS_IDLE)
                .expression_attribute_values(":running", running());
            writes.push(put.into_write()?);
        }
        // Of any plan: a change that begins leaves the steps of the one before it in their places.
        for number in kept.places.iter().filter(|number| **number as usize > planned.len()) {
            let delete = self
                .table
                .delete_in_transaction(&self.step_key(scope, *number))
                .condition_expression(IS_IDLE)
                .expression_attribute_values(":running", running());
            writes.push(delete.into_write()?);
        }
        Ok(writes)
    }

    /// Appends the step that `step` makes from its number; deletes old steps beyond `keep`, but none that runs.
    ///
    /// For a track without a plan, whose steps arrive one by one.
    pub async fn add(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        keep: u32,
        step: impl Fn(u32) -> Step,
    ) -> Result<Option<Step>, ExecutionError> {
        if self.start(scope, plan_id, &[]).await?.is_none() {
            return Ok(None);
        }
        loop {
            let Some((present, kept)) = self.load_kept(scope).await? else { return Ok(None) };
            let number = present.steps.last().map_or(1, |last| last.number + 1);
            let added = step(number);
            let key = self.step_key(scope, number);
            if self.table.put_new_at(&key, &added, first_version()).await? {
                let surplus = (present.steps.len() + 1).saturating_sub(keep as usize);
                self.forget(scope, surplus, &present.steps, &kept.versions).await?;
                return Ok(Some(added));
            }
        }
    }

    /// Deletes the oldest `surplus` steps: of those that have ended, then of those that wait. A step that is at work stays,
    /// and so does one that has moved since it was read: without its item, its report would end its run.
    async fn forget(
        &self,
        scope: Scope,
        surplus: usize,
        steps: &[Step],
        versions: &Versions,
    ) -> Result<(), StoreError> {
        let has_ended = |step: &&Step| step.phase.has_ended();
        let waits = |step: &&Step| step.phase.is_waiting();
        let ended = steps.iter().filter(has_ended);
        let oldest = ended.chain(steps.iter().filter(waits)).take(surplus);
        for step in oldest {
            let Some(version) = versions.get(&Place::Step(step.number)) else { continue };
            let delete = self
                .table
                .delete_in_transaction(&self.step_key(scope, step.number))
                .condition_expression("version = :version")
                .expression_attribute_values(":version", number(*version));
            self.table.transact(vec![delete.into_write()?]).await?;
        }
        Ok(())
    }
}

fn is_running(execution: &Execution) -> bool {
    let all = execution.steps.iter().chain(&execution.rollback);
    all.into_iter().any(|step| step.phase.is_running())
}
