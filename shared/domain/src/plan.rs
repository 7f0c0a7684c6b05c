//! What the planning agents write.

use crate::{PlanId, RunId, Timestamp};
use serde::{Deserialize, Serialize};

/// Longest document that an agent may write, in bytes: an item stays under 100 KB.
pub const MAX_DOCUMENT_BYTES: usize = 60_000;
/// Most steps in an implementation plan; with their plan they fit one transaction.
pub const MAX_STEPS: usize = 30;

/// What the user wants, as the requirements agent understood it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirements {
    /// Markdown; empty before the agent wrote any.
    pub content: String,
    /// Whether the agent has all it needs.
    pub ready_to_continue: bool,
    /// When it was last written.
    pub updated_at: Option<Timestamp>,
}

/// Where a plan stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    /// Not asked for yet.
    #[default]
    Empty,
    /// An agent is at it.
    Generating,
    /// There to read.
    Ready,
    /// The agent could not write it; `detail` says why.
    Failed,
}

impl PlanStatus {
    /// The word in the `Plan-Status` header.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Generating => "generating",
            Self::Ready => "ready",
            Self::Failed => "failed",
        }
    }
}

/// A plan document: the architecture, or the implementation with its steps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Where it stands.
    pub status: PlanStatus,
    /// Markdown; keeps the former text while a new one is generated.
    pub text: String,
    /// A new one with each writing; an execution names the plan it was made from.
    pub plan_id: Option<PlanId>,
    /// The steps of an implementation plan.
    #[serde(default)]
    pub steps: Vec<PlannedStep>,
    /// The validator's report on what a validation plan came to, markdown; empty before there is one.
    #[serde(default)]
    pub report: String,
    /// The agent's run that is generating or generated it.
    pub run_id: Option<RunId>,
    /// Why it failed, for its reader.
    pub detail: Option<String>,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
}

/// One step of an implementation plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedStep {
    /// A short title.
    pub description: String,
    /// What the execution agent is told to do.
    pub prompt: String,
}
