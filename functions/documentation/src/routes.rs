//! The calls.

use crate::{App, DocumentationBody};
use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::AgentId;
use http_kit::{ApiError, Chat, ErrorBody, Json, Limited, ProjectHeader, conditional_json, sse};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

fn api() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(generate)).routes(routes!(current))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().with_state(app).into()
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().into_openapi()
}

/// What the documenter is asked for.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct DocumentationRequest {
    /// 1 to 20,000 characters.
    pub message: String,
    /// The conversation; a project has one, so it may be left out.
    pub thread_id: Option<String>,
}

/// Have the documentation written
#[utoipa::path(post, path = "/documentation/generate", tag = "documentation",
    request_body = DocumentationRequest,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "The documenter's reply, as it is written",
            content_type = "text/event-stream", body = sse::ChatStreamEvent),
        (status = 401, body = ErrorBody), (status = 402, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
async fn generate(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Chat>,
    Json(body): Json<DocumentationRequest>,
) -> Result<Response, ApiError> {
    let sealed = app.vault.seal_message(scope, &body.message).await;
    let sealed = sealed.map_err(|e| ApiError::of_vault(e.code(), e))?;
    let turn = agents::chat(&app.agents, AgentId::Documenter, scope, &sealed.text)
        .await
        .map_err(|error| ApiError::of_agent(error.code(), error.public_text()))?;
    Ok(sse::chat_stream(turn.thread_id().clone(), sealed.announced(turn.into_reply())))
}

/// The documentation as it stands
#[utoipa::path(get, path = "/documentation/current", tag = "documentation",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = DocumentationBody), (status = 304, description = "Unchanged"),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn current(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let documentation = app.documents.get(scope).await?.ok_or_else(ApiError::not_found)?;
    Ok(conditional_json(&headers, &DocumentationBody::from(documentation)))
}
