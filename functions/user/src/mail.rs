//! Sets whether a person gets mail when a project waits for them, and at which address.
//!
//! Mail is off until its reader confirms the address: signed in as the person who entered it, they open a link that was
//! sent there. So a stranger gets at most that letter from Groundcrew, and limits keep the number of such letters
//! small.

use crate::App;
use aws::MailError;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::response::{IntoResponse, Response};
use domain::Timestamp;
use domain::clock::{DAY_SECONDS, HOUR_SECONDS};
use domain::mail::{Address, Letter, MailSettings, OffKey};
use domain::secret_token::SecretToken;
use domain::security::{About, SecurityEvent, record};
use http_kit::{ApiError, ErrorBody, ErrorCode, Gatekeeper, Identity, Json, Limited, Unsubscribe};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The most confirmation letters that one person can request in an hour.
const LINKS_PER_HOUR: u32 = 5;
/// The most confirmation letters that one address gets in a day, from all people together.
const LINKS_PER_ADDRESS: u32 = 5;

/// The mail that a person gets when a project waits for them.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct MailBody {
    /// Whether this deployment sends mail at all.
    pub available: bool,
    /// Where it goes; null while it is off.
    #[schema(required)]
    pub address: Option<String>,
    /// The address that was sent a link and waits to be confirmed.
    #[schema(required)]
    pub pending: Option<String>,
}

/// An address for mail.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct NewAddress {
    /// One plain address.
    #[schema(example = "ada@example.com")]
    pub address: String,
}

/// The link that confirms an address.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Confirmation {
    /// The token in its address.
    pub token: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HeldKey {
    /// The key of a letter.
    key: String,
}

impl App {
    fn mail_body(&self, settings: Option<MailSettings>) -> MailBody {
        let (confirmed, pending) =
            settings.map_or((None, None), |settings| (settings.confirmed, settings.pending));
        let now = Timestamp::now();
        let pending = pending.filter(|pending| now < pending.ends_at);
        MailBody {
            available: self.mailer.is_some(),
            address: confirmed.map(|confirmed| confirmed.address.to_string()),
            pending: pending.map(|pending| pending.address.to_string()),
        }
    }

    /// Counts a letter with a link, for the person and for the address.
    async fn count_link(&self, caller: &Identity, address: &Address) -> Result<(), ApiError> {
        let (now, user) = (Timestamp::now(), caller.session().user_id.to_string());
        let count = async |seconds, what, who: &str, allowed| {
            self.rates.count_within(seconds, what, who, allowed, now).await
        };
        let of_person = count(HOUR_SECONDS, "mail-links", &user, LINKS_PER_HOUR).await?;
        let wait = match of_person {
            None => {
                let address = address.counted_as();
                count(DAY_SECONDS, "mail-links-to", &address, LINKS_PER_ADDRESS).await?
            }
            wait => wait,
        };
        wait.map_or(Ok(()), |seconds| Err(ApiError::rate_limited(seconds)))
    }
}

/// Whether the caller gets mail when a project waits for them, and at which address
#[utoipa::path(get, path = "/user/mail", tag = "user",
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = MailBody)))]
pub(crate) async fn mail(
    State(app): State<App>,
    caller: Identity,
) -> Result<axum::Json<MailBody>, ApiError> {
    let user = caller.session().user_id;
    let settings = app.mail.settings(caller.installation, user).await?;
    Ok(axum::Json(app.mail_body(settings)))
}

/// Set the address for mail; a link that is sent there confirms it
#[utoipa::path(put, path = "/user/mail", tag = "user", request_body = NewAddress,
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = MailBody),
        (status = 409, body = ErrorBody, description = "This site does not send e-mail"),
        (status = 422, body = ErrorBody, description = "This is not an address"),
        (status = 502, body = ErrorBody, description = "The mail service failed")))]
