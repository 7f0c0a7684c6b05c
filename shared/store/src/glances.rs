//! The summaries in a list of projects: one batched read for the whole list.

use crate::costs::Costs;
use crate::executions::Front;
use crate::table::{Key, Table};
use crate::{StoreError, costs, executions, pipelines, sandboxes};
use domain::sandbox::Sandbox;
use domain::stage::Pipeline;
use domain::step::Track;
use domain::{InstallationId, ProjectId, Scope};
use serde::de::DeserializeOwned;

/// The summary of a project.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Glance {
    /// Its progress through the stages.
    pub pipeline: Pipeline,
    /// Its costs.
    pub costs: Costs,
    /// Its sandbox.
    pub sandbox: Sandbox,
    /// The step of the execution that moved last.
    pub step: Option<Front>,
    /// The check of the validation that moved last.
    pub check: Option<Front>,
    /// How many checks of the validated project find a difference.
    pub drifted: usize,
}

/// The glances of the table.
#[derive(Clone, Debug)]
pub struct Glances {
    table: Table,
}

impl Glances {
    /// The glances in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The glances of these projects, in the same order.
    pub async fn of(
        &self,
        installation: InstallationId,
        projects: &[ProjectId],
    ) -> Result<Vec<Glance>, StoreError> {
        let scopes = projects.iter().map(|project| Scope { installation, project: *project });
        let keys: Vec<_> = scopes.flat_map(keys).collect();
        let mut found = self.table.get_many(&keys).await?;
        let mut read =
            |key: Option<&Key>| key.and_then(|key| found.remove(&(key.pk.clone(), key.sk.clone())));
        let mut glances = Vec::with_capacity(projects.len());
        for keys in keys.chunks(KEYS) {
            let mut keys = keys.iter();
            let (pipeline, costs) = (value(read(keys.next()))?, value(read(keys.next()))?);
            let sandbox = value(read(keys.next()))?;
            let step = value::<executions::Header>(read(keys.next()))?.front;
            let checks = value::<executions::Header>(read(keys.next()))?;
            let drift = value::<executions::Header>(read(keys.next()))?;
            let drifted = if drift.plan_id == checks.plan_id { drift.drifted.len() } else { 0 };
            glances.push(Glance { pipeline, costs, sandbox, step, check: checks.front, drifted });
        }
        Ok(glances)
    }
}

/// How many items a summary reads.
const KEYS: usize = 6;

fn keys(scope: Scope) -> [Key; KEYS] {
    [
        pipelines::key(scope),
        costs::key(scope),
        sandboxes::key(scope),
        executions::header_key(scope, Track::Execution),
        executions::header_key(scope, Track::Validation),
        executions::header_key(scope, Track::Drift),
    ]
}

fn value<T: DeserializeOwned + Default>(item: Option<crate::table::Item>) -> Result<T, StoreError> {
    item.map(serde_dynamo::from_item).transpose().map(Option::unwrap_or_default).map_err(Into::into)
}
