//! Answers to polled reads: 304 if the reader already has the current body.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::secret_token::sha256_hex;
use serde::Serialize;

/// Characters of the hash in a tag: 64 bits are enough to distinguish all bodies that one reader ever sees.
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
    let tag = &sha256_hex(version.as_bytes())[..TAG_CHARS];
    let known = request.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let fresh = |seen: &str| bare(seen) == tag || seen.trim() == "*";
    if known.is_some_and(|tags| tags.split(',').any(fresh)) {
        return unchanged(tag);
    }
    (headers(tag), [(CONTENT_TYPE, content_type)], body).into_response()
}

/// A value as JSON with its ETag, or 304.
pub fn conditional_json(request: &HeaderMap, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => conditional(request, "application/json", body),
        Err(error) => crate::ApiError::internal(error).into_response(),
    }
}

/// A value as JSON with a stamp for its ETag, for a caller that can compare stamps without the value.
pub fn stamped_json(stamp: &str, value: &impl Serialize) -> Response {
    (headers(stamp), axum::Json(value)).into_response()
}

/// The only tag that a request names, without its quotes.
pub fn known_tag(request: &HeaderMap) -> Option<&str> {
    let tag = request.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok())?;
    (!tag.contains(',')).then(|| bare(tag))
}

/// 304 for the body of this tag.
pub fn unchanged(tag: &str) -> Response {
    (StatusCode::NOT_MODIFIED, headers(tag)).into_response()
}

/// `no-cache` lets the browser keep the body, but makes it ask each time whether the body is still current.
fn headers(tag: &str) -> [(HeaderName, String); 3] {
    [
        (ETAG, format!("\"{tag}\"")),
        (CACHE_CONTROL, "private, no-cache".to_owned()),
        (VARY, "Installation-Id, Project-Id".to_owned()),
    ]
}

/// A tag without its quotes and without the weak mark that a compressing proxy adds.
fn bare(tag: &str) -> &str {
    tag.trim().trim_start_matches("W/").trim_matches('"')
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn a_tag_is_recognized_with_and_without_the_weak_mark() {
        let answer = stamped_json("ab.1.", &1);
        let sent = answer.headers()[ETAG].to_str().unwrap().to_owned();
        for (named, known) in [
            (sent.clone(), Some("ab.1.")),
            (format!("W/{sent}"), Some("ab.1.")),
            (format!("{sent}, \"cd\""), None),
        ] {
            let value = HeaderValue::from_str(&named).unwrap();
            let request = HeaderMap::from_iter([(IF_NONE_MATCH, value)]);
            assert_eq!(known_tag(&request), known, "{named}");
        }
        assert_eq!(known_tag(&HeaderMap::new()), None);
        assert_eq!(unchanged("ab.1.").headers()[ETAG], sent.as_str());
    }
}
