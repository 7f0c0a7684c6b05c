//! Identifies the caller.

use crate::limit::{Change, Limiter};
use crate::session_cell::SessionCell;
use crate::site;
use crate::watched_streams::WatchedStreams;
use crate::{ApiError, CookieName, ErrorCode};
use axum::extract::{FromRef, FromRequestParts};
use axum::http::header::ORIGIN;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use domain::audit::Actor;
use domain::secret_token::SecretToken;
use domain::{InstallationId, ProjectId, Scope};
use settings::var;
use store::sessions::{Session, Sessions};
use store::{StoreError, Table};

/// Part of every HTTP function's state: reads sessions and limits to identify the caller.
#[derive(Clone, Debug)]
pub struct Gatekeeper {
    sessions: Sessions,
    limiter: Limiter,
    streams: WatchedStreams,
    /// The origin that the environment names; without one, each call brings it.
    public_url: Option<String>,
}

impl Gatekeeper {
    /// Sessions from `table`, for the site at `public_url` (an origin, no trailing slash).
    pub fn new(table: &Table, public_url: impl Into<String>) -> Self {
        Self {
            sessions: Sessions::new(table),
            limiter: Limiter::new(table),
            streams: WatchedStreams::new(table),
            public_url: Some(public_url.into()),
        }
    }

    /// The same, for the site at `PUBLIC_URL` or else at the address that API Gateway's stage names, with the limits of
    /// the environment.
    pub fn from_env(table: &Table) -> Self {
        let public_url = var("PUBLIC_URL").ok();
        Self {
            sessions: Sessions::new(table),
            limiter: Limiter::from_env(table),
            streams: WatchedStreams::new(table),
            public_url,
        }
    }

    pub(crate) fn limiter(&self) -> &Limiter {
        &self.limiter
    }

    /// Counts messages that a session sent on its WebSockets, several at once; returns whether they are within its limit.
    pub async fn admits_messages(&self, messages: u32, session: &str) -> Result<bool, StoreError> {
        self.limiter.admits_messages(messages, session).await
    }

    /// The site's origin.
    pub fn public_url(&self) -> &str {
        self.public_url.as_deref().unwrap_or_else(|| site::learned())
    }

    async fn session(&self, headers: &HeaderMap) -> Result<(SecretToken, Session), ApiError> {
        let cookie = CookieName::Session.read(self.public_url(), headers);
        let token = SecretToken::presented(&cookie.ok_or_else(ApiError::unauthorized)?);
        let session = self.sessions.find(&token).await?.ok_or_else(ApiError::unauthorized)?;
        Ok((token, session))
    }

    fn refuse_other_sites(&self, parts: &Parts) -> Result<(), ApiError> {
        if is_read(&parts.method) {
            return Ok(());
        }
        let header = |name| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let foreign_origin =
            header(ORIGIN.as_str()).is_some_and(|origin| origin != self.public_url());
        let foreign_site =
            header("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"));
        if foreign_origin || foreign_site {
            let detail = "This call must come from Groundcrew's own pages.";
            return Err(ApiError::new(StatusCode::FORBIDDEN, ErrorCode::CrossOrigin, detail));
        }
        Ok(())
    }
}

/// A caller from one of our own pages, signed in or not; calls from another site's page are refused.
#[derive(Clone, Copy, Debug)]
pub struct OwnPage;

impl<S> FromRequestParts<S> for OwnPage
where
    Gatekeeper: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        Gatekeeper::from_ref(state).refuse_other_sites(parts).map(|()| Self)
    }
}

/// A caller with a session, which the calls under `/github` need.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// The session.
    pub session: Session,
    /// The session's token, which sign-out revokes.
    pub token: SecretToken,
}

impl<S> FromRequestParts<S> for SignedIn
where
    Gatekeeper: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let gatekeeper = Gatekeeper::from_ref(state);
        let (token, session) = gatekeeper.session(&parts.headers).await?;
        gatekeeper.refuse_other_sites(parts)?;
        if let Some(cell) = parts.extensions.get::<SessionCell>() {
            cell.note(gatekeeper.streams.clone(), token.hash(), &session);
        }
        Ok(Self { session, token })
    }
}

/// A caller with a session who also names its installation, which every other call needs. Any call except a GET counts
/// toward the limit of changes. A GET that is not cheap takes [`Limited`](crate::Limited) as well.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The tenant.
    pub installation: InstallationId,
    /// The session of the call.
    pub caller: SignedIn,
}

impl Identity {
    /// One of the caller's projects; it may not exist.
    pub fn scope(&self, project: ProjectId) -> Scope {
        Scope { installation: self.installation, project }
    }

    /// The session of the person who calls.
    pub fn session(&self) -> &Session {
        &self.caller.session
    }

    /// The person who calls, as records name them.
    pub fn actor(&self) -> Actor {
        self.session().actor()
    }
}

impl<S> FromRequestParts<S> for Identity
where
    Gatekeeper: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let identity = Self::uncounted(parts, state).await?;
        if !is_read(&parts.method) {
            let gatekeeper = Gatekeeper::from_ref(state);
            gatekeeper.limiter().count::<Change>(gatekeeper.public_url(), parts).await?;
        }
        Ok(identity)
    }
}

impl Identity {
    /// The same for a call that does not count toward the limit of changes.
    pub(crate) async fn uncounted<S>(parts: &mut Parts, state: &S) -> Result<Self, ApiError>
    where
        Gatekeeper: FromRef<S>,
        S: Send + Sync,
    {
        let named = named_installation(&parts.headers).ok_or_else(ApiError::unauthorized)?;
        let caller = SignedIn::from_request_parts(parts, state).await?;
        if caller.session.installation_id != named {
            return Err(ApiError::unauthorized());
        }
        Ok(Self { installation: named, caller })
    }
}

fn is_read(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn named_installation(headers: &HeaderMap) -> Option<InstallationId> {
    headers.get("installation-id")?.to_str().ok()?.parse().ok()
}
