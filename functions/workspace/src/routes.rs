//! The function's calls.

use crate::download::ZipAddress;
use crate::{App, repository};
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use domain::Scope;
use http_kit::{Api, ApiError, Download, ErrorBody, Identity, Limited, project_scope, routes};
use serde::Deserialize;
use utoipa::IntoParams;

fn api() -> Api<App> {
    repository::api(Api::new()).routes(routes!(workspace_download)).routes(routes!(folder_download))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// Download the workspace
#[utoipa::path(get, path = "/projects/{id}/workspace/download", tag = "workspace",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, description = "The files, or where they are if they are too large for an answer",
            content((String = "application/zip"), (ZipAddress = "application/json"))),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn workspace_download(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Download>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let scope = project_scope(&caller, &id)?;
    app.download(scope, &format!("{}-working-directory.zip", scope.project)).await
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Folder {
    /// `/home/{username}/workspace/`
    path: String,
}

/// Download the project folder
#[utoipa::path(get, path = "/workspace/folder_download", tag = "workspace", params(Folder),
    security(("session" = [], "installation" = [])),
    responses((status = 200, description = "The files, or where they are if they are too large for an answer",
            content((String = "application/zip"), (ZipAddress = "application/json"))),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn folder_download(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Download>,
    Query(folder): Query<Folder>,
) -> Result<Response, ApiError> {
    let scope = workspace_of(&folder.path).ok_or_else(ApiError::not_found)?;
    if scope.installation != caller.installation {
        return Err(ApiError::not_found());
    }
    app.download(scope, &format!("{}.zip", scope.username())).await
}

/// The project whose workspace a path names. Only a whole workspace is served.
fn workspace_of(path: &str) -> Option<Scope> {
    let home = path.strip_prefix("/home/")?;
    home.trim_end_matches('/').strip_suffix("/workspace")?.parse().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_workspace_can_be_downloaded() {
        let scope = "user_1_2".parse().unwrap();
        assert_eq!(workspace_of("/home/user_1_2/workspace/"), Some(scope));
        assert_eq!(workspace_of("/home/user_1_2/workspace"), Some(scope));
        for bad in ["/home/user_1_2/", "/etc/passwd", "/home/user_1_2/workspace/../..", ""] {
            assert_eq!(workspace_of(bad), None, "{bad:?}");
        }
    }
}
