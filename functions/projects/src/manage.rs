//! Renames, archives and duplicates projects.

use crate::App;
use crate::new_project::{NewProject, refuse};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use domain::Scope;
use domain::project::{Project, ProjectUpdate};
use http_kit::{ApiError, ErrorBody, IdempotencyKey, Identity, Json, project_scope};

/// Rename, describe, archive or unarchive a project; omitted fields stay unchanged
#[utoipa::path(patch, path = "/projects/{id}", tag = "projects", request_body = ProjectUpdate,
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = Project)))]
pub(crate) async fn change_project(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
    Json(request): Json<ProjectUpdate>,
) -> Result<axum::Json<Project>, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let changed = app.projects.change(scope, |project: Project| {
        project.changed(&request).map_err(|invalid| refuse(&invalid))
    });
    changed.await?.map(axum::Json).ok_or_else(ApiError::not_found)
}

/// Create a project with the requirements and the plans of this one
///
/// Of a project that was changed or torn down, it gets those of the first build, because the documents of a change only
/// say what the change does. Nothing is confirmed in it. Conversations, credentials, steps, files and costs stay where
/// they are. For a day, a repeated call with the same `Idempotency-Key`
/// returns the project that the first one created.
#[utoipa::path(post, path = "/projects/{id}/duplicate", tag = "projects", request_body = NewProject,
    params(("id" = u64, Path, description = "The project"),
        ("Idempotency-Key" = Option<String>, Header, description = "Identifies this call, so that repeating it creates no second project")),
    security(("session" = [], "installation" = [])),
    responses((status = 201, body = Project), (status = 409, body = ErrorBody)))]
pub(crate) async fn duplicate_project(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
    IdempotencyKey(key): IdempotencyKey,
    Json(request): Json<NewProject>,
) -> Result<(StatusCode, axum::Json<Project>), ApiError> {
    let from = project_scope(&caller, &id)?;
    app.projects.get(from).await?.ok_or_else(ApiError::not_found)?;
    let project =
        app.create(from.installation, Some(from.project), &request, key.as_deref()).await?;
    let first = app.changes.first_build(from).await?;
    app.plans.copy(from, first.as_ref(), Scope { project: project.id, ..from }).await?;
    Ok((StatusCode::CREATED, axum::Json(project)))
}
