//! Handles the choice among several installations, by a visitor whom GitHub has identified but who has no session yet.

use crate::App;
use crate::session::{Opened, Relation, Tenant, record_outsider};
use axum::http::{HeaderMap, StatusCode};
use domain::InstallationId;
use domain::secret_token::SecretToken;
use http_kit::{ApiError, CookieName, ErrorCode};
use serde::{Deserialize, Serialize};
use store::sign_ins::{Choice, Offered};
use utoipa::ToSchema;

/// An installation that the visitor can choose.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct InstallationOffer {
    /// The installation.
    pub installation_id: InstallationId,
    /// The account it is on.
    pub account: String,
    /// What kind of account that is.
    pub account_type: AccountType,
    /// The account's picture.
    pub avatar_url: String,
    /// Whether the account belongs to another person, so that its owner has to allow the visitor.
    pub guest: bool,
    /// Suspended on GitHub: it is shown and cannot be chosen.
    pub suspended: bool,
}

/// The kind of an account's owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum AccountType {
    /// A person's account.
    User,
    /// An organization's account.
    Organization,
}

impl From<&Offered> for InstallationOffer {
    fn from(offered: &Offered) -> Self {
        let kind = if offered.organization { AccountType::Organization } else { AccountType::User };
        Self {
            installation_id: offered.id,
            account: offered.account.clone(),
            account_type: kind,
            avatar_url: offered.avatar_url.clone(),
            guest: relation(offered) == Relation::Guest,
            suspended: offered.suspended,
        }
    }
}

impl App {
    /// The installations that this browser's pending sign-in can choose from.
    pub(crate) async fn offered(
        &self,
        headers: &HeaderMap,
    ) -> Result<Vec<InstallationOffer>, ApiError> {
        let (_, choice) = self.pending(headers).await?;
        Ok(choice.offered.iter().map(InstallationOffer::from).collect())
    }

    /// Signs in for the chosen installation; returns the line that sets the session's cookie.
    pub(crate) async fn choose(
        &self,
        headers: &HeaderMap,
        id: InstallationId,
    ) -> Result<String, ApiError> {
        let (token, choice) = self.pending(headers).await?;
        let chosen = choice.offered.iter().find(|offered| offered.id == id);
        let chosen = chosen.ok_or_else(ApiError::not_found)?;
        if chosen.suspended {
            return Err(suspended());
        }
        if chosen.organization && !chosen.member {
            record_outsider(&choice.user, id);
            return Err(not_a_member());
        }
        let tenant =
            Tenant { installation_id: id, relation: relation(chosen), account: &chosen.account };
        let (user, asked_at) = (choice.user.id, choice.asked_at);
        let opened =
            self.open_session(headers, choice.user, tenant, asked_at, Some(&token)).await?;
        match opened {
            Opened::Session(cookie) => Ok(cookie),
            Opened::GuestRefused => Err(guest_refused()),
            Opened::Over if self.sessions.ended_since(user, asked_at).await? => Err(over()),
            // Either the offer has expired, or the chosen installation is gone.
            Opened::Over => {
                Err(self.pending(headers).await.map_or_else(|over| over, |_| suspended()))
            }
        }
    }

    async fn pending(&self, headers: &HeaderMap) -> Result<(SecretToken, Choice), ApiError> {
        let cookie = CookieName::Login.read(self.gatekeeper.public_url(), headers);
        let token = SecretToken::presented(&cookie.ok_or_else(over)?);
        let choice = self.sign_ins.offered(&token).await?.ok_or_else(over)?;
        Ok((token, choice))
    }
}

fn relation(offered: &Offered) -> Relation {
    Relation::of(offered.organization, offered.own)
}

fn guest_refused() -> ApiError {
    let detail = "The owner of this account has not allowed collaborators to use it here. Ask them to allow you, or use an account of your own.";
    ApiError::new(StatusCode::FORBIDDEN, ErrorCode::GuestRefused, detail)
}

fn not_a_member() -> ApiError {
    let detail = "GitHub does not list you as a member of this organization. Ask one of its owners to invite you, and to accept Groundcrew's permission to read members. Then sign in again.";
    ApiError::new(StatusCode::FORBIDDEN, ErrorCode::NotAMember, detail)
}

fn over() -> ApiError {
    let detail = "This sign-in is over. Sign in again.";
    ApiError::new(StatusCode::UNAUTHORIZED, ErrorCode::SignInOver, detail)
}

fn suspended() -> ApiError {
    let detail = "This installation was suspended or removed on GitHub.";
    ApiError::conflict(ErrorCode::InstallationSuspended, detail)
}
