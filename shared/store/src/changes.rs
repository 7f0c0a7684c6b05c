//! A project's changes.
//!
//! The pipeline's item names the current change. Beginning one first copies what the project says and what it ran
//! into items of the change before, each batch only as long as the pipeline is still the one that was read. Then one
//! transaction turns the project over: the pipeline goes back to its first stage, the plans and the executions begin
//! empty, the requirements stay and wait for their agent's word. Of two that begin at once, one finds another
//! pipeline and is refused.

mod abandon;
mod past;

use crate::audit::Audit;
use crate::costs::CostBook;
use crate::executions::{Executions, Header, header_key};
use crate::plans::{PlanKind, plan_key, requirements_key};
use crate::projects::partition;
use crate::table::{Key, Table, built, number};
use crate::versions::keeping;
use crate::{StoreError, Stored, documentation, pipelines};
use aws_sdk_dynamodb::types::{ConditionCheck, TransactWriteItem};
use domain::audit::Actor;
use domain::change::{Change, ChangeRefusal, ChangeStatus, End, FIRST, MAX_CHANGES};
use domain::document::DocumentId;
use domain::plan::{Plan, PlanStatus, Requirements};
use domain::stage::Pipeline;
use domain::step::{Phase, Track};
use domain::{MicroDollars, Scope, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use past::Past;

/// Most items that are copied in one transaction: an item stays under 100 KB, a transaction under 4 MB.
const COPIED_AT_ONCE: usize = 20;
/// Plans, with the names under which a change keeps them.
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

/// A change and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The change.
    pub change: Change,
    /// Whether the project's stages are about it.
    pub current: bool,
    /// Where it stands, and how it ended as far as it has.
    pub status: ChangeStatus,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// What it has cost.
    pub cost: MicroDollars,
}

