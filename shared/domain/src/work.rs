//! The messages of the queues.

use crate::step::Track;
use crate::{AgentId, PlanId, RunId, Scope};
use serde::{Deserialize, Serialize};

/// One bounded turn for an agent: a message of the queue `agent-runs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AgentRun {
    /// Write a plan.
    GeneratePlan {
        /// The project.
        #[serde(flatten)]
        scope: Scope,
        /// The architect or the implementation planner.
        agent: AgentId,
        /// This run.
        run_id: RunId,
        /// The task for the agent.
        message: String,
    },
    /// Write the command of a step.
    PrepareStep {
        /// The project.
        #[serde(flatten)]
        scope: Scope,
        /// Step or check.
        #[serde(default)]
        track: Track,
        /// The plan that the step belongs to.
        plan_id: PlanId,
        /// The step, from 1.
        step_number: u32,
        /// The attempt that waits for the command.
        run_id: RunId,
    },
}

impl AgentRun {
    /// How often a run is tried; at the next delivery, the runner gives up.
    pub const TRIES: u32 = 5;

    /// The project of the run; runs of one project follow one another.
    pub fn scope(&self) -> Scope {
        match self {
            Self::GeneratePlan { scope, .. } | Self::PrepareStep { scope, .. } => *scope,
        }
    }

    /// The run's id, also its deduplication id.
    pub fn run_id(&self) -> &RunId {
        match self {
            Self::GeneratePlan { run_id, .. } | Self::PrepareStep { run_id, .. } => run_id,
        }
    }
}

/// An approved command to hand to the sandbox: a message of the queue `steps`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRun {
    /// The project.
    #[serde(flatten)]
    pub scope: Scope,
    /// Step or check.
    #[serde(default)]
    pub track: Track,
    /// The plan that the step belongs to.
    pub plan_id: PlanId,
    /// The step, from 1.
    pub step_number: u32,
    /// The approved attempt.
    pub run_id: RunId,
}

/// A question to hand to the sandbox: a message of the queue `steps`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxInquiry {
    /// The project.
    #[serde(flatten)]
    pub scope: Scope,
    /// The question's id; the question is in the table.
    pub inquiry: RunId,
}

/// A message of the queue `steps`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SandboxWork {
    /// An approved command.
    Run(StepRun),
    /// A question.
    Inquiry(SandboxInquiry),
}

impl SandboxWork {
    /// How often work is offered to a sandbox; at the next delivery, the runner gives up.
    pub const TRIES: u32 = 8;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::{MAX_MESSAGE_CHARS, user_message};
    use crate::{InstallationId, ProjectId};

    /// The largest message of a queue that every region accepts, in bytes.
    const QUEUE_BYTES: usize = 256 * 1024;

    #[test]
    fn the_largest_run_fits_a_message_of_the_queue() {
        let scope = Scope { installation: InstallationId(u64::MAX), project: ProjectId::random() };
        // JSON writes a control character in six bytes, and other characters have up to four.
        for character in ["\u{1}", "\"", "𝄞"] {
            let message = character.repeat(MAX_MESSAGE_CHARS);
            assert!(user_message(&message).is_ok());
            let agent = AgentId::ImplementationPlanner;
            let run = AgentRun::GeneratePlan { scope, agent, run_id: RunId::random(), message };
            let bytes = serde_json::to_vec(&run).unwrap().len();
            assert!(bytes <= QUEUE_BYTES / 2, "{bytes} bytes");
        }
    }
}
