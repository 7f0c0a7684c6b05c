//! The documents of the planning agents: requirements, architecture and implementation plan.

use crate::StoreError;
use crate::projects::partition;
use crate::table::{Change, Key, Table};
use aws_sdk_dynamodb::types::builders::PutBuilder;
use domain::plan::{Plan, PlanStatus, PlannedStep, Requirements};
use domain::{PlanId, RunId, Scope, Timestamp};

/// Which of the two plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanKind {
    /// Written by the cloud architect.
    Architecture,
    /// Written by the implementation planner.
    Implementation,
    /// Written by the validator; its steps are the checks.
    Validation,
}

/// The plans of the table.
#[derive(Clone, Debug)]
pub struct Plans {
    table: Table,
}

fn requirements_key(scope: Scope) -> Key {
    Key::new(partition(scope), "REQUIREMENTS")
}

fn plan_key(scope: Scope, kind: PlanKind) -> Key {
    let sk = match kind {
        PlanKind::Architecture => "ARCHITECTURE",
        PlanKind::Implementation => "IMPLEMENTATION",
        // Not "VALIDATION…": that is the beginning of the checks' own keys.
        PlanKind::Validation => "CHECK-PLAN",
    };
    Key::new(partition(scope), sk)
}

pub(crate) fn initial(table: &Table, scope: Scope) -> Result<Vec<PutBuilder>, StoreError> {
    let plan = |kind| table.put_in_transaction(&plan_key(scope, kind), &Plan::default(), 1);
    Ok(vec![
        table.put_in_transaction(&requirements_key(scope), &Requirements::default(), 1)?,
        plan(PlanKind::Architecture)?,
        plan(PlanKind::Implementation)?,
        plan(PlanKind::Validation)?,
    ])
}

impl Plans {
    /// The plans in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The requirements; `None` when there is no such project for this installation.
    pub async fn requirements(&self, scope: Scope) -> Result<Option<Requirements>, StoreError> {
        Ok(self.table.get(&requirements_key(scope)).await?.map(|stored| stored.value))
    }

    /// Writes the requirements anew; `false` when there is no such project.
    pub async fn put_requirements(
        &self,
        scope: Scope,
        content: &str,
        ready_to_continue: bool,
    ) -> Result<bool, StoreError> {
        let written = self.table.modify(requirements_key(scope), |_: Requirements| {
            Ok::<_, StoreError>(Change::Write(
                Requirements {
                    content: content.to_owned(),
                    ready_to_continue,
                    updated_at: Some(Timestamp::now()),
                },
                (),
            ))
        });
        written.await.map(|found| found.is_some())
    }

    /// A plan; `None` when there is no such project for this installation.
    pub async fn get(&self, scope: Scope, kind: PlanKind) -> Result<Option<Plan>, StoreError> {
        Ok(self.table.get(&plan_key(scope, kind)).await?.map(|stored| stored.value))
    }

    /// Notes that a run is writing the plan; `false` when that very run has already ended.
    pub async fn generating(
        &self,
        scope: Scope,
        kind: PlanKind,
        run_id: &RunId,
    ) -> Result<bool, StoreError> {
        let began = self.table.modify(plan_key(scope, kind), |plan: Plan| {
            let ended = plan.run_id.as_ref() == Some(run_id)
                && matches!(plan.status, PlanStatus::Ready | PlanStatus::Failed);
            Ok::<_, StoreError>(if ended {
                Change::Keep(false)
            } else {
                let plan = Plan {
                    status: PlanStatus::Generating,
                    run_id: Some(run_id.clone()),
                    detail: None,
                    updated_at: Some(Timestamp::now()),
                    ..plan
                };
                Change::Write(plan, true)
            })
        });
        began.await.map(|found| found.unwrap_or(false))
    }

    /// Writes a plan, with its steps when it is the implementation's, and gives it a new id.
    pub async fn put(
        &self,
        scope: Scope,
        kind: PlanKind,
        text: &str,
        steps: &[PlannedStep],
    ) -> Result<Option<PlanId>, StoreError> {
        self.table
            .modify(plan_key(scope, kind), |plan: Plan| {
                let plan_id = PlanId::random();
                let plan = Plan {
                    status: PlanStatus::Ready,
                    text: text.to_owned(),
                    plan_id: Some(plan_id.clone()),
                    steps: steps.to_vec(),
                    detail: None,
                    updated_at: Some(Timestamp::now()),
                    ..plan
                };
                Ok(Change::Write(plan, plan_id))
            })
            .await
    }

    /// Writes what a plan came to; `false` when there is no such project.
    pub async fn put_report(
        &self,
        scope: Scope,
        kind: PlanKind,
        report: &str,
    ) -> Result<bool, StoreError> {
        let written = self.table.modify(plan_key(scope, kind), |plan: Plan| {
            let report = report.to_owned();
            let updated_at = Some(Timestamp::now());
            Ok::<_, StoreError>(Change::Write(Plan { report, updated_at, ..plan }, ()))
        });
        written.await.map(|found| found.is_some())
    }

    /// Ends a run that wrote nothing; a plan that it did write stays ready.
    pub async fn failed(
        &self,
        scope: Scope,
        kind: PlanKind,
        run_id: &RunId,
        detail: &str,
    ) -> Result<(), StoreError> {
        let ended = self.table.modify(plan_key(scope, kind), |plan: Plan| {
            let still =
                plan.status == PlanStatus::Generating && plan.run_id.as_ref() == Some(run_id);
            Ok::<_, StoreError>(if still {
                let plan = Plan {
                    status: PlanStatus::Failed,
                    detail: Some(detail.to_owned()),
                    updated_at: Some(Timestamp::now()),
                    ..plan
                };
                Change::Write(plan, ())
            } else {
                Change::Keep(())
            })
        });
        ended.await.map(drop)
    }
}