/// Why a change did not begin, or was not abandoned.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The rules do not allow it.
    #[error(transparent)]
    Refused(#[from] ChangeRefusal),
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What is read of a project before it is turned over.
struct Standing {
    pipeline: Stored<Pipeline>,
    requirements: Stored<Requirements>,
    plans: Vec<Stored<Plan>>,
    headers: Vec<(Track, Stored<Header>)>,
    steps: u32,
    checks: u32,
    cost: MicroDollars,
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
        let (pipeline, rows, costs) = tokio::try_join!(
            self.pipeline(scope),
            self.query::<Change>(scope, "CHANGE#"),
            self.costs.get(scope),
        )?;
        let Some(pipeline) = pipeline else { return Ok(None) };
        let mut changes: Vec<_> = rows.into_iter().map(|(_, stored)| stored.value).collect();
        if changes.is_empty() {
            changes.push(self.first(scope).await?);
        }
        let cost = costs.unwrap_or_default().micro_usd;
        let listed = changes.into_iter().map(|change| listed(change, &pipeline.value, cost));
        let mut listed: Vec<_> = listed.collect();
        listed.reverse();
        Ok(Some(listed))
    }

    /// A change that has begun after the first, or that another has followed.
    pub async fn get(&self, scope: Scope, number: u32) -> Result<Option<Change>, StoreError> {
        Ok(self.table.get(&change_key(scope, number)).await?.map(|stored| stored.value))
    }

    /// The change that the project's stages are about, if it is not the first: agents plan it against what stands.
    pub async fn under_way(&self, scope: Scope) -> Result<Option<Change>, StoreError> {
        let Some(pipeline) = self.pipeline(scope).await? else { return Ok(None) };
        match pipeline.value.change {
            FIRST => Ok(None),
            number => self.get(scope, number).await,
        }
    }

    /// The first change of a project that has begun no other.
    async fn first(&self, scope: Scope) -> Result<Change, StoreError> {
        let project = crate::projects::Projects::new(&self.table).get(scope).await?;
        Ok(Change {
            number: FIRST,
            wish: String::new(),
            on_top_of: 0,
            by: None,
            begun_at: project.map_or_else(Timestamp::now, |project| project.created_at),
            cost_before: MicroDollars::ZERO,
            end: None,
        })
    }

    /// Begins a change on top of what stands; `None` when there is no such project for this installation.
    pub async fn begin(
        &self,
        scope: Scope,
        wish: &str,
        by: &Actor,
    ) -> Result<Option<Listed>, ChangeError> {
        let Some(standing) = self.standing(scope).await? else { return Ok(None) };
        let before = standing.pipeline.value.change;
        if !standing.pipeline.value.is_done() {
            return Err(match before {
                FIRST => ChangeRefusal::NotBuilt,
                number => ChangeRefusal::UnderWay(number),
            }
            .into());
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
            wish: wish.to_owned(),
            on_top_of: before,
            by: Some(by.clone()),
            begun_at: Timestamp::now(),
            cost_before: standing.cost,
            end: None,
        };
        let former = match self.table.get::<Change>(&change_key(scope, before)).await? {
            Some(stored) => stored.value,
            None => self.first(scope).await?,
        };
        let writes = self.turn_over(scope, &standing, former, &change)?;
        if !self.table.transact(writes).await? {
            return Err(self.lost(scope, before).await);
        }
        Ok(Some(listed(change.clone(), &Pipeline::for_change(change.number), change.cost_before)))
    }

    /// Why a transaction found another project than was read.
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
        let rows = self.query::<Change>(scope, "CHANGE#").await?;
        Ok(rows.last().map_or(FIRST, |(_, stored)| stored.value.number))
    }

    async fn standing(&self, scope: Scope) -> Result<Option<Standing>, ChangeError> {
        // First, so that the condition on it covers all that is read after it.
        let Some(pipeline) = self.pipeline(scope).await? else { return Ok(None) };
        let lost = || StoreError::dynamo_shape("a project's items");
        let plan = async |kind| {
            let stored = self.table.get::<Plan>(&plan_key(scope, kind)).await?;
            stored.ok_or_else(lost)
        };
        let requirements = async {
            self.table.get::<Requirements>(&requirements_key(scope)).await?.ok_or_else(lost)
        };
        let (requirements, architecture, implementation, checks, costs) = tokio::try_join!(
            requirements,
            plan(PlanKind::Architecture),
            plan(PlanKind::Implementation),
            plan(PlanKind::Validation),
            self.costs.get(scope),
        )?;
        let plans = vec![architecture, implementation, checks];
        if plans.iter().any(|plan| plan.value.status == PlanStatus::Generating) {
            return Err(ChangeRefusal::BeingWritten.into());
        }
        let (mut headers, mut counts) = (Vec::new(), Vec::new());
        for track in [Track::Execution, Track::Validation] {
            let execution = self.executions.on(track).load(scope).await?.unwrap_or_default();
            let busy = |phase: Phase| matches!(phase, Phase::Preparing | Phase::Running);
            if execution.steps.iter().any(|step| busy(step.phase)) {
                return Err(ChangeRefusal::Running.into());
            }
            counts.push(u32::try_from(execution.steps.len()).unwrap_or(u32::MAX));
            let header = self.table.get::<Header>(&header_key(scope, track)).await?;
            headers.push((track, header.ok_or_else(lost)?));
        }
        Ok(Some(Standing {
            pipeline,
            requirements,
            plans,
            headers,
            steps: counts[0],
            checks: counts[1],
            cost: costs.unwrap_or_default().micro_usd,
        }))
    }

    /// The transaction that begins a change, once everything of the one before is kept.
    fn turn_over(
        &self,
        scope: Scope,
        standing: &Standing,
        former: Change,
        change: &Change,
    ) -> Result<Vec<TransactWriteItem>, StoreError> {
        let pipeline = Pipeline::for_change(change.number);
        let end = End {
            status: ChangeStatus::Completed,
            at: standing.pipeline.value.completed_at.unwrap_or(change.begun_at),
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
            writes.push(self.replacing(&key, header, &Header::default())?);
        }
        Ok(writes)
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

    fn putting<T: Serialize>(&self, key: &Key, value: &T) -> Result<TransactWriteItem, StoreError> {
        let put = self.table.put_in_transaction(key, value, 1)?;
        Ok(TransactWriteItem::builder().put(built(put.build())?).build())
    }

    fn putting_new<T: Serialize>(
        &self,
        key: &Key,
        value: &T,
    ) -> Result<TransactWriteItem, StoreError> {
        let put = self.table.put_in_transaction(key, value, 1)?;
        let put = put.condition_expression("attribute_not_exists(pk)");
        Ok(TransactWriteItem::builder().put(built(put.build())?).build())
    }

    /// Holds while the pipeline is the one that was read.
    fn unchanged(
        &self,
        scope: Scope,
        pipeline: &Stored<Pipeline>,
    ) -> Result<TransactWriteItem, StoreError> {
        let check = ConditionCheck::builder()
            .table_name(&self.table.name)
            .set_key(Some(pipelines::key(scope).attributes()))
            .condition_expression("version = :version")
            .expression_attribute_values(":version", number(pipeline.version));
        Ok(TransactWriteItem::builder().condition_check(built(check.build())?).build())
    }

    /// Copies what the project says and what it ran into the past of its current change; `false` when the pipeline
    /// is no longer the one that was read.
    async fn keep(&self, scope: Scope, standing: &Standing) -> Result<bool, StoreError> {
        let number = standing.pipeline.value.change;
        let copies = past::copies(&self.table, scope, number).await?;
        for batch in copies.chunks(COPIED_AT_ONCE) {
            let mut writes = vec![self.unchanged(scope, &standing.pipeline)?];
            for (key, item) in batch {
                writes.push(self.putting(key, item)?);
            }
            if !self.table.transact(writes).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where the documentation stands, for the way back.
    async fn documentation(
        &self,
        scope: Scope,
    ) -> Result<Option<Stored<documentation::Documentation>>, StoreError> {
        self.table.get(&documentation::key(scope)).await
    }
}

fn listed(change: Change, pipeline: &Pipeline, cost_now: MicroDollars) -> Listed {
    let current = change.number == pipeline.change;
    let (status, ended_at, cost) = match &change.end {
        Some(end) if !current => (end.status, Some(end.at), end.cost),
        _ if pipeline.is_done() => (ChangeStatus::Completed, pipeline.completed_at, cost_now),
        _ => (ChangeStatus::InProgress, None, cost_now),
    };
    let cost = MicroDollars(cost.0 - change.cost_before.0);
    Listed { current, status, ended_at, cost, change }
}
