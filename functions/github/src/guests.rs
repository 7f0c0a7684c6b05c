//! Lets the owner of an account decide which guests may use it.
//!
//! A decision is written first, and the sessions that it ends are ended after it. So a sign-in that the decision
//! overtakes is refused, and one that came first is listed and ended. A decision that is repeated, because the function
//! died in between, ends what is left.

use crate::session::counted;
use crate::{Access, App};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use domain::guests::{Admission, Guest, Guests};
use domain::security::{About, SecurityEvent, record};
use domain::{InstallationId, Timestamp};
use http_kit::{ApiError, ErrorBody, ErrorCode, Identity, Json};
use serde::{Deserialize, Serialize};
use store::sessions::EndedSessions;
use utoipa::ToSchema;

/// The guests of an account, and who may enter.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct GuestsBody {
    /// Applies to each guest about whom the owner has not decided.
    pub policy: Admission,
    /// Everyone who has tried to sign in, at most 100; the latest attempt first.
    pub guests: Vec<GuestBody>,
}

/// A person who has tried to sign in for the account.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Guest)]
pub struct GuestBody {
    /// Their number on GitHub.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub user_id: u64,
    /// Their login on GitHub.
    pub login: String,
    /// Whether they may enter.
    pub admission: Admission,
    /// The owner's decision about them; null if the policy applies.
    #[schema(required)]
    pub decision: Option<Admission>,
    /// When they first signed in.
    #[schema(required)]
    pub first_signed_in_at: Option<Timestamp>,
    /// When they last signed in.
    #[schema(required)]
    pub signed_in_at: Option<Timestamp>,
    /// When Groundcrew last refused them.
    #[schema(required)]
    pub refused_at: Option<Timestamp>,
}

/// Whether guests about whom the owner has not decided may enter.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct GuestsPolicy {
    /// The policy.
    pub policy: Admission,
}

impl From<Guests> for GuestsBody {
    fn from(guests: Guests) -> Self {
        let body = |guest: &Guest| GuestBody {
            admission: guests.admission(guest),
            user_id: guest.user_id,
            login: guest.login.clone(),
            decision: guest.decision,
            first_signed_in_at: guest.first_signed_in_at,
            signed_in_at: guest.signed_in_at,
            refused_at: guest.refused_at,
        };
        let mut list: Vec<_> = guests.list.iter().map(body).collect();
        list.sort_by_key(|guest| std::cmp::Reverse(guest.signed_in_at.max(guest.refused_at)));
        Self { policy: guests.policy, guests: list }
    }
}

impl App {
    /// Ends the sessions of these guests with their connections, and logs the decision that did.
    async fn shut_out(
        &self,
        owner: &Identity,
        guests: impl Iterator<Item = u64>,
        what: &str,
    ) -> Result<(), ApiError> {
        let mut ended = EndedSessions::default();
        for guest in guests {
            ended.0.extend(self.sessions.end_member(owner.installation, guest).await?.0);
        }
        let sessions = ended.0.len();
        let closed = self.close(ended).await;
        let detail = format!("{what} sessions={sessions} connections={}", counted(&closed));
        note(SecurityEvent::GuestRemoved, owner, &detail);
        closed.map(drop)
    }
}

/// The owner of the account; other callers learn who decides.
fn owner(caller: Identity) -> Result<Identity, ApiError> {
    match Access::from(caller.session()) {
        Access::Owner => Ok(caller),
        Access::Guest => {
            let detail = "You are a guest here. Only the owner of this account manages its guests.";
            Err(ApiError::new(StatusCode::FORBIDDEN, ErrorCode::NotOwner, detail))
        }
        Access::Member => {
            let detail =
                "This account belongs to an organization. Its members are managed on GitHub.";
            Err(ApiError::conflict(ErrorCode::OrganizationAccount, detail))
        }
    }
}

