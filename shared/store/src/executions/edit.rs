//! Carries out an owner's edit of a command that waits, and records it.

use super::{ExecutionError, Executions};
use crate::Stored;
use crate::audit::decision_write;
use crate::table::Change;
use domain::Scope;
use domain::audit::{Actor, DecisionRecord, Verdict};
use domain::step::{Applied, Command, Event, Step, StepEdit};

impl Executions {
    /// Replaces a waiting command with its owner's text and records the edit, both or neither. Returns the step
    /// afterward, and whether this call changed it. If an edit and an approval come at the same time, one is refused.
    pub async fn edit(
        &self,
        scope: Scope,
        edit: &StepEdit,
        command: &Command,
        by: &Actor,
    ) -> Result<(Step, bool), ExecutionError> {
        let event = Event::Edit { edit: edit.clone(), command: command.clone(), by: by.clone() };
        self.modify_step(scope, edit.step_number, |stored: Stored<Step>| {
            let Stored { value: step, version } = stored;
            if step.plan_id != edit.plan_id {
                return Err(ExecutionError::StalePlan);
            }
            Ok(match step.apply(event.clone())? {
                Applied::Changed(next) => {
                    let by = by.clone();
                    let record = DecisionRecord::new(self.track, Verdict::Edited, &step, &next, by);
                    let mut records = vec![decision_write(&self.table, scope, &record)?];
                    records.extend(self.mark_write(scope, (&next, version + 1))?);
                    Change::Write((*next).clone(), ((*next, true), records))
                }
                Applied::Ignored => Change::Keep(((step, false), Vec::new())),
            })
        })
        .await
    }
}
