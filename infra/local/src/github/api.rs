//! `GET /user`, `GET /user/installations` and `GET /user/memberships/orgs/{org}` of the REST API, and code that all of its
//! calls share.

use super::people::{Account, Belongs, Installation, User};
use super::state::GitHub;
use crate::names;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// App id in installations.
const APP_ID: u64 = 1;
/// Installations on a page, by default and at most: GitHub's own numbers.
const DEFAULT_PAGE: usize = 30;
const LARGEST_PAGE: usize = 100;

/// The user to whom the token belongs.
pub async fn user(State(github): State<GitHub>, headers: HeaderMap) -> Result<Response, Refusal> {
    let user = caller(&github, &headers)?;
    Ok(axum::Json(account(&github, &user.account())).into_response())
}

#[derive(Deserialize)]
pub struct Page {
    page: Option<usize>,
    per_page: Option<usize>,
}

impl Page {
    /// The items on it.
    pub fn of<'a, T>(&self, all: &'a [T]) -> impl Iterator<Item = &'a T> {
        let size = self.per_page.unwrap_or(DEFAULT_PAGE).clamp(1, LARGEST_PAGE);
        let before = self.page.unwrap_or(1).saturating_sub(1).saturating_mul(size);
        all.iter().skip(before).take(size)
    }
}

/// The installations that the token's user can access, page by page.
pub async fn installations(
    State(github): State<GitHub>,
    Query(ask): Query<Page>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let user = caller(&github, &headers)?;
    let shown = ask.of(&user.installations).map(|one| installation(&github, one));
    let shown: Vec<_> = shown.collect();
    let total = user.installations.len();
    Ok(axum::Json(json!({"total_count": total, "installations": shown})).into_response())
}

/// The membership of the token's user in an organization.
pub async fn membership(
    State(github): State<GitHub>,
    Path(organization): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let user = caller(&github, &headers)?;
    let mut accounts = user.installations.iter().map(|one| &one.account);
    let known = accounts.find(|one| one.organization && one.login == organization);
    let unknown = Refusal(StatusCode::NOT_FOUND, "Not Found");
    let state = match Belongs::of(&user.login) {
        Belongs::Member => "active",
        Belongs::Invited => "pending",
        Belongs::Outside => return Err(unknown),
        Belongs::Unread => {
            return Err(Refusal(StatusCode::FORBIDDEN, "Resource not accessible by integration"));
        }
    };
    let organization = account(&github, known.ok_or(unknown)?);
    let user = account(&github, &user.account());
    let found =
        json!({"state": state, "role": "member", "organization": organization, "user": user});
    Ok(axum::Json(found).into_response())
}

/// An installation as the API and the webhooks show it.
pub fn installation(github: &GitHub, one: &Installation) -> serde_json::Value {
    json!({
        "id": one.id,
        "app_id": APP_ID,
        "app_slug": names::GITHUB_APP_SLUG,
        "account": account(github, &one.account),
        "target_id": one.account.id,
        "target_type": kind(&one.account),
        "repository_selection": "all",
        "permissions": permissions(one),
        "html_url": format!("{}/_local/github/settings/installations/{}", github.site(), one.id),
        "events": [],
        "suspended_at": one.suspended_at,
    })
}

/// The permissions that an installation grants.
pub fn permissions(one: &Installation) -> Map<String, Value> {
    let written = ["contents", "pull_requests"].into_iter().filter(|_| one.writes);
    let written = written.map(|right| (right.to_owned(), json!("write")));
    written.chain([("metadata".to_owned(), json!("read"))]).collect()
}

/// An account as the API and the webhooks show it.
pub fn account(github: &GitHub, account: &Account) -> serde_json::Value {
    let base = format!("{}/_local/github", github.site());
    json!({
        "login": account.login,
        "id": account.id,
        "type": kind(account),
        "name": display_name(&account.login),
        "avatar_url": format!("{base}/avatars/{}", account.id),
        "html_url": format!("{base}/{}", account.login),
    })
}

fn kind(account: &Account) -> &'static str {
    if account.organization { "Organization" } else { "User" }
}

/// Turns `ada-lovelace` into Ada Lovelace.
fn display_name(login: &str) -> String {
    let words = login.split('-').map(|word| {
        let mut chars = word.chars();
        chars
            .next()
            .map(|first| first.to_uppercase().chain(chars).collect::<String>())
            .unwrap_or_default()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// An error: the status and GitHub's message.
pub struct Refusal(pub StatusCode, pub &'static str);

/// Too many calls.
pub const BUSY: Refusal =
    Refusal(StatusCode::TOO_MANY_REQUESTS, "You have exceeded a secondary rate limit.");
/// How many seconds to wait then.
const BUSY_SECONDS: u32 = 60;

impl From<Refusal> for Response {
    fn from(refusal: Refusal) -> Self {
        refusal.into_response()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({"message": self.1, "documentation_url": "https://docs.github.com/rest"});
        let mut response = (self.0, axum::Json(body)).into_response();
        if self.0 == BUSY.0 {
            response.headers_mut().insert(header::RETRY_AFTER, BUSY_SECONDS.into());
        }
        response
    }
}

fn caller(github: &GitHub, headers: &HeaderMap) -> Result<User, Refusal> {
    let user = bearer(headers)?.and_then(|token| github.bearer(token));
    user.ok_or(Refusal(StatusCode::UNAUTHORIZED, "Bad credentials"))
}

/// The token of a call.
pub fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if header(header::USER_AGENT).is_none_or(str::is_empty) {
        let message = "Request forbidden by administrative rules: send a User-Agent header.";
        return Err(Refusal(StatusCode::FORBIDDEN, message));
    }
    Ok(header(header::AUTHORIZATION).and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        (scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("token"))
            .then_some(token)
    }))
}
