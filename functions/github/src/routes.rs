//! The function's calls.

use crate::denied::Denied;
use crate::return_to::own_path;
use crate::webhook::Delivery;
use crate::{App, InstallationOffer, callback, guests};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, Response};
use domain::InstallationId;
use domain::security::{About, SecurityEvent, record};
use http_kit::{
    Api, ApiError, ErrorBody, ErrorCode, Json, Limited, OwnPage, SignIn, SignInEnd, SignedIn,
    routes,
};
use serde::{Deserialize, Serialize};
use store::sessions::Session;
use utoipa::{IntoParams, OpenApi, ToSchema};

fn api() -> Api<App> {
    Api::new()
        .routes(routes!(login))
        .routes(routes!(callback))
        .routes(routes!(installations, choose_installation))
        .routes(routes!(user, delete_account))
        .routes(routes!(guests::guests, guests::choose_policy))
        .routes(routes!(guests::allow_guest, guests::remove_guest))
        .routes(routes!(logout))
        .routes(routes!(logout_everywhere))
        .routes(routes!(github_webhook))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// What no call's body names: the reasons in the address of the page after a sign-in.
#[derive(OpenApi)]
#[openapi(components(schemas(Denied)))]
struct Named;

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = Named::openapi();
    document.merge(api().openapi());
    document
}

/// The signed-in user, as GitHub describes them.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct UserProfile {
    /// The account's name.
    pub login: String,
    /// The person's name, if they gave one.
    #[schema(required)]
    pub name: Option<String>,
    /// Their picture.
    pub avatar_url: String,
    /// The installation that this session is for.
    pub installation_id: InstallationId,
    /// Their relation to the account of that installation.
    pub access: Access,
    /// The name of that account; null if it is their own, or the session is older than this field.
    #[schema(required)]
    pub account: Option<String>,
}

/// A person's relation to the account of an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// It is their own.
    Owner,
    /// It is an organization's, to which they belong.
    Member,
    /// It is another person's, who has allowed them.
    Guest,
}

impl From<&Session> for Access {
    fn from(session: &Session) -> Self {
        match (session.shared, session.guest) {
            (false, _) => Self::Owner,
            (true, false) => Self::Member,
            (true, true) => Self::Guest,
        }
    }
}

/// The user is signed out here; the browser can also sign out of GitHub.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct SignedOut {
    /// Always `success`.
    pub status: String,
    /// GitHub's own page for signing out.
    pub logout_url: String,
}

/// An installation, by its number.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct InstallationChoice {
    /// The installation.
    pub installation_id: InstallationId,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct LoginQuery {
    /// Suggests an account to GitHub.
    login: Option<String>,
    /// The path to open after the sign-in, which must begin with `/app`. Other values are ignored.
    return_to: Option<String>,
    /// Whether to install the app on another account, rather than to sign in for one that has it.
    // As text, so that any value leads to a page.
    #[param(value_type = bool, required = false)]
    install: Option<String>,
}

/// Begin signing in
///
/// A browser opens this call as a page, so a failure redirects to a page as well.
#[utoipa::path(get, path = "/github/login", params(LoginQuery), tag = "github",
    responses((status = 302, description = "To GitHub; or to /github-success with an error's code, which is \
        `rate_limited` with the seconds to wait as `retry_after`, or `internal`")))]
async fn login(
    State(app): State<App>,
    limited: Result<Limited<SignIn>, ApiError>,
    Query(query): Query<LoginQuery>,
) -> Response {
    let page = match limited {
        Ok(_) => {
            let return_to = query.return_to.as_deref().and_then(own_path);
            match query.install.as_deref() {
                Some("true") => app.go_to_install(return_to).await,
                _ => app.go_to_sign_in(query.login.as_deref(), return_to).await,
            }
        }
        Err(refused) => Err(refused),
    };
    page.unwrap_or_else(|error| app.sign_in_failed(&error))
}

/// The address to which GitHub returns people
#[utoipa::path(get, path = "/github/callback", tag = "github",
    responses((status = 302, description = "To /github-success with the installation's id or an error's code \
        (with `rate_limited` the seconds to wait as `retry_after`), to /github-choose, or to the app's installation")))]
async fn callback(
    State(app): State<App>,
    limited: Result<Limited<SignInEnd>, ApiError>,
    headers: HeaderMap,
    Query(query): Query<callback::Query>,
) -> Response {
    let page = match limited {
        Ok(_) => app.come_back(&headers, query).await,
        Err(refused) => Err(refused),
    };
    page.unwrap_or_else(|error| app.sign_in_failed(&error))
}

/// The installations to choose from, for a visitor who reaches several and has no session yet
#[utoipa::path(get, path = "/github/installations", tag = "github",
    responses((status = 200, body = [InstallationOffer]),
        (status = 401, body = ErrorBody, description = "This browser has no pending sign-in")))]
