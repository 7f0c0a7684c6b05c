//! The function's calls.

use crate::trigger::Asked;
use crate::{
    App, CredentialNames, CredentialValues, DocumentsBody, RequirementsBody, RestoredBody,
    ThreadBody, VersionBody, VersionList,
};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use chats::{ChatMessage, Draft, DraftSecrets};
use domain::credential::Provider;
use domain::document::DocumentId;
use domain::{AgentId, RunId};
use http_kit::{
    Api, ApiError, Chat, Drafts, ErrorBody, Json, Limited, ProjectHeader, QuestionOnProject,
    conditional_json, routes,
};
use serde::{Deserialize, Serialize};
use store::plans::PlanKind;
use utoipa::ToSchema;

fn api() -> Api<App> {
    Api::new()
        .routes(routes!(requirements_gatherer))
        .routes(routes!(cloud_architect))
        .routes(routes!(implementation_planner))
        .routes(routes!(draft_secrets))
        .routes(routes!(requirements))
        .routes(routes!(architecture_plan))
        .routes(routes!(implementation_plan))
        .routes(routes!(thread))
        .routes(routes!(credentials))
        .routes(routes!(keep_credentials, forget_credentials))
        .routes(routes!(documents))
        .routes(routes!(versions))
        .routes(routes!(version))
        .routes(routes!(restore))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// A run was queued.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Accepted {
    /// Always `accepted`.
    pub status: String,
    /// The run.
    pub run_id: RunId,
}

/// Talk to the requirements agent
#[utoipa::path(post, path = "/planning/requirements-gatherer", tag = "planning",
    request_body = ChatMessage,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "The reply as a stream",
            content_type = "text/event-stream", body = http_kit::sse::ChatStreamEvent),
        (status = 402, body = ErrorBody)))]
async fn requirements_gatherer(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Chat>,
    Json(body): Json<ChatMessage>,
) -> Result<Response, ApiError> {
    app.chats.open(AgentId::RequirementsGatherer, scope, &body).await
}

/// Talk to the cloud architect, or (without `Accept: text/event-stream`) ask for the plan
#[utoipa::path(post, path = "/planning/cloud-architect", tag = "planning",
    request_body = ChatMessage,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "The reply as a stream",
            content_type = "text/event-stream", body = http_kit::sse::ChatStreamEvent),
        (status = 202, body = Accepted), (status = 402, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn cloud_architect(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Chat>,
    headers: HeaderMap,
    Json(body): Json<ChatMessage>,
) -> Result<Response, ApiError> {
    if wants_stream(&headers) {
        return app.chats.open(AgentId::CloudArchitect, scope, &body).await;
    }
    Ok(accepted(app.trigger(Asked::Architecture, scope, &body).await?))
}

/// Talk to the implementation planner, or (without `Accept: text/event-stream`) ask for the plan
#[utoipa::path(post, path = "/planning/implementation-planner", tag = "planning",
    request_body = ChatMessage,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "The reply as a stream",
            content_type = "text/event-stream", body = http_kit::sse::ChatStreamEvent),
        (status = 202, body = Accepted), (status = 402, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn implementation_planner(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Chat>,
    headers: HeaderMap,
    Json(body): Json<ChatMessage>,
) -> Result<Response, ApiError> {
    if wants_stream(&headers) {
        return app.chats.open(AgentId::ImplementationPlanner, scope, &body).await;
    }
    Ok(accepted(app.trigger(Asked::Implementation, scope, &body).await?))
}

/// Find the parts of a message that would be sealed if it were sent; nothing is stored
#[utoipa::path(post, path = "/planning/draft-secrets", tag = "planning", request_body = Draft,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = DraftSecrets)))]
async fn draft_secrets(
    State(app): State<App>,
    QuestionOnProject(scope): QuestionOnProject,
    _: Limited<Drafts>,
    Json(draft): Json<Draft>,
) -> Result<axum::Json<DraftSecrets>, ApiError> {
    app.projects.get(scope).await?.ok_or_else(ApiError::not_found)?;
    app.chats.draft_secrets(scope, &draft).await.map(axum::Json)
}

/// The current requirements
#[utoipa::path(get, path = "/planning/requirements", tag = "planning",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = RequirementsBody), (status = 304, description = "Unchanged")))]
async fn requirements(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    app.requirements(scope, &headers).await
}

/// The current architecture plan; the header `Plan-Status` has its status
#[utoipa::path(get, path = "/planning/architecture-plan", tag = "planning",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = String, content_type = "text/plain", description = "Markdown",
            headers(("Plan-Status" = String), ("Plan-Detail" = String), ("Plan-Id" = String))),
        (status = 304, description = "Unchanged")))]
