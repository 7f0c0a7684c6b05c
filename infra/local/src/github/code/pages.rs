//! The pages about repositories: creating one, its pull requests, and the permissions of an installation.

use super::objects::on_disk;
use crate::github::pages::{self, escape};
use crate::github::repositories::{Pull, PullState, Repository};
use crate::github::state::{Fate, GitHub};
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::fmt::Write;

/// The longest name of a repository, in characters.
const NAME_CHARS: usize = 100;

fn home(repository: &Repository) -> String {
    format!("/_local/github/{}", repository.full_name())
}

/// An installation and its permissions.
pub async fn installation(
    State(github): State<GitHub>,
    Path(id): Path<u64>,
    headers: HeaderMap,
) -> Response {
    rights(&github, id, &headers)
}

/// The page to which the App sends people when it needs more permissions than it was granted.
pub async fn permissions(
    State(github): State<GitHub>,
    Path(id): Path<u64>,
    headers: HeaderMap,
) -> Response {
    rights(&github, id, &headers)
}

fn rights(github: &GitHub, id: u64, headers: &HeaderMap) -> Response {
    let user = github.user(&pages::login(github, headers));
    let Some(one) = user.installations.iter().find(|one| one.id == id) else {
        return pages::error(StatusCode::NOT_FOUND, "You have no such installation.");
    };
    let account = escape(&one.account.login);
    let body = if one.writes {
        format!("<p>Groundcrew may read and write code and pull requests of {account}.</p>")
    } else {
        let action = format!("/_local/github/settings/installations/{id}/permissions/update");
        format!(
            "<p>Groundcrew asks to read and write code and pull requests of {account}.</p>\
             <form method=\"post\" action=\"{action}\"><button>Accept new permissions</button></form>"
        )
    };
    pages::page("Groundcrew's permissions", &body).into_response()
}

/// Handles that page's button.
pub async fn grant(
    State(github): State<GitHub>,
    Path(id): Path<u64>,
    headers: HeaderMap,
) -> Response {
    let user = github.user(&pages::login(&github, &headers));
    let granted = github.change_installation(&user.login, id, |one| {
        one.writes = true;
        Fate::Stays
    });
    match granted {
        Some(_) => {
            let page = format!("/_local/github/settings/installations/{id}");
            pages::redirect(page).into_response()
        }
        None => pages::error(StatusCode::NOT_FOUND, "You have no such installation."),
    }
}

#[derive(Deserialize)]
pub struct New {
    owner: Option<String>,
    name: Option<String>,
}

/// The page for creating a repository.
pub async fn new(
    State(github): State<GitHub>,
    Query(ask): Query<New>,
    headers: HeaderMap,
) -> Response {
    let owner = ask.owner.unwrap_or_else(|| pages::login(&github, &headers));
    let body = format!(
        "<form method=\"post\"><input type=\"hidden\" name=\"owner\" value=\"{0}\">\
         <p><label for=\"name\">{0} /</label> <input id=\"name\" name=\"name\" required value=\"{1}\"></p>\
         <button>Create repository</button></form>",
        escape(&owner),
        escape(&ask.name.unwrap_or_default())
    );
    pages::page("Create a repository", &body).into_response()
}

/// Handles that page's button.
pub async fn make(
    State(github): State<GitHub>,
    headers: HeaderMap,
    Form(ask): Form<New>,
) -> Response {
    let user = github.user(&pages::login(&github, &headers));
    let owner = ask.owner.unwrap_or_else(|| user.login.clone());
    let own =
        user.login == owner || user.installations.iter().any(|one| one.account.login == owner);
    let name = ask.name.unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let good =
        (1..=NAME_CHARS).contains(&name.len()) && name.chars().all(plain) && !name.starts_with('.');
    if !own || !good {
        return pages::error(
            StatusCode::UNPROCESSABLE_ENTITY,
            "This is not a valid repository name.",
        );
    }
    let made = on_disk(move || github.code().make(&owner, &name)).await;
    match made {
        Ok(made) => pages::redirect(home(&made)).into_response(),
        Err(failed) => failed,
    }
}

