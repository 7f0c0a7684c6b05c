//! Pull requests over the REST API.

use super::app;
use super::objects::{invalid, on_disk};
use crate::github::api::Refusal;
use crate::github::repositories::{Pull, PullState, Repository};
use crate::github::state::GitHub;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

/// The longest text of a pull request, in characters: GitHub's own limit.
const BODY_CHARS: usize = 65_536;

#[derive(Deserialize)]
pub struct Ask {
    state: Option<String>,
    /// `owner:branch`
    head: Option<String>,
}

/// The pull requests, the newest first.
pub async fn list(
    State(github): State<GitHub>,
    Path((owner, name)): Path<(String, String)>,
    Query(ask): Query<Ask>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), None)?;
    let wanted = |pull: &Pull| {
        let open = pull.state == PullState::Open;
        let state = match ask.state.as_deref() {
            Some("all") => true,
            Some("closed") => !open,
            _ => open,
        };
        state && ask.head.as_ref().is_none_or(|head| *head == format!("{owner}:{}", pull.head))
    };
    let pulls = found.pulls.iter().enumerate().rev().filter(|(_, pull)| wanted(pull));
    let pulls: Vec<_> = pulls.map(|(at, pull)| (at + 1, pull.clone())).collect();
    let shown = move || {
        Ok(pulls.iter().map(|(n, pull)| shown(&github, &found, *n, pull)).collect::<Vec<_>>())
    };
    Ok(Json(on_disk(shown).await?).into_response())
}

#[derive(Deserialize)]
pub struct New {
    title: String,
    #[serde(default)]
    body: String,
    head: String,
    base: String,
}

/// Opens a pull request.
pub async fn make(
    State(github): State<GitHub>,
    Path((owner, name)): Path<(String, String)>,
    headers: HeaderMap,
    Json(new): Json<New>,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), Some("pull_requests"))?;
    let failed = |error: &str| invalid("Validation Failed", error);
    if new.body.chars().count() > BODY_CHARS {
        return Err(failed("body is too long (maximum is 65536 characters)"));
    }
    let bare = github.code().bare(&found);
    let (base, head) = (new.base.clone(), new.head.clone());
    let ahead = on_disk(move || {
        let (base, head) = (bare.head(&base), bare.head(&head));
        Ok(base.zip(head).map(|(base, head)| !bare.is_behind(&head, &base)))
    });
    match ahead.await? {
        None => return Err(failed("head is invalid")),
        Some(false) => {
            return Err(failed(&format!("No commits between {} and {}", new.base, new.head)));
        }
        Some(true) => {}
    }
    let made = github.code().change_pulls(found.id, |pulls| {
        let same = |pull: &Pull| pull.state == PullState::Open && pull.head == new.head;
        if pulls.iter().any(same) {
            return None;
        }
        let New { title, body, head, base } = new;
        pulls.push(Pull { title, body, head, base, state: PullState::Open, merged: None });
        Some((pulls.len(), pulls[pulls.len() - 1].clone()))
    });
    match made.flatten() {
        Some((number, pull)) => {
            let shown = move || Ok(shown(&github, &found, number, &pull));
            Ok((StatusCode::CREATED, Json(on_disk(shown).await?)).into_response())
        }
        None => Err(failed("A pull request already exists for this branch.")),
    }
}

#[derive(Deserialize)]
pub struct Change {
    title: Option<String>,
    body: Option<String>,
}

/// Changes the title and the text of a pull request.
pub async fn change(
    State(github): State<GitHub>,
    Path((owner, name, number)): Path<(String, String, usize)>,
    headers: HeaderMap,
    Json(change): Json<Change>,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), Some("pull_requests"))?;
    if found.fails() {
        return Err(Refusal(StatusCode::INTERNAL_SERVER_ERROR, "Server Error").into_response());
    }
    let changed = github.code().change_pulls(found.id, |pulls| {
        let pull = pulls.get_mut(number.checked_sub(1)?)?;
        if let Some(title) = change.title {
            pull.title = title;
        }
        if let Some(body) = change.body {
            pull.body = body;
        }
        Some(pull.clone())
    });
    let gone = || Refusal(StatusCode::NOT_FOUND, "Not Found").into_response();
    let pull = changed.flatten().ok_or_else(gone)?;
    let shown = move || Ok(shown(&github, &found, number, &pull));
    Ok(Json(on_disk(shown).await?).into_response())
}

fn shown(github: &GitHub, repository: &Repository, number: usize, pull: &Pull) -> Value {
    let page = format!("{}/_local/github/{}", github.site(), repository.full_name());
    let present = || github.code().bare(repository).head(&pull.head);
    let head = pull.merged.clone().or_else(present);
    let state = if pull.state == PullState::Open { "open" } else { "closed" };
    json!({
        "number": number,
        "state": state,
        "merged_at": (pull.state == PullState::Merged).then(|| crate::ids::rfc3339(crate::ids::now_ms())),
        "title": pull.title,
        "body": pull.body,
        "html_url": format!("{page}/pull/{number}"),
        "head": {"ref": pull.head, "sha": head},
        "base": {"ref": pull.base},
    })
}
