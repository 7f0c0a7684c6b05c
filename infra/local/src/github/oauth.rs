//! `/login/oauth/authorize` and `/login/oauth/access_token`.

use super::pages::{self, SESSION_COOKIE};
use super::people::Start;
use super::state::{DEFAULT_LOGIN, GitHub, is_login};
use crate::names;
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

#[derive(Deserialize)]
pub struct Authorize {
    client_id: Option<String>,
    redirect_uri: Option<String>,
    state: Option<String>,
    login: Option<String>,
    code_challenge: Option<String>,
    code_challenge_method: Option<String>,
}

/// Signs the browser in and sends it back with a code.
pub async fn authorize(State(github): State<GitHub>, Query(ask): Query<Authorize>) -> Response {
    if ask.client_id.as_deref() != Some(names::GITHUB_CLIENT_ID) {
        return pages::error(StatusCode::NOT_FOUND, "No app has this client_id.");
    }
    let redirect_uri = ask.redirect_uri.unwrap_or_else(|| github.callback());
    if redirect_uri != github.callback() {
        return pages::error(
            StatusCode::BAD_REQUEST,
            "The redirect_uri is not associated with this application.",
        );
    }
    if ask.code_challenge.is_some() && ask.code_challenge_method.as_deref() != Some("S256") {
        return pages::error(StatusCode::BAD_REQUEST, "The code_challenge_method must be S256.");
    }
    let login =
        ask.login.filter(|login| !login.is_empty()).unwrap_or_else(|| DEFAULT_LOGIN.to_owned());
    if !is_login(&login) {
        return pages::error(StatusCode::BAD_REQUEST, "This is not a valid GitHub user name.");
    }
    let user = github.user(&login);
    let mut back = match Start::of(&login) {
        Start::Denies => vec![
            ("error", "access_denied".to_owned()),
            ("error_description", "The user has denied your application access.".to_owned()),
        ],
        _ => vec![("code", github.issue_code(&user.login, &redirect_uri, ask.code_challenge))],
    };
    back.extend(ask.state.map(|state| ("state", state)));
    let cookie = format!(
        "{SESSION_COOKIE}={}; Path=/_local/github; HttpOnly; SameSite=Lax",
        github.sign_in(&user.login)
    );
    let mut response = pages::redirect(pages::with_query(&redirect_uri, &back)).into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

#[derive(Deserialize)]
pub struct Exchange {
    client_id: Option<String>,
    client_secret: Option<String>,
    code: Option<String>,
    redirect_uri: Option<String>,
    code_verifier: Option<String>,
}

/// Exchanges a code for a token. Like GitHub, it answers a refused exchange with 200 and an `error`.
pub async fn access_token(
    State(github): State<GitHub>,
    headers: HeaderMap,
    Form(ask): Form<Exchange>,
) -> Response {
    let answer = match exchange(&github, &ask) {
        Ok(token) => json!({"access_token": token, "token_type": "bearer", "scope": ""}),
        Err((error, description)) => json!({"error": error, "error_description": description}),
    };
    let wants_json = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.contains("application/json"));
    if wants_json {
        return axum::Json(answer).into_response();
    }
    let pairs =
        answer.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), text(value)));
    let body = pages::with_query("", &pairs.collect::<Vec<_>>());
    let form = [(header::CONTENT_TYPE, "application/x-www-form-urlencoded")];
    (form, body.trim_start_matches('?').to_owned()).into_response()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn exchange(github: &GitHub, ask: &Exchange) -> Result<String, (&'static str, &'static str)> {
    let secret = github.client_secret();
    if ask.client_id.as_deref() != Some(names::GITHUB_CLIENT_ID)
        || ask.client_secret.as_ref() != Some(&secret)
    {
        return Err((
            "incorrect_client_credentials",
            "The client_id and/or client_secret passed are incorrect.",
        ));
    }
    // Removed before any other check: a code cannot be used again after a failed guess.
    let code = ask.code.as_deref().and_then(|code| github.take_code(code));
    let bad_code = ("bad_verification_code", "The code passed is incorrect or expired.");
    let code = code.ok_or(bad_code)?;
    if ask.redirect_uri.as_ref().is_some_and(|uri| *uri != code.redirect_uri) {
        return Err((
            "redirect_uri_mismatch",
            "The redirect_uri must match the one of the authorization.",
        ));
    }
    if let Some(challenge) = &code.challenge {
        let verifier = ask.code_verifier.as_deref().unwrap_or_default();
        let answer = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
        if answer != *challenge {
            return Err(bad_code);
        }
    }
    Ok(github.issue_token(&code.login))
}
