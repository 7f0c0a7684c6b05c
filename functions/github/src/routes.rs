//! The four calls.

use crate::{App, callback};
use axum::Router;
use axum::extract::{Query, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use http_kit::{ApiError, CookieName, ErrorBody, Gatekeeper, SignedIn, cookie};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

fn api() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(login))
        .routes(routes!(callback))
        .routes(routes!(user))
        .routes(routes!(logout))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().with_state(app).into()
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().into_openapi()
}

/// The signed-in user, as GitHub knows them.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct UserProfile {
    /// The account's name.
    pub login: String,
    /// The person's, if they gave one.
    #[schema(required)]
    pub name: Option<String>,
    /// Their picture.
    pub avatar_url: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct LoginQuery {
    /// Suggests an account to GitHub.
    login: Option<String>,
}

/// Begin signing in
#[utoipa::path(get, path = "/github/login", params(LoginQuery), tag = "github",
    responses((status = 302, description = "To GitHub")))]
async fn login(
    State(app): State<App>,
    Query(query): Query<LoginQuery>,
) -> Result<Response, ApiError> {
    app.go_to_sign_in(query.login.as_deref()).await
}

/// Where GitHub sends people back to
#[utoipa::path(get, path = "/github/callback", tag = "github",
    responses((status = 302, description = "To /github-success, or to the app's installation")))]
async fn callback(
    State(app): State<App>,
    headers: HeaderMap,
    Query(query): Query<callback::Query>,
) -> Result<Response, ApiError> {
    app.come_back(&headers, query).await
}

/// The signed-in user
#[utoipa::path(get, path = "/github/user", tag = "github", security(("session" = [])),
    responses((status = 200, body = UserProfile), (status = 401, body = ErrorBody)))]
async fn user(caller: SignedIn) -> axum::Json<UserProfile> {
    let session = caller.session;
    axum::Json(UserProfile {
        login: session.login,
        name: session.name,
        avatar_url: session.avatar_url,
    })
}

/// Sign out
#[utoipa::path(post, path = "/github/logout", tag = "github", security(("session" = [])),
    responses((status = 204, description = "The session is revoked"), (status = 401, body = ErrorBody)))]
async fn logout(
    State(app): State<App>,
    State(gatekeeper): State<Gatekeeper>,
    caller: SignedIn,
) -> Result<Response, ApiError> {
    app.sessions.revoke(&caller.token).await?;
    let cleared = cookie(CookieName::Session, gatekeeper.public_url(), "", 0);
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, cleared)]).into_response())
}
