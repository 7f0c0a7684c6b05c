//! Opens and ends sessions.

use crate::App;
use axum::http::HeaderMap;
use domain::secret_token::SecretToken;
use domain::security::{About, SecurityEvent, record};
use domain::{InstallationId, MicroDollars, Timestamp};
use http_kit::{ApiError, CookieName, SignedIn, cookie};
use store::sessions::{EndedSessions, Grounds, IDLE_SECONDS, SESSION_SECONDS, Session};
use store::sign_ins::User;

impl App {
    /// Opens a new session in place of this browser's previous one. Returns the line that sets its cookie, or `None` if
    /// the installation has ended since we asked GitHub, or the choice was already made.
    pub(crate) async fn open_session(
        &self,
        headers: &HeaderMap,
        user: User,
        (installation_id, shared): (InstallationId, bool),
        asked_at: Timestamp,
        chosen_from: Option<&SecretToken>,
    ) -> Result<Option<String>, ApiError> {
        self.welcome(user.id, installation_id).await?;
        let site = self.gatekeeper.public_url();
        let (token, now) = (SecretToken::random(), Timestamp::now());
        let session = Session {
            user_id: user.id,
            installation_id,
            shared,
            login: user.login,
            name: user.name,
            avatar_url: user.avatar_url,
            signed_in_at: now,
            ends_at: now.plus_seconds(IDLE_SECONDS),
        };
        let old = CookieName::Session.read(site, headers).map(|old| SecretToken::presented(&old));
        let grounds = Grounds { asked_at, replaces: old.as_ref(), chosen_from };
        let opened = self.sessions.open(&token, &session, grounds).await?;
        if opened {
            let about = About::installation(installation_id);
            record(SecurityEvent::SignedIn, about.by(&session.actor()), "");
        }
        if let Some(old) = old.filter(|_| opened) {
            self.close(EndedSessions(vec![old.hash()])).await?;
        }
        // The cookie lives as long as the longest session; the table decides how long this session is valid.
        Ok(opened.then(|| cookie(CookieName::Session, site, token.expose(), SESSION_SECONDS)))
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
        self.endings.close(ended).await.map_err(ApiError::internal)
    }

    /// The line that deletes the session's cookie.
    pub(crate) fn forget_session(&self) -> String {
        cookie(CookieName::Session, self.gatekeeper.public_url(), "", 0)
    }
}

/// How many connections were closed, for the security log: the sessions have ended even if that failed.
pub(crate) fn counted(closed: &Result<usize, ApiError>) -> String {
    closed.as_ref().map_or_else(|_| "unknown".to_owned(), usize::to_string)
}