/// A repository: how to clone it, its branches and pull requests.
pub async fn repository(
    State(github): State<GitHub>,
    Path((owner, name)): Path<(String, String)>,
) -> Response {
    let Some(found) = github.code().find(&owner, &name) else {
        return pages::error(StatusCode::NOT_FOUND, "There is no such repository.");
    };
    let bare = github.code().bare(&found);
    let branches = match on_disk(move || bare.branches()).await {
        Ok(branches) => branches,
        Err(failed) => return failed,
    };
    let mut body = format!(
        "<p>{}</p><p><code>git clone {}{}.git</code></p><p>Branches: {}</p><ul>",
        escape(&found.full_name()),
        escape(github.site()),
        escape(&home(&found)),
        escape(&branches.join(", "))
    );
    for (at, pull) in found.pulls.iter().enumerate().rev() {
        let (number, title, state) = (at + 1, escape(&pull.title), word(pull.state));
        let page = format!("{}/pull/{number}", home(&found));
        let _ = write!(
            body,
            "<li><span><a href=\"{page}\">#{number} {title}</a> ({state})</span></li>"
        );
    }
    body.push_str("</ul>");
    if found.pulls.is_empty() {
        body.push_str("<p>No pull requests yet.</p>");
    }
    pages::page("Repository", &body).into_response()
}

/// A pull request: its text, its changes, and the buttons that merge or close it.
pub async fn pull(
    State(github): State<GitHub>,
    Path((owner, name, number)): Path<(String, String, usize)>,
) -> Response {
    let Some((found, pull)) = find(&github, &owner, &name, number) else {
        return pages::error(StatusCode::NOT_FOUND, "There is no such pull request.");
    };
    let bare = github.code().bare(&found);
    let (base, head) = (pull.base.clone(), pull.head.clone());
    let changes = match on_disk(move || Ok(bare.changes(&base, &head).unwrap_or_default())).await {
        Ok(changes) => changes,
        Err(failed) => return failed,
    };
    let mut body = format!(
        "<h2>{} <small>#{number}</small></h2><p>{} wants to merge {} into {} ({})</p>\
         <pre>{}</pre><h2>Changes</h2><pre>{}</pre>",
        escape(&pull.title),
        escape("groundcrew-local"),
        escape(&pull.head),
        escape(&pull.base),
        word(pull.state),
        escape(&pull.body),
        escape(&changes)
    );
    if pull.state == PullState::Open {
        for (action, word) in [
            ("merge", "Merge pull request"),
            ("squash", "Squash and merge"),
            ("close", "Close pull request"),
        ] {
            let page = format!("{}/pull/{number}/{action}", home(&found));
            let _ = write!(
                body,
                "<form method=\"post\" action=\"{page}\"><button>{word}</button></form>"
            );
        }
    }
    pages::page("Pull request", &body).into_response()
}

/// Handles those buttons.
pub async fn end_pull(
    State(github): State<GitHub>,
    Path((owner, name, number, action)): Path<(String, String, usize, String)>,
) -> Response {
    let found = find(&github, &owner, &name, number);
    let Some((found, pull)) = found.filter(|(_, pull)| pull.state == PullState::Open) else {
        return pages::error(StatusCode::NOT_FOUND, "There is no such open pull request.");
    };
    let (state, merged) = match action.as_str() {
        "merge" | "squash" => {
            let squash = action == "squash";
            let bare = github.code().bare(&found);
            let message = format!("Merge pull request #{number} from {}", pull.head);
            let merge = move || {
                let head = bare.head(&pull.head);
                Ok(bare.merge(&pull.base, &pull.head, &message, squash).is_ok().then_some(head))
            };
            match on_disk(merge).await {
                Ok(Some(head)) => (PullState::Merged, head),
                Ok(None) => {
                    return pages::error(StatusCode::CONFLICT, "This branch has conflicts.");
                }
                Err(failed) => return failed,
            }
        }
        "close" => (PullState::Closed, None),
        _ => return pages::error(StatusCode::NOT_FOUND, "There is no such action."),
    };
    github.code().change_pulls(found.id, |pulls| {
        let pull = &mut pulls[number - 1];
        (pull.state, pull.merged) = (state, merged);
    });
    pages::redirect(format!("{}/pull/{number}", home(&found))).into_response()
}

fn find(github: &GitHub, owner: &str, name: &str, number: usize) -> Option<(Repository, Pull)> {
    let found = github.code().find(owner, name)?;
    let pull = found.pulls.get(number.checked_sub(1)?)?.clone();
    Some((found, pull))
}

fn word(state: PullState) -> &'static str {
    match state {
        PullState::Open => "open",
        PullState::Closed => "closed",
        PullState::Merged => "merged",
    }
}
