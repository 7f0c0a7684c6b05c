//! The pipeline as the API shows it.

use domain::AgentId;
use domain::stage::{Pipeline, STAGES, StageId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A project's stages.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ProjectState {
    /// In their order.
    pub stages: Vec<Stage>,
    /// The one in view, from 0.
    pub current_stage_index: usize,
}

/// One stage of a project.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Stage {
    /// Which.
    pub stage_id: StageId,
    /// Its name for people.
    pub name: String,
    /// A few words about it.
    pub description: String,
    /// Who works on it.
    pub agent_id: AgentId,
    /// Its place, from 0.
    pub order: usize,
    /// Whether the product offers it.
    pub is_enabled: bool,
    /// Whether it was reached.
    pub is_active: bool,
    /// Whether it was confirmed.
    pub is_completed: bool,
}

impl Stage {
    /// The stage as this pipeline has it.
    pub(crate) fn of(pipeline: &Pipeline, stage: StageId) -> Self {
        let info = stage.info();
        Self {
            stage_id: stage,
            name: info.name.to_owned(),
            description: info.description.to_owned(),
            agent_id: info.agent,
            order: stage.index(),
            is_enabled: true,
            is_active: pipeline.is_active(stage),
            is_completed: pipeline.is_completed(stage),
        }
    }
}

impl From<&Pipeline> for ProjectState {
    fn from(pipeline: &Pipeline) -> Self {
        Self {
            stages: STAGES.iter().map(|info| Stage::of(pipeline, info.id)).collect(),
            current_stage_index: pipeline.current.index(),
        }
    }
}
