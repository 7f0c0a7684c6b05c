//! Ends a change that is not completed, either before any of it has run or once its rollback has run.
//!
//! Waiting steps are put back one by one, each only if it has not begun to run: an earlier approval ends this attempt,
//! and a later one finds a completed step. Then one transaction restores the documents and the pipeline. A crash in
//! between leaves a change that is under way and can be abandoned again.

use super::{ChangeError, Changes, Listed, PLANS, Past, Standing, change_key, listed};
use crate::executions::{Executions, Header, first_version, header_key};
use crate::plans::{plan_key, requirements_key};
use crate::table::{Change as Written, IntoWrite, Table, number};
use crate::versions::taken_back;
use crate::{StoreError, Stored, documentation, pipelines};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::change::{Change, ChangeRefusal, ChangeStatus, End, FIRST};
use domain::document::DocumentId;
use domain::stage::Pipeline;
use domain::step::{Step, Track};
use domain::{Scope, Timestamp};

impl Changes {
    /// Abandons the current change; `None` when there is no such project, or no such change of it.
    pub async fn abandon(&self, scope: Scope, wanted: u32) -> Result<Option<Listed>, ChangeError> {
        let Some(standing) = self.standing(scope).await? else { return Ok(None) };
        let Some(change) = self.table.get::<Change>(&change_key(scope, wanted)).await? else {
            return if wanted == FIRST { Err(ChangeRefusal::NotUnderWay.into()) } else { Ok(None) };
        };
        let pipeline = &standing.pipeline.value;
        if wanted == FIRST || pipeline.change != wanted || pipeline.is_done() {
            return Err(ChangeRefusal::NotUnderWay.into());
        }
        let ran = self.has_run(scope, &change.value).await?;
        if ran && !self.rollback_has_succeeded(scope).await? {
            return Err(ChangeRefusal::HasRun.into());
        }
        let base = change.value.on_top_of;
        let former = self.table.get::<Change>(&change_key(scope, base)).await?;
        let (Some(past), Some(former)) = (self.past(scope, base).await?, former) else {
            return Err(StoreError::dynamo_shape("the change before").into());
        };
        // The runs are evidence, so they stay readable, like those of a completed change.
        if ran && !self.keep(scope, &standing).await? {
            return Err(StoreError::Contended.into());
        }
        for track in [Track::Execution, Track::Validation] {
            let executions = self.executions.on(track);
            let former = past.on(track).steps.clone();
            turn_back(&self.table, &executions, scope, former, ran).await?;
        }
        let end = End {
            status: if ran { ChangeStatus::RolledBack } else { ChangeStatus::Abandoned },
            at: Timestamp::now(),
            cost: standing.cost,
            steps: standing.steps,
            checks: standing.checks,
        };
        let abandoned = Change { end: Some(end), ..change.value.clone() };
        let since = former.value.end.as_ref().map_or_else(Timestamp::now, |end| end.at);
        let stages_before = change.value.stages_before.clone();
        let pipeline = stages_before.unwrap_or_else(|| Pipeline::done_with(base, since));
        let changes = self.stored(scope).await?;
        let mut writes = vec![
            self.replacing(&pipelines::key(scope), &standing.pipeline, &pipeline)?,
            self.replacing(&change_key(scope, wanted), &change, &abandoned)?,
        ];
        writes.extend(self.documents_back(scope, &standing, &past).await?);
        if !self.table.transact(writes).await? {
            return Err(StoreError::Contended.into());
        }
        Ok(Some(listed(abandoned, &pipeline, standing.cost, &changes)))
    }

    /// Whether the rollback of the current plan restored the earlier state; no step can have run since.
    async fn rollback_has_succeeded(&self, scope: Scope) -> Result<bool, StoreError> {
        let execution = self.executions.load(scope).await?.unwrap_or_default();
        Ok(execution.rollback.is_some_and(|rollback| rollback.phase.has_succeeded()))
    }

    async fn documents_back(
        &self,
        scope: Scope,
        standing: &Standing,
        past: &Past,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let place = |id| (scope, id);
        let table = &self.table;
        let mut writes = Vec::new();
        let present = &standing.requirements;
        let id = DocumentId::Requirements;
        let (next, more) = taken_back(table, place(id), &present.value, &past.requirements)?;
        writes.push(self.replacing(&requirements_key(scope), present, &next)?);
        writes.extend(more);
        let former = [&past.architecture, &past.implementation, &past.checks];
        for (((kind, id), present), former) in PLANS.into_iter().zip(&standing.plans).zip(former) {
            let (next, more) = taken_back(table, place(id), &present.value, former)?;
            writes.push(self.replacing(&plan_key(scope, kind), present, &next)?);
            writes.extend(more);
        }
        if let Some(present) = self.documentation(scope).await? {
            let id = DocumentId::Documentation;
            let (next, more) = taken_back(table, place(id), &present.value, &past.documentation)?;
            writes.push(self.replacing(&documentation::key(scope), &present, &next)?);
            writes.extend(more);
        }
        for (track, header) in &standing.headers {
            let former = past.on(*track);
            let (abandoned_from, now) = (header.value.used_before, standing.used_on(*track));
            let used_before = former.used_before.resumed(abandoned_from, now);
            let next = Header::of_change(former.plan_id.clone(), used_before);
            writes.push(self.replacing(&header_key(scope, *track), header, &next)?);
        }
        Ok(writes)
    }
}

/// Puts the previous change's steps in the places of those that wait, or of those whose change is rolled back.
async fn turn_back(
    table: &Table,
    executions: &Executions,
    scope: Scope,
    former: Vec<Step>,
    taken_back: bool,
) -> Result<(), ChangeError> {
    let waiting = executions.load(scope).await?.unwrap_or_default().steps;
    for step in &waiting {
        let key = executions.step_key(scope, step.number);
        match former.iter().find(|before| before.number == step.number) {
            Some(before) => {
                let turned = table.modify(key, |now: Step| {
                    if !taken_back && has_begun(&now) && now.plan_id != before.plan_id {
                        return Err(ChangeError::from(ChangeRefusal::HasRun));
                    }
                    Ok(Written::Write(before.clone(), ()))
                });
                turned.await?;
            }
            None => {
                let Some(now) = table.get::<Step>(&key).await? else { continue };
                let begun = !taken_back && has_begun(&now.value);
                if begun || !table.transact(vec![gone(table, &key, &now)?]).await? {
                    return Err(ChangeRefusal::HasRun.into());
                }
            }
        }
    }
    for before in former {
        let key = executions.step_key(scope, before.number);
        if !waiting.iter().any(|step| step.number == before.number) {
            // The step belongs to the previous change, or is gone; either way its place is free.
            table.take::<Step>(&key).await?;
            table.put_new_at(&key, &before, first_version()).await?;
        }
    }
    Ok(())
}

fn gone(
    table: &Table,
    key: &crate::table::Key,
    step: &Stored<Step>,
) -> Result<TransactWriteItem, StoreError> {
    let delete = table
        .delete_in_transaction(key)
        .condition_expression("version = :version")
        .expression_attribute_values(":version", number(step.version));
    delete.into_write()
}

/// Whether a step was handed to the sandbox at least once.
fn has_begun(step: &Step) -> bool {
    step.approval.is_some() || (step.phase.is_past_approval() && !step.phase.has_failed())
}
