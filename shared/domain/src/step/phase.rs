//! The phases of a step.
//!
//! The rest of the code asks a phase what it means by the methods below. They name every phase, so the compiler asks
//! about each of them when a phase is added; a test in `tests/house` refuses comparisons elsewhere.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The phase of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Earlier steps must run first.
    #[default]
    Pending,
    /// The agent is writing its command.
    Preparing,
    /// The command waits for approval.
    WaitingApproval,
    /// The sandbox is running it.
    Running,
    /// It ran and exited with 0.
    Completed,
    /// It failed.
    Failed,
}

impl Phase {
    /// All phases.
    pub const ALL: [Self; 6] = [
        Self::Pending,
        Self::Preparing,
        Self::WaitingApproval,
        Self::Running,
        Self::Completed,
        Self::Failed,
    ];

    /// Name of the phase in the table, for conditions of writes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Preparing => "preparing",
            Self::WaitingApproval => "waiting_approval",
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }

    /// The status in the API.
    pub fn status(self) -> StepStatus {
        match self {
            Self::Pending => StepStatus::Pending,
            Self::Preparing | Self::Running => StepStatus::InProgress,
            Self::WaitingApproval => StepStatus::WaitingApproval,
            Self::Completed => StepStatus::Completed,
            Self::Failed => StepStatus::Failed,
        }
    }

    /// Whether an agent or the sandbox works on the step.
    pub fn is_at_work(self) -> bool {
        match self {
            Self::Preparing | Self::Running => true,
            Self::Pending | Self::WaitingApproval | Self::Completed | Self::Failed => false,
        }
    }

    /// Whether the step waits for its turn or for its owner.
    pub fn is_waiting(self) -> bool {
        match self {
            Self::Pending | Self::WaitingApproval => true,
            Self::Preparing | Self::Running | Self::Completed | Self::Failed => false,
        }
    }

    /// Whether the step succeeded or failed.
    pub fn has_ended(self) -> bool {
        match self {
            Self::Completed | Self::Failed => true,
            Self::Pending | Self::Preparing | Self::WaitingApproval | Self::Running => false,
        }
    }

    /// Whether the step is past the approval of its command, or ended without one.
    pub fn is_past_approval(self) -> bool {
        match self {
            Self::Running | Self::Completed | Self::Failed => true,
            Self::Pending | Self::Preparing | Self::WaitingApproval => false,
        }
    }

    /// Whether the step waits for its turn.
    pub fn is_pending(self) -> bool {
        match self {
            Self::Pending => true,
            Self::Preparing
            | Self::WaitingApproval
            | Self::Running
            | Self::Completed
            | Self::Failed => false,
        }
    }

    /// Whether the agent writes the step's command.
    pub fn is_preparing(self) -> bool {
        match self {
            Self::Preparing => true,
            Self::Pending
            | Self::WaitingApproval
            | Self::Running
            | Self::Completed
            | Self::Failed => false,
        }
    }

    /// Whether the command waits for its approval.
    pub fn awaits_approval(self) -> bool {
        match self {
            Self::WaitingApproval => true,
            Self::Pending | Self::Preparing | Self::Running | Self::Completed | Self::Failed => {
                false
            }
        }
    }

    /// Whether the sandbox runs the command.
    pub fn is_running(self) -> bool {
        match self {
            Self::Running => true,
            Self::Pending
            | Self::Preparing
            | Self::WaitingApproval
            | Self::Completed
            | Self::Failed => false,
        }
    }

    /// Whether the step ended as it should.
    pub fn has_succeeded(self) -> bool {
        match self {
            Self::Completed => true,
            Self::Pending
            | Self::Preparing
            | Self::WaitingApproval
            | Self::Running
            | Self::Failed => false,
        }
    }

    /// Whether the step failed.
    pub fn has_failed(self) -> bool {
        match self {
            Self::Failed => true,
            Self::Pending
            | Self::Preparing
            | Self::WaitingApproval
            | Self::Running
            | Self::Completed => false,
        }
    }
}

/// The five statuses of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// Earlier steps come first.
    Pending,
    /// Being prepared or running.
    InProgress,
    /// Waits for its owner's approval.
    WaitingApproval,
    /// Done.
    Completed,
    /// Not done; `error_message` says why.
    Failed,
}

impl StepStatus {
    /// Name of the status in the API and the table.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::WaitingApproval => "waiting_approval",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }
}
