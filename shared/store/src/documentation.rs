//! The documentation that the documenter wrote about a project.

use crate::StoreError;
use crate::executions::Execution;
use crate::keys::partition;
use crate::table::{Key, Table};
use crate::versions::rewrite;
use aws_sdk_dynamodb::types::builders::PutBuilder;
use domain::document::{DocumentId, Fingerprint};
use domain::step::{Step, StepStatus};
use domain::{Scope, Timestamp};
use serde::{Deserialize, Serialize};

/// A project's documentation; its texts are empty until it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Documentation {
    /// Markdown.
    pub documentation: String,
    /// Markdown.
    pub quickstart: String,
    /// A JSON object, as text: hosts, ports, users; secrets as references only.
    pub key_value_data: String,
    /// When it was last written.
    pub updated_at: Option<Timestamp>,
    /// Version number, from 1; 0 before the documentation is written.
    #[serde(default)]
    pub number: u32,
    /// The former version that its owner restored.
    #[serde(default)]
    pub restored_from: Option<u32>,
    /// The results that this text describes.
    #[serde(default)]
    pub written_from: Option<Fingerprint>,
}

/// The sources of the documentation: the steps and checks, and the state of each attempt at them.
pub fn sources(execution: &Execution, validation: &Execution) -> Fingerprint {
    let mut parts = Vec::new();
    for run in [execution, validation] {
        parts.push(run.plan_id.as_ref().map_or_else(String::new, ToString::to_string));
        for step in &run.steps {
            // A step that is being prepared or waits has done nothing to describe.
            let outcome = match step.status() {
                status @ (StepStatus::Completed | StepStatus::Failed) => {
                    format!("{status:?} {}", step.attempt)
                }
                StepStatus::Pending | StepStatus::InProgress | StepStatus::WaitingApproval => {
                    String::new()
                }
            };
            parts.push(format!("{} {outcome}", step.number));
        }
    }
    Fingerprint::of(parts.iter().map(String::as_str))
}

/// Whether any of the steps and checks has ended. A change has no results before that, and the documentation of the one
/// before it still describes what is there.
pub fn has_results(execution: &Execution, validation: &Execution) -> bool {
    let ended = |step: &Step| matches!(step.status(), StepStatus::Completed | StepStatus::Failed);
    execution.steps.iter().chain(&validation.steps).any(ended)
}

/// The documentation of the table.
#[derive(Clone, Debug)]
pub struct Documents {
    table: Table,
}

pub(crate) fn key(scope: Scope) -> Key {
    Key::new(partition(scope), "DOCUMENTATION")
}

pub(crate) fn initial(table: &Table, scope: Scope) -> Result<Vec<PutBuilder>, StoreError> {
    Ok(vec![table.put_in_transaction(&key(scope), &Documentation::default(), 1)?])
}

impl Documents {
    /// The documentation in `table`.
    pub fn new(table: &Table) -> Self {
        Self { table: table.clone() }
    }

    /// A project's documentation; `None` if this installation has no such project.
    pub async fn get(&self, scope: Scope) -> Result<Option<Documentation>, StoreError> {
        Ok(self.table.get(&key(scope)).await?.map(|stored| stored.value))
    }

    /// Changes the documentation and keeps the former text; `false` if the project does not exist.
    pub async fn change(
        &self,
        scope: Scope,
        act: impl Fn(&mut Documentation),
    ) -> Result<bool, StoreError> {
        let place = (key(scope), scope, DocumentId::Documentation);
        let changed = rewrite(&self.table, place, |former: Documentation| {
            let mut documentation = former;
            act(&mut documentation);
            documentation.updated_at = Some(Timestamp::now());
            documentation
        });
        changed.await.map(|found| found.is_some())
    }
}
