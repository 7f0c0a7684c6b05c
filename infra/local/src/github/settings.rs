//! The page that shows a user's installations and lets them remove each.

use super::pages::{self, escape};
use super::people::Installation;
use super::state::{Fate, GitHub};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::fmt::Write;

/// The page's path.
const PAGE: &str = "/_local/github/settings/installations";

/// Leaving an organization ends the user's access to its installation; other members keep theirs.
const LEAVE: &str = "leave";

/// Lists the signed-in user's installations, with a button for every possible action.
pub async fn show(State(github): State<GitHub>, headers: HeaderMap) -> Response {
    let user = github.user(&pages::login(&github, &headers));
    let mut list = String::new();
    for one in &user.installations {
        let (name, suspended) = (escape(&one.account.login), one.suspended_at.is_some());
        let state = if suspended { "suspended" } else { "active" };
        let (toggle, word) =
            if suspended { ("unsuspend", "Unsuspend") } else { ("suspend", "Suspend") };
        let _ = write!(list, "<li><span>{name} ({}, {state})</span>", one.id);
        let leave = one.account.organization.then_some((LEAVE, "Leave"));
        for (action, word) in [(toggle, word), ("delete", "Uninstall")].into_iter().chain(leave) {
            let _ = write!(
                list,
                "<form method=\"post\" action=\"{PAGE}/{}/{action}\"><button>{word} {name}</button></form>",
                one.id
            );
        }
        list.push_str("</li>");
    }
    let nothing = if list.is_empty() { "<p>Nothing is installed.</p>" } else { "" };
    let body = format!("<p>Signed in as {}.</p>{nothing}<ul>{list}</ul>", escape(&user.login));
    pages::page("Installed GitHub Apps", &body).into_response()
}

/// Performs one of these actions, notifies the App, and shows the page again.
pub async fn change(
    State(github): State<GitHub>,
    Path((id, action)): Path<(u64, String)>,
    headers: HeaderMap,
) -> Response {
    let user = github.user(&pages::login(&github, &headers));
    let now = || crate::ids::rfc3339(crate::ids::now_ms());
    let (webhook, fate): (&str, fn(&mut Installation, String) -> Fate) = match action.as_str() {
        "suspend" => ("suspend", |one, now| {
            one.suspended_at = Some(now);
            Fate::Stays
        }),
        "unsuspend" => ("unsuspend", |one, _| {
            one.suspended_at = None;
            Fate::Stays
        }),
        "delete" => ("deleted", |_, _| Fate::Goes),
        LEAVE => (LEAVE, |one, _| if one.account.organization { Fate::Goes } else { Fate::Stays }),
        _ => return pages::error(StatusCode::NOT_FOUND, "There is no such action."),
    };
    let changed = github.change_installation(&user.login, id, |one| fate(one, now()));
    let Some(changed) = changed else {
        return pages::error(StatusCode::NOT_FOUND, "You have no such installation.");
    };
    let delivered = match webhook {
        LEAVE => github.tell_left(&user, &changed).await,
        _ => github.tell(webhook, &user, &changed).await,
    };
    if let Err(error) = delivered {
        tracing::error!(%error, "a webhook of the local GitHub was not delivered");
        return pages::error(StatusCode::BAD_GATEWAY, "The App did not accept the webhook.");
    }
    pages::redirect(PAGE.to_owned()).into_response()
}
