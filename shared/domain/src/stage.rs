//! The pipeline: five stages, each opened by the result of the previous one.
//!
//! A stage is *active* from the moment it is reached; it is *completed* when its owner has confirmed its result.
//! Completing a stage requires its artifact ([`Artifacts`]); the owner's click alone is not enough.

use crate::change::FIRST;
use crate::{AgentId, Timestamp};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use utoipa::ToSchema;

/// The stages in order.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum StageId {
    /// What the user needs.
    Requirements,
    /// The architecture plan.
    Architecture,
    /// The steps to build it.
    Implementation,
    /// Running the steps.
    Execution,
    /// The checks that prove it.
    Validation,
}

/// The fixed data of a stage.
#[derive(Debug, Clone, Copy)]
pub struct StageInfo {
    /// Its id.
    pub id: StageId,
    /// The name in URLs.
    pub slug: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// A short description.
    pub description: &'static str,
    /// Its agent.
    pub agent: AgentId,
}

/// All stages; a stage's order is its index here.
pub const STAGES: [StageInfo; 5] = [
    StageInfo {
        id: StageId::Requirements,
        slug: "requirements",
        name: "Requirements",
        description: "What you need, agreed in chat",
        agent: AgentId::RequirementsGatherer,
    },
    StageInfo {
        id: StageId::Architecture,
        slug: "architecture",
        name: "Cloud architecture",
        description: "The shape of it",
        agent: AgentId::CloudArchitect,
    },
    StageInfo {
        id: StageId::Implementation,
        slug: "implementation",
        name: "Implementation",
        description: "Steps, files and commands",
        agent: AgentId::ImplementationPlanner,
    },
    StageInfo {
        id: StageId::Execution,
        slug: "execution",
        name: "Execution",
        description: "Runs in your sandbox, as you approve",
        agent: AgentId::Executor,
    },
    StageInfo {
        id: StageId::Validation,
        slug: "validation",
        name: "Validation",
        description: "Proof that it works",
        agent: AgentId::Validator,
    },
];

impl StageId {
    /// Position in the pipeline, from 0.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The stage of an agent; `None` for agents outside the pipeline.
    pub fn of_agent(agent: AgentId) -> Option<Self> {
        STAGES.iter().find(|info| info.agent == agent).map(|info| info.id)
    }

    /// The fixed data of this stage.
    pub fn info(self) -> &'static StageInfo {
        &STAGES[self.index()]
    }
}

/// A name that belongs to no stage.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no stage of this name")]
pub struct UnknownStage;

impl FromStr for StageId {
    type Err = UnknownStage;

    fn from_str(slug: &str) -> Result<Self, UnknownStage> {
        STAGES.iter().find(|info| info.slug == slug).map(|info| info.id).ok_or(UnknownStage)
    }
}

/// The artifacts of a project's stages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Artifacts {
    /// The requirements agent has all it needs.
    pub requirements_ready: bool,
    /// There is an architecture plan.
    pub architecture_plan: bool,
    /// There is an implementation plan with steps.
    pub implementation_plan: bool,
    /// Every step of the execution is completed, and there is one.
    pub execution_done: bool,
    /// Every check of the validation is completed, and there is one.
    pub validation_done: bool,
    /// The change is being rolled back, or has been: what the steps built is gone.
    pub rolled_back: bool,
}

/// Why a stage cannot be opened or completed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StageRefusal {
    /// An earlier stage has not been completed.
    #[error("This stage opens when the one before it is completed.")]
    Locked,
    /// [`StageId::Requirements`] before the agent is ready.
    #[error("You can continue only after the agent is clear about the requirements")]
    RequirementsNotReady,
    /// A plan is missing.
    #[error("There is no plan to confirm yet. Wait for the agent to write it.")]
    PlanMissing,
    /// [`StageId::Implementation`] needs the architecture plan.
    #[error("There is no architecture plan yet.")]
    ArchitectureMissing,
    /// [`StageId::Execution`] needs an implementation plan with steps.
    #[error("There is no implementation plan yet.")]
    ImplementationMissing,
    /// [`StageId::Execution`] before its last step.
    #[error("Execution is completed when every step is completed.")]
    StepsOpen,
    /// [`StageId::Validation`] before its last check.
    #[error("Validation is completed when every check is completed.")]
    ChecksOpen,
    /// [`StageId::Execution`] or [`StageId::Validation`] of a change that is rolled back.
    #[error("This change is rolled back, so it cannot be completed. End it instead.")]
    RolledBack,
}

/// The progress of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pipeline {
    /// The stage in view.
    pub current: StageId,
    /// The furthest stage that was reached; it and all earlier stages are active.
    pub reached: StageId,
    /// Completed stages, by index.
    pub completed: [bool; STAGES.len()],
    /// The number of the change to which the stages belong, from 1.
    #[serde(default = "first")]
    pub change: u32,
    /// Whether this change removes what the project has built.
    #[serde(default)]
    pub tears_down: bool,
    /// When the last of the stages was completed; none while one is open.
    #[serde(default)]
    pub completed_at: Option<Timestamp>,
}

fn first() -> u32 {
    FIRST
}

impl Default for Pipeline {
    fn default() -> Self {
        Self {
            current: StageId::Requirements,
            reached: StageId::Requirements,
            completed: [false; STAGES.len()],
            change: FIRST,
            tears_down: false,
            completed_at: None,
        }
    }
}

impl Pipeline {
    /// Whether the stage was reached.
    pub fn is_active(&self, stage: StageId) -> bool {
        stage <= self.reached
    }

