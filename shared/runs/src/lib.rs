#![doc = include_str!("../README.md")]

mod cancel;
mod output;

use cloud::{ConfigError, Gateway, Objects, Progression, ProgressionError, SdkConfig};
use domain::step::Track;
use http_kit::ApiError;
use store::Table;
use store::executions::Executions;
use store::sandboxes::Sandboxes;

pub use cancel::StepName;
pub use output::STEP_STATUS;

/// The runs of one track.
#[derive(Clone, Debug)]
pub struct Runs {
    executions: Executions,
    sandboxes: Sandboxes,
    progression: Progression,
    gateway: Gateway,
    objects: Objects,
}

impl Runs {
    /// From the table, both queues, the gateway and the bucket.
    pub fn from_env(sdk: &SdkConfig, table: &Table, track: Track) -> Result<Self, ConfigError> {
        Ok(Self {
            executions: Executions::new(table).on(track),
            sandboxes: Sandboxes::new(table),
            progression: Progression::from_env(sdk, table)?.on(track),
            gateway: Gateway::from_env(sdk)?,
            objects: Objects::from_env(sdk)?,
        })
    }
}

/// What a caller hears of an execution that did not move.
pub fn refuse(error: ProgressionError) -> ApiError {
    match error {
        ProgressionError::Execution(error) => error.into(),
        ProgressionError::Cloud(error) => ApiError::internal(error),
    }
}
