//! The function's calls.

use crate::{
    App, CheckBody, CheckDecision, ProvedRequirements, Triggered, ValidationPlan,
    ValidationProgress, drift,
};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use chats::ChatMessage;
use domain::AgentId;
use domain::step::{Step, StepEdit, StepStatus, Track};
use http_kit::{
    Api, ApiError, Chat, Download, ErrorBody, IfCostly, Json, Limited, Owner, ProjectHeader,
    routes, sse,
};
use runs::{AutonomyRequest, StepName, polled, refuse};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

fn api() -> Api<App> {
    Api::new()
        .routes(routes!(validation_agent))
        .routes(routes!(validation_trigger))
        .routes(routes!(validation_plan))
        .routes(routes!(validation_progress))
        .routes(routes!(validation_requirements))
        .routes(routes!(drift::drift))
        .routes(routes!(drift::check_drift))
        .routes(routes!(drift::give_standing))
        .routes(routes!(drift::withdraw_standing))
        .routes(routes!(drift::schedule_drift))
        .routes(routes!(approve_check))
        .routes(routes!(edit_check))
        .routes(routes!(set_check_autonomy))
        .routes(routes!(cancel_check))
        .routes(routes!(check_output))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// Names an attempt at a check.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CheckAttempt {
    /// The check, from 1.
    pub step_number: u32,
    /// The attempt that was shown.
    pub attempt: u32,
}

impl From<&Step> for CheckAttempt {
    fn from(check: &Step) -> Self {
        Self { step_number: check.number, attempt: check.attempt }
    }
}

/// Starts the checks.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ValidationStart {
    /// The user's message; unused, kept for compatibility.
    pub message: Option<String>,
    /// The failed checks that were shown: only these are prepared again, and each only while that attempt is its last.
    /// Without the list, all failed checks are prepared again, except those that their owner rejected or canceled.
    pub failed: Option<Vec<CheckAttempt>>,
    /// Passed checks that were shown, to run again unchanged, each only while that attempt is its last. With the list,
    /// no failed check is prepared again unless `failed` names it.
    #[serde(default)]
    pub passed: Option<Vec<CheckAttempt>>,
}

/// Talk to the validator
#[utoipa::path(post, path = "/validation/agent", tag = "validation",
    request_body = ChatMessage,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, description = "The reply as a stream",
            content_type = "text/event-stream", body = sse::ChatStreamEvent), (status = 402, body = ErrorBody)))]
async fn validation_agent(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    _: Limited<Chat>,
    Json(body): Json<ChatMessage>,
) -> Result<Response, ApiError> {
    app.chats.open(AgentId::Validator, scope, &body).await
}

/// Start the checks of the validation plan, prepare the failed ones again, or run passed ones again
#[utoipa::path(post, path = "/validation/trigger", tag = "validation",
    request_body = ValidationStart,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = Triggered), (status = 402, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn validation_trigger(
    State(app): State<App>,
    owner: Owner,
    _: Limited<Chat>,
    Json(start): Json<ValidationStart>,
) -> Result<axum::Json<Triggered>, ApiError> {
    app.trigger(owner.scope, start, &owner.actor()).await.map(axum::Json)
}

/// The validation plan, and the validator's report
#[utoipa::path(get, path = "/validation/plan", tag = "validation",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = ValidationPlan), (status = 304, description = "Unchanged")))]
async fn validation_plan(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    app.plan(scope, &headers).await
}

/// The progress of the checks
#[utoipa::path(get, path = "/validation/progress", tag = "validation",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = ValidationProgress), (status = 304, description = "Unchanged")))]
async fn validation_progress(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    polled(&app.checks, scope, &headers, |checks| ValidationProgress::from(checks)).await
}

/// The proof of each requirement
#[utoipa::path(get, path = "/validation/requirements", tag = "validation",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = ProvedRequirements), (status = 304, description = "Unchanged")))]
async fn validation_requirements(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    app.proved_requirements(scope, &headers).await
}

/// Approve or reject a check, or run it again
#[utoipa::path(post, path = "/validation/approve-step", tag = "validation",
    request_body = CheckDecision,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = CheckBody), (status = 409, body = ErrorBody)))]
async fn approve_check(
    State(app): State<App>,
    owner: Owner,
    Json(decision): Json<CheckDecision>,
) -> Result<axum::Json<CheckBody>, ApiError> {
    let decided = app.decide(owner.scope, decision, &owner.actor()).await?;
    Ok(axum::Json(CheckBody::from(&decided)))
}

/// Edit the command of a check that waits for approval
#[utoipa::path(post, path = "/validation/edit-step", tag = "validation", request_body = StepEdit,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = CheckBody), (status = 409, body = ErrorBody)))]
async fn edit_check(
    State(app): State<App>,
    owner: Owner,
    Json(edit): Json<StepEdit>,
) -> Result<axum::Json<CheckBody>, ApiError> {
    let command = app.chats.examine_edit(owner.scope, Track::Validation, &edit).await?;
    let edited = app.decisions.edit(owner.scope, &edit, &command, &owner.actor()).await;
    Ok(axum::Json(CheckBody::from(&edited.map_err(refuse)?)))
}

/// Choose which commands to approve while the checks of a plan run
#[utoipa::path(post, path = "/validation/autonomy", tag = "validation", request_body = AutonomyRequest,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = ValidationProgress), (status = 409, body = ErrorBody)))]
async fn set_check_autonomy(
    State(app): State<App>,
    owner: Owner,
    Json(request): Json<AutonomyRequest>,
) -> Result<axum::Json<ValidationProgress>, ApiError> {
    let there = app.checks.load(owner.scope).await?;
    there.ok_or_else(ApiError::not_found)?;
    let AutonomyRequest { plan_id, autonomy } = request;
    let set = app.decisions.set_autonomy(owner.scope, &plan_id, autonomy, &owner.actor()).await;
    set.map_err(refuse)?;
    let now = app.checks.load(owner.scope).await?.ok_or_else(ApiError::not_found)?;
    Ok(axum::Json(ValidationProgress::from(&now)))
}

/// Cancel a check that is being prepared or runs
#[utoipa::path(post, path = "/validation/cancel-step", tag = "validation", request_body = StepName,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = CheckBody), (status = 409, body = ErrorBody)))]
async fn cancel_check(
    State(app): State<App>,
    owner: Owner,
    Json(name): Json<StepName>,
) -> Result<axum::Json<CheckBody>, ApiError> {
    let cancelled = app.runs.cancel(owner.scope, name, &owner.actor()).await?;
    Ok(axum::Json(CheckBody::from(&cancelled)))
}

/// The whole output of a check's last run
#[utoipa::path(get, path = "/validation/output/{step_number}", tag = "validation",
    params(("step_number" = u32, Path)),
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = String, content_type = "text/plain", description = "The output",
            headers(("Step-Status" = StepStatus)))))]
async fn check_output(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    download: IfCostly<Download>,
    Path(step_number): Path<String>,
) -> Result<Response, ApiError> {
    app.runs.output(scope, &step_number, download).await
}