fn note(event: SecurityEvent, owner: &Identity, detail: &str) {
    let by = owner.actor();
    record(event, About::installation(owner.installation).by(&by), detail);
}

/// Reads a guest's number from a path.
fn number(user_id: &str) -> Result<u64, ApiError> {
    user_id.parse().map_err(|_| ApiError::not_found())
}

/// The guests of the caller's own account: people who contribute to one of its repositories
#[utoipa::path(get, path = "/github/guests", tag = "github",
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = GuestsBody),
        (status = 403, body = ErrorBody, description = "The caller is a guest"),
        (status = 409, body = ErrorBody, description = "The account is an organization's")))]
pub(crate) async fn guests(
    State(app): State<App>,
    caller: Identity,
) -> Result<axum::Json<GuestsBody>, ApiError> {
    let owner = owner(caller)?;
    Ok(axum::Json(app.guests.get(owner.installation).await?.into()))
}

/// Choose whether guests may enter about whom the owner has not decided; refusing them ends their sessions
#[utoipa::path(put, path = "/github/guests", tag = "github", request_body = GuestsPolicy,
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = GuestsBody),
        (status = 403, body = ErrorBody, description = "The caller is a guest"),
        (status = 409, body = ErrorBody, description = "The account is an organization's")))]
pub(crate) async fn choose_policy(
    State(app): State<App>,
    caller: Identity,
    Json(chosen): Json<GuestsPolicy>,
) -> Result<axum::Json<GuestsBody>, ApiError> {
    let owner = owner(caller)?;
    let guests = app.guests.choose(owner.installation, chosen.policy).await?;
    match chosen.policy {
        Admission::Allowed => note(SecurityEvent::GuestAllowed, &owner, "policy=allowed"),
        Admission::Refused => app.shut_out(&owner, guests.shut_out(), "policy=refused").await?,
    }
    Ok(axum::Json(guests.into()))
}

/// Allow one guest, whatever the policy
#[utoipa::path(put, path = "/github/guests/{user_id}", tag = "github",
    params(("user_id" = u64, Path, description = "The guest's number on GitHub")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = GuestsBody),
        (status = 403, body = ErrorBody, description = "The caller is a guest"),
        (status = 409, body = ErrorBody, description = "The account is an organization's")))]
pub(crate) async fn allow_guest(
    State(app): State<App>,
    caller: Identity,
    Path(user_id): Path<String>,
) -> Result<axum::Json<GuestsBody>, ApiError> {
    let (owner, guest) = (owner(caller)?, number(&user_id)?);
    let guests = decide(&app, owner.installation, guest, Admission::Allowed).await?;
    note(SecurityEvent::GuestAllowed, &owner, &format!("guest={guest}"));
    Ok(axum::Json(guests.into()))
}

/// Refuse one guest, whatever the policy, and end their sessions
#[utoipa::path(delete, path = "/github/guests/{user_id}", tag = "github",
    params(("user_id" = u64, Path, description = "The guest's number on GitHub")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = GuestsBody),
        (status = 403, body = ErrorBody, description = "The caller is a guest"),
        (status = 409, body = ErrorBody, description = "The account is an organization's")))]
pub(crate) async fn remove_guest(
    State(app): State<App>,
    caller: Identity,
    Path(user_id): Path<String>,
) -> Result<axum::Json<GuestsBody>, ApiError> {
    let (owner, guest) = (owner(caller)?, number(&user_id)?);
    let guests = decide(&app, owner.installation, guest, Admission::Refused).await?;
    app.shut_out(&owner, std::iter::once(guest), &format!("guest={guest}")).await?;
    Ok(axum::Json(guests.into()))
}

async fn decide(
    app: &App,
    installation: InstallationId,
    guest: u64,
    admission: Admission,
) -> Result<Guests, ApiError> {
    let decided = app.guests.decide(installation, guest, admission).await?;
    decided.ok_or_else(ApiError::not_found)
}
