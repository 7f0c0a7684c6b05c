//! The progress of each project through its stages.

use crate::projects::partition;
use crate::table::{Change, Key, Table};
use crate::{StoreError, Stored};
use aws_sdk_dynamodb::types::builders::PutBuilder;
use domain::Scope;
use domain::stage::{Pipeline, StageRefusal};

/// The pipelines of the table.
#[derive(Clone, Debug)]
pub struct Pipelines {
    table: Table,
}

/// The reason why a stage did not move.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The pipeline does not allow it.
    #[error(transparent)]
    Refused(#[from] StageRefusal),
    /// The table failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub(crate) fn key(scope: Scope) -> Key {
    Key::new(partition(scope), "PIPELINE")
}

pub(crate) fn initial(table: &Table, scope: Scope) -> Result<Vec<PutBuilder>, StoreError> {
    Ok(vec![table.put_in_transaction(&key(scope), &Pipeline::default(), 1)?])
}

impl Pipelines {
    /// The pipelines in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// The project's pipeline; `None` if this installation has no such project.
    pub async fn get(&self, scope: Scope) -> Result<Option<Stored<Pipeline>>, StoreError> {
        self.table.get(&key(scope)).await
    }

    /// Changes the pipeline by its own rules and returns the result.
    pub async fn change(
        &self,
        scope: Scope,
        act: impl Fn(&mut Pipeline) -> Result<(), StageRefusal>,
    ) -> Result<Option<Pipeline>, PipelineError> {
        self.table
            .modify(key(scope), |mut pipeline: Pipeline| {
                act(&mut pipeline)?;
                Ok(Change::Write(pipeline.clone(), pipeline))
            })
            .await
    }
}
