//! Shows that the API answers.

use serde::Serialize;
use utoipa::ToSchema;

/// The API answers.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `ok`.
    status: &'static str,
}

/// Check that the API answers
#[utoipa::path(get, path = "/health", tag = "projects", responses((status = 200, body = Health)))]
pub(crate) async fn health() -> axum::Json<Health> {
    axum::Json(Health { status: "ok" })
}
