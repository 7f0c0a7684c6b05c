//! The contents of files over the REST API.

use super::app;
use super::objects::{Place, invalid, object, on_disk};
use crate::github::api::{self, Refusal};
use crate::github::git::Bare;
use crate::github::state::GitHub;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

/// The pause between two checks whether a repository is held.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// The largest blob that GitHub accepts, in bytes.
const BLOB_BYTES: usize = 40 * 1024 * 1024;
/// How many blobs a token may create in a repository `limited-…`.
const LIMITED_BLOBS: u32 = 20;

/// The content of a file.
pub async fn one(
    State(github): State<GitHub>,
    Path((owner, name, sha)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), None)?;
    if found.holds() {
        released(&github.code().bare(&found)).await?;
    }
    let content = object(&github, &headers, (owner, name, &sha), Bare::blob).await?;
    let mut base64 = String::new();
    for (n, c) in STANDARD.encode(&content).chars().enumerate() {
        base64.push(c);
        if n % 60 == 59 {
            base64.push('\n');
        }
    }
    let answer =
        json!({"sha": sha, "size": content.len(), "content": base64, "encoding": "base64"});
    Ok(Json(answer).into_response())
}

/// Waits until a repository has no branch `hold`.
async fn released(bare: &Bare) -> Result<(), Response> {
    loop {
        let bare = bare.clone();
        let held = on_disk(move || {
            let Some(head) = bare.head("hold") else { return Ok(false) };
            // Another read may have created it.
            bare.set_branch("held", &head, None).ok();
            Ok(true)
        });
        if !held.await? {
            return Ok(());
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

#[derive(Deserialize)]
pub struct NewBlob {
    content: String,
    encoding: Option<String>,
}

/// Creates a blob that is in no tree yet.
pub async fn make(
    State(github): State<GitHub>,
    Path((owner, name)): Path<Place>,
    headers: HeaderMap,
    Json(new): Json<NewBlob>,
) -> Result<Response, Response> {
    let found = app::repository(&github, &headers, (&owner, &name), Some("contents"))?;
    let token = api::bearer(&headers)?.unwrap_or_default();
    if found.limits_blobs() && github.code().count_blob(token) > LIMITED_BLOBS {
        // No header says when more are allowed, as is often the case with GitHub.
        let message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
        return Err(Refusal(StatusCode::FORBIDDEN, message).into_response());
    }
    let content = match new.encoding.as_deref() {
        Some("base64") => STANDARD.decode(&new.content).ok(),
        None | Some("utf-8") => Some(new.content.into_bytes()),
        Some(_) => None,
    };
    let content = content.ok_or_else(|| invalid("content is not valid Base64", ""))?;
    if content.len() > BLOB_BYTES {
        return Err(invalid("Validation Failed", "data is too large"));
    }
    let bare = github.code().bare(&found);
    let sha = on_disk(move || bare.new_blob(&content)).await?;
    Ok((StatusCode::CREATED, Json(json!({"sha": sha}))).into_response())
}
