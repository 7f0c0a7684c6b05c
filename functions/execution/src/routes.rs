//! The function's calls.

use crate::{App, Start, Started, TerminalCommand};
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use chats::ChatMessage;
use domain::AgentId;
use domain::step::{StepDecision, StepEdit, StepStatus, Track};
use http_kit::{
    Api, ApiError, Chat, ClientAddress, Download, ErrorBody, EventStream, IfCostly, Json, Limited,
    Owner, ProjectHeader, routes, sse,
};
use runs::{AutonomyRequest, Progress, StepBody, StepName, polled, refuse};
use serde::Deserialize;
use std::time::Duration;
use utoipa::IntoParams;

fn api() -> Api<App> {
    Api::new()
        .routes(routes!(trigger))
        .routes(routes!(progress))
        .routes(routes!(crate::estimate::estimate))
        .routes(routes!(approve_step))
        .routes(routes!(edit_step))
        .routes(routes!(set_autonomy))
        .routes(routes!(cancel_step))
        .routes(routes!(output))
        .routes(routes!(agent, agent_message))
        .routes(routes!(typed_commands))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// Start executing the implementation plan
#[utoipa::path(post, path = "/execution/trigger", tag = "execution", request_body = Start,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 202, body = Started), (status = 402, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn trigger(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Chat>,
    Json(start): Json<Start>,
) -> Result<(StatusCode, axum::Json<Started>), ApiError> {
    let started = app.trigger(scope, start.plan_id.as_ref()).await?;
    Ok((StatusCode::ACCEPTED, axum::Json(started)))
}

/// The progress of the execution
#[utoipa::path(get, path = "/execution/progress", tag = "execution",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = Progress), (status = 304, description = "Unchanged")))]
async fn progress(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    polled(&app.executions, scope, &headers, |execution| Progress::from(execution)).await
}

/// Approve or reject a step, or execute it again
#[utoipa::path(post, path = "/execution/approve-step", tag = "execution",
    request_body = StepDecision,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = StepBody), (status = 409, body = ErrorBody)))]
async fn approve_step(
    State(app): State<App>,
    owner: Owner,
    Json(decision): Json<StepDecision>,
) -> Result<axum::Json<StepBody>, ApiError> {
    let reason = app.chats.seal_reason(owner.scope, decision.reason).await?;
    let decision = StepDecision { reason, ..decision };
    if decision.roll_back {
        let runs = app.roll_back(owner.scope, &decision, &owner.actor()).await?;
        return Ok(axum::Json(StepBody::from(&runs)));
    }
    let decided = app.decisions.carry_out(owner.scope, &decision, &owner.actor()).await;
    Ok(axum::Json(StepBody::from(&decided.map_err(refuse)?)))
}

/// Edit the command of a step that waits for approval
#[utoipa::path(post, path = "/execution/edit-step", tag = "execution", request_body = StepEdit,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = StepBody), (status = 409, body = ErrorBody)))]
async fn edit_step(
    State(app): State<App>,
    owner: Owner,
    Json(edit): Json<StepEdit>,
) -> Result<axum::Json<StepBody>, ApiError> {
    let command = app.chats.examine_edit(owner.scope, Track::Execution, &edit).await?;
    let edited = app.decisions.edit(owner.scope, &edit, &command, &owner.actor()).await;
    Ok(axum::Json(StepBody::from(&edited.map_err(refuse)?)))
}

/// Choose which commands to approve while the steps of a plan run
#[utoipa::path(post, path = "/execution/autonomy", tag = "execution", request_body = AutonomyRequest,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = Progress), (status = 409, body = ErrorBody)))]
async fn set_autonomy(
    State(app): State<App>,
    owner: Owner,
    Json(request): Json<AutonomyRequest>,
) -> Result<axum::Json<Progress>, ApiError> {
    let there = app.executions.load(owner.scope).await?;
    there.ok_or_else(ApiError::not_found)?;
    let AutonomyRequest { plan_id, autonomy } = request;
    let set = app.decisions.set_autonomy(owner.scope, &plan_id, autonomy, &owner.actor()).await;
    set.map_err(refuse)?;
    let now = app.executions.load(owner.scope).await?.ok_or_else(ApiError::not_found)?;
    Ok(axum::Json(Progress::from(&now)))
}

/// Cancel a step that is being prepared or runs
#[utoipa::path(post, path = "/execution/cancel-step", tag = "execution", request_body = StepName,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = StepBody), (status = 409, body = ErrorBody)))]
async fn cancel_step(
    State(app): State<App>,
    owner: Owner,
    Json(name): Json<StepName>,
) -> Result<axum::Json<StepBody>, ApiError> {
    let runs = if name.rollback { app.runs.on(Track::Rollback) } else { app.runs.clone() };
    let cancelled = runs.cancel(owner.scope, name, &owner.actor()).await?;
    Ok(axum::Json(StepBody::from(&cancelled)))
}

/// The whole output of a step's last run
#[utoipa::path(get, path = "/execution/output/{step_number}", tag = "execution",
    params(("step_number" = u32, Path)),
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = String, content_type = "text/plain", description = "The output",
            headers(("Step-Status" = StepStatus)))))]
async fn output(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    download: IfCostly<Download>,
    Path(step_number): Path<String>,
) -> Result<Response, ApiError> {
    app.runs.output(scope, &step_number, download).await
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
    responses((status = 200, description = "The reply as a stream",
            content_type = "text/event-stream", body = sse::ChatStreamEvent), (status = 402, body = ErrorBody),
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

/// Talk to the execution agent, with the message in the body instead of the URL
#[utoipa::path(post, path = "/execution/agent", tag = "execution", request_body = ChatMessage,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "The reply as a stream",
            content_type = "text/event-stream", body = sse::ChatStreamEvent), (status = 402, body = ErrorBody)))]
async fn agent_message(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Chat>,
    Json(body): Json<ChatMessage>,
) -> Result<Response, ApiError> {
    app.chats.open(AgentId::Executor, scope, &body).await
}

/// How long a caller asks to wait (`Prefer: wait=30`), if we can parse the header.
fn preferred(headers: &HeaderMap) -> Option<Duration> {
    let preferences = headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok());
    let wait = preferences.flat_map(|value| value.split([',', ';'])).find_map(|preference| {
        let (name, value) = preference.split_once('=')?;
        name.trim().eq_ignore_ascii_case("wait").then(|| value.trim().parse().ok())?
    });
    wait.map(Duration::from_secs)
}

/// Commands that the execution agent types into the user's terminal
#[utoipa::path(get, path = "/terminal/commands", tag = "execution",
    params(("Last-Event-ID" = Option<u64>, Header, description = "The id of the last received command"),
        ("Prefer" = Option<String>, Header, description = "`wait=30` for a stream of 30 seconds (RFC 7240)")),
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "Each command as it comes, for a minute or as long as the caller prefers. \
            Without a running sandbox, the stream ends at once",
            content_type = "text/event-stream", body = TerminalCommand)))]
async fn typed_commands(
    State(app): State<App>,
    owner: Owner,
    _: Limited<EventStream>,
    address: ClientAddress,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    app.typed_commands(&owner, address, last.unwrap_or_default(), preferred(&headers)).await
}
