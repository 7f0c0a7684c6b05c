//! Keeps, unchanged, what earlier changes said and ran.

use super::Changes;
use crate::StoreError;
use crate::documentation::Documentation;
use crate::executions::Execution;
use crate::keys::partition;
use crate::plans::PlanKind;
use crate::table::{Key, Table};
use crate::versions::Document;
use domain::change::FIRST;
use domain::document::{DocumentId, Part};
use domain::estimate::Used;
use domain::plan::{Plan, Requirements};
use domain::step::{Step, Track};
use domain::{PlanId, Scope};
use serde::Deserialize;
use serde_json::Value;

/// Everything of a change that is no longer the current one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    /// The change's requirements.
    pub requirements: Requirements,
    /// The architecture plan.
    pub architecture: Plan,
    /// The implementation plan.
    pub implementation: Plan,
    /// The validation plan with its report.
    pub checks: Plan,
    /// The documentation.
    pub documentation: Documentation,
    /// The change's executed steps.
    pub execution: Execution,
    /// The change's checks.
    pub validation: Execution,
}

/// The parts of a header that an abandoned change restores.
#[derive(Deserialize)]
struct Head {
    plan_id: Option<PlanId>,
    #[serde(default)]
    used_before: Used,
}

/// Prefix of the sort keys of a change's past.
fn prefix(number: u32) -> String {
    format!("PAST#{number:06}#")
}

/// Sort keys that begin with one of these are copied: documents, and both executions with their steps.
const KEPT: [&str; 7] = [
    "REQUIREMENTS",
    "ARCHITECTURE",
    "IMPLEMENTATION",
    "CHECK-PLAN",
    "DOCUMENTATION",
    "EXECUTION",
    "VALIDATION",
];

/// The items of the current change that must be kept, with their keys.
pub(super) async fn copies(
    table: &Table,
    scope: Scope,
    number: u32,
) -> Result<Vec<(Key, Value)>, StoreError> {
    let mut copies = Vec::new();
    for kept in KEPT {
        let rows = table.query::<Value>(&partition(scope), kept).await?;
        for (sk, row) in rows {
            let mut item = row.value;
            if let Some(fields) = item.as_object_mut() {
                for key in ["pk", "sk", "version"] {
                    fields.remove(key);
                }
            }
            copies.push((Key::new(partition(scope), format!("{}{sk}", prefix(number))), item));
        }
    }
    Ok(copies)
}

impl Changes {
    /// The project's first build, once a change of it has begun; `None` before.
    pub async fn first_build(&self, scope: Scope) -> Result<Option<Past>, StoreError> {
        match self.under_way(scope).await? {
            Some(_) => self.past(scope, FIRST).await,
            None => Ok(None),
        }
    }

    /// What a change said and ran, once another has begun; `None` if nothing of it is kept.
    pub async fn past(&self, scope: Scope, number: u32) -> Result<Option<Past>, StoreError> {
        let prefix = prefix(number);
        let rows = self.query::<Value>(scope, &prefix).await?;
        if rows.is_empty() {
            return Ok(None);
        }
        let mut past = Past::default();
        for (sk, row) in rows {
            let name = sk.strip_prefix(&prefix).unwrap_or_default();
            past.take(name, row.value)
                .map_err(|_| StoreError::dynamo_shape("an item of an earlier change"))?;
        }
        for execution in [&mut past.execution, &mut past.validation] {
            let plan_id = execution.plan_id.clone();
            execution.steps.retain(|step| Some(&step.plan_id) == plan_id.as_ref());
            execution.rollback =
                execution.rollback.take().filter(|step| Some(&step.plan_id) == plan_id.as_ref());
        }
        Ok(Some(past))
    }
}

impl Past {
    /// The written documents, each after the one from which it is written, part by part.
    pub fn documents(&self) -> Vec<(DocumentId, Vec<Part>)> {
        let all = vec![
            (DocumentId::Requirements, self.requirements.parts()),
            (DocumentId::Architecture, self.architecture.parts()),
            (DocumentId::Implementation, self.implementation.parts()),
            (DocumentId::Validation, self.checks.parts()),
            (DocumentId::Documentation, self.documentation.parts()),
        ];
        let written = |parts: &[Part]| parts.iter().any(|part| !part.text.is_empty());
        all.into_iter().filter(|(_, parts)| written(parts)).collect()
    }

    /// A plan.
    pub fn plan(&self, kind: PlanKind) -> &Plan {
        match kind {
            PlanKind::Architecture => &self.architecture,
            PlanKind::Implementation => &self.implementation,
            PlanKind::Validation => &self.checks,
        }
    }

    /// The execution of a track.
    pub fn on(&self, track: Track) -> &Execution {
        match track {
            Track::Validation => &self.validation,
            Track::Execution | Track::Helper | Track::Drift | Track::Rollback => &self.execution,
        }
    }

    fn take(&mut self, name: &str, value: Value) -> Result<(), serde_json::Error> {
        match name {
            "REQUIREMENTS" => self.requirements = serde_json::from_value(value)?,
            "ARCHITECTURE" => self.architecture = serde_json::from_value(value)?,
            "IMPLEMENTATION" => self.implementation = serde_json::from_value(value)?,
            "CHECK-PLAN" => self.checks = serde_json::from_value(value)?,
            "DOCUMENTATION" => self.documentation = serde_json::from_value(value)?,
            "EXECUTION" => {
                let Head { plan_id, used_before } = serde_json::from_value(value)?;
                (self.execution.plan_id, self.execution.used_before) = (plan_id, used_before);
            }
            "VALIDATION" => {
                self.validation.plan_id = serde_json::from_value::<Head>(value)?.plan_id
            }
            "EXECUTION#ROLLBACK" => {
                self.execution.rollback = Some(serde_json::from_value::<Step>(value)?);
            }
            name if name.starts_with("EXECUTION#") => {
                self.execution.steps.push(serde_json::from_value::<Step>(value)?);
            }
            name if name.starts_with("VALIDATION#") => {
                self.validation.steps.push(serde_json::from_value::<Step>(value)?);
            }
            _ => {}
        }
        Ok(())
    }
}