async fn installations(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<axum::Json<Vec<InstallationOffer>>, ApiError> {
    app.offered(&headers).await.map(axum::Json)
}

/// Sign in for one of these installations
#[utoipa::path(post, path = "/github/installations", tag = "github", request_body = InstallationChoice,
    responses((status = 200, body = InstallationChoice, description = "Signed in"),
        (status = 401, body = ErrorBody, description = "This browser has no pending sign-in"),
        (status = 403, body = ErrorBody, description = "The owner of this account has not allowed the visitor, or the visitor is not a member of this organization"),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn choose_installation(
    State(app): State<App>,
    _: OwnPage,
    _: Limited<SignInEnd>,
    headers: HeaderMap,
    Json(chosen): Json<InstallationChoice>,
) -> Result<Response, ApiError> {
    let session = app.choose(&headers, chosen.installation_id).await?;
    let cookies = AppendHeaders([(SET_COOKIE, session), (SET_COOKIE, app.forget_login())]);
    Ok((cookies, axum::Json(chosen)).into_response())
}

/// The signed-in user
#[utoipa::path(get, path = "/github/user", tag = "github", security(("session" = [])),
    responses((status = 200, body = UserProfile)))]
async fn user(caller: SignedIn) -> axum::Json<UserProfile> {
    let session = caller.session;
    axum::Json(UserProfile {
        access: Access::from(&session),
        account: session.account,
        login: session.login,
        name: session.name,
        avatar_url: session.avatar_url,
        installation_id: session.installation_id,
    })
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Confirmation {
    /// The account's name, typed by its owner to confirm.
    login: String,
}

/// Delete the account with its projects, and sign out everywhere
///
/// Entries of the credit history stay. The rest of the balance stays with the installation, and is lost once the app is
/// uninstalled.
#[utoipa::path(delete, path = "/github/user", tag = "github", params(Confirmation), security(("session" = [])),
    responses((status = 202, body = SignedOut),
        (status = 409, body = ErrorBody, description = "The account is an organization's or another person's"),
        (status = 422, body = ErrorBody, description = "The name is not the account's")))]
async fn delete_account(
    State(app): State<App>,
    caller: SignedIn,
    Query(confirmation): Query<Confirmation>,
) -> Result<Response, ApiError> {
    let session = &caller.session;
    if confirmation.login != session.login {
        let detail = "Type the name of your account to delete it.";
        return Err(ApiError::unprocessable(ErrorCode::NotConfirmed, detail));
    }
    if session.shared {
        let detail = "You use this account as a guest or a member. Only its owner can delete it, by uninstalling the app on GitHub.";
        return Err(ApiError::conflict(ErrorCode::SharedAccount, detail));
    }
    let about = About::installation(session.installation_id);
    app.delete_all_of(session.installation_id, about.by(&session.actor()), "").await?;
    let mut ended = app.sessions.end_installation(session.installation_id).await?;
    ended.0.extend(app.sessions.revoke(&caller.token).await?.0);
    app.end(&caller, ended).await?;
    Ok((StatusCode::ACCEPTED, signed_out(&app)).into_response())
}

impl App {
    /// Starts the deletion of everything that an installation has, and logs it. Repeating it is harmless.
    ///
    /// With the end of the installation recorded, no session acts for it anymore and nothing new begins that the
    /// deletion would miss. The sessions' rows and connections come after this: there may be many, and the account is
    /// deleted even if this function dies over them.
    pub(crate) async fn delete_all_of(
        &self,
        id: InstallationId,
        about: About<'_>,
        detail: &str,
    ) -> Result<(), ApiError> {
        self.sessions.shut(id).await?;
        // Here, because the reaper has no right to the list. If this call fails later, guests are refused until the
        // owner allows them again.
        self.guests.forget(id).await?;
        self.deletions.begin_account(id).await?;
        record(SecurityEvent::AccountDeleted, about, detail);
        Ok(())
    }
}

/// Sign out
#[utoipa::path(post, path = "/github/logout", tag = "github", security(("session" = [])),
    responses((status = 200, body = SignedOut)))]
async fn logout(State(app): State<App>, caller: SignedIn) -> Result<Response, ApiError> {
    let ended = app.sessions.revoke(&caller.token).await?;
    app.end(&caller, ended).await?;
    Ok(signed_out(&app))
}

/// Sign out in every browser
#[utoipa::path(post, path = "/github/logout-everywhere", tag = "github", security(("session" = [])),
    responses((status = 200, body = SignedOut)))]
async fn logout_everywhere(State(app): State<App>, caller: SignedIn) -> Result<Response, ApiError> {
    let mut ended = app.sessions.end_user(caller.session.user_id).await?;
    ended.0.extend(app.sessions.revoke(&caller.token).await?.0);
    app.end(&caller, ended).await?;
    Ok(signed_out(&app))
}

fn signed_out(app: &App) -> Response {
    let body = SignedOut { status: "success".to_owned(), logout_url: app.github.logout_url() };
    ([(SET_COOKIE, app.forget_session())], axum::Json(body)).into_response()
}

/// Receive GitHub's webhooks, signed with the App's webhook secret
#[utoipa::path(post, path = "/github/webhook", tag = "github",
    params(("X-Hub-Signature-256" = String, Header), ("X-GitHub-Event" = String, Header),
        ("X-GitHub-Delivery" = String, Header)),
    request_body = Delivery,
    responses((status = 204, description = "Handled, now or before"),
        (status = 401, body = ErrorBody, description = "The signature is invalid")))]
async fn github_webhook(
    State(app): State<App>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<StatusCode, ApiError> {
    app.receive(&headers, &body).await.map(|()| StatusCode::NO_CONTENT)
}
