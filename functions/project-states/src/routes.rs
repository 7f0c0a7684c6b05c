//! The function's three calls.

use crate::{App, ProjectState, Stage};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use domain::stage::StageId;
use http_kit::{Api, ApiError, ErrorBody, Identity, Json, conditional_json, project_scope, routes};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

fn api() -> Api<App> {
    Api::new()
        .routes(routes!(project_state))
        .routes(routes!(set_current_stage))
        .routes(routes!(update_stage))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// The changes to a stage; other fields are ignored.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct StageUpdate {
    /// Whether it is confirmed.
    pub is_completed: Option<bool>,
}

/// The progress of a project through its stages
#[utoipa::path(get, path = "/project-states/{id}", tag = "project-states",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = ProjectState), (status = 304, description = "Unchanged")))]
async fn project_state(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let stored = app.pipelines.get(scope).await?.ok_or_else(ApiError::not_found)?;
    Ok(conditional_json(&headers, &app.state(scope, &stored.value).await?))
}

/// Show a stage; the next one opens once all stages before it are completed
#[utoipa::path(put, path = "/project-states/{id}/current-stage/{stage_id}", tag = "project-states",
    params(("id" = u64, Path, description = "The project"), ("stage_id" = StageId, Path)),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = ProjectState), (status = 409, body = ErrorBody)))]
async fn set_current_stage(
    State(app): State<App>,
    caller: Identity,
    Path((id, stage)): Path<(String, String)>,
) -> Result<axum::Json<ProjectState>, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let stage: StageId = stage.parse().map_err(|_| ApiError::not_found())?;
    let changed = app.pipelines.change(scope, |pipeline| pipeline.go_to(stage));
    let pipeline = app.used(scope, changed).await?;
    app.state(scope, &pipeline).await.map(axum::Json)
}

/// Confirm a stage, or take the confirmation back
#[utoipa::path(put, path = "/project-states/{id}/stages/{stage_id}", tag = "project-states",
    params(("id" = u64, Path, description = "The project"), ("stage_id" = StageId, Path)),
    request_body = StageUpdate,
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = Stage), (status = 409, body = ErrorBody)))]
async fn update_stage(
    State(app): State<App>,
    caller: Identity,
    Path((id, stage)): Path<(String, String)>,
    Json(update): Json<StageUpdate>,
) -> Result<axum::Json<Stage>, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let stage: StageId = stage.parse().map_err(|_| ApiError::not_found())?;
    let pipeline = app.update(scope, stage, &update).await?;
    Ok(axum::Json(Stage::of(&pipeline, stage)))
}