pub(crate) async fn name_address(
    State(app): State<App>,
    State(gatekeeper): State<Gatekeeper>,
    caller: Identity,
    Json(new): Json<NewAddress>,
) -> Result<axum::Json<MailBody>, ApiError> {
    let address: Address = new.address.parse().map_err(|error: domain::mail::InvalidAddress| {
        ApiError::unprocessable(ErrorCode::InvalidAddress, error.to_string())
    })?;
    let Some(mailer) = &app.mailer else {
        let detail = "This site does not send e-mail.";
        return Err(ApiError::conflict(ErrorCode::NoMail, detail));
    };
    app.count_link(&caller, &address).await?;
    let (session, site) = (caller.session(), gatekeeper.public_url());
    let (installation, user) = (caller.installation, session.user_id);
    let token = app.mail.propose(installation, user, &address, site).await?;
    let url = format!("{site}/app/mail?confirm={}", token.expose());
    let letter = Letter::confirmation(address, &session.login, &url);
    if let Err(error) = mailer.send(&letter).await {
        app.mail.withdraw(installation, user, &token).await?;
        return Err(not_sent(error));
    }
    let settings = app.mail.settings(installation, user).await?;
    Ok(axum::Json(app.mail_body(settings)))
}

fn not_sent(error: MailError) -> ApiError {
    ApiError::bad_gateway("The e-mail could not be sent. Check the address, then try again.", error)
}

/// Confirm the address by the link that was sent there
#[utoipa::path(post, path = "/user/mail/confirm", tag = "user", request_body = Confirmation,
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = MailBody),
        (status = 409, body = ErrorBody, description = "The link has expired, was used, or belongs to another person")))]
pub(crate) async fn confirm_mail(
    State(app): State<App>,
    caller: Identity,
    Json(confirmation): Json<Confirmation>,
) -> Result<axum::Json<MailBody>, ApiError> {
    let session = caller.session();
    let token = SecretToken::presented(&confirmation.token);
    let confirmed = app.mail.confirm(caller.installation, session.user_id, &token).await?;
    let settings = confirmed.ok_or_else(|| {
        let detail =
            "This link has expired, was used, or is for another account. Request a new one.";
        ApiError::conflict(ErrorCode::LinkEnded, detail)
    })?;
    let about = About::installation(caller.installation);
    record(SecurityEvent::MailConfirmed, about.by(&session.actor()), "");
    Ok(axum::Json(app.mail_body(Some(settings))))
}

/// Turn the caller's mail off and forget the address
#[utoipa::path(delete, path = "/user/mail", tag = "user",
    security(("session" = [], "installation" = [])),
    responses((status = 204, description = "Off")))]
pub(crate) async fn forget_mail(
    State(app): State<App>,
    caller: Identity,
) -> Result<StatusCode, ApiError> {
    app.mail.forget(caller.installation, caller.session().user_id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Turn mail off with a letter's key, in one POST without a session (RFC 8058)
#[utoipa::path(post, path = "/user/mail/unsubscribe", tag = "user", params(HeldKey),
    responses((status = 204, description = "Off"),
        (status = 401, body = ErrorBody, description = "The key is not complete"),
        (status = 404, body = ErrorBody, description = "The e-mails are off, or the key is unknown")))]
pub(crate) async fn unsubscribe(
    State(app): State<App>,
    _: Limited<Unsubscribe>,
    Query(held): Query<HeldKey>,
) -> Result<StatusCode, ApiError> {
    let key: OffKey = held.key.parse().map_err(|_| {
        let detail = "This link is incomplete. Open the full link.";
        ApiError::new(StatusCode::UNAUTHORIZED, ErrorCode::MailKeyMissing, detail)
    })?;
    if !app.mail.turn_off(&key).await? {
        let detail = "This link no longer works: these e-mails are off, or were turned on again since. If they still \
                      arrive, use the link in the newest one.";
        return Err(ApiError::new(StatusCode::NOT_FOUND, ErrorCode::MailOff, detail));
    }
    record(
        SecurityEvent::MailTurnedOff,
        About::installation(key.installation),
        "by a letter's key",
    );
    Ok(StatusCode::NO_CONTENT)
}

/// Leads a reader whose mail program opens the key's address to the page that asks first
#[utoipa::path(get, path = "/user/mail/unsubscribe", tag = "user", params(HeldKey),
    responses((status = 303, description = "The page that turns mail off")))]
pub(crate) async fn unsubscribe_page(
    State(gatekeeper): State<Gatekeeper>,
    Query(held): Query<HeldKey>,
) -> Response {
    // A key consists of digits, hexadecimal and dots. Any other text leads to a page that finds no such key.
    let allowed = |c: &char| c.is_ascii_alphanumeric() || *c == '.';
    let key: String = held.key.chars().filter(allowed).collect();
    let page = format!("{}/unsubscribe#{key}", gatekeeper.public_url());
    (StatusCode::SEE_OTHER, [(LOCATION, page.as_str()), (CACHE_CONTROL, "no-store")])
        .into_response()
}
