//! The function's calls.

use crate::{App, DocumentationBody};
use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use chats::ChatMessage;
use domain::AgentId;
use http_kit::{
    Api, ApiError, Chat, ErrorBody, Json, Limited, ProjectHeader, conditional_json, routes, sse,
};

fn api() -> Api<App> {
    Api::new().routes(routes!(generate)).routes(routes!(current))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// Ask the documenter to write the documentation
#[utoipa::path(post, path = "/documentation/generate", tag = "documentation",
    request_body = ChatMessage,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "The documenter's reply as a stream",
            content_type = "text/event-stream", body = sse::ChatStreamEvent), (status = 402, body = ErrorBody)))]
async fn generate(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Chat>,
    Json(body): Json<ChatMessage>,
) -> Result<Response, ApiError> {
    app.chats.open(AgentId::Documenter, scope, &body).await
}

/// The current documentation
#[utoipa::path(get, path = "/documentation/current", tag = "documentation",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = DocumentationBody), (status = 304, description = "Unchanged")))]
async fn current(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let documentation = app.documents.get(scope).await?.ok_or_else(ApiError::not_found)?;
    Ok(conditional_json(&headers, &DocumentationBody::from(documentation)))
}
