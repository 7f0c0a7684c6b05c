//! The documents of the planning agents: requirements, architecture and implementation plan.

use crate::StoreError;
use crate::keys::partition;
use crate::table::{Change, Key, Table};
use crate::versions::{rewrite, rewrite_if};
use aws_sdk_dynamodb::types::builders::PutBuilder;
use domain::cut::cut;
use domain::document::{DocumentId, Fingerprint};
use domain::plan::{Plan, PlanStatus, PlannedStep, Requirements};
use domain::requirement::{Requirement, Wish};
use domain::step::MAX_ERROR_CHARS;
use domain::{PlanId, RunId, Scope, Timestamp};
use std::sync::{Mutex, PoisonError};

/// The kinds of plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanKind {
    /// Written by the cloud architect.
    Architecture,
    /// Written by the implementation planner.
    Implementation,
    /// Written by the validator; its steps are the checks.
    Validation,
}

impl PlanKind {
    pub(crate) fn document(self) -> DocumentId {
        match self {
            Self::Architecture => DocumentId::Architecture,
            Self::Implementation => DocumentId::Implementation,
            Self::Validation => DocumentId::Validation,
        }
    }
}

/// A plan, as its agent submits it.
#[derive(Debug, Clone, Copy)]
pub struct Writing<'a> {
    /// Markdown.
    pub text: &'a str,
    /// The steps of an implementation plan, the checks of a validation plan.
    pub steps: &'a [PlannedStep],
    /// The documents that the agent had read; `None` if unknown, and then the plan never counts as out of date.
    pub written_from: Option<&'a Fingerprint>,
}

/// What a writing of a plan came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// The plan has this id now.
    As(PlanId),
    /// Nothing was written, because a run of an agent is writing this plan, or another one has begun.
    InUse,
    /// Nothing was written, because there is no such project.
    NoProject,
}

/// The plans of the table.
///
/// A plan has one writer at a time. While an agent's run writes it, a conversation cannot, because the run would replace
/// its text with one that knows nothing of the conversation.
#[derive(Clone, Debug)]
pub struct Plans {
    pub(crate) table: Table,
    /// The run that writes; `None` for a conversation.
    run: Option<RunId>,
}

pub(crate) fn requirements_key(scope: Scope) -> Key {
    Key::new(partition(scope), "REQUIREMENTS")
}

pub(crate) fn plan_key(scope: Scope, kind: PlanKind) -> Key {
    let sk = match kind {
        PlanKind::Architecture => "ARCHITECTURE",
        PlanKind::Implementation => "IMPLEMENTATION",
        // Not "VALIDATION…", because the checks' own keys begin with that.
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
        Self { table: table.clone(), run: None }
    }

    /// The same, for a run that writes a plan.
    #[must_use]
    pub fn of_run(&self, run_id: &RunId) -> Self {
        Self { run: Some(run_id.clone()), ..self.clone() }
    }

    /// The requirements; `None` if this installation has no such project.
    pub async fn requirements(&self, scope: Scope) -> Result<Option<Requirements>, StoreError> {
        Ok(self.table.get(&requirements_key(scope)).await?.map(|stored| stored.value))
    }

    /// Replaces the requirements with their new text and keeps the former one; `false` if the project does not exist.
    pub async fn put_requirements(
        &self,
        scope: Scope,
        content: &str,
        wishes: &[Wish],
        ready_to_continue: bool,
    ) -> Result<bool, StoreError> {
        let written = self.renew_requirements(scope, content, (wishes, &[]), ready_to_continue);
        written.await.map(|gone| gone.is_some())
    }

    /// The same, with what the user said that no request comes from; returns the requirements that are no longer listed,
    /// or `None` if the project does not exist.
    pub async fn renew_requirements(
        &self,
        scope: Scope,
        content: &str,
        (wishes, unread): (&[Wish], &[String]),
        ready_to_continue: bool,
    ) -> Result<Option<Vec<Requirement>>, StoreError> {
        let place = (requirements_key(scope), scope, DocumentId::Requirements);
        // The write may be repeated; the last try counts.
        let gone = Mutex::new(Vec::new());
        let written = rewrite(&self.table, place, |former: Requirements| {
            let said = (wishes.to_vec(), unread.to_vec());
            let next = former.rewritten(content, said, ready_to_continue);
            *gone.lock().unwrap_or_else(PoisonError::into_inner) = former.asked.gone(&next.asked);
            next
        });
        let written = written.await?;
        Ok(written.map(|_| gone.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }

    /// A plan; `None` if this installation has no such project.
    pub async fn get(&self, scope: Scope, kind: PlanKind) -> Result<Option<Plan>, StoreError> {
        Ok(self.table.get(&plan_key(scope, kind)).await?.map(|stored| stored.value))
    }

    /// Marks the plan as being written by a run; `false` if that run has already ended.
    pub async fn generating(
        &self,
        scope: Scope,
        kind: PlanKind,
        run_id: &RunId,
    ) -> Result<bool, StoreError> {
        let began = self.table.modify(plan_key(scope, kind), |plan: Plan| {
            let ended =
                plan.run_id.as_ref() == Some(run_id) && plan.status != PlanStatus::Generating;
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

    /// Writes a plan with unknown sources, and gives it a new id.
    pub async fn put(
        &self,
        scope: Scope,
        kind: PlanKind,
        text: &str,
        steps: &[PlannedStep],
    ) -> Result<Option<PlanId>, StoreError> {
        let written = self.write(scope, kind, Writing { text, steps, written_from: None }).await?;
        Ok(if let Written::As(id) = written { Some(id) } else { None })
    }

    /// Writes a plan and its steps, gives it a new id, and keeps the former text.
    pub async fn write(
        &self,
        scope: Scope,
        kind: PlanKind,
        writing: Writing<'_>,
    ) -> Result<Written, StoreError> {
        let place = (plan_key(scope, kind), scope, kind.document());
        let written = rewrite_if(&self.table, place, |former: Plan| {
            let is_free = match &self.run {
                None => former.status != PlanStatus::Generating,
                run => former.run_id == *run,
            };
            let now = Some(Timestamp::now());
            is_free.then(|| Plan {
                status: PlanStatus::Ready,
                text: writing.text.to_owned(),
                plan_id: Some(PlanId::random()),
                steps: writing.steps.to_vec(),
                detail: None,
                updated_at: now,
                written_at: now,
                written_from: writing.written_from.cloned(),
                ..former
            })
        });
        Ok(match written.await? {
            Some(Some(plan)) => plan.plan_id.map_or(Written::NoProject, Written::As),
            Some(None) => Written::InUse,
            None => Written::NoProject,
        })
    }

    /// Writes the report on a plan's results; `false` if the project does not exist.
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

    /// Says what a run that still writes its plan waits for; `None` when the wait is over.
    pub async fn waiting(
        &self,
        scope: Scope,
        kind: PlanKind,
        run_id: &RunId,
        notice: Option<&str>,
    ) -> Result<(), StoreError> {
        let said = self.table.modify(plan_key(scope, kind), |plan: Plan| {
            let detail = notice.map(|notice| cut(notice, MAX_ERROR_CHARS));
            let still =
                plan.status == PlanStatus::Generating && plan.run_id.as_ref() == Some(run_id);
            Ok::<_, StoreError>(match still && plan.detail != detail {
                true => Change::Write(Plan { detail, ..plan }, ()),
                false => Change::Keep(()),
            })
        });
        said.await.map(drop)
    }

    /// Ends a run that wrote nothing; a plan that the run did write stays ready.
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
                    detail: Some(cut(detail, MAX_ERROR_CHARS)),
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
