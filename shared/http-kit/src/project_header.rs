//! The project of a call whose path does not name it.

use crate::session_cell::SessionCell;
use crate::{ApiError, ErrorCode, Gatekeeper, Identity, SignedIn};
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use domain::Scope;
use domain::audit::Actor;

/// The caller's project named by the `Project-Id` header.
#[derive(Clone, Copy, Debug)]
pub struct ProjectHeader(pub Scope);

impl<S> FromRequestParts<S> for ProjectHeader
where
    Gatekeeper: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        Owner::from_request_parts(parts, state).await.map(|owner| Self(owner.scope))
    }
}

/// Like [`ProjectHeader`], for a call that also needs its caller.
#[derive(Clone, Debug)]
pub struct Owner {
    /// The project.
    pub scope: Scope,
    /// The session of the call.
    pub caller: SignedIn,
}

impl Owner {
    /// The person, as records name them.
    pub fn actor(&self) -> Actor {
        self.caller.session.actor()
    }
}

impl<S> FromRequestParts<S> for Owner
where
    Gatekeeper: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let identity = Identity::from_request_parts(parts, state).await?;
        let scope = named_project(&identity, parts)?;
        if let Some(cell) = parts.extensions.get::<SessionCell>() {
            cell.note_project(scope);
        }
        Ok(Self { scope, caller: identity.caller })
    }
}

/// The same for a POST that changes nothing: it has its own limit instead of the limit of changes.
#[derive(Clone, Copy, Debug)]
pub struct QuestionOnProject(pub Scope);

impl<S> FromRequestParts<S> for QuestionOnProject
where
    Gatekeeper: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let identity = Identity::uncounted(parts, state).await?;
        named_project(&identity, parts).map(Self)
    }
}

fn named_project(identity: &Identity, parts: &Parts) -> Result<Scope, ApiError> {
    let named = parts.headers.get("project-id").ok_or_else(|| {
        ApiError::bad_request(ErrorCode::ProjectMissing, "Name the project in a Project-Id header.")
    })?;
    project_scope(identity, named.to_str().unwrap_or_default())
}

/// The caller's project with this id from a URL; 404 for text that is not an id.
pub fn project_scope(identity: &Identity, id: &str) -> Result<Scope, ApiError> {
    id.parse().map(|project| identity.scope(project)).map_err(|_| ApiError::not_found())
}
