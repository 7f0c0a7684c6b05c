//! Checks whether a validated project is still as described, or has drifted.
//!
//! The checks that passed run again unchanged on a separate track, each under a standing approval of its exact script.
//! The validation keeps its evidence; this module reports what has changed since.

mod found;

use crate::App;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::schedule::Every;
use domain::step::{Refusal, Step, Track};
use domain::{PlanId, Scope, Timestamp};
use flows::{ProgressionError, RecheckError};
use http_kit::{ApiError, ErrorBody, ErrorCode, Json, Owner, ProjectHeader, conditional_json};
use runs::refuse;
use serde::{Deserialize, Serialize};
use store::executions::{Execution, ExecutionError};
use store::{StoreError, evidence};
use utoipa::ToSchema;

use found::Watched;
pub use found::{Drift, DriftCheck, DriftStatus};

/// Lets checks run again.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct StandingRequest {
    /// The checks that were shown.
    pub checks: Vec<StandingCheck>,
}

/// Names a check and the script that was shown.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct StandingCheck {
    /// The check, from 1.
    pub step_number: u32,
    /// SHA-256 of the script.
    pub command_sha256: String,
}

/// Ends a standing approval.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct WithdrawalRequest {
    /// The check, from 1.
    pub step_number: u32,
}

/// The schedule on which the checks run automatically.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ScheduleRequest {
    /// The interval.
    pub every: Every,
}

/// The checks of the validated state and what they find now
#[utoipa::path(get, path = "/validation/drift", tag = "validation",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = Drift), (status = 304, description = "Unchanged")))]
pub(crate) async fn drift(
    State(app): State<App>,
    ProjectHeader(scope): ProjectHeader,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Ok(conditional_json(&headers, &app.drift(scope).await?))
}

/// Run the checks that have a standing approval again
#[utoipa::path(post, path = "/validation/drift/check", tag = "validation",
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = Drift), (status = 402, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub(crate) async fn check_drift(
    State(app): State<App>,
    owner: Owner,
) -> Result<axum::Json<Drift>, ApiError> {
    let scope = owner.scope;
    let (_, checks) = app.rechecks.validated(scope).await.map_err(refuse_recheck)?;
    app.chats.check_credit(scope).await?;
    app.rechecks.begin(scope, &checks).await.map_err(refuse_recheck)?;
    app.drift_of(scope, &checks).await.map(axum::Json)
}

/// Let checks of the validated state run again unchanged
#[utoipa::path(post, path = "/validation/drift/approve", tag = "validation", request_body = StandingRequest,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = Drift),
        (status = 409, body = ErrorBody)))]
pub(crate) async fn give_standing(
    State(app): State<App>,
    owner: Owner,
    Json(request): Json<StandingRequest>,
) -> Result<axum::Json<Drift>, ApiError> {
    let scope = owner.scope;
    let (plan_id, validated) = app.rechecks.validated(scope).await.map_err(refuse_recheck)?;
    let checks = as_shown(&validated, request)?;
    let allowed = app.rechecks.allow(scope, &plan_id, &checks, &owner.actor()).await;
    allowed.map_err(refuse_recheck)?;
    app.drift_of(scope, &validated).await.map(axum::Json)
}

/// Withdraw the standing approval of a check
#[utoipa::path(post, path = "/validation/drift/withdraw", tag = "validation", request_body = WithdrawalRequest,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = Drift)))]
pub(crate) async fn withdraw_standing(
    State(app): State<App>,
    owner: Owner,
    Json(request): Json<WithdrawalRequest>,
) -> Result<axum::Json<Drift>, ApiError> {
    let scope = owner.scope;
    let withdrawn = app.rechecks.withdraw(scope, request.step_number, &owner.actor()).await;
    withdrawn.map_err(refuse_recheck)?;
    app.drift(scope).await.map(axum::Json)
}

/// Run the checks that have a standing approval on a schedule, or no longer
#[utoipa::path(post, path = "/validation/drift/schedule", tag = "validation", request_body = ScheduleRequest,
    security(("session" = [], "installation" = [], "project" = [])),
    responses((status = 200, body = Drift),
        (status = 409, body = ErrorBody)))]
