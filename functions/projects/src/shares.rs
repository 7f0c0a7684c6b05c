//! Lists, creates and withdraws the links by which a project's owner shares its timeline.

use crate::App;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use domain::Timestamp;
use domain::audit::Actor;
use domain::security::{About, SecurityEvent, record};
use domain::share::{MAX_SHARE_DAYS, MAX_SHARES, Share};
use http_kit::{ApiError, ErrorBody, ErrorCode, Gatekeeper, Identity, Json, project_scope};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a new link shows, and for how long.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct NewShare {
    /// 1 to 90.
    pub days: u32,
    /// Whether its readers see what the runs printed.
    pub with_output: bool,
}

/// A link to a project's timeline, without its key.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Share)]
pub struct ShareBody {
    /// Identifies the link in its project.
    pub id: String,
    /// Whether its readers see what the runs printed.
    pub with_output: bool,
    /// The person who made it.
    pub by: Actor,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it ends.
    pub ends_at: Timestamp,
    /// When it was opened last, to the minute; null before the first time.
    #[schema(required)]
    pub last_used_at: Option<Timestamp>,
}

/// A new link with its address, which only this answer has.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct MadeShare {
    /// The link.
    pub share: ShareBody,
    /// Its address with its key.
    #[schema(example = "https://crew.example/shared#51234567.4815162342.00ff00ff00ff00ff.…")]
    pub url: String,
}

impl From<Share> for ShareBody {
    fn from(share: Share) -> Self {
        let Share { id, with_output, by, made_at, ends_at, last_used_at, .. } = share;
        Self { id, with_output, by, made_at, ends_at, last_used_at }
    }
}

/// The links to a project's timeline that have not ended, the newest first
#[utoipa::path(get, path = "/projects/{id}/shares", tag = "projects",
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = Vec<ShareBody>)))]
pub(crate) async fn shares(
    State(app): State<App>,
    caller: Identity,
    Path(id): Path<String>,
) -> Result<axum::Json<Vec<ShareBody>>, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let (project, shares) = tokio::try_join!(app.projects.get(scope), app.shares.list(scope))?;
    project.ok_or_else(ApiError::not_found)?;
    Ok(axum::Json(shares.into_iter().map(ShareBody::from).collect()))
}

/// Share a project's timeline by a link
///
/// Anyone who has the link can read the timeline and the documents, and nothing else, until it ends or is withdrawn.
#[utoipa::path(post, path = "/projects/{id}/shares", tag = "projects", request_body = NewShare,
    params(("id" = u64, Path, description = "The project")),
    security(("session" = [], "installation" = [])),
    responses((status = 201, body = MadeShare), (status = 409, body = ErrorBody)))]
pub(crate) async fn make_share(
    State(app): State<App>,
    State(gatekeeper): State<Gatekeeper>,
    caller: Identity,
    Path(id): Path<String>,
    Json(new): Json<NewShare>,
) -> Result<(StatusCode, axum::Json<MadeShare>), ApiError> {
    let scope = project_scope(&caller, &id)?;
    if !(1..=MAX_SHARE_DAYS).contains(&new.days) {
        let detail = format!("A link lasts 1 to {MAX_SHARE_DAYS} days.");
        return Err(ApiError::unprocessable(ErrorCode::InvalidDays, detail));
    }
    app.projects.get(scope).await?.ok_or_else(ApiError::not_found)?;
    let by = caller.actor();
    let made = app.shares.make(scope, new.days, new.with_output, &by).await?;
    let (share, key) = made.ok_or_else(|| {
        let detail = format!("This project already has {MAX_SHARES} links, which is the limit.");
        ApiError::conflict(ErrorCode::TooManyShares, detail)
    })?;
    let detail = format!("share={} output={}", share.id, share.with_output);
    record(SecurityEvent::TimelineShared, About::project(scope).by(&by), &detail);
    let url = format!("{}/shared#{}", gatekeeper.public_url(), key.expose());
    Ok((StatusCode::CREATED, axum::Json(MadeShare { share: share.into(), url })))
}

/// Withdraw a link, which then opens nothing
#[utoipa::path(delete, path = "/projects/{id}/shares/{share_id}", tag = "projects",
    params(("id" = u64, Path, description = "The project"), ("share_id" = String, Path, description = "The link")),
    security(("session" = [], "installation" = [])),
    responses((status = 204, description = "Withdrawn")))]
pub(crate) async fn withdraw_share(
    State(app): State<App>,
    caller: Identity,
    Path((id, share_id)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    let scope = project_scope(&caller, &id)?;
    let by = caller.actor();
    let share = app.shares.withdraw(scope, &share_id, &by).await?;
    let share = share.ok_or_else(ApiError::not_found)?;
    let detail = format!("share={}", share.id);
    record(SecurityEvent::TimelineWithdrawn, About::project(scope).by(&by), &detail);
    Ok(StatusCode::NO_CONTENT)
}
