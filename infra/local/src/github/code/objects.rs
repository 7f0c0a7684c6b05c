//! References, commits and files of a branch over the REST API.

use super::app;
use crate::github::api::Refusal;
use crate::github::git::{Bare, DEFAULT_BRANCH};
use crate::github::state::GitHub;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

/// The owner and the name of a repository.
pub type Place = (String, String);

/// Works on a repository's folder, off the threads that answer calls.
pub async fn on_disk<R: Send + 'static>(
    act: impl FnOnce() -> anyhow::Result<R> + Send + 'static,
) -> Result<R, Response> {
    let done = tokio::task::spawn_blocking(act).await.map_err(anyhow::Error::from);
    done.and_then(|done| done).map_err(|error| {
        tracing::error!(error = format!("{error:#}"), "the local GitHub's git failed");
        Refusal(StatusCode::INTERNAL_SERVER_ERROR, "Server Error").into_response()
    })
}

/// A 422 error with its cause.
pub fn invalid(message: &str, error: &str) -> Response {
    let errors: Vec<_> =
        (!error.is_empty()).then(|| json!({"message": error})).into_iter().collect();
    let body = json!({"message": message, "errors": errors});
    (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response()
}

/// A 404 error.
pub fn not_found() -> Response {
    Refusal(StatusCode::NOT_FOUND, "Not Found").into_response()
}

/// Reads an object of a repository.
pub async fn object<R: Send + 'static>(
    github: &GitHub,
    headers: &HeaderMap,
    (owner, name, sha): (String, String, &str),
    read: impl FnOnce(&Bare, &str) -> Option<R> + Send + 'static,
) -> Result<R, Response> {
    let found = app::repository(github, headers, (&owner, &name), None)?;
    let (bare, sha) = (github.code().bare(&found), sha.to_owned());
    let read = on_disk(move || Ok(is_sha(&sha).then(|| read(&bare, &sha)).flatten())).await?;
    read.ok_or_else(not_found)
}

/// Whether this can be the name of an object.
pub fn is_sha(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The branch in `heads/…`, if its name is valid for git and safe on a command line.
fn branch_of(reference: &str) -> Option<&str> {
    let branch = reference.strip_prefix("heads/")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "._/-".contains(c);
    let good = !branch.is_empty() && branch.chars().all(plain) && !branch.contains("..");
    (good && !branch.starts_with(['-', '/', '.'])).then_some(branch)
}

fn reference_json(branch: &str, sha: &str) -> Value {
    json!({"ref": format!("refs/heads/{branch}"), "object": {"type": "commit", "sha": sha}})
}

/// The commit at the head of a branch.
pub async fn reference(
    State(github): State<GitHub>,
    Path((owner, name, reference)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), None)?;
    let bare = github.code().bare(&found);
    let branch = branch_of(&reference).ok_or_else(not_found)?.to_owned();
    let wanted = branch.clone();
    let (head, any) =
        on_disk(move || Ok((bare.head(&wanted), !bare.branches()?.is_empty()))).await?;
    if !any {
        return Err(Refusal(StatusCode::CONFLICT, "Git Repository is empty.").into_response());
    }
    let head = head.ok_or_else(not_found)?;
    Ok(Json(reference_json(&branch, &head)).into_response())
}

#[derive(Deserialize)]
pub struct NewReference {
    #[serde(rename = "ref")]
    reference: String,
    sha: String,
}

