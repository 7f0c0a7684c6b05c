//! Answers a poll of an execution.

use axum::http::HeaderMap;
use axum::response::Response;
use domain::Scope;
use http_kit::{ApiError, conditional_json, known_tag, stamped_json, unchanged};
use serde::Serialize;
use store::executions::{Execution, Executions};

/// The execution as `body` shows it, or 304 if the reader already has it.
///
/// An execution that has not changed is not read again.
pub async fn polled<B: Serialize>(
    executions: &Executions,
    scope: Scope,
    headers: &HeaderMap,
    body: impl FnOnce(&Execution) -> B,
) -> Result<Response, ApiError> {
    if let Some(stamp) = known_tag(headers)
        && executions.is_still(scope, stamp).await?
    {
        return Ok(unchanged(stamp));
    }
    let loaded = executions.load_stamped(scope).await?;
    let (execution, stamp) = loaded.ok_or_else(ApiError::not_found)?;
    Ok(match stamp {
        Some(stamp) => stamped_json(&stamp, &body(&execution)),
        None => conditional_json(headers, &body(&execution)),
    })
}
