//! What each person may do in a repository: asked by the App, chosen on a page.

use super::app;
use crate::github::api::{self, Refusal};
use crate::github::pages::{self, escape};
use crate::github::people::{Installation, User};
use crate::github::repositories::{Permission, Repository};
use crate::github::state::GitHub;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use std::fmt::Write;

impl Permission {
    /// Its name in the API.
    fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }
}

/// What a person may do in a repository. The owner of a person's account has all of its repositories; everyone in an
/// organization administers its repositories unless the repository's page says otherwise.
fn permission(repository: &Repository, user: &User) -> Permission {
    let of_account =
        |one: &Installation| one.account.organization && one.account.login == repository.owner;
    if user.login == repository.owner {
        return Permission::Admin;
    }
    let chosen = repository.people.get(&user.login).copied();
    chosen.unwrap_or(match user.installations.iter().any(of_account) {
        true => Permission::Admin,
        false => Permission::None,
    })
}

/// What the person of this login may do in a repository.
pub async fn show(
    State(github): State<GitHub>,
    Path((owner, name, login)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let found = app::repository(&github, &headers, (&owner, &name), None)?;
    let user = github.known(&login).ok_or(Refusal(StatusCode::NOT_FOUND, "Not Found"))?;
    let permission = permission(&found, &user);
    let mut person = api::account(&github, &user.account());
    person["role_name"] = json!(permission.name());
    person["permissions"] = json!({
        "pull": permission >= Permission::Read,
        "triage": permission >= Permission::Write,
        "push": permission >= Permission::Write,
        "maintain": permission >= Permission::Admin,
        "admin": permission >= Permission::Admin,
    });
    let answer =
        json!({"permission": permission.name(), "role_name": permission.name(), "user": person});
    Ok(axum::Json(answer).into_response())
}

/// The page that lists the people of a repository and lets those who administer it choose what each may do.
pub async fn page(
    State(github): State<GitHub>,
    Path((owner, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let Some(found) = administered(&github, &owner, &name, &headers) else { return unknown() };
    let mut body = "<ul>".to_owned();
    for (login, permission) in &found.people {
        let _ = write!(body, "<li><span>{} ({})</span></li>", escape(login), permission.name());
    }
    let options = [Permission::None, Permission::Read, Permission::Write, Permission::Admin];
    let options = options.map(|one| format!("<option>{}</option>", one.name())).concat();
    let _ = write!(
        body,
        "</ul><form method=\"post\"><p><label for=\"login\">Login</label> \
         <input id=\"login\" name=\"login\" required></p><p><select name=\"permission\" \
         aria-label=\"Permission\">{options}</select></p><button>Choose</button></form>"
    );
    pages::page("Who reaches this repository", &body).into_response()
}

#[derive(Deserialize)]
pub struct Choice {
    login: String,
    permission: Permission,
}

/// Handles that page's button.
pub async fn choose(
    State(github): State<GitHub>,
    Path((owner, name)): Path<(String, String)>,
    headers: HeaderMap,
    Form(choice): Form<Choice>,
) -> Response {
    let Some(found) = administered(&github, &owner, &name, &headers) else { return unknown() };
    github.code().admit(found.id, &choice.login, choice.permission);
    pages::redirect(format!("/_local/github/{owner}/{name}/access")).into_response()
}

fn administered(
    github: &GitHub,
    owner: &str,
    name: &str,
    headers: &HeaderMap,
) -> Option<Repository> {
    let user = github.user(&pages::login(github, headers));
    let found = github.code().find(owner, name);
    found.filter(|found| permission(found, &user) == Permission::Admin)
}

fn unknown() -> Response {
    pages::error(StatusCode::NOT_FOUND, "You administer no such repository.")
}
