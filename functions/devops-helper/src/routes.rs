//! The function's calls.

use crate::{App, CredentialTrial};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use chats::ChatMessage;
use domain::chat::ProposedCommand;
use domain::step::{Seen, StepDecision, StepStatus};
use domain::{AgentId, PlanId};
use http_kit::{
    Api, ApiError, Chat, Download, ErrorBody, IfCostly, Json, Limited, Owner, ProjectHeader,
    conditional_json, routes, sse,
};
use runs::{StepBody, StepName, refuse};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

fn api() -> Api<App> {
    Api::new()
        .routes(routes!(helper_chat))
        .routes(routes!(approve_command))
        .routes(routes!(open_commands))
        .routes(routes!(cancel_command))
        .routes(routes!(command_output))
        .routes(routes!(try_credentials))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// The owner's decision on a command of the helper.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CommandDecision {
    /// The command, by its number.
    pub number: u32,
    /// True to run it, false to reject it.
    pub approved: bool,
    /// SHA-256 of the script that the owner saw.
    pub command_sha256: String,
    /// The attempt that the owner saw; optional for the first one.
    pub attempt: Option<u32>,
}

/// Talk to the DevOps helper
#[utoipa::path(post, path = "/devops-helper/chat", tag = "devops-helper",
    request_body = ChatMessage,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "The reply as a stream, with the commands that it runs",
            content_type = "text/event-stream", body = sse::ChatStreamEvent), (status = 402, body = ErrorBody)))]
async fn helper_chat(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Chat>,
    Json(body): Json<ChatMessage>,
) -> Result<Response, ApiError> {
    app.chats.open(AgentId::DevopsHelper, scope, &body).await
}

/// Approve or reject a command of the helper
#[utoipa::path(post, path = "/devops-helper/approve-command", tag = "devops-helper",
    request_body = CommandDecision,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = StepBody), (status = 409, body = ErrorBody)))]
async fn approve_command(
    State(app): State<App>,
    owner: Owner,
    Json(decision): Json<CommandDecision>,
) -> Result<axum::Json<StepBody>, ApiError> {
    let CommandDecision { number, approved, command_sha256, attempt } = decision;
    let decision = StepDecision {
        plan_id: PlanId::from(crate::desk::PLAN),
        step_number: number,
        approved,
        seen: Seen { command_sha256: Some(command_sha256), attempt, ..Seen::default() },
        reason: None,
        roll_back: false,
    };
    let decided = app.decisions.carry_out(owner.scope, &decision, &owner.actor()).await;
    Ok(axum::Json(StepBody::from(&decided.map_err(refuse)?)))
}

/// The helper's waiting and running commands, newest first
#[utoipa::path(get, path = "/devops-helper/commands", tag = "devops-helper",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = Vec<ProposedCommand>), (status = 304, description = "Unchanged")))]
async fn open_commands(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Ok(conditional_json(&headers, &app.open_commands(scope).await?))
}

/// Names a command of the helper.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CommandName {
    /// The command, by its number.
    pub number: u32,
    /// The attempt that the owner saw; a later one is left alone.
    pub attempt: Option<u32>,
}

/// Cancel a command of the helper that is being prepared or runs
#[utoipa::path(post, path = "/devops-helper/cancel-command", tag = "devops-helper",
    request_body = CommandName,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = StepBody), (status = 409, body = ErrorBody)))]
async fn cancel_command(
    State(app): State<App>,
    owner: Owner,
    Json(name): Json<CommandName>,
) -> Result<axum::Json<StepBody>, ApiError> {
    let plan_id = PlanId::from(crate::desk::PLAN);
    let name =
        StepName { plan_id, step_number: name.number, attempt: name.attempt, rollback: false };
    let cancelled = app.runs.cancel(owner.scope, name, &owner.actor()).await?;
    Ok(axum::Json(StepBody::from(&cancelled)))
}

/// The whole output of a helper's command
#[utoipa::path(get, path = "/devops-helper/output/{step_number}", tag = "devops-helper",
    params(("step_number" = u32, Path, description = "The command, by its number")),
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = String, content_type = "text/plain", description = "The output",
            headers(("Step-Status" = StepStatus)))))]
async fn command_output(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    download: IfCostly<Download>,
    Path(step_number): Path<String>,
) -> Result<Response, ApiError> {
    app.runs.output(scope, &step_number, download).await
}

/// Prepare a harmless call that shows whether a provider's credentials work
///
/// It waits for the owner's approval like any other command, and runs in the sandbox.
#[utoipa::path(post, path = "/devops-helper/try-credentials", tag = "devops-helper",
    request_body = CredentialTrial,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = ProposedCommand), (status = 409, body = ErrorBody)))]
async fn try_credentials(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    Json(trial): Json<CredentialTrial>,
) -> Result<axum::Json<ProposedCommand>, ApiError> {
    app.try_credentials(scope, &trial).await.map(axum::Json)
}
