//! The reason for a step's failure: a type for programs, with words for people.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a step failed, as a stable code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = StepFailure)]
pub enum Failure {
    /// The owner rejected the command, so it did not run.
    Rejected,
    /// The owner canceled the attempt.
    Cancelled,
    /// The command exited with a code other than 0.
    ExitCode,
    /// A signal ended the command.
    Signal,
    /// The command ran past its deadline.
    Deadline,
    /// The sandbox stopped while the command was running.
    Lost,
    /// The sandbox could not start the command.
    NotStarted,
    /// The agent could not prepare a command.
    PreparationFailed,
    /// The sandbox could not be started for the command.
    NoSandbox,
    /// No sandbox acknowledged the command, so it did not run.
    Unreachable,
    /// An item of an earlier version without a reason.
    Unknown,
}

impl Failure {
    /// The code in the API.
    pub fn code(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
            Self::ExitCode => "exit_code",
            Self::Signal => "signal",
            Self::Deadline => "deadline",
            Self::Lost => "lost",
            Self::NotStarted => "not_started",
            Self::PreparationFailed => "preparation_failed",
            Self::NoSandbox => "no_sandbox",
            Self::Unreachable => "unreachable",
            Self::Unknown => "unknown",
        }
    }

    /// The text on the page if the sandbox gave no message.
    pub fn words(self) -> &'static str {
        match self {
            Self::Rejected => "Rejected by user",
            Self::Cancelled => "Canceled by user",
            Self::ExitCode => "The command failed.",
            Self::Signal => "The command was ended by a signal.",
            Self::Deadline => "The command ran past its deadline and was stopped.",
            Self::Lost => {
                "The sandbox stopped while this step was running. Re-execute it to run it again."
            }
            Self::NotStarted => "The sandbox could not start this command.",
            Self::PreparationFailed => "The command could not be prepared.",
            Self::NoSandbox => "The sandbox could not be started.",
            Self::Unreachable => {
                "The sandbox did not answer, so this step was not run. Check the sandbox and re-execute it."
            }
            Self::Unknown => "The step failed.",
        }
    }

    /// The failure of a step that was written before failures had a type, by the words that the page showed then.
    pub(super) fn of_words(words: &str) -> Self {
        match words {
            "Rejected by user" => Self::Rejected,
            "Cancelled by user" => Self::Cancelled,
            _ => Self::Unknown,
        }
    }
}
