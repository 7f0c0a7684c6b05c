//! The calls.

use crate::App;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use cloud::{Decision, ProgressionError};
use domain::{AgentId, PlanId};
use http_kit::{ApiError, ErrorBody, Json, ProjectHeader, StepBody, sse};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

fn api() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(helper_chat)).routes(routes!(approve_command))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().with_state(app).into()
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().into_openapi()
}

/// A message to the helper.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct HelperMessage {
    /// 1 to 20,000 characters.
    pub message: String,
    /// The conversation; a project has one, so it may be left out.
    pub thread_id: Option<String>,
}

/// The owner's word on a command of the helper.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CommandDecision {
    /// The command, by its number.
    pub number: u32,
    /// Run it, or turn it down.
    pub approved: bool,
    /// SHA-256 of the script that was shown.
    pub command_sha256: String,
}

/// Talk to the DevOps helper
#[utoipa::path(post, path = "/devops-helper/chat", tag = "devops-helper",
    request_body = HelperMessage,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "The reply, as it is written, with the commands it runs",
            content_type = "text/event-stream", body = sse::ChatStreamEvent),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
async fn helper_chat(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    Json(body): Json<HelperMessage>,
) -> Result<Response, ApiError> {
    let sealed = app.vault.seal_message(scope, &body.message).await;
    let sealed = sealed.map_err(|e| ApiError::of_vault(e.code(), e))?;
    let turn = agents::chat(&app.agents, AgentId::DevopsHelper, scope, &sealed.text)
        .await
        .map_err(|error| ApiError::of_agent(error.code(), error.public_text()))?;
    Ok(sse::chat_stream(turn.thread_id().clone(), sealed.announced(turn.into_reply())))
}

/// Approve a command of the helper, or turn it down
#[utoipa::path(post, path = "/devops-helper/approve-command", tag = "devops-helper",
    request_body = CommandDecision,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = StepBody), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn approve_command(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    Json(word): Json<CommandDecision>,
) -> Result<axum::Json<StepBody>, ApiError> {
    let decision = Decision {
        plan_id: PlanId::from(crate::desk::PLAN),
        step_number: word.number,
        approved: word.approved,
        command_sha256: Some(word.command_sha256),
    };
    let decided = app.decisions.carry_out(scope, decision).await;
    let step = decided.map_err(|error| match error {
        ProgressionError::Execution(error) => error.into(),
        ProgressionError::Cloud(error) => ApiError::internal(error),
    })?;
    Ok(axum::Json(StepBody::from(&step)))
}