    /// Whether the stage was confirmed.
    pub fn is_completed(&self, stage: StageId) -> bool {
        self.completed[stage.index()]
    }

    /// Brings a stage into view. A new stage opens when all earlier ones are completed.
    pub fn go_to(&mut self, stage: StageId) -> Result<(), StageRefusal> {
        if !self.is_active(stage) && !self.completed[..stage.index()].iter().all(|done| *done) {
            return Err(StageRefusal::Locked);
        }
        self.current = stage;
        self.reached = self.reached.max(stage);
        Ok(())
    }

    /// Marks a stage as completed, or as open again.
    pub fn set_completed(
        &mut self,
        stage: StageId,
        completed: bool,
        artifacts: Artifacts,
    ) -> Result<(), StageRefusal> {
        if completed {
            if !self.is_active(stage) {
                return Err(StageRefusal::Locked);
            }
            artifacts.gate(stage)?;
        }
        self.completed[stage.index()] = completed;
        self.completed_at = match self.is_done() {
            true => self.completed_at.or_else(|| Some(Timestamp::now())),
            false => None,
        };
        Ok(())
    }
}

impl Artifacts {
    /// Checks that the stage's agent has what it starts from: the artifact of the stage before.
    pub fn input_of(self, stage: StageId) -> Result<(), StageRefusal> {
        let (there, refusal) = match stage {
            // The first stage starts from the chat, and the validator may write its checks at any time.
            StageId::Requirements | StageId::Validation => return Ok(()),
            StageId::Architecture => return self.gate(StageId::Requirements),
            StageId::Implementation => (self.architecture_plan, StageRefusal::ArchitectureMissing),
            StageId::Execution => (self.implementation_plan, StageRefusal::ImplementationMissing),
        };
        if there { Ok(()) } else { Err(refusal) }
    }

    /// Checks that the artifact of the stage exists.
    pub fn gate(self, stage: StageId) -> Result<(), StageRefusal> {
        let (there, refusal) = match stage {
            StageId::Requirements => (self.requirements_ready, StageRefusal::RequirementsNotReady),
            StageId::Architecture => (self.architecture_plan, StageRefusal::PlanMissing),
            StageId::Implementation => (self.implementation_plan, StageRefusal::PlanMissing),
            StageId::Execution | StageId::Validation if self.rolled_back => {
                (false, StageRefusal::RolledBack)
            }
            StageId::Execution => (self.execution_done, StageRefusal::StepsOpen),
            StageId::Validation => (self.validation_done, StageRefusal::ChecksOpen),
        };
        if there { Ok(()) } else { Err(refusal) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: Artifacts = Artifacts {
        requirements_ready: true,
        architecture_plan: true,
        implementation_plan: true,
        execution_done: true,
        validation_done: true,
        rolled_back: false,
    };

    #[test]
    fn each_stage_is_at_its_index() {
        for (index, info) in STAGES.iter().enumerate() {
            assert_eq!(info.id.index(), index);
            assert_eq!(info.slug.parse(), Ok(info.id));
        }
    }

    #[test]
    fn a_stage_opens_only_when_all_before_it_are_completed() {
        let mut pipeline = Pipeline::default();
        assert_eq!(pipeline.go_to(StageId::Architecture), Err(StageRefusal::Locked));
        pipeline.set_completed(StageId::Requirements, true, READY).unwrap();
        pipeline.go_to(StageId::Architecture).unwrap();
        assert_eq!(pipeline.go_to(StageId::Execution), Err(StageRefusal::Locked));
    }

    #[test]
    fn earlier_stages_stay_open_after_going_back() {
        let mut pipeline = Pipeline::default();
        pipeline.set_completed(StageId::Requirements, true, READY).unwrap();
        pipeline.go_to(StageId::Architecture).unwrap();
        pipeline.go_to(StageId::Requirements).unwrap();
        assert!(pipeline.is_active(StageId::Architecture));
        pipeline.go_to(StageId::Architecture).unwrap();
    }

    #[test]
    fn each_agent_starts_from_the_artifact_of_the_stage_before_its_own() {
        let missing = |stage| Artifacts::default().input_of(stage).map_err(|e| e.to_string());
        assert_eq!(missing(StageId::Requirements), Ok(()));
        let not_ready = StageRefusal::RequirementsNotReady.to_string();
        assert_eq!(missing(StageId::Architecture), Err(not_ready));
        let no_plan = Err("There is no architecture plan yet.".to_owned());
        assert_eq!(missing(StageId::Implementation), no_plan);
        assert!(missing(StageId::Execution).is_err());
        for info in &STAGES {
            assert_eq!(READY.input_of(info.id), Ok(()));
        }
    }

    #[test]
    fn nothing_that_a_rolled_back_change_built_is_completed() {
        let gone = Artifacts { rolled_back: true, ..READY };
        for info in &STAGES {
            let built = info.id >= StageId::Execution;
            let refusal = if built { Err(StageRefusal::RolledBack) } else { Ok(()) };
            assert_eq!(gone.gate(info.id), refusal, "{}", info.slug);
        }
    }

    #[test]
    fn a_stage_is_not_completed_without_its_artifact() {
        let mut pipeline = Pipeline::default();
        assert_eq!(
            pipeline.set_completed(StageId::Requirements, true, Artifacts::default()),
            Err(StageRefusal::RequirementsNotReady)
        );
        assert!(!pipeline.is_completed(StageId::Requirements));
    }
}
