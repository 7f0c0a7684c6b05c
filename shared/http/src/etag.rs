//! Answers to polled reads: 304 if the reader already has the current body.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::secret_token::sha256_hex;
use serde::Serialize;

/// Characters of the hash in a tag: 64 bits tell apart all bodies that one reader ever sees.
const TAG_CHARS: usize = 16;

/// The body with its ETag, or 304 if `request` names that tag.
pub fn conditional(request: &HeaderMap, content_type: &'static str, body: Vec<u8>) -> Response {
    conditional_with(request, content_type, body, &[])
}

/// Like [`conditional`], for an answer that also has content in its headers: the tag covers both.
pub fn conditional_with(
    request: &HeaderMap,
    content_type: &'static str,
    body: Vec<u8>,
    also: &[&str],
) -> Response {
    let version = also.iter().fold(sha256_hex(&body), |version, more| format!("{version}\n{more}"));
    let tag = format!("\"{}\"", &sha256_hex(version.as_bytes())[..TAG_CHARS]);
    let known = request.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    // `no-cache` lets the browser keep the body and makes it ask each time whether the body still holds.
    let headers = [
        (ETAG, tag.clone()),
        (CACHE_CONTROL, "private, no-cache".to_owned()),
        (VARY, "Installation-Id, Project-Id".to_owned()),
    ];
    let fresh = |seen: &str| seen.trim().trim_start_matches("W/") == tag || seen.trim() == "*";
    if known.is_some_and(|tags| tags.split(',').any(fresh)) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, [(CONTENT_TYPE, content_type)], body).into_response()
}

/// A value as JSON with its ETag, or 304.
pub fn conditional_json(request: &HeaderMap, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => conditional(request, "application/json", body),
        Err(error) => crate::ApiError::internal(error).into_response(),
    }
}
