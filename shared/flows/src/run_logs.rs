//! Reads the log of a run, which holds its whole output.

use aws::{AwsError, Objects, log_key};
use domain::{RunId, Scope};
use settings::{ConfigError, SdkConfig};

/// The logs of runs in the bucket.
#[derive(Clone, Debug)]
pub struct RunLogs {
    objects: Objects,
}

/// The beginning of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLog {
    /// Its text.
    pub text: String,
    /// Whether the log is longer.
    pub cut: bool,
}

impl RunLogs {
    /// Uses the bucket.
    pub fn from_env(sdk: &SdkConfig) -> Result<Self, ConfigError> {
        Ok(Self { objects: Objects::from_env(sdk)? })
    }

    /// The first `most` bytes of a run's log; `None` if the run has no log.
    pub async fn read(
        &self,
        scope: Scope,
        run_id: &RunId,
        most: usize,
    ) -> Result<Option<RunLog>, AwsError> {
        let Some(mut log) = self.objects.get(&log_key(scope, run_id)).await? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        while bytes.len() <= most {
            let Some(piece) = log.body.next().await else { break };
            bytes.extend_from_slice(&piece.map_err(AwsError::of("s3:GetObject"))?);
        }
        let cut = bytes.len() > most;
        bytes.truncate(most);
        Ok(Some(RunLog { text: String::from_utf8_lossy(&bytes).into_owned(), cut }))
    }
}
