//! Handles the return from GitHub.

use crate::App;
use crate::denied::Denied;
use crate::github::{GitHubError, Installation};
use crate::login::redirect;
use crate::return_to::with_return;
use crate::session::{Opened, Relation, Tenant, record_outsider};
use axum::http::HeaderMap;
use axum::response::Response;
use domain::report::Chain;
use domain::secret_token::SecretToken;
use domain::{InstallationId, Timestamp};
use futures::future::try_join_all;
use http_kit::{ApiError, CookieName, cookie};
use serde::Deserialize;
use store::sign_ins::{Choice, LOGIN_SECONDS, Login, Offered, User};

/// About how many organizations GitHub is asked at once; it accepts no more than 100 calls of a user.
const ASKED_AT_ONCE: usize = 16;

/// The query from GitHub; a visitor can write any of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Query {
    code: Option<String>,
    state: Option<String>,
    /// GitHub's reason for sending no code.
    error: Option<String>,
    /// Only a preference: it is used if GitHub confirms that the user can reach the installation.
    installation_id: Option<String>,
    /// `install`, `update` or `request`, if the browser comes from the page where users install the app.
    setup_action: Option<String>,
}

/// GitHub's answers about a visitor.
struct Known {
    user: User,
    installations: Vec<Installation>,
    /// The token with which GitHub answered; it is not stored.
    token: String,
    /// A time before our calls to GitHub.
    asked_at: Timestamp,
    /// The place in the application to return to after the sign-in.
    return_to: Option<String>,
}

impl App {
    /// Signs in a visitor with a valid code, offers a choice of installations, or sends them to install the app.
    pub(crate) async fn come_back(
        &self,
        headers: &HeaderMap,
        query: Query,
    ) -> Result<Response, ApiError> {
        if query.state.is_none() && query.setup_action.is_some() {
            return self.come_from_github(&query).await;
        }
        let Some(login) = self.finish(headers, &query).await? else {
            return Ok(self.deny(Denied::Expired));
        };
        if let Some(error) = &query.error {
            return Ok(self.deny(refusal(error)));
        }
        let Some(code) = query.code.as_deref() else {
            let pending = query.requested();
            return Ok(self.deny(if pending {
                Denied::InstallationPending
            } else {
                Denied::Expired
            }));
        };
        match self.identify(code, &login).await {
            Ok(known) => self.admit(headers, known, &query).await,
            Err(GitHubError::Refused(why)) if GitHubError::BAD_CODE.contains(&why.as_str()) => {
                Ok(self.deny(Denied::Expired))
            }
            Err(error) => Ok(self.unanswered(&error)),
        }
    }

    /// Handles a visitor who installed or requested the app on GitHub without coming from us. Nothing ties this code to
    /// this browser, so we ignore it and begin the sign-in here.
    async fn come_from_github(&self, query: &Query) -> Result<Response, ApiError> {
        match query.requested() {
            true => Ok(self.deny(Denied::InstallationPending)),
            false => self.go_to_sign_in(None, None).await,
        }
    }

    /// The sign-in that this browser began and to which this query belongs.
    async fn finish(&self, headers: &HeaderMap, query: &Query) -> Result<Option<Login>, ApiError> {
        let began = CookieName::Login.read(self.gatekeeper.public_url(), headers);
        match (began, &query.state) {
            (Some(began), Some(state)) if began == *state => {
                Ok(self.sign_ins.finish(&SecretToken::presented(state)).await?)
            }
            _ => Ok(None),
        }
    }

    async fn identify(&self, code: &str, login: &Login) -> Result<Known, GitHubError> {
        let asked_at = Timestamp::now();
        let verifier = login.code_verifier.as_deref();
        let token = self.github.exchange(code, &self.redirect_uri(), verifier).await?;
        let (user, installations) =
            tokio::try_join!(self.github.user(&token), self.github.installations(&token))?;
        Ok(Known { user, installations, token, asked_at, return_to: login.return_to.clone() })
    }

    async fn admit(
        &self,
        headers: &HeaderMap,
        known: Known,
        query: &Query,
    ) -> Result<Response, ApiError> {
        let active = known.installations.iter().filter(|one| !one.suspended());
        let user = known.user.id;
        let active: Vec<_> = active.map(|one| (one.id, one.relation_to(user))).collect();
        let wished = query.wished().and_then(|id| active.iter().find(|one| one.0 == id).copied());
        match (wished, active.as_slice()) {
            (Some(place), _) | (None, &[place]) => self.let_in(headers, known, place).await,
            (None, [_, ..]) => self.let_choose(known).await,
            (None, []) if !known.installations.is_empty() => {
                Ok(self.deny(Denied::InstallationSuspended))
            }
            // The visitor has just been on the installation page, so sending them back there would be a loop.
            (None, []) if query.setup_action.is_some() => {
                Ok(self.deny(Denied::InstallationPending))
            }
            (None, []) => self.go_to_install(known.return_to.as_deref()).await,
        }
    }