pub(crate) async fn schedule_drift(
    State(app): State<App>,
    owner: Owner,
    Json(request): Json<ScheduleRequest>,
) -> Result<axum::Json<Drift>, ApiError> {
    let (scope, by) = (owner.scope, owner.actor());
    let plan_id = app.plan_to_watch(scope, request.every).await?;
    app.schedules.set(scope, &plan_id, request.every, Timestamp::now(), &by).await?;
    app.drift(scope).await.map(axum::Json)
}

impl App {
    async fn drift(&self, scope: Scope) -> Result<Drift, ApiError> {
        let (checks, watched) = tokio::try_join!(self.checks.load(scope), self.watched(scope))?;
        let checks = checks.ok_or_else(ApiError::not_found)?;
        Ok(Drift::new(&checks, &watched))
    }

    /// What these checks find now.
    async fn drift_of(&self, scope: Scope, checks: &Execution) -> Result<Drift, ApiError> {
        Ok(Drift::new(checks, &self.watched(scope).await?))
    }

    /// The steps, the checks that may run again, their schedule, and what they prove.
    async fn watched(&self, scope: Scope) -> Result<Watched, StoreError> {
        let steps = self.checks.on(Track::Execution);
        let (steps, standing, schedule, proofs) = tokio::try_join!(
            steps.load(scope),
            self.standing.load(scope),
            self.schedules.get(scope),
            evidence::of_checks(&self.plans, scope),
        )?;
        let (steps, standing) = (steps.unwrap_or_default(), standing.unwrap_or_default());
        Ok(Watched { steps, standing, schedule, proofs })
    }

    /// The plan to watch. Only a validated project can be watched, but watching can end at any time.
    async fn plan_to_watch(&self, scope: Scope, every: Every) -> Result<PlanId, ApiError> {
        if every == Every::Off {
            let checks = self.checks.load(scope).await?.ok_or_else(ApiError::not_found)?;
            return Ok(checks.plan_id.unwrap_or_else(|| PlanId::from("")));
        }
        Ok(self.rechecks.validated(scope).await.map_err(refuse_recheck)?.0)
    }
}

/// The checks that an owner names, each once, if its script is still the one that they saw.
fn as_shown(validated: &Execution, request: StandingRequest) -> Result<Vec<Step>, ApiError> {
    let mut checks: Vec<Step> = Vec::new();
    for StandingCheck { step_number, command_sha256 } in request.checks {
        let check = validated.step(step_number).ok_or_else(ApiError::not_found)?;
        if check.command.as_ref().is_none_or(|command| command.sha256 != command_sha256) {
            return Err(refuse(ExecutionError::Refused(Refusal::CommandChanged)));
        }
        if checks.iter().all(|chosen| chosen.number != step_number) {
            checks.push(check.clone());
        }
    }
    Ok(checks)
}

fn refuse_recheck(error: RecheckError) -> ApiError {
    let detail = error.to_string();
    match error {
        RecheckError::NoProject => ApiError::not_found(),
        RecheckError::NotValidated => ApiError::conflict(ErrorCode::NotValidated, detail),
        RecheckError::StepsOpen => ApiError::conflict(ErrorCode::StepsOpen, detail),
        RecheckError::ChangeUnderWay => ApiError::conflict(ErrorCode::ChangeUnderWay, detail),
        RecheckError::Changes { .. } => {
            ApiError::conflict(ErrorCode::CheckChangesSomething, detail)
        }
        RecheckError::NoStandingApproval => {
            ApiError::conflict(ErrorCode::NoStandingApproval, detail)
        }
        RecheckError::Progression(ProgressionError::Execution(ExecutionError::StillRunning)) => {
            let detail = "A check is running. Wait for it to end, then try again.";
            ApiError::conflict(ErrorCode::StillRunning, detail)
        }
        RecheckError::Progression(error) => refuse(error),
    }
}
