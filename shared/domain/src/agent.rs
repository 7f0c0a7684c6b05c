//! The agents with which users talk.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// An agent's name, used in URLs, in the table and in a stage's `agent_id`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum AgentId {
    /// Finds out what the user needs.
    RequirementsGatherer,
    /// Designs the architecture.
    CloudArchitect,
    /// Breaks the architecture into steps.
    ImplementationPlanner,
    /// Writes the command of each step.
    Executor,
    /// Proves that it works.
    Validator,
    /// Writes down what was built.
    Documenter,
    /// Operates what was built.
    DevopsHelper,
}

impl AgentId {
    /// All agents.
    pub const ALL: [Self; 7] = [
        Self::RequirementsGatherer,
        Self::CloudArchitect,
        Self::ImplementationPlanner,
        Self::Executor,
        Self::Validator,
        Self::Documenter,
        Self::DevopsHelper,
    ];

    /// The name in URLs and keys.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RequirementsGatherer => "requirements-gatherer",
            Self::CloudArchitect => "cloud-architect",
            Self::ImplementationPlanner => "implementation-planner",
            Self::Executor => "executor",
            Self::Validator => "validator",
            Self::Documenter => "documenter",
            Self::DevopsHelper => "devops-helper",
        }
    }
}

impl AgentId {
    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::RequirementsGatherer => "Requirements agent",
            Self::CloudArchitect => "Cloud architect",
            Self::ImplementationPlanner => "Implementation planner",
            Self::Executor => "Execution agent",
            Self::Validator => "Validator",
            Self::Documenter => "Documenter",
            Self::DevopsHelper => "DevOps Helper",
        }
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that belongs to no agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no agent of this name")]
pub struct UnknownAgent;

impl FromStr for AgentId {
    type Err = UnknownAgent;

    fn from_str(name: &str) -> Result<Self, UnknownAgent> {
        Self::ALL.into_iter().find(|agent| agent.as_str() == name).ok_or(UnknownAgent)
    }
}
