//! The progress of the checks.

use domain::step::{Autonomy, Step};
use runs::{Progress, StepBody};
use serde::{Deserialize, Serialize};
use store::executions::Execution;
use utoipa::ToSchema;

/// The progress of a validation.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValidationProgress {
    /// The plan; empty before the first trigger.
    pub id: String,
    /// The first check that is not completed, from 1; the last one when all are.
    pub current_step: u32,
    /// How many there are.
    pub total_steps: u32,
    /// What its owner is asked about; absent before the first trigger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub autonomy: Option<Autonomy>,
    /// In their order.
    pub steps: Vec<CheckBody>,
}

/// One check: a step, with this screen's own field names as well.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CheckBody {
    /// Its place in the plan, from 1.
    pub number: u32,
    /// Reason for the failure, if it failed.
    #[schema(required)]
    pub error: Option<String>,
    /// The check as a step.
    #[serde(flatten)]
    pub step: StepBody,
}

impl From<&Step> for CheckBody {
    fn from(step: &Step) -> Self {
        Self { number: step.number, error: step.error.clone(), step: StepBody::from(step) }
    }
}

impl From<&Execution> for ValidationProgress {
    fn from(execution: &Execution) -> Self {
        let Progress { id, current_step, total_steps, autonomy, .. } = Progress::from(execution);
        let steps = execution.steps.iter().map(CheckBody::from).collect();
        Self { id, current_step, total_steps, autonomy, steps }
    }
}
