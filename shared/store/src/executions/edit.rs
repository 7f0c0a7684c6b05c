//! Carries out an owner's edit of a command that waits, and records it.
//!
//! An edit costs its owner nothing, and each is a record with a script that every reader of the audit reads. So an
//! attempt has a limited number of edits, and a record keeps only what the edit changed: the agent's own text and the
//! rollback are in the record of the approval.

use super::{ExecutionError, Executions, StepAfter};
use crate::audit::decision_write;
use crate::keys::partition;
use crate::table::{Change, IntoWrite, Key, number};
use crate::{StoreError, Stored};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::Scope;
use domain::audit::{Actor, DecisionRecord, Verdict};
use domain::step::{Applied, Command, Event, Step, StepEdit};
use serde::Deserialize;

/// The most edits of one attempt's command. Edits at the same time may exceed it by their number.
pub const EDITS_PER_ATTEMPT: u32 = 100;

/// How often the command of an attempt was edited.
#[derive(Deserialize)]
struct Edits {
    edits: u32,
}

impl Executions {
    /// Replaces a waiting command with its owner's text and records the edit, both or neither. If an edit and an approval
    /// come at the same time, one is refused.
    pub async fn edit(
        &self,
        scope: Scope,
        edit: &StepEdit,
        command: &Command,
        by: &Actor,
    ) -> Result<StepAfter, ExecutionError> {
        let count = self.edits_key(scope, edit);
        let edits = self.table.get::<Edits>(&count).await?.map_or(0, |count| count.value.edits);
        let event = Event::Edit { edit: edit.clone(), command: command.clone(), by: by.clone() };
        self.modify_step(scope, edit.step_number, |stored: Stored<Step>| {
            let Stored { value: step, version } = stored;
            if step.plan_id != edit.plan_id {
                return Err(ExecutionError::StalePlan);
            }
            Ok(match step.apply(event.clone())? {
                Applied::Changed(_) if edits >= EDITS_PER_ATTEMPT => {
                    return Err(ExecutionError::TooManyEdits);
                }
                Applied::Changed(next) => {
                    let record = self.record(&step, &next, by);
                    let mut records = vec![decision_write(&self.table, scope, &record)?];
                    records.push(self.counting(&count)?);
                    records.extend(self.mark_write(scope, (&next, version + 1), true)?);
                    Change::Write((*next).clone(), (StepAfter::changed(*next), records))
                }
                Applied::Ignored => Change::Keep((StepAfter::kept(step), Vec::new())),
            })
        })
        .await
    }

    fn record(&self, before: &Step, after: &Step, by: &Actor) -> DecisionRecord {
        let record = DecisionRecord::new(self.track, Verdict::Edited, before, after, by.clone());
        let command = record.command.map(|command| Command::new(command.script));
        DecisionRecord { command, ..record }
    }

    fn edits_key(&self, scope: Scope, edit: &StepEdit) -> Key {
        let StepEdit { plan_id, step_number, attempt, .. } = edit;
        let track = self.track.as_str();
        let sk = format!("EDITS#{track}#{plan_id}#{step_number:06}#{attempt:06}");
        Key::new(partition(scope), sk)
    }

    fn counting(&self, count: &Key) -> Result<TransactWriteItem, StoreError> {
        let update = self
            .table
            .update_in_transaction(count)
            .update_expression("ADD edits :one")
            .expression_attribute_values(":one", number(1));
        update.into_write()
    }
}
