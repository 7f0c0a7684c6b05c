//! The calls.

use crate::{ActionBody, App, SandboxBody};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use domain::{ProjectId, Scope};
use http_kit::{ApiError, ErrorBody, Identity, conditional_json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

fn api() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(sandbox_status))
        .routes(routes!(initialize_sandbox))
        .routes(routes!(start_sandbox))
        .routes(routes!(stop_sandbox))
        .routes(routes!(sync_sandbox))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().with_state(app).into()
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().into_openapi()
}

fn scope(caller: &Identity, id: &str) -> Result<Scope, ApiError> {
    let invalid = |_| ApiError::unprocessable("invalid_project_id", "Invalid project ID");
    id.parse::<ProjectId>().map(|project| caller.scope(project)).map_err(invalid)
}

/// Where the sandbox stands
#[utoipa::path(get, path = "/sandbox/status/{id}", tag = "sandbox",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = SandboxBody), (status = 304, description = "Unchanged"),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
async fn sandbox_status(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let scope = scope(&caller, &id)?;
    let sandbox = app.sandboxes.get(scope).await?.ok_or_else(ApiError::not_found)?;
    Ok(conditional_json(&headers, &SandboxBody::of(scope, &sandbox)))
}

/// Start the sandbox and wait a moment for it
#[utoipa::path(post, path = "/sandbox/initialize/{id}", tag = "sandbox",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = ActionBody), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn initialize_sandbox(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
) -> Result<axum::Json<ActionBody>, ApiError> {
    app.initialize(scope(&caller, &id)?).await.map(axum::Json)
}

/// Start the sandbox
#[utoipa::path(post, path = "/sandbox/start/{id}", tag = "sandbox",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = ActionBody), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn start_sandbox(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
) -> Result<axum::Json<ActionBody>, ApiError> {
    app.start(scope(&caller, &id)?).await.map(axum::Json)
}

/// Stop the sandbox
#[utoipa::path(post, path = "/sandbox/stop/{id}", tag = "sandbox",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = ActionBody), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn stop_sandbox(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
) -> Result<axum::Json<ActionBody>, ApiError> {
    app.stop(scope(&caller, &id)?).await.map(axum::Json)
}

/// Back the workspace up
#[utoipa::path(post, path = "/sandbox/sync/{id}", tag = "sandbox",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = ActionBody), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn sync_sandbox(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
) -> Result<axum::Json<ActionBody>, ApiError> {
    app.back_up(scope(&caller, &id)?).await.map(axum::Json)
}