async fn architecture_plan(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    app.plan(scope, PlanKind::Architecture, &headers).await
}

/// The current implementation plan; the header `Plan-Status` has its status
#[utoipa::path(get, path = "/planning/implementation-plan", tag = "planning",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = String, content_type = "text/plain", description = "Markdown",
            headers(("Plan-Status" = String), ("Plan-Detail" = String), ("Plan-Id" = String))),
        (status = 304, description = "Unchanged")))]
async fn implementation_plan(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    app.plan(scope, PlanKind::Implementation, &headers).await
}

/// The conversation with an agent
#[utoipa::path(get, path = "/planning/threads/{agent}", tag = "planning",
    params(("agent" = AgentId, Path)),
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = ThreadBody)))]
async fn thread(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    Path(agent): Path<String>,
) -> Result<axum::Json<ThreadBody>, ApiError> {
    let agent = agent.parse().map_err(|_| ApiError::not_found())?;
    app.thread(scope, agent).await.map(axum::Json)
}

/// The names of the project's credentials; values are never shown
#[utoipa::path(get, path = "/planning/credentials", tag = "planning",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = [CredentialNames])))]
async fn credentials(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
) -> Result<axum::Json<Vec<CredentialNames>>, ApiError> {
    app.credentials(scope).await.map(axum::Json)
}

/// Replace a provider's credentials, or add to them
#[utoipa::path(put, path = "/planning/credentials/{provider}", tag = "planning",
    params(("provider" = Provider, Path, description = "All but `chat`")),
    request_body = CredentialValues,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 204, description = "Sealed")))]
async fn keep_credentials(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    Path(provider): Path<String>,
    Json(given): Json<CredentialValues>,
) -> Result<StatusCode, ApiError> {
    app.keep_credentials(scope, &provider, &given).await.map(|()| StatusCode::NO_CONTENT)
}

/// Delete a provider's credentials
#[utoipa::path(delete, path = "/planning/credentials/{provider}", tag = "planning",
    params(("provider" = Provider, Path)),
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 204, description = "Deleted, if there were any"),
        (status = 422, body = ErrorBody)))]
async fn forget_credentials(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    Path(provider): Path<String>,
) -> Result<StatusCode, ApiError> {
    app.forget_credentials(scope, &provider).await.map(|()| StatusCode::NO_CONTENT)
}

/// The state of the documents: their versions, and which of them are out of date
#[utoipa::path(get, path = "/planning/documents", tag = "planning",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = DocumentsBody), (status = 304, description = "Unchanged")))]
async fn documents(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Ok(conditional_json(&headers, &app.standings(scope).await?))
}

/// The versions of a document that are kept
#[utoipa::path(get, path = "/planning/documents/{document}/versions", tag = "planning",
    params(("document" = DocumentId, Path)),
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = VersionList)))]
async fn versions(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    Path(document): Path<String>,
) -> Result<axum::Json<VersionList>, ApiError> {
    app.versions_of(scope, &document).await.map(axum::Json)
}

/// The text of a version of a document
#[utoipa::path(get, path = "/planning/documents/{document}/versions/{number}", tag = "planning",
    params(("document" = DocumentId, Path), ("number" = u32, Path)),
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = VersionBody)))]
async fn version(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    Path((document, number)): Path<(String, String)>,
) -> Result<axum::Json<VersionBody>, ApiError> {
    app.version(scope, &document, version_number(&number)?).await.map(axum::Json)
}

/// Restore a former version of a document; its current text stays as a version, too
#[utoipa::path(post, path = "/planning/documents/{document}/versions/{number}/restore", tag = "planning",
    params(("document" = DocumentId, Path), ("number" = u32, Path)),
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = RestoredBody), (status = 409, body = ErrorBody)))]
async fn restore(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    Path((document, number)): Path<(String, String)>,
) -> Result<axum::Json<RestoredBody>, ApiError> {
    app.restore(scope, &document, version_number(&number)?).await.map(axum::Json)
}

fn version_number(number: &str) -> Result<u32, ApiError> {
    number.parse().map_err(|_| ApiError::not_found())
}

fn wants_stream(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accept.contains("text/event-stream")
}

fn accepted(run_id: RunId) -> Response {
    let body = Accepted { status: "accepted".to_owned(), run_id };
    (StatusCode::ACCEPTED, axum::Json(body)).into_response()
}
