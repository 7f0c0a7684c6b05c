//! `git` over HTTP: git's own `http-backend` answers `git clone`, `fetch` and `push`.

use crate::github::api::Refusal;
use crate::github::git::git;
use crate::github::state::GitHub;
use anyhow::{Context, Result};
use axum::body::{Body, Bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::process::Stdio;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

/// The routes that `git` calls.
const SERVICES: [&str; 3] = ["info/refs", "git-upload-pack", "git-receive-pack"];

/// Answers one call.
pub async fn serve(
    State(github): State<GitHub>,
    Path(place): Path<HashMap<String, String>>,
    method: Method,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let part = |name: &str| place.get(name).map(String::as_str).unwrap_or_default();
    let (owner, name) = (part("owner"), part("name"));
    let service = if method == Method::GET { "info/refs" } else { part("service") };
    let found = github.code().find(owner, name.strip_suffix(".git").unwrap_or(name));
    let Some(found) = found.filter(|_| SERVICES.contains(&service)) else {
        return Refusal(StatusCode::NOT_FOUND, "Not Found").into_response();
    };
    let mut backend = Command::from(git(github.code().folder()));
    let header = |name: &str| headers.get(name).and_then(|it| it.to_str().ok()).unwrap_or_default();
    backend
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", github.code().folder())
        .env("GIT_HTTP_EXPORT_ALL", "1")
        // Anyone with a user name may push.
        .env("REMOTE_USER", &found.owner)
        .env("REQUEST_METHOD", method.as_str())
        .env("PATH_INFO", format!("/{}.git/{service}", found.id))
        .env("QUERY_STRING", query.unwrap_or_default())
        .env("CONTENT_TYPE", header("content-type"))
        .env("CONTENT_LENGTH", body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", header("content-encoding"))
        .env("GIT_PROTOCOL", header("git-protocol"));
    answer(backend, body).await.unwrap_or_else(|error| {
        tracing::error!(error = format!("{error:#}"), "git http-backend failed");
        Refusal(StatusCode::INTERNAL_SERVER_ERROR, "Server Error").into_response()
    })
}

async fn answer(mut backend: Command, body: Bytes) -> Result<Response> {
    backend.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = backend.kill_on_drop(true).spawn().context("cannot start git; install it")?;
    let mut stdin = child.stdin.take().context("its input")?;
    // Both at once: the backend may answer before it has read everything.
    let (_, output) = tokio::join!(
        async move {
            stdin.write_all(&body).await.ok();
            stdin.shutdown().await.ok();
        },
        child.wait_with_output(),
    );
    let output = output?.stdout;
    let end = output.windows(4).position(|part| part == b"\r\n\r\n").context("no head")?;
    let mut response = Response::builder();
    for line in String::from_utf8_lossy(&output[..end]).lines() {
        let (name, value) = line.split_once(':').context("a header")?;
        response = match name {
            "Status" => response.status(value.trim().split(' ').next().unwrap_or("500")),
            _ => response.header(name, value.trim()),
        };
    }
    Ok(response.body(Body::from(output[end + 4..].to_vec()))?)
}
