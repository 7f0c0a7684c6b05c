//! The pages that a browser visits: installing the App, signing out, and errors.

use super::people::Start;
use super::state::{DEFAULT_LOGIN, GitHub, is_our_app};
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

/// The cookie that identifies the user who is signed in to the local GitHub.
pub const SESSION_COOKIE: &str = "local_github_session";

#[derive(Deserialize)]
pub struct Install {
    state: Option<String>,
}

/// Installs an App that asks for authorization during installation. For most users it installs at once and sends them
/// back with a code; it asks a `new-` user first, and a `pending-` user can only send a request to an owner.
pub async fn install(
    State(github): State<GitHub>,
    Path(slug): Path<String>,
    Query(ask): Query<Install>,
    headers: HeaderMap,
) -> Response {
    if !is_our_app(&slug) {
        return error(StatusCode::NOT_FOUND, "No app has this name.");
    }
    let login = login(&github, &headers);
    let installed = !github.user(&login).installations.is_empty();
    match Start::of(&login) {
        Start::New if !installed => {
            let field =
                |value: &str| format!("<input type=\"hidden\" name=\"state\" value=\"{value}\">");
            let state = ask.state.as_deref().map(|state| field(&escape(state))).unwrap_or_default();
            let body = format!(
                "<p>Install Groundcrew on the account {}?</p>\
                 <form method=\"post\">{state}<button>Install</button></form>",
                escape(&login)
            );
            page("Install Groundcrew", &body).into_response()
        }
        Start::Pending if !installed => back_with_code(&github, &login, ask.state, None),
        _ => installed_now(&github, &login, ask.state),
    }
}

/// Handles that page's button.
pub async fn install_now(
    State(github): State<GitHub>,
    Path(slug): Path<String>,
    headers: HeaderMap,
    Form(ask): Form<Install>,
) -> Response {
    if !is_our_app(&slug) {
        return error(StatusCode::NOT_FOUND, "No app has this name.");
    }
    installed_now(&github, &login(&github, &headers), ask.state)
}

fn installed_now(github: &GitHub, login: &str, state: Option<String>) -> Response {
    let installation = github.install(login);
    back_with_code(github, login, state, Some(installation))
}

/// Sends the browser back to the App with a code, and with the requested installation or setup action.
fn back_with_code(
    github: &GitHub,
    login: &str,
    state: Option<String>,
    installation: Option<u64>,
) -> Response {
    let callback = github.callback();
    let mut back = vec![("code", github.issue_code(login, &callback, None))];
    match installation {
        Some(id) => back
            .extend([("installation_id", id.to_string()), ("setup_action", "install".to_owned())]),
        None => back.push(("setup_action", "request".to_owned())),
    }
    back.extend(state.map(|state| ("state", state)));
    redirect(with_query(&callback, &back)).into_response()
}

/// The user who is signed in to the local GitHub in this browser.
pub fn login(github: &GitHub, headers: &HeaderMap) -> String {
    let login = session(headers).and_then(|session| github.signed_in(&session));
    login.unwrap_or_else(|| DEFAULT_LOGIN.to_owned())
}

/// Signs the browser out of the local GitHub.
pub async fn logout(State(github): State<GitHub>, headers: HeaderMap) -> Response {
    if let Some(session) = session(&headers) {
        github.sign_out(&session);
    }
    let forget =
        format!("{SESSION_COOKIE}=; Path=/_local/github; Max-Age=0; HttpOnly; SameSite=Lax");
    (
        [(header::SET_COOKIE, forget)],
        page("Signed out", "<p>You are signed out of the local GitHub.</p>"),
    )
        .into_response()
}

/// An error page.
pub fn error(status: StatusCode, message: &'static str) -> Response {
    (status, page("This did not work", &format!("<p>{message}</p>"))).into_response()
}

/// A page; text from elsewhere in its body is [escaped](escape).
pub fn page(title: &'static str, body: &str) -> Html<String> {
    Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title} · Local GitHub</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><style>{STYLE}</style>\
         <header>Local GitHub</header><main><h1>{title}</h1>{body}</main></html>"
    ))
}

/// Escapes text for HTML, including attributes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Redirects the browser with 302, as GitHub does.
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

/// An address with a query whose values are escaped.
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
