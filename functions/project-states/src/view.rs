//! The pipeline as the API shows it.

use domain::AgentId;
use domain::change::{Change, ChangeKind};
use domain::stage::{Pipeline, STAGES, StageId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A project's stages.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ProjectState {
    /// In their order.
    pub stages: Vec<Stage>,
    /// The current stage, from 0.
    pub current_stage_index: usize,
    /// The change to which the stages belong; null while the project is built for the first time.
    #[schema(required)]
    pub change: Option<CurrentChange>,
}

/// The change to which a project's stages belong.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CurrentChange {
    /// Counts from 2: the first change builds the project.
    pub number: u32,
    /// What the change is for.
    pub kind: ChangeKind,
    /// What its owner asked for.
    pub wish: String,
    /// Whether all its stages are completed.
    pub is_completed: bool,
}

/// One stage of a project.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Stage {
    /// The stage's id.
    pub stage_id: StageId,
    /// Its name for people.
    pub name: String,
    /// A short description.
    pub description: String,
    /// Its agent.
    pub agent_id: AgentId,
    /// Its position, from 0.
    pub order: usize,
    /// Whether the product offers it.
    pub is_enabled: bool,
    /// Whether it was reached.
    pub is_active: bool,
    /// Whether it was confirmed.
    pub is_completed: bool,
}

impl Stage {
    /// The stage in this pipeline.
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

impl ProjectState {
    pub(crate) fn new(pipeline: &Pipeline, change: Option<Change>) -> Self {
        Self {
            stages: STAGES.iter().map(|info| Stage::of(pipeline, info.id)).collect(),
            current_stage_index: pipeline.current.index(),
            change: change.map(|change| CurrentChange {
                number: change.number,
                kind: change.kind,
                wish: change.wish,
                is_completed: pipeline.is_done(),
            }),
        }
    }
}
