#![doc = include_str!("../README.md")]

mod cancel;
mod output;
mod poll;
mod progress;

use aws::{Gateway, Objects};
use domain::step::{Refusal, Track};
use flows::ProgressionError;
use http_kit::{ApiError, ErrorCode};
use settings::{ConfigError, SdkConfig};
use store::Table;
use store::executions::{ExecutionError, Executions};
use store::sandboxes::Sandboxes;

pub use cancel::StepName;
pub use output::STEP_STATUS;
pub use poll::polled;
pub use progress::{AutonomyRequest, Progress, RollbackBody, StepBody};

/// The runs of one track.
#[derive(Clone, Debug)]
pub struct Runs {
    executions: Executions,
    sandboxes: Sandboxes,
    gateway: Gateway,
    objects: Objects,
}

impl Runs {
    /// Uses the table, the gateway and the bucket.
    pub fn from_env(sdk: &SdkConfig, table: &Table, track: Track) -> Result<Self, ConfigError> {
        Ok(Self {
            executions: Executions::new(table).on(track),
            sandboxes: Sandboxes::new(table),
            gateway: Gateway::from_env(sdk)?,
            objects: Objects::from_env(sdk)?,
        })
    }

    /// A copy of this for another track.
    pub fn on(&self, track: Track) -> Self {
        Self { executions: self.executions.on(track), ..self.clone() }
    }
}

/// The answer to a caller whose request could not move an execution.
pub fn refuse(error: impl Into<ProgressionError>) -> ApiError {
    match error.into() {
        ProgressionError::Execution(error) => refuse_execution(error),
        ProgressionError::Aws(error) => ApiError::internal(error),
    }
}

fn refuse_execution(error: ExecutionError) -> ApiError {
    let detail = error.to_string();
    match error {
        ExecutionError::Refused(Refusal::CommandChanged) => {
            ApiError::conflict(ErrorCode::CommandChanged, detail)
        }
        ExecutionError::Refused(Refusal::IllegalTransition) => {
            ApiError::conflict(ErrorCode::IllegalTransition, detail)
        }
        ExecutionError::Refused(Refusal::StepUnderWay) => {
            ApiError::conflict(ErrorCode::StepUnderWay, detail)
        }
        ExecutionError::Refused(Refusal::AnotherRuns) => {
            ApiError::conflict(ErrorCode::AnotherStepRuns, detail)
        }
        ExecutionError::Refused(Refusal::RolledBack) => {
            ApiError::conflict(ErrorCode::RolledBack, detail)
        }
        ExecutionError::Refused(Refusal::AttemptOver) => {
            ApiError::conflict(ErrorCode::AttemptOver, detail)
        }
        ExecutionError::Refused(Refusal::AttemptUnnamed) => {
            ApiError::conflict(ErrorCode::AttemptUnnamed, detail)
        }
        ExecutionError::Refused(Refusal::RollbackUnnamed) => {
            ApiError::conflict(ErrorCode::RollbackUnnamed, detail)
        }
        ExecutionError::StalePlan => ApiError::conflict(ErrorCode::StalePlan, detail),
        ExecutionError::StillRunning => ApiError::conflict(ErrorCode::StillRunning, detail),
        ExecutionError::TooManyEdits => ApiError::conflict(ErrorCode::TooManyEdits, detail),
        ExecutionError::NoSuchStep => ApiError::not_found(),
        ExecutionError::Store(error) => error.into(),
    }
}
