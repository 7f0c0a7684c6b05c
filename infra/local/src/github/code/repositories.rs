//! Repositories over the REST API.

use super::app;
use super::objects::on_disk;
use crate::github::api::{Page, Refusal};
use crate::github::repositories::Repository;
use crate::github::state::GitHub;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// The repositories of the token's installation, page by page.
pub async fn list(
    State(github): State<GitHub>,
    Query(ask): Query<Page>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let (one, grant) = app::caller(&github, &headers)?;
    let mut all = github.code().of(&one.account.login);
    all.retain(|it| grant.repositories.as_ref().is_none_or(|names| names.contains(&it.name)));
    let shown = ask.of(&all).map(|repository| shown(&github, repository));
    let shown: Vec<_> = shown.collect();
    Ok(axum::Json(json!({"total_count": all.len(), "repositories": shown})).into_response())
}

/// One repository.
pub async fn one(
    State(github): State<GitHub>,
    Path((owner, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), None)?;
    Ok(axum::Json(shown(&github, &found)).into_response())
}

/// The branches of a repository, by name and page by page.
pub async fn branches(
    State(github): State<GitHub>,
    Path((owner, name)): Path<(String, String)>,
    Query(ask): Query<Page>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), None)?;
    let bare = github.code().bare(&found);
    let all = on_disk(move || bare.heads()).await?;
    let branch = |(name, sha): &(String, String)| json!({"name": name, "commit": {"sha": sha}, "protected": found.protects(name)});
    let shown: Vec<_> = ask.of(&all).map(branch).collect();
    Ok(axum::Json(shown).into_response())
}

fn shown(github: &GitHub, repository: &Repository) -> Value {
    let url = format!("{}/_local/github/{}", github.site(), repository.full_name());
    json!({
        "id": repository.id,
        "name": repository.name,
        "full_name": repository.full_name(),
        "owner": {"login": repository.owner},
        "html_url": url,
        "clone_url": format!("{url}.git"),
        "private": true,
        "archived": repository.archived(),
        "default_branch": repository.default_branch(),
    })
}
