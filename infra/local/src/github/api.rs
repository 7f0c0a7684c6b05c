//! `GET /user` and `GET /user/installations` of the REST API.

use super::state::{GitHub, User};
use crate::names;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;

/// App id in installations.
const APP_ID: u64 = 1;

/// The user that the token belongs to.
pub async fn user(State(github): State<GitHub>, headers: HeaderMap) -> Result<Response, Refusal> {
    let user = caller(&github, &headers)?;
    Ok(axum::Json(account(&github, &user)).into_response())
}

#[derive(Deserialize)]
pub struct Page {
    page: Option<u32>,
}

/// The installations that the token's user can reach: their own, when there is one.
pub async fn installations(
    State(github): State<GitHub>,
    Query(page): Query<Page>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let user = caller(&github, &headers)?;
    let installations: Vec<_> = user
        .installation
        .map(|id| {
            json!({
                "id": id,
                "app_id": APP_ID,
                "app_slug": names::GITHUB_APP_SLUG,
                "account": account(&github, &user),
                "target_id": user.id,
                "target_type": "User",
                "repository_selection": "all",
                "permissions": {"metadata": "read"},
                "events": [],
                "suspended_at": null,
            })
        })
        .into_iter()
        .collect();
    let total = installations.len();
    let shown = if page.page.unwrap_or(1) <= 1 { installations } else { Vec::new() };
    Ok(axum::Json(json!({"total_count": total, "installations": shown})).into_response())
}

fn account(github: &GitHub, user: &User) -> serde_json::Value {
    let base = format!("{}/_local/github", github.site());
    json!({
        "login": user.login,
        "id": user.id,
        "type": "User",
        "name": display_name(&user.login),
        "avatar_url": format!("{base}/avatars/{}", user.id),
        "html_url": format!("{base}/{}", user.login),
    })
}

/// `ada-lovelace` is called Ada Lovelace.
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

/// Why a call is not answered: the status and GitHub's words.
pub struct Refusal(StatusCode, &'static str);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({"message": self.1, "documentation_url": "https://docs.github.com/rest"});
        (self.0, axum::Json(body)).into_response()
    }
}

fn caller(github: &GitHub, headers: &HeaderMap) -> Result<User, Refusal> {
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if header(header::USER_AGENT).is_none_or(str::is_empty) {
        let message = "Request forbidden by administrative rules: send a User-Agent header.";
        return Err(Refusal(StatusCode::FORBIDDEN, message));
    }
    let token = header(header::AUTHORIZATION).and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        (scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("token"))
            .then_some(token)
    });
    let user = token.and_then(|token| github.bearer(token));
    user.ok_or(Refusal(StatusCode::UNAUTHORIZED, "Bad credentials"))
}
