//! Serves the whole output of a step.

use crate::Runs;
use aws::log_key;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use axum::response::{IntoResponse, Response};
use domain::Scope;
use domain::step::{Phase, Step};
use http_kit::ApiError;
use tokio_util::io::ReaderStream;

/// The step's status, for a reader who follows its output.
pub const STEP_STATUS: HeaderName = HeaderName::from_static("step-status");

impl Runs {
    /// The whole output of a step's last run: from its log once the run has ended, its head and tail until then.
    pub async fn output(&self, scope: Scope, number: &str) -> Result<Response, ApiError> {
        let number = number.parse().map_err(|_| ApiError::not_found())?;
        let step = self.executions.present_step(scope, number).await?;
        let step = step.ok_or_else(ApiError::not_found)?;
        let body = match self.log_of(scope, &step).await? {
            Some(body) => body,
            None => Body::from(step.output.text()),
        };
        let headers = [
            (CONTENT_TYPE, "text/plain; charset=utf-8"),
            (CACHE_CONTROL, "private, no-store"),
            (STEP_STATUS, step.status().as_str()),
        ];
        Ok((headers, body).into_response())
    }

    /// The log in the bucket, if the head and tail in the table do not hold the whole output.
    async fn log_of(&self, scope: Scope, step: &Step) -> Result<Option<Body>, ApiError> {
        let ended = matches!(step.phase, Phase::Completed | Phase::Failed);
        let Some(run_id) = step.run_id.as_ref().filter(|_| ended && step.output.omitted() > 0)
        else {
            return Ok(None);
        };
        let log = self.objects.get(&log_key(scope, run_id)).await.map_err(ApiError::internal)?;
        Ok(log.map(|log| Body::from_stream(ReaderStream::new(log.body.into_async_read()))))
    }
}
