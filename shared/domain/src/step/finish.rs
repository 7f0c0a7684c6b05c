//! How a run ends.

use crate::output::OutputView;
use crate::saved_plan::SavedPlan;
use serde::{Deserialize, Serialize};

/// The end of a run, as the sandbox reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The script exited, with an exit code.
    Exited,
    /// Its deadline passed and the sandbox killed its process group.
    TimedOut,
    /// Its owner canceled it.
    Cancelled,
    /// The sandbox disappeared during the run.
    Lost,
    /// It never started: the script differs from the approved one, or the sandbox could not start it.
    Refused,
    /// It never started: it was to run without approval, and the sandbox could not confine it.
    NotConfined,
}

/// The sandbox's report of a run's end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    /// The run's outcome.
    pub outcome: Outcome,
    /// Its exit code, when it exited.
    pub exit_code: Option<i32>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// The whole output.
    pub output: OutputView,
    /// The sandbox's message about a failure outside the command.
    pub detail: Option<String>,
    /// The Terraform plan that it saved.
    pub saved_plan: Option<SavedPlan>,
}
