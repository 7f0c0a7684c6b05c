//! The documents of the planning agents.

use crate::document::Fingerprint;
use crate::requirement::{Asked, Wish};
use crate::{PlanId, RunId, Timestamp};
use serde::{Deserialize, Serialize};

/// The longest document that an agent may write, in bytes.
pub const MAX_DOCUMENT_BYTES: usize = 60_000;
/// The most steps in an implementation plan; with their plan they fit one transaction.
pub const MAX_STEPS: usize = 30;
/// The longest title of a step, in characters: it fits on one line of a card.
pub const MAX_TITLE_CHARS: usize = 200;
/// The most bytes of all steps of a plan together, titles and tasks.
pub const MAX_STEPS_BYTES: usize = 30_000;
/// The longest report on a validation plan's results, without the coverage of the requirements, in bytes: it shares an
/// item with its plan.
pub const MAX_REPORT_BYTES: usize = 20_000;

/// The user's needs, as the requirements agent understood them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirements {
    /// Markdown; empty before the agent wrote any.
    pub content: String,
    /// Whether the agent has all it needs.
    pub ready_to_continue: bool,
    /// The individual things that the user asks for; `content` lists them.
    #[serde(default)]
    pub asked: Asked,
    /// When it was last written.
    pub updated_at: Option<Timestamp>,
    /// Version number, from 1; 0 before the document is written.
    #[serde(default)]
    pub number: u32,
    /// The former version that its owner restored.
    #[serde(default)]
    pub restored_from: Option<u32>,
}

impl Requirements {
    /// The requirements with a new text that lists everything the user asks for, and the user's words that no line of
    /// the list quotes.
    pub fn rewritten(
        &self,
        content: &str,
        (wishes, unread): (Vec<Wish>, Vec<String>),
        ready_to_continue: bool,
    ) -> Self {
        let asked = self.asked.renewed(wishes).leaving_unread(unread);
        let content = asked.listed_in(content);
        let updated_at = Some(Timestamp::now());
        Self { content, ready_to_continue, asked, updated_at, ..self.clone() }
    }
}

/// The state of a plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    /// Not requested yet.
    #[default]
    Empty,
    /// An agent is writing it.
    Generating,
    /// Ready to read.
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
    /// Current status.
    pub status: PlanStatus,
    /// Markdown; keeps the former text while a new one is generated.
    pub text: String,
    /// New with each writing; an execution names the plan it was made from.
    pub plan_id: Option<PlanId>,
    /// The steps of an implementation plan.
    #[serde(default)]
    pub steps: Vec<PlannedStep>,
    /// The validator's report on the results of a validation plan, markdown; empty before it exists.
    #[serde(default)]
    pub report: String,
    /// The agent's run that is writing or wrote it.
    pub run_id: Option<RunId>,
    /// The reason of its failure, or what its agent waits for while it writes, for its reader.
    pub detail: Option<String>,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
    /// Version number, from 1; 0 before the document is written.
    #[serde(default)]
    pub number: u32,
    /// The former version that its owner restored.
    #[serde(default)]
    pub restored_from: Option<u32>,
    /// When this text was written; `updated_at` also changes with the run.
    #[serde(default)]
    pub written_at: Option<Timestamp>,
    /// The sources of this text.
    #[serde(default)]
    pub written_from: Option<Fingerprint>,
}

impl Plan {
    /// Whether there is a text to read.
    pub fn is_written(&self) -> bool {
        !self.text.is_empty()
    }

    /// Whether there are steps to carry out.
    pub fn has_steps(&self) -> bool {
        !self.steps.is_empty()
    }
}

/// One step of an implementation plan, or one check of a validation plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedStep {
    /// A short title.
    pub description: String,
    /// The execution agent's task.
    pub prompt: String,
    /// Ids of the requirements that it serves, as the agent states them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
}
