//! A project's changes.
//!
//! The pipeline's item names the current change. To begin a change, the store first copies what the project says and
//! what it ran into items of the previous change, each batch only as long as the pipeline is still the one that was
//! read. Then one transaction switches the project to the new change: the pipeline goes back to its first stage, the
//! plans and the executions begin empty, and the requirements stay and wait for their agent. If two changes begin at
//! once, one of them finds that the pipeline has changed and is refused.
//!
//! Only a tear-down begins on a change that is not completed: once a step has run, resources may exist that cost their
//! owner money.

mod abandon;
mod begin;
mod past;

use crate::audit::Audit;
use crate::costs::CostBook;
use crate::executions::{Executions, Header, header_key};
use crate::keys::partition;
use crate::plans::{PlanKind, plan_key, requirements_key};
use crate::table::{Key, Table};
use crate::{StoreError, Stored, documentation, pipelines};
use aws_sdk_dynamodb::types::TransactWriteItem;
use domain::change::{Change, ChangeKind, ChangeRefusal, ChangeStatus, FIRST};
use domain::document::DocumentId;
use domain::estimate::Used;
use domain::plan::{Plan, PlanStatus, Requirements};
use domain::stage::Pipeline;
use domain::step::Track;
use domain::{AgentId, MicroDollars, Scope, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use past::Past;

/// The most items that are copied in one transaction; large items are copied in smaller batches.
const COPIED_AT_ONCE: usize = 20;
/// Plans, with the document names under which a change keeps them.
const PLANS: [(PlanKind, DocumentId); 3] = [
    (PlanKind::Architecture, DocumentId::Architecture),
    (PlanKind::Implementation, DocumentId::Implementation),
    (PlanKind::Validation, DocumentId::Validation),
];

/// The changes of the table.
#[derive(Clone, Debug)]
pub struct Changes {
    table: Table,
    executions: Executions,
    costs: CostBook,
    audit: Audit,
}

/// A change and its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The change.
    pub change: Change,
    /// Whether the project's stages belong to it.
    pub current: bool,
    /// Its status; if it has ended, how.
    pub status: ChangeStatus,
    /// Time of the end.
    pub ended_at: Option<Timestamp>,
    /// What it has cost.
    pub cost: MicroDollars,
}

