//! A project as the list shows it, with its status and what it waits for.

use domain::project::Project;
use domain::sandbox::ContainerStatus;
use domain::stage::{Pipeline, STAGES, StageId};
use domain::step::StepStatus;
use serde::{Deserialize, Serialize};
use store::executions::Front;
use store::glances::Glance;
use utoipa::ToSchema;

/// A project with what its card shows.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ListedProject {
    /// The project.
    #[serde(flatten)]
    pub project: Project,
    /// The first stage that is not completed; the last one when all are.
    pub stage: StageId,
    /// The number of the change to which the stages belong; 1 for what the project built first.
    pub change: u32,
    /// Whether its tear-down is completed, so that nothing is left of what it built.
    pub torn_down: bool,
    /// Completed stages, 0 to 5.
    pub stages_completed: u8,
    /// The check that changed last during the validation; before that, the step that changed last.
    pub attention: Option<Attention>,
    /// How many checks of the validated state find a difference from what is described.
    pub drifted_checks: u32,
    /// US dollars as a decimal with six places.
    #[schema(example = "1.284000")]
    pub total_cost: String,
    /// The state of its sandbox.
    pub container_status: ContainerStatus,
}

/// A step or a check that shows the state of its stage.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Attention {
    /// Its number.
    pub step_number: u32,
    /// Its status.
    pub status: StepStatus,
}

impl ListedProject {
    pub(crate) fn new(project: Project, glance: Glance) -> Self {
        let stage = standing(&glance.pipeline);
        let front = match stage {
            StageId::Validation => glance.check,
            StageId::Requirements
            | StageId::Architecture
            | StageId::Implementation
            | StageId::Execution => glance.step,
        };
        let completed = glance.pipeline.completed.iter().filter(|done| **done).count();
        Self {
            project,
            stage,
            change: glance.pipeline.change,
            torn_down: glance.pipeline.is_torn_down(),
            stages_completed: u8::try_from(completed).unwrap_or(u8::MAX),
            attention: front.map(Attention::from),
            drifted_checks: u32::try_from(glance.drifted).unwrap_or(u32::MAX),
            total_cost: glance.costs.micro_usd.to_string(),
            container_status: glance.sandbox.container_status(),
        }
    }
}

impl From<Front> for Attention {
    fn from(front: Front) -> Self {
        Self { step_number: front.number, status: front.status }
    }
}

/// The first stage that is not completed, or the last one if all are.
fn standing(pipeline: &Pipeline) -> StageId {
    let open = STAGES.iter().find(|stage| !pipeline.is_completed(stage.id));
    open.map_or(StageId::Validation, |stage| stage.id)
}
