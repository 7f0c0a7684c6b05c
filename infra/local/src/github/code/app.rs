//! The App itself: its assertion, an installation's permissions, and tokens for one.

use crate::github::api::{self, Refusal};
use crate::github::people::Installation;
use crate::github::repositories::{Grant, Repository};
use crate::github::state::GitHub;
use crate::names;
use aws_lc_rs::signature::{RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The longest life of an assertion, in seconds: GitHub's own ten minutes.
const ASSERTION_SECONDS: i64 = 600;

#[derive(Deserialize)]
struct Claims {
    iat: i64,
    exp: i64,
    iss: String,
}

/// An installation as the App sees it.
pub async fn installation(
    State(github): State<GitHub>,
    Path(id): Path<u64>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let one = installed(&github, &headers, id)?;
    Ok(axum::Json(api::installation(&github, &one)).into_response())
}

#[derive(Default, Deserialize)]
struct TokenRequest {
    repositories: Option<BTreeSet<String>>,
    permissions: Option<Map<String, Value>>,
}

/// Creates a token for an installation, with the requested permissions and repositories.
pub async fn token(
    State(github): State<GitHub>,
    Path(id): Path<u64>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let one = installed(&github, &headers, id)?;
    if one.suspended_at.is_some() {
        return Err(Refusal(StatusCode::FORBIDDEN, "This installation has been suspended"));
    }
    let unprocessable = |message| Refusal(StatusCode::UNPROCESSABLE_ENTITY, message);
    let request: TokenRequest = match body.is_empty() {
        true => TokenRequest::default(),
        false => serde_json::from_slice(&body).map_err(|_| unprocessable("Invalid request."))?,
    };
    let granted = api::permissions(&one);
    let permissions = request.permissions.unwrap_or_else(|| granted.clone());
    let grants = |(name, level): (&String, &Value)| {
        granted.get(name).is_some_and(|has| has == level || has == "write")
    };
    if !permissions.iter().all(grants) {
        let message = "The permissions requested are not granted to this installation.";
        return Err(unprocessable(message));
    }
    let known = |name: &String| github.code().find(&one.account.login, name).is_some();
    if !request.repositories.iter().flatten().all(known) {
        let message = "There is at least one repository that does not exist or is not accessible to the parent installation.";
        return Err(unprocessable(message));
    }
    let grant = Grant::new(id, request.repositories, permissions.clone());
    let expires_at = grant.expires_at();
    let token = github.code().issue(grant);
    let answer = json!({
        "token": token,
        "expires_at": expires_at,
        "permissions": permissions,
        "repository_selection": "all",
    });
    Ok((StatusCode::CREATED, axum::Json(answer)).into_response())
}

fn installed(github: &GitHub, headers: &HeaderMap, id: u64) -> Result<Installation, Refusal> {
    let claims = api::bearer(headers)?.and_then(|assertion| verified(github, assertion));
    let now = crate::ids::now_ms() / 1000;
    let valid = claims.is_some_and(|Claims { iat, exp, iss }| {
        iss == names::GITHUB_CLIENT_ID && iat <= now && exp > now && exp - now <= ASSERTION_SECONDS
    });
    if !valid {
        return Err(Refusal(StatusCode::UNAUTHORIZED, "A JSON web token could not be decoded"));
    }
    github.installation(id).ok_or(Refusal(StatusCode::NOT_FOUND, "Not Found"))
}

fn verified(github: &GitHub, assertion: &str) -> Option<Claims> {
    let (signed, signature) = assertion.rsplit_once('.')?;
    let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
    let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, github.public_key());
    public.verify(signed.as_bytes(), &signature).ok()?;
    let claims = URL_SAFE_NO_PAD.decode(signed.split('.').nth(1)?).ok()?;
    serde_json::from_slice(&claims).ok()
}

/// The installation and the grant of a call's token.
pub fn caller(github: &GitHub, headers: &HeaderMap) -> Result<(Installation, Grant), Refusal> {
    let grant = api::bearer(headers)?.and_then(|token| github.code().granted(token));
    let grant = grant.ok_or(Refusal(StatusCode::UNAUTHORIZED, "Bad credentials"))?;
    let one = github.installation(grant.installation);
    let one = one.filter(|one| one.suspended_at.is_none());
    let one = one.ok_or(Refusal(StatusCode::UNAUTHORIZED, "Bad credentials"))?;
    Ok((one, grant))
}

/// The repository that a call may read, or write with this permission.
pub fn repository(
    github: &GitHub,
    headers: &HeaderMap,
    (owner, name): (&str, &str),
    right: Option<&str>,
) -> Result<Repository, Refusal> {
    let (one, grant) = caller(github, headers)?;
    let found = github.code().find(owner, name).filter(|_| one.account.login == owner);
    let reached = |_: &Repository| grant.repositories.as_ref().is_none_or(|all| all.contains(name));
    let found = found.filter(reached).ok_or(Refusal(StatusCode::NOT_FOUND, "Not Found"))?;
    let Some(right) = right else { return Ok(found) };
    if grant.permissions.get(right).is_none_or(|level| level != "write") {
        let message = "Resource not accessible by integration";
        return Err(Refusal(StatusCode::FORBIDDEN, message));
    }
    if found.busy() {
        return Err(api::BUSY);
    }
    if found.archived() {
        let message = "Repository was archived so is read-only.";
        return Err(Refusal(StatusCode::FORBIDDEN, message));
    }
    Ok(found)
}
