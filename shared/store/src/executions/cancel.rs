//! Carries out an owner's cancellation of what is under way, and records it.

use super::front::Needs;
use super::{ExecutionError, Executions, StepAfter};
use crate::Stored;
use crate::audit::decision_write;
use crate::table::Change;
use domain::audit::{Actor, DecisionRecord, Verdict};
use domain::step::{Applied, Event, Step};
use domain::{PlanId, RunId, Scope};

impl Executions {
    /// Cancels this run of a step and records it, both or neither. A run that has ended or is already canceled stays as
    /// it is.
    pub async fn cancel(
        &self,
        scope: Scope,
        plan_id: &PlanId,
        step_number: u32,
        run_id: &RunId,
        by: &Actor,
    ) -> Result<StepAfter, ExecutionError> {
        self.modify_step(scope, step_number, |stored: Stored<Step>| {
            let Stored { value: step, version } = stored;
            if &step.plan_id != plan_id {
                return Err(ExecutionError::StalePlan);
            }
            Ok(match step.apply(Event::Cancel { run_id: run_id.clone() })? {
                Applied::Changed(next) => {
                    let (track, verdict) = (self.track, Verdict::Cancelled);
                    let record = DecisionRecord::new(track, verdict, &step, &step, by.clone());
                    let mut records = vec![decision_write(&self.table, scope, &record)?];
                    let needs = Needs { plan: true, ..Needs::default() };
                    records.extend(self.front_write(scope, (&next, version + 1), needs)?);
                    Change::Write((*next).clone(), (StepAfter::changed(*next), records))
                }
                Applied::Ignored => Change::Keep((StepAfter::kept(step), Vec::new())),
            })
        })
        .await
    }
}
