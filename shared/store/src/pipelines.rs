//! The progress of each project through its stages.

use crate::keys::partition;
use crate::table::{Change, IntoWrite, Key, Table};
use crate::{StoreError, Stored};
use aws_sdk_dynamodb::types::builders::PutBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
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

/// The condition that a stage is still open.
pub(crate) fn not_completed(table: &Table, scope: Scope) -> Result<TransactWriteItem, StoreError> {
    let check = table
        .check_in_transaction(&key(scope))
        .condition_expression("attribute_not_exists(completed_at) OR completed_at = :none")
        .expression_attribute_values(":none", AttributeValue::Null(true));
    check.into_write()
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
        self.change_with(scope, Vec::new(), act).await
    }

    /// The same, under conditions on other items.
    pub(crate) async fn change_with(
        &self,
        scope: Scope,
        conditions: Vec<TransactWriteItem>,
        act: impl Fn(&mut Pipeline) -> Result<(), StageRefusal>,
    ) -> Result<Option<Pipeline>, PipelineError> {
        self.table
            .modify_with(key(scope), |mut pipeline: Pipeline| {
                act(&mut pipeline)?;
                Ok(Change::Write(pipeline.clone(), (pipeline, conditions.clone())))
            })
            .await
    }
}
