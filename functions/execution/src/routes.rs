//! The calls.

use crate::{App, Start, Started, TerminalCommand};
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use chats::ChatMessage;
use domain::AgentId;
use domain::step::{StepDecision, StepStatus};
use http_kit::{
    ApiError, Chat, ErrorBody, EventStream, Json, Limited, Owner, ProjectHeader, conditional_json,
    sse,
};
use runs::{Progress, StepBody, StepName, refuse};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

fn api() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(trigger))
        .routes(routes!(progress))
        .routes(routes!(approve_step))
        .routes(routes!(cancel_step))
        .routes(routes!(output))
        .routes(routes!(agent, agent_message))
        .routes(routes!(typed_commands))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().with_state(app).into()
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().into_openapi()
}

/// Start executing the implementation plan
#[utoipa::path(post, path = "/execution/trigger", tag = "execution", request_body = Start,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 202, body = Started), (status = 401, body = ErrorBody), (status = 402, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn trigger(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Chat>,
    Json(_start): Json<Start>,
) -> Result<(StatusCode, axum::Json<Started>), ApiError> {
    Ok((StatusCode::ACCEPTED, axum::Json(app.trigger(scope).await?)))
}

/// Where the execution stands
#[utoipa::path(get, path = "/execution/progress", tag = "execution",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = Progress), (status = 304, description = "Unchanged"),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn progress(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let execution = app.executions.load(scope).await?.ok_or_else(ApiError::not_found)?;
    Ok(conditional_json(&headers, &Progress::from(&execution)))
}

/// Approve a step, turn it down, or execute it again
#[utoipa::path(post, path = "/execution/approve-step", tag = "execution",
    request_body = StepDecision,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = StepBody), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn approve_step(
    State(app): State<App>,
    owner: Owner,
    Json(decision): Json<StepDecision>,
) -> Result<axum::Json<StepBody>, ApiError> {
    let decided = app.decisions.carry_out(owner.scope, &decision, &owner.actor()).await;
    Ok(axum::Json(StepBody::from(&decided.map_err(refuse)?)))
}

/// Stop a step that is under way
#[utoipa::path(post, path = "/execution/cancel-step", tag = "execution", request_body = StepName,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = StepBody), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn cancel_step(
    State(app): State<App>,
    owner: Owner,
    Json(name): Json<StepName>,
) -> Result<axum::Json<StepBody>, ApiError> {
    let cancelled = app.runs.cancel(owner.scope, name, &owner.actor()).await?;
    Ok(axum::Json(StepBody::from(&cancelled)))
}

/// All that a step's last run printed
#[utoipa::path(get, path = "/execution/output/{step_number}", tag = "execution",
    params(("step_number" = u32, Path)),
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = String, content_type = "text/plain", description = "The output",
            headers(("Step-Status" = StepStatus))),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn output(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    Path(step_number): Path<String>,
) -> Result<Response, ApiError> {
    app.runs.output(scope, &step_number).await
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Question {
    /// 1 to 20,000 characters.
    message: String,
}

/// Talk to the execution agent
#[utoipa::path(get, path = "/execution/agent", tag = "execution", params(Question),
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "The reply, as it is written",
            content_type = "text/event-stream", body = sse::ChatStreamEvent),
        (status = 401, body = ErrorBody), (status = 402, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
async fn agent(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Chat>,
    Query(question): Query<Question>,
) -> Result<Response, ApiError> {
    let message = ChatMessage::plain(question.message);
    app.chats.open(AgentId::Executor, scope, &message).await
}

/// Talk to the execution agent, without the message in the address
#[utoipa::path(post, path = "/execution/agent", tag = "execution", request_body = ChatMessage,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "The reply, as it is written",
            content_type = "text/event-stream", body = sse::ChatStreamEvent),
        (status = 401, body = ErrorBody), (status = 402, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
async fn agent_message(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Chat>,
    Json(body): Json<ChatMessage>,
) -> Result<Response, ApiError> {
    app.chats.open(AgentId::Executor, scope, &body).await
}

/// Commands that the execution agent types into the user's terminal
#[utoipa::path(get, path = "/terminal/commands", tag = "terminal",
    params(("Last-Event-ID" = Option<u64>, Header, description = "The last one that was received")),
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "Each as it comes, for five minutes",
            content_type = "text/event-stream", body = TerminalCommand),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
async fn typed_commands(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<EventStream>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    app.typed_commands(scope, last.unwrap_or_default()).await
}
