//! The function's calls.

use crate::scope::scope;
use crate::{ActionBody, App, SandboxBody, previews};
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use domain::backup::{Backup, BackupId, BackupReason};
use http_kit::{
    Api, ApiError, Download, ErrorBody, Identity, Json, Limited, conditional_json, routes,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

fn api() -> Api<App> {
    Api::new()
        .routes(routes!(sandbox_status))
        .routes(routes!(initialize_sandbox))
        .routes(routes!(start_sandbox))
        .routes(routes!(stop_sandbox))
        .routes(routes!(sync_sandbox))
        .routes(routes!(sandbox_backups))
        .routes(routes!(restore_sandbox))
        .routes(routes!(previews::sandbox_ports))
        .routes(routes!(previews::open_preview))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// The state of the sandbox
#[utoipa::path(get, path = "/sandbox/status/{id}", tag = "sandbox",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = SandboxBody), (status = 304, description = "Unchanged"),
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

/// Start the sandbox and wait briefly for it
#[utoipa::path(post, path = "/sandbox/initialize/{id}", tag = "sandbox",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = ActionBody),
        (status = 402, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
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
    responses((status = 200, body = ActionBody),
        (status = 402, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
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
    responses((status = 200, body = ActionBody), (status = 422, body = ErrorBody)))]
async fn stop_sandbox(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
) -> Result<axum::Json<ActionBody>, ApiError> {
    app.stop(scope(&caller, &id)?).await.map(axum::Json)
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Sync {
    /// Whether the sandbox will be stopped afterward; the backup gets that reason.
    before_stop: Option<bool>,
    /// The `transfer` of an earlier answer: waits for that backup and makes no other one.
    transfer: Option<String>,
}

/// Back up the workspace
#[utoipa::path(post, path = "/sandbox/sync/{id}", tag = "sandbox",
    params(("id" = u64, Path, description = "The project"), Sync),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = ActionBody), (status = 422, body = ErrorBody)))]
async fn sync_sandbox(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Download>,
    Path(id): Path<String>,
    Query(sync): Query<Sync>,
) -> Result<axum::Json<ActionBody>, ApiError> {
    let stops = sync.before_stop.unwrap_or_default();
    let reason = if stops { BackupReason::Stop } else { BackupReason::Manual };
    let begun = sync.transfer.as_deref().filter(|begun| !begun.is_empty());
    app.back_up(scope(&caller, &id)?, reason, begun).await.map(axum::Json)
}

/// The kept backups, newest first
#[utoipa::path(get, path = "/sandbox/backups/{id}", tag = "sandbox",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = Vec<Backup>), (status = 304, description = "Unchanged"),
        (status = 422, body = ErrorBody)))]
async fn sandbox_backups(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let scope = scope(&caller, &id)?;
    let backups = app.backups.get(scope).await?;
    if backups.list.is_empty() {
        // Only an empty list needs a second read, to distinguish a project without backups from a missing one.
        app.sandboxes.get(scope).await?.ok_or_else(ApiError::not_found)?;
    }
    Ok(conditional_json(&headers, &backups.by_age()))
}

/// The backup to restore.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct RestoreBody {
    /// Its id on the list.
    pub backup_id: BackupId,
    /// The `transfer` of an earlier answer: waits for that restore and begins no other one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer: Option<String>,
}

/// Replace the workspace with a backup; the workspace is backed up first
#[utoipa::path(post, path = "/sandbox/restore/{id}", tag = "sandbox", request_body = RestoreBody,
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = ActionBody), (status = 409, body = ErrorBody)))]
async fn restore_sandbox(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Download>,
    Path(id): Path<String>,
    Json(body): Json<RestoreBody>,
) -> Result<axum::Json<ActionBody>, ApiError> {
    let scope = scope(&caller, &id)?;
    let begun = body.transfer.as_deref().filter(|begun| !begun.is_empty());
    app.restore(scope, &body.backup_id, &caller.actor(), begun).await.map(axum::Json)
}
