//! Begins a change.
//!
//! The store first copies what the project says and ran, then one transaction switches the project to the new change. A
//! crash in between leaves copies that the next beginning replaces.

use super::{
    COPIED_AT_ONCE, ChangeError, Changes, Listed, PLANS, Standing, change_key, listed, past,
};
use crate::executions::{Header, header_key};
use crate::plans::{plan_key, requirements_key};
use crate::table::{IntoWrite, Key, batches, number};
use crate::versions::keeping;
use crate::{StoreError, Stored, pipelines};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::audit::Actor;
use domain::change::{Change, ChangeKind, ChangeRefusal, ChangeStatus, End, FIRST, MAX_CHANGES};
use domain::plan::{Plan, Requirements};
use domain::stage::Pipeline;
use domain::{Scope, Timestamp};
use serde::Serialize;

impl Changes {
    /// Begins a change on top of the current one; `None` if this installation has no such project.
    pub async fn begin(
        &self,
        scope: Scope,
        kind: ChangeKind,
        wish: &str,
        by: &Actor,
    ) -> Result<Option<Listed>, ChangeError> {
        let Some(standing) = self.standing(scope).await? else { return Ok(None) };
        let stages = standing.pipeline.value.clone();
        let before = stages.change;
        let former = match self.table.get::<Change>(&change_key(scope, before)).await? {
            Some(stored) => stored.value,
            None => self.first(scope).await?,
        };
        if !stages.is_done() {
            self.may_leave_unfinished(scope, kind, &former).await?;
        } else if former.kind == ChangeKind::TearDown {
            return Err(ChangeRefusal::TornDown.into());
        }
        let last = self.last_number(scope).await?.max(before);
        if last >= MAX_CHANGES {
            return Err(ChangeRefusal::TooMany.into());
        }
        if !self.keep(scope, &standing).await? {
            return Err(self.lost(scope, before).await);
        }
        let change = Change {
            number: last + 1,
            kind,
            wish: wish.to_owned(),
            on_top_of: before,
            by: Some(by.clone()),
            begun_at: Timestamp::now(),
            cost_before: standing.cost,
            end: None,
            stages_before: (!stages.is_done()).then_some(stages),
        };
        let writes = self.turn_over(scope, &standing, former, &change)?;
        if !self.table.transact(writes).await? {
            return Err(self.lost(scope, before).await);
        }
        let cost = change.cost_before;
        Ok(Some(listed(
            change.clone(),
            &Pipeline::for_change(change.number, change.kind),
            cost,
            &[],
        )))
    }

    /// Refuses to leave an uncompleted change, unless a step of it has run and the new change is a tear-down.
    async fn may_leave_unfinished(
        &self,
        scope: Scope,
        kind: ChangeKind,
        former: &Change,
    ) -> Result<(), ChangeError> {
        let refusal = match (kind, former.number) {
            (ChangeKind::TearDown, _) if former.kind == ChangeKind::TearDown => {
                ChangeRefusal::UnderWay(former.number)
            }
            (ChangeKind::TearDown, _) if self.has_run(scope, former).await? => return Ok(()),
            (ChangeKind::TearDown, FIRST) => ChangeRefusal::NothingRan,
            (ChangeKind::Change, FIRST) => ChangeRefusal::NotBuilt,
            (_, number) => ChangeRefusal::UnderWay(number),
        };
        Err(refusal.into())
    }

    /// Why a transaction found that the project had changed since it was read.
    async fn lost(&self, scope: Scope, before: u32) -> ChangeError {
        match self.pipeline(scope).await {
            Ok(Some(now)) if now.value.change != before => {
                ChangeRefusal::UnderWay(now.value.change).into()
            }
            Ok(_) => StoreError::Contended.into(),
            Err(error) => error.into(),
        }
    }

    async fn last_number(&self, scope: Scope) -> Result<u32, StoreError> {
        Ok(self.stored(scope).await?.last().map_or(FIRST, |change| change.number))
    }

    /// The transaction that begins a change, once everything of the previous one is kept.
    fn turn_over(
        &self,
        scope: Scope,
        standing: &Standing,
        former: Change,
        change: &Change,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let pipeline = Pipeline::for_change(change.number, change.kind);
        let stages = &standing.pipeline.value;
        let status = match stages.is_done() {
            true => ChangeStatus::Completed,
            false => ChangeStatus::Unfinished,
        };
        let end = End {
            status,
            at: stages.completed_at.unwrap_or(change.begun_at),
            cost: standing.cost,
            steps: standing.steps,
            checks: standing.checks,
        };
        let former = Change { end: Some(end), ..former };
        let requirements =
            Requirements { ready_to_continue: false, ..standing.requirements.value.clone() };
        let mut writes = vec![
            self.replacing(&pipelines::key(scope), &standing.pipeline, &pipeline)?,
            self.putting(&change_key(scope, former.number), &former)?,
            self.putting_new(&change_key(scope, change.number), change)?,
            self.replacing(&requirements_key(scope), &standing.requirements, &requirements)?,
        ];
        for ((kind, id), plan) in PLANS.into_iter().zip(&standing.plans) {
            writes.extend(keeping(&self.table, (scope, id), &plan.value)?);
            let (number, run_id) = (plan.value.number, plan.value.run_id.clone());
            let empty = Plan { number, run_id, ..Plan::default() };
            writes.push(self.replacing(&plan_key(scope, kind), plan, &empty)?);
        }
        for (track, header) in &standing.headers {
            let key = header_key(scope, *track);
            let empty = Header::of_change(None, standing.used_on(*track));
            writes.push(self.replacing(&key, header, &empty)?);
        }
        Ok(writes)
    }

    /// Copies what the project says and what it ran into the past of its current change; `false` if the pipeline is no
    /// longer the one that was read.
    pub(super) async fn keep(&self, scope: Scope, standing: &Standing) -> Result<bool, StoreError> {
        let number = standing.pipeline.value.change;
        let copies = past::copies(&self.table, scope, number).await?;
        let copying = |(key, item)| Ok(vec![self.putting(&key, &item)?]);
        let copies = copies.into_iter().map(copying).collect::<Result<_, StoreError>>()?;
        for batch in batches(copies, COPIED_AT_ONCE) {
            let writes = [vec![self.unchanged(scope, &standing.pipeline)?], batch].concat();
            if !self.table.transact(writes).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The condition that the pipeline is still the one that was read.
    fn unchanged(
        &self,
        scope: Scope,
        pipeline: &Stored<Pipeline>,
    ) -> Result<TransactWriteItem, StoreError> {
        let check = self
            .table
            .check_in_transaction(&pipelines::key(scope))
            .condition_expression("version = :version")
            .expression_attribute_values(":version", number(pipeline.version));
        check.into_write()
    }

    fn putting<T: Serialize>(&self, key: &Key, value: &T) -> Result<TransactWriteItem, StoreError> {
        let put = self.table.put_in_transaction(key, value, 1)?;
        put.into_write()
    }

    fn putting_new<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
    ) -> Result<TransactWriteItem, StoreError> {
        let put = self.table.put_in_transaction(key, value, 1)?;
        let put = put.condition_expression("attribute_not_exists(pk)");
        put.into_write()
    }
}
