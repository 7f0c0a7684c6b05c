//! Opens and ends sessions.

use crate::App;
use axum::http::HeaderMap;
use domain::audit::Actor;
use domain::secret_token::SecretToken;
use domain::security::{About, SecurityEvent, record};
use domain::{InstallationId, MicroDollars, Timestamp};
use http_kit::{ApiError, CookieName, ErrorCode, SignedIn, cookie};
use store::sessions::{EndedSessions, Grounds, IDLE_SECONDS, Opening, SESSION_SECONDS, Session};
use store::sign_ins::User;

/// How a user is related to the account of an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// It is the user's own account.
    Own,
    /// It is an organization's, of which GitHub manages the members. Whether the user is one is asked separately.
    Member,
    /// It is another person's, to whose repository the user contributes.
    Guest,
}

impl Relation {
    /// The relation to an account that is an organization's or a person's, and the user's own or not.
    pub fn of(organization: bool, own: bool) -> Self {
        match (organization, own) {
            (true, _) => Self::Member,
            (false, true) => Self::Own,
            (false, false) => Self::Guest,
        }
    }
}

/// The account for which a session is opened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tenant<'a> {
    pub installation_id: InstallationId,
    /// The user's relation to it.
    pub relation: Relation,
    /// Its login on GitHub.
    pub account: &'a str,
}

/// The outcome of opening a session.
pub(crate) enum Opened {
    /// The line that sets its cookie.
    Session(String),
    /// The installation has ended since we asked GitHub, or the choice was already made.
    Over,
    /// The owner of the account does not allow this guest.
    GuestRefused,
}

impl App {
    /// Opens a new session in place of this browser's previous one.
    pub(crate) async fn open_session(
        &self,
        headers: &HeaderMap,
        user: User,
        Tenant { installation_id, relation, account }: Tenant<'_>,
        asked_at: Timestamp,
        chosen_from: Option<&SecretToken>,
    ) -> Result<Opened, ApiError> {
        // A guest's opening credit waits for an account of their own.
        if relation != Relation::Guest {
            self.welcome(user.id, installation_id).await?;
        }
        let site = self.gatekeeper.public_url();
        let (token, now) = (SecretToken::random(), Timestamp::now());
        let session = Session {
            user_id: user.id,
            installation_id,
            shared: relation != Relation::Own,
            guest: relation == Relation::Guest,
            account: (relation != Relation::Own).then(|| account.to_owned()),
            login: user.login,
            name: user.name,
            avatar_url: user.avatar_url,
            signed_in_at: now,
            ends_at: now.plus_seconds(IDLE_SECONDS),
        };
        let old = CookieName::Session.read(site, headers).map(|old| SecretToken::presented(&old));
        let grounds = Grounds { asked_at, replaces: old.as_ref(), chosen_from };
        let about = About::installation(installation_id);
        match self.sessions.open(&token, &session, grounds).await? {
            Opening::Opened => record(SecurityEvent::SignedIn, about.by(&session.actor()), ""),
            Opening::Over => return Ok(Opened::Over),
            Opening::GuestRefused => {
                record(SecurityEvent::GuestRefused, about.by(&session.actor()), "");
                return Ok(Opened::GuestRefused);
            }
        }
        if let Some(old) = old {
            self.close(EndedSessions(vec![old.hash()])).await?;
        }
        // The cookie lives as long as the longest session; the table decides how long this session is valid.
        Ok(Opened::Session(cookie(CookieName::Session, site, token.expose(), SESSION_SECONDS)))
    }

    /// Grants the opening credit, at the user's first sign-in.
    async fn welcome(&self, user_id: u64, installation: InstallationId) -> Result<(), ApiError> {
        if self.opening_credit > MicroDollars::ZERO {
            self.ledger.grant_opening(user_id, installation, self.opening_credit).await?;
        }
        Ok(())
    }

    /// Closes the connections of a user's ended sessions, and logs the sign-out.
    pub(crate) async fn end(&self, who: &SignedIn, ended: EndedSessions) -> Result<(), ApiError> {
        let sessions = ended.0.len();
        let closed = self.close(ended).await;
        let detail = format!("sessions={sessions} connections={}", counted(&closed));
        let about = About::installation(who.session.installation_id);
        record(SecurityEvent::SignedOut, about.by(&who.session.actor()), &detail);
        closed.map(drop)
    }

    /// Closes the connections of ended sessions; returns their number.
    pub(crate) async fn close(&self, ended: EndedSessions) -> Result<usize, ApiError> {
        self.ended_access.close(ended).await.map_err(ApiError::internal)
    }

    /// The line that deletes the session's cookie.
    pub(crate) fn forget_session(&self) -> String {
        cookie(CookieName::Session, self.gatekeeper.public_url(), "", 0)
    }
}

/// Logs that a visitor is not a member of an installation's organization.
pub(crate) fn record_outsider(user: &User, installation: InstallationId) {
    let by = Actor { user_id: user.id, login: user.login.clone() };
    let detail = format!("status=403 code={} sign-in", ErrorCode::NotAMember);
    record(SecurityEvent::Refused, About::installation(installation).by(&by), &detail);
}

/// How many connections were closed, for the security log: the sessions have ended even if that failed.
pub(crate) fn counted(closed: &Result<usize, ApiError>) -> String {
    closed.as_ref().map_or_else(|_| "unknown".to_owned(), usize::to_string)
}
