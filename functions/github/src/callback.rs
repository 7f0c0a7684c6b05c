//! Coming back from GitHub.

use crate::App;
use crate::github::GitHubError;
use crate::login::redirect;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::report::Chain;
use domain::secret_token::SecretToken;
use domain::{InstallationId, MicroDollars, Timestamp};
use http_kit::{ApiError, CookieName, cookie};
use serde::Deserialize;
use store::sessions::{Login, SESSION_SECONDS, Session};

/// What GitHub puts into the query; all of it can be written by anybody.
#[derive(Debug, Deserialize)]
pub(crate) struct Query {
    code: Option<String>,
    state: Option<String>,
    /// A wish at best: taken only when GitHub says that the user reaches it.
    installation_id: Option<String>,
    setup_action: Option<String>,
}

/// Why nobody was signed in; `/github-success` shows a text for each.
#[derive(Debug, Clone, Copy)]
enum Denied {
    /// The visitor did not begin this sign-in, took too long, or declined.
    Expired,
    /// An owner of the organisation has to approve the installation first.
    InstallationPending,
    /// GitHub did not answer.
    GitHub,
}

impl Denied {
    fn code(self) -> &'static str {
        match self {
            Self::Expired => "expired",
            Self::InstallationPending => "installation_pending",
            Self::GitHub => "github",
        }
    }
}

impl App {
    /// Signs in whoever comes back with a good code, or sends them to install the app.
    pub(crate) async fn come_back(
        &self,
        headers: &HeaderMap,
        query: Query,
    ) -> Result<Response, ApiError> {
        let login = self.finish(headers, &query).await?;
        let (Some(login), Some(code)) = (login, query.code.as_deref()) else {
            return Ok(self.deny(Denied::Expired));
        };
        match self.identify(code, &login).await {
            Ok((user, installations)) => self.admit(user, &installations, &query).await,
            Err(GitHubError::Refused(_)) => Ok(self.deny(Denied::Expired)),
            Err(error @ GitHubError::Http(_)) => {
                tracing::error!(error = %Chain(&error), "sign-in failed");
                Ok(self.deny(Denied::GitHub))
            }
        }
    }

    /// The sign-in that this browser began and this query belongs to.
    async fn finish(&self, headers: &HeaderMap, query: &Query) -> Result<Option<Login>, ApiError> {
        let began = CookieName::Login.read(self.gatekeeper.public_url(), headers);
        match (began, &query.state) {
            (Some(began), Some(state)) if began == *state => {
                Ok(self.sessions.finish_login(&SecretToken::presented(state)).await?)
            }
            _ => Ok(None),
        }
    }

    async fn identify(
        &self,
        code: &str,
        login: &Login,
    ) -> Result<(crate::github::User, Vec<InstallationId>), GitHubError> {
        let verifier = login.code_verifier.as_deref();
        let token = self.github.exchange(code, &self.redirect_uri(), verifier).await?;
        tokio::try_join!(self.github.user(&token), self.github.installations(&token))
    }

    async fn admit(
        &self,
        user: crate::github::User,
        installations: &[InstallationId],
        query: &Query,
    ) -> Result<Response, ApiError> {
        let wished = query.installation_id.as_ref().and_then(|id| id.parse().ok());
        let installation_id = wished.filter(|id| installations.contains(id));
        match installation_id.or(installations.first().copied()) {
            Some(installation_id) => self.sign_in(user, installation_id).await,
            // Having just come from the page where it is installed, going there again leads nowhere.
            None if query.setup_action.is_some() => Ok(self.deny(Denied::InstallationPending)),
            None => self.go_to_install().await,
        }
    }

    async fn sign_in(
        &self,
        user: crate::github::User,
        installation_id: InstallationId,
    ) -> Result<Response, ApiError> {
        self.welcome(installation_id).await?;
        let token = SecretToken::random();
        let session = Session {
            installation_id,
            login: user.login,
            name: user.name,
            avatar_url: user.avatar_url,
            ends_at: Timestamp::now().plus_seconds(SESSION_SECONDS),
        };
        self.sessions.create(&token, &session).await?;
        let site = self.gatekeeper.public_url();
        let url = format!("{site}/github-success?installation_id={installation_id}");
        let session = cookie(CookieName::Session, site, token.expose(), SESSION_SECONDS);
        Ok(redirect(&url, [session, self.forget_login()]))
    }

    /// Grants the credit that a new account begins with, at its first sign-in.
    async fn welcome(&self, installation: InstallationId) -> Result<(), ApiError> {
        if self.opening_credit > MicroDollars::ZERO {
            self.ledger.grant_opening(installation, self.opening_credit).await?;
        }
        Ok(())
    }

    fn deny(&self, why: Denied) -> Response {
        let site = self.gatekeeper.public_url();
        redirect(&format!("{site}/github-success?error={}", why.code()), [self.forget_login()])
    }

    fn forget_login(&self) -> String {
        cookie(CookieName::Login, self.gatekeeper.public_url(), "", 0)
    }
}