/// Why a change could not begin or be abandoned.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The rules do not allow it.
    #[error(transparent)]
    Refused(#[from] ChangeRefusal),
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The parts of a project that are read before a change begins or ends.
struct Standing {
    pipeline: Stored<Pipeline>,
    requirements: Stored<Requirements>,
    plans: Vec<Stored<Plan>>,
    headers: Vec<(Track, Stored<Header>)>,
    steps: u32,
    checks: u32,
    cost: MicroDollars,
    used: Used,
}

impl Standing {
    /// What the agent of a track's executions has used; only the execution agent's usage is measured.
    fn used_on(&self, track: Track) -> Used {
        if track == Track::Execution { self.used } else { Used::default() }
    }
}

fn change_key(scope: Scope, number: u32) -> Key {
    Key::new(partition(scope), format!("CHANGE#{number:06}"))
}

impl Changes {
    /// The changes in `table`.
    pub fn new(table: &Table) -> Self {
        Self {
            table: table.clone(),
            executions: Executions::new(table),
            costs: CostBook::new(table),
            audit: Audit::new(table),
        }
    }

    /// All changes of a project, the newest first; `None` when there is no such project for this installation.
    pub async fn list(&self, scope: Scope) -> Result<Option<Vec<Listed>>, StoreError> {
        let (pipeline, mut changes, costs) =
            tokio::try_join!(self.pipeline(scope), self.stored(scope), self.costs.get(scope),)?;
        let Some(pipeline) = pipeline else { return Ok(None) };
        if changes.is_empty() {
            changes.push(self.first(scope).await?);
        }
        let cost = costs.unwrap_or_default().micro_usd;
        let listed = |change: &Change| listed(change.clone(), &pipeline.value, cost, &changes);
        Ok(Some(changes.iter().rev().map(listed).collect()))
    }

    async fn stored(&self, scope: Scope) -> Result<Vec<Change>, StoreError> {
        let rows = self.query::<Change>(scope, "CHANGE#").await?;
        Ok(rows.into_iter().map(|(_, stored)| stored.value).collect())
    }

    /// A change after the first, or one that another change has followed.
    pub async fn get(&self, scope: Scope, number: u32) -> Result<Option<Change>, StoreError> {
        Ok(self.table.get(&change_key(scope, number)).await?.map(|stored| stored.value))
    }

    /// The change to which the project's stages belong, unless it is the first: agents plan it against what exists.
    pub async fn under_way(&self, scope: Scope) -> Result<Option<Change>, StoreError> {
        let Some(pipeline) = self.pipeline(scope).await? else { return Ok(None) };
        match pipeline.value.change {
            FIRST => Ok(None),
            number => self.get(scope, number).await,
        }
    }

    /// The first change of a project that has no other.
    async fn first(&self, scope: Scope) -> Result<Change, StoreError> {
        let project = crate::projects::Projects::new(&self.table).get(scope).await?;
        Ok(Change {
            number: FIRST,
            kind: ChangeKind::Change,
            wish: String::new(),
            on_top_of: 0,
            by: None,
            begun_at: project.map_or_else(Timestamp::now, |project| project.created_at),
            cost_before: MicroDollars::ZERO,
            end: None,
            stages_before: None,
        })
    }

    async fn standing(&self, scope: Scope) -> Result<Option<Standing>, ChangeError> {
        // Read the pipeline first, so that the condition on it covers everything that is read after it.
        let Some(pipeline) = self.pipeline(scope).await? else { return Ok(None) };
        let lost = || StoreError::dynamo_shape("a project's items");
        let plan = async |kind| {
            let stored = self.table.get::<Plan>(&plan_key(scope, kind)).await?;
            stored.ok_or_else(lost)
        };
        let requirements = async {
            self.table.get::<Requirements>(&requirements_key(scope)).await?.ok_or_else(lost)
        };
        let (requirements, architecture, implementation, checks, costs, used) = tokio::try_join!(
            requirements,
            plan(PlanKind::Architecture),
            plan(PlanKind::Implementation),
            plan(PlanKind::Validation),
            self.costs.get(scope),
            self.costs.of_agent(scope, AgentId::Executor),
        )?;
        let plans = vec![architecture, implementation, checks];
        if plans.iter().any(|plan| plan.value.status == PlanStatus::Generating) {
            return Err(ChangeRefusal::BeingWritten.into());
        }
        let (mut headers, mut counts) = (Vec::new(), Vec::new());
        for track in [Track::Execution, Track::Validation] {
            // The header first, so that the condition on it covers every step that moves after it is read.
            let header = self.table.get::<Header>(&header_key(scope, track)).await?;
            let execution = self.executions.on(track).load(scope).await?.unwrap_or_default();
            if execution.steps.iter().chain(&execution.rollback).any(|step| step.phase.is_at_work())
            {
                return Err(ChangeRefusal::Running.into());
            }
            counts.push(u32::try_from(execution.steps.len()).unwrap_or(u32::MAX));
            headers.push((track, header.ok_or_else(lost)?));
        }
        let again = self.executions.on(Track::Drift).load(scope).await?;
        if again.is_some_and(|again| again.is_rechecking()) {
            return Err(ChangeRefusal::Running.into());
        }
        Ok(Some(Standing {
            pipeline,
            requirements,
            plans,
            headers,
            steps: counts[0],
            checks: counts[1],
            cost: costs.unwrap_or_default().micro_usd,
            used: used.into(),
        }))
    }

    async fn pipeline(&self, scope: Scope) -> Result<Option<Stored<Pipeline>>, StoreError> {
        self.table.get(&pipelines::key(scope)).await
    }

    async fn query<T: DeserializeOwned>(
        &self,
        scope: Scope,
        prefix: &str,
    ) -> Result<Vec<(String, Stored<T>)>, StoreError> {
        self.table.query(&partition(scope), prefix).await
    }

    fn replacing<T: Serialize, F>(
        &self,
        key: &Key,
        former: &Stored<F>,
        next: &T,
    ) -> Result<TransactWriteItem, StoreError> {
        self.table.replacement(key, former.version, next)
    }

    /// Whether a step or a check of this change, which is the current one, has run.
    async fn has_run(&self, scope: Scope, current: &Change) -> Result<bool, StoreError> {
        let built = |track: Track| matches!(track, Track::Execution | Track::Validation);
        let runs = self.audit.runs(scope).await?;
        Ok(runs.iter().any(|run| run.ended_at >= current.begun_at && built(run.track)))
    }

    /// The documentation, for a rollback.
    async fn documentation(
        &self,
        scope: Scope,
    ) -> Result<Option<Stored<documentation::Documentation>>, StoreError> {
        self.table.get(&documentation::key(scope)).await
    }
}

/// A change as it is listed, with its own cost: what the project's cost grew by while it was current, without the changes
/// on top of it that were taken back. After such a change, the same change is current again.
fn listed(change: Change, pipeline: &Pipeline, cost_now: MicroDollars, all: &[Change]) -> Listed {
    let current = change.number == pipeline.change;
    let (status, ended_at, cost) = match &change.end {
        Some(end) if !current => (end.status, Some(end.at), end.cost),
        _ if pipeline.is_done() => (ChangeStatus::Completed, pipeline.completed_at, cost_now),
        _ => (ChangeStatus::InProgress, None, cost_now),
    };
    let taken_back = all.iter().filter(|other| other.on_top_of == change.number);
    let others: i64 = taken_back.filter_map(Change::cost_if_taken_back).map(|cost| cost.0).sum();
    let cost = MicroDollars(cost.0 - change.cost_before.0 - others);
    Listed { current, status, ended_at, cost, change }
}