    async fn let_in(
        &self,
        headers: &HeaderMap,
        known: Known,
        (id, relation): (InstallationId, Relation),
    ) -> Result<Response, ApiError> {
        let chosen = known.installations.iter().find(|one| one.id == id);
        let account = chosen.map(|one| one.account_name()).unwrap_or_default();
        let tenant = Tenant { installation_id: id, relation, account };
        if let Some(organization) = chosen.filter(|one| one.has_members()) {
            match self.github.is_member(&known.token, known.user.id, organization).await {
                Ok(true) => {}
                Ok(false) => {
                    record_outsider(&known.user, id);
                    return Ok(self.deny(Denied::NotAMember));
                }
                Err(error) => return Ok(self.unanswered(&error)),
            }
        }
        let opened = self.open_session(headers, known.user, tenant, known.asked_at, None).await?;
        let session = match opened {
            Opened::Session(cookie) => cookie,
            Opened::GuestRefused => return Ok(self.deny(Denied::GuestRefused)),
            Opened::Over => return Ok(self.deny(Denied::InstallationSuspended)),
        };
        let site = self.gatekeeper.public_url();
        let url = format!("{site}/github-success?installation_id={id}");
        let url = with_return(&url, known.return_to.as_deref());
        Ok(redirect(&url, [session, self.forget_login()]))
    }

    async fn let_choose(&self, known: Known) -> Result<Response, ApiError> {
        let token = SecretToken::random();
        let user = known.user.id;
        let members = match self.memberships(&known).await {
            Ok(members) => members,
            Err(error) => return Ok(self.unanswered(&error)),
        };
        let offered = known.installations.into_iter().zip(members);
        let offered = offered.map(|(one, member)| Offered { member, ..one.offered_to(user) });
        let choice = Choice {
            offered: offered.collect(),
            user: known.user,
            asked_at: known.asked_at,
            ends_at: Timestamp::now().plus_seconds(LOGIN_SECONDS),
        };
        self.sign_ins.offer(&token, &choice).await?;
        let site = self.gatekeeper.public_url();
        let binding = cookie(CookieName::Login, site, token.expose(), LOGIN_SECONDS);
        let url = with_return(&format!("{site}/github-choose"), known.return_to.as_deref());
        Ok(redirect(&url, [binding]))
    }

    /// Of which installations' organizations the visitor is a member. The choice comes without the token, which is not
    /// stored, so GitHub is asked about all of them now.
    async fn memberships(&self, known: &Known) -> Result<Vec<bool>, GitHubError> {
        let mut members = Vec::new();
        for some in known.installations.chunks(ASKED_AT_ONCE) {
            let asked = some.iter().map(|one| self.is_member(known, one));
            members.extend(try_join_all(asked).await?);
        }
        Ok(members)
    }

    async fn is_member(&self, known: &Known, one: &Installation) -> Result<bool, GitHubError> {
        match one.has_members() {
            true => self.github.is_member(&known.token, known.user.id, one).await,
            false => Ok(false),
        }
    }

    /// The page for a visitor about whom GitHub did not answer.
    fn unanswered(&self, error: &GitHubError) -> Response {
        tracing::error!(error = %Chain(error), "sign-in failed");
        self.deny(Denied::GitHub)
    }

    fn deny(&self, why: Denied) -> Response {
        let site = self.gatekeeper.public_url();
        redirect(&format!("{site}/github-success?error={}", why.as_str()), [self.forget_login()])
    }

    /// The page that explains why a sign-in failed: a browser opens this call, and shows its answer to a person. The
    /// sign-in under way stays valid, so that a timely retry succeeds.
    pub(crate) fn sign_in_failed(&self, error: &ApiError) -> Response {
        let site = self.gatekeeper.public_url();
        let why = match error.retry_after() {
            Some(seconds) => format!("{}&retry_after={seconds}", Denied::RateLimited.as_str()),
            None => {
                let cause = error.cause().map(|cause| Chain(cause).to_string());
                tracing::error!(code = error.code().as_str(), cause, "sign-in failed");
                Denied::Internal.as_str().to_owned()
            }
        };
        redirect(&format!("{site}/github-success?error={why}"), [])
    }

    /// The line that deletes the cookie of a sign-in under way.
    pub(crate) fn forget_login(&self) -> String {
        cookie(CookieName::Login, self.gatekeeper.public_url(), "", 0)
    }
}

impl Query {
    fn requested(&self) -> bool {
        self.setup_action.as_deref() == Some("request")
    }

    fn wished(&self) -> Option<InstallationId> {
        self.installation_id.as_ref().and_then(|id| id.parse().ok())
    }
}

/// Maps GitHub's reason for sending no code. Every reason except the visitor's own decision is a mistake of ours or of
/// GitHub's.
fn refusal(error: &str) -> Denied {
    if error == "access_denied" {
        return Denied::Refused;
    }
    // Any visitor can write this, so it is cut, and logged as a value.
    let error: String = error.chars().take(64).collect();
    tracing::error!(error, "GitHub did not authorize a sign-in");
    Denied::GitHub
}
