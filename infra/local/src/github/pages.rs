//! The pages that a browser visits: installing the App, signing out, and what went wrong.

use super::state::{DEFAULT_LOGIN, GitHub, is_our_app};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use std::fmt::Write;

/// Cookie that says who is signed in to the local GitHub.
pub const SESSION_COOKIE: &str = "local_github_session";

#[derive(Deserialize)]
pub struct Install {
    state: Option<String>,
}

/// Installs the App for whoever is signed in and sends the browser back with a code, as GitHub does for an
/// App that asks for authorisation during installation.
pub async fn install(
    State(github): State<GitHub>,
    Path(slug): Path<String>,
    Query(ask): Query<Install>,
    headers: HeaderMap,
) -> Response {
    if !is_our_app(&slug) {
        return error(StatusCode::NOT_FOUND, "No app has this name.");
    }
    let login = session(&headers).and_then(|session| github.signed_in(&session));
    let login = login.unwrap_or_else(|| DEFAULT_LOGIN.to_owned());
    let installation = github.install(&login);
    let callback = github.callback();
    let code = github.issue_code(&login, &callback, None);
    let mut back = vec![
        ("code", code),
        ("installation_id", installation.to_string()),
        ("setup_action", "install".to_owned()),
    ];
    back.extend(ask.state.map(|state| ("state", state)));
    redirect(with_query(&callback, &back)).into_response()
}

/// Signs the browser out of the local GitHub.
pub async fn logout(State(github): State<GitHub>, headers: HeaderMap) -> Response {
    if let Some(session) = session(&headers) {
        github.sign_out(&session);
    }
    let forget =
        format!("{SESSION_COOKIE}=; Path=/_local/github; Max-Age=0; HttpOnly; SameSite=Lax");
    ([(header::SET_COOKIE, forget)], page("Signed out", "You are signed out of the local GitHub."))
        .into_response()
}

/// A page that says what went wrong.
pub fn error(status: StatusCode, message: &'static str) -> Response {
    (status, page("Local GitHub", message)).into_response()
}

/// All texts are our own, so nothing needs escaping.
fn page(title: &'static str, message: &'static str) -> Html<String> {
    Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <main><h1>{title}</h1><p>{message}</p></main></html>"
    ))
}

/// Sends the browser on, as GitHub does, with 302.
pub fn redirect(address: String) -> impl IntoResponse {
    (StatusCode::FOUND, [(header::LOCATION, address)])
}

fn session(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == SESSION_COOKIE)
        .map(|(_, value)| value.to_owned())
}

/// An address with a query, its values escaped.
pub fn with_query(address: &str, pairs: &[(&str, String)]) -> String {
    let mut whole = address.to_owned();
    for (n, (name, value)) in pairs.iter().enumerate() {
        whole.push(if n == 0 { '?' } else { '&' });
        whole.push_str(name);
        whole.push('=');
        for byte in value.bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    whole.push(char::from(byte))
                }
                _ => {
                    let _ = write!(whole, "%{byte:02X}");
                }
            }
        }
    }
    whole
}