/// Creates a branch.
pub async fn new_reference(
    State(github): State<GitHub>,
    Path((owner, name)): Path<Place>,
    headers: HeaderMap,
    Json(new): Json<NewReference>,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), Some("contents"))?;
    let branch = new.reference.strip_prefix("refs/").and_then(branch_of);
    let branch = branch.filter(|_| is_sha(&new.sha));
    let branch =
        branch.ok_or_else(|| invalid("Validation Failed", "Invalid reference"))?.to_owned();
    if found.protects(&branch) {
        return Err(protected());
    }
    let bare = github.code().bare(&found);
    let (wanted, sha) = (branch.clone(), new.sha.clone());
    let made = on_disk(move || {
        let there = bare.head(&wanted).is_some();
        Ok(!there && bare.commit(&sha).is_some() && bare.set_branch(&wanted, &sha, None).is_ok())
    });
    match made.await? {
        true => Ok((StatusCode::CREATED, Json(reference_json(&branch, &new.sha))).into_response()),
        false => Err(invalid("Reference already exists", "")),
    }
}

#[derive(Deserialize)]
pub struct Move {
    sha: String,
    #[serde(default)]
    force: bool,
}

/// Moves a branch; backward only with force.
pub async fn move_reference(
    State(github): State<GitHub>,
    Path((owner, name, reference)): Path<(String, String, String)>,
    headers: HeaderMap,
    Json(to): Json<Move>,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), Some("contents"))?;
    let branch = branch_of(&reference).filter(|_| is_sha(&to.sha));
    let branch = branch.ok_or_else(not_found)?.to_owned();
    if found.protects(&branch) {
        return Err(protected());
    }
    let bare = github.code().bare(&found);
    let (wanted, sha) = (branch.clone(), to.sha.clone());
    let moved = on_disk(move || {
        let Some(from) = bare.head(&wanted) else { return Ok(None) };
        let forward = to.force || bare.is_behind(&from, &sha);
        Ok(Some(forward && bare.set_branch(&wanted, &sha, Some(&from)).is_ok()))
    });
    match moved.await? {
        None => Err(invalid("Reference does not exist", "")),
        Some(false) => Err(invalid("Update is not a fast forward", "")),
        Some(true) => Ok(Json(reference_json(&branch, &to.sha)).into_response()),
    }
}

fn protected() -> Response {
    invalid(
        "Repository rule violations found\n\nCannot create or update ref due to creations being restricted.",
        "",
    )
}

/// A commit.
pub async fn commit(
    State(github): State<GitHub>,
    Path((owner, name, sha)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let commit = object(&github, &headers, (owner, name, &sha), Bare::commit).await?;
    let answer = json!({"sha": sha, "message": commit.message, "tree": {"sha": commit.tree}});
    Ok(Json(answer).into_response())
}

#[derive(Deserialize)]
pub struct NewCommit {
    message: String,
    tree: String,
    #[serde(default)]
    parents: Vec<String>,
}

/// Creates a commit that is on no branch yet.
pub async fn new_commit(
    State(github): State<GitHub>,
    Path((owner, name)): Path<Place>,
    headers: HeaderMap,
    Json(new): Json<NewCommit>,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), Some("contents"))?;
    if ![&new.tree].into_iter().chain(&new.parents).all(|sha| is_sha(sha)) {
        return Err(invalid("Validation Failed", "Tree SHA does not exist"));
    }
    let bare = github.code().bare(&found);
    let sha = on_disk(move || bare.new_commit(&new.tree, &new.parents, &new.message)).await?;
    Ok((StatusCode::CREATED, Json(json!({"sha": sha}))).into_response())
}

#[derive(Deserialize)]
pub struct PutFile {
    message: String,
    /// Base64.
    content: String,
}

/// Writes a new file on the default branch.
pub async fn put_file(
    State(github): State<GitHub>,
    Path((owner, name, path)): Path<(String, String, String)>,
    headers: HeaderMap,
    Json(new): Json<PutFile>,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), Some("contents"))?;
    let text = STANDARD.decode(&new.content).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.ok_or_else(|| invalid("content is not valid Base64", ""))?;
    let bare: Bare = github.code().bare(&found);
    let written = on_disk(move || bare.put_file(DEFAULT_BRANCH, &path, &text, &new.message));
    let sha = written.await?;
    Ok((StatusCode::CREATED, Json(json!({"commit": {"sha": sha}}))).into_response())
}
