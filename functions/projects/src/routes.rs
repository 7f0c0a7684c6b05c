//! The calls about projects themselves.

use crate::new_project::{NewProject, refuse};
use crate::{
    App, CREATED_PER_HOUR, ListedProject, audit, breakdown, budget, changes, costs, health, manage,
    shared, shares,
};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use domain::clock::HOUR_SECONDS;
use domain::project::Project;
use domain::report::Chain;
use domain::secret_token::sha256_hex;
use domain::security::{About, SecurityEvent, record};
use domain::{InstallationId, ProjectId, Scope, Timestamp};
use http_kit::{
    Api, ApiError, ErrorBody, ErrorCode, IdempotencyKey, Identity, Json, conditional_json,
    project_scope, routes,
};
use store::projects::{Created, Creation, KeyedCall};

/// Attempts at a random id before giving up; one collision in 2^53 is already a surprise.
const ID_ATTEMPTS: usize = 3;

fn api() -> Api<App> {
    Api::new()
        .routes(routes!(projects, create_project))
        .routes(routes!(project, manage::change_project, delete_project))
        .routes(routes!(manage::duplicate_project))
        .routes(routes!(costs::costs))
        .routes(routes!(costs::token_usage))
        .routes(routes!(breakdown::breakdown))
        .routes(routes!(budget::set_budget))
        .routes(routes!(audit::audit))
        .routes(routes!(changes::changes, changes::begin_change))
        .routes(routes!(changes::past_change, changes::abandon_change))
        .routes(routes!(shares::shares, shares::make_share))
        .routes(routes!(shares::withdraw_share))
        .routes(routes!(shared::shared_timeline))
        .routes(routes!(health::health))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// All projects of the caller, most recently changed first
#[utoipa::path(get, path = "/projects", tag = "projects",
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = Vec<ListedProject>), (status = 304, description = "Unchanged")))]
async fn projects(
    State(app): State<App>,
    caller: Identity,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let projects = app.projects.list(caller.installation).await?;
    let ids: Vec<_> = projects.iter().map(|project| project.id).collect();
    let glances = app.glances.of(caller.installation, &ids).await?;
    let listed = projects.into_iter().zip(glances);
    let listed: Vec<_> =
        listed.map(|(project, glance)| ListedProject::new(project, glance)).collect();
    Ok(conditional_json(&headers, &listed))
}

/// Create a project
///
/// For a day, a repeated call with the same `Idempotency-Key` returns the project that the first one created.
#[utoipa::path(post, path = "/projects", tag = "projects", request_body = NewProject,
    params(("Idempotency-Key" = Option<String>, Header, description = "Identifies this call, so that repeating it creates no second project")),
    security(("session" = [], "installation" = [])),
    responses((status = 201, body = Project),
        (status = 409, body = ErrorBody)))]
async fn create_project(
    State(app): State<App>,
    caller: Identity,
    IdempotencyKey(key): IdempotencyKey,
    Json(new): Json<NewProject>,
) -> Result<(StatusCode, axum::Json<Project>), ApiError> {
    let project = app.create(caller.installation, None, &new, key.as_deref()).await?;
    Ok((StatusCode::CREATED, axum::Json(project)))
}

impl App {
    /// Creates a project, perhaps from another one, unless its installation already has as many as allowed. A repeated
    /// call gets the project that the first one created.
    pub(crate) async fn create(
        &self,
        installation: InstallationId,
        from: Option<ProjectId>,
        new: &NewProject,
        key: Option<&str>,
    ) -> Result<Project, ApiError> {
        let request_sha256 = digest(from, new)?;
        let call = key.map(|key| KeyedCall { key, request_sha256: &request_sha256 });
        for _ in 0..ID_ATTEMPTS {
            let project =
                Project::new(&new.name, new.description.as_deref()).map_err(|e| refuse(&e))?;
            self.count_creation(installation).await?;
            let within = self.most_projects;
            match self.projects.create_within(installation, &project, within, call).await? {
                Created::Yes => return Ok(project),
                Created::Before(made) => {
                    return self.created_before(installation, &made, &request_sha256).await;
                }
                Created::IdTaken => {}
                Created::TooMany => {
                    let detail =
                        format!("You have {} projects, which is the limit.", self.most_projects);
                    return Err(ApiError::conflict(ErrorCode::TooManyProjects, detail));
                }
                Created::AccountDeleted => {
                    let detail = "This account is being deleted. Try again in a few minutes.";
                    return Err(ApiError::conflict(ErrorCode::AccountDeleted, detail));
                }
            }
        }
        Err(ApiError::internal("no free project id was found"))
    }

    /// Counts the creation of a valid project, even if it will be refused.
    async fn count_creation(&self, installation: InstallationId) -> Result<(), ApiError> {
        let (who, most) = (installation.to_string(), self.most_projects.max(CREATED_PER_HOUR));
        let count = self.rates.count_within(HOUR_SECONDS, "projects", &who, most, Timestamp::now());
        count.await?.map_or(Ok(()), |seconds| Err(ApiError::rate_limited(seconds)))
    }

    /// The project that an earlier call with the same key created.
    async fn created_before(
        &self,
        installation: InstallationId,
        made: &Creation,
        request_sha256: &str,
    ) -> Result<Project, ApiError> {
        if made.request_sha256 != request_sha256 {
            let detail = "This idempotency key was used for another project.";
            return Err(ApiError::conflict(ErrorCode::IdempotencyKeyReused, detail));
        }
        let scope = Scope { installation, project: made.project };
        self.projects.get(scope).await?.ok_or_else(|| {
            let detail = "This project was created before and has been deleted.";
            ApiError::conflict(ErrorCode::ProjectDeleted, detail)
        })
    }
}

/// SHA-256 of what a call asks for.
fn digest(from: Option<ProjectId>, new: &NewProject) -> Result<String, ApiError> {
    let all = serde_json::to_vec(&(from, new)).map_err(ApiError::internal)?;
    Ok(sha256_hex(&all))
}

/// One project
#[utoipa::path(get, path = "/projects/{id}", tag = "projects",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = Project)))]
async fn project(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
) -> Result<axum::Json<Project>, ApiError> {
    let scope = project_scope(&caller, &id)?;
    app.projects.get(scope).await?.map(axum::Json).ok_or_else(ApiError::not_found)
}

/// Delete a project with its documents, conversations, credentials, backups and logs
///
/// Its sandbox is stopped. Entries of the credit history stay.
#[utoipa::path(delete, path = "/projects/{id}", tag = "projects",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 202, description = "No call finds it anymore; its data is deleted within minutes")))]
async fn delete_project(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let scope = project_scope(&caller, &id)?;
    app.deletions.begin(scope).await?.ok_or_else(ApiError::not_found)?;
    let about = About::project(scope);
    record(SecurityEvent::ProjectDeleted, about.by(&caller.actor()), "");
    if let Err(error) = app.ended_access.close_project(scope).await {
        // The project is gone for every call, and the gateway closes the rest when it looks at them next.
        tracing::warn!(error = %Chain(&error), %scope, "a deleted project's connections were not closed");
    }
    Ok(StatusCode::ACCEPTED)
}
