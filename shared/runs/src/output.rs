//! Serves the whole output of a step.
//!
//! A page follows a command by its output's head and tail, which are part of the step. The log in the bucket has up to
//! 64 MiB, so serving it counts as a download.

use crate::Runs;
use aws::log_key;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use axum::response::{IntoResponse, Response};
use domain::{RunId, Scope};
use http_kit::{ApiError, Download, IfCostly};
use tokio_util::io::ReaderStream;

/// The step's status, for a reader who follows its output.
pub const STEP_STATUS: HeaderName = HeaderName::from_static("step-status");

impl Runs {
    /// The whole output of a step's last run: from its log once the run has ended, its head and tail until then.
    pub async fn output(
        &self,
        scope: Scope,
        number: &str,
        download: IfCostly<Download>,
    ) -> Result<Response, ApiError> {
        let number = number.parse().map_err(|_| ApiError::not_found())?;
        let step = self.executions.current_step(scope, number).await?;
        let step = step.ok_or_else(ApiError::not_found)?;
        let ended = step.phase.has_ended();
        let log = match &step.run_id {
            Some(run_id) if ended && step.output.omitted() > 0 => {
                download.count().await?;
                self.log_of(scope, run_id).await?
            }
            _ => None,
        };
        let body = log.unwrap_or_else(|| Body::from(step.output.text()));
        let headers = [
            (CONTENT_TYPE, "text/plain; charset=utf-8"),
            (CACHE_CONTROL, "private, no-store"),
            (STEP_STATUS, step.status().as_str()),
        ];
        Ok((headers, body).into_response())
    }

    /// A run's log in the bucket.
    async fn log_of(&self, scope: Scope, run_id: &RunId) -> Result<Option<Body>, ApiError> {
        let log = self.objects.get(&log_key(scope, run_id)).await.map_err(ApiError::internal)?;
        Ok(log.map(|log| Body::from_stream(ReaderStream::new(log.body.into_async_read()))))
    }
}
