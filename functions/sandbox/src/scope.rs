//! The project that a call names in its path.

use domain::{ProjectId, Scope};
use http_kit::{ApiError, ErrorCode, Identity};

/// The project with this id, as the caller's own; an invalid id is refused in the words of the contract.
pub(crate) fn scope(caller: &Identity, id: &str) -> Result<Scope, ApiError> {
    let invalid = |_| ApiError::unprocessable(ErrorCode::InvalidProjectId, "Invalid project ID");
    id.parse::<ProjectId>().map(|project| caller.scope(project)).map_err(invalid)
}
