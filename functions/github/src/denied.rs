//! The reasons why a sign-in failed.

use http_kit::ErrorCode;
use serde::Serialize;
use utoipa::ToSchema;

/// The reason why a sign-in failed; `/github-success` shows a text for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SignInRefusal)]
pub(crate) enum Denied {
    /// The visitor did not begin this sign-in, or took too long.
    Expired,
    /// The visitor did not let GitHub identify them.
    #[serde(rename = "denied")]
    Refused,
    /// An owner of the organization has to approve the installation first.
    InstallationPending,
    /// Every installation that they can reach is suspended.
    InstallationSuspended,
    /// The owner of the only account that they can reach has not allowed collaborators.
    GuestRefused,
    /// GitHub does not list them as a member of the organization.
    NotAMember,
    /// GitHub did not answer, or answered with an error.
    #[serde(rename = "github")]
    GitHub,
    /// Too many sign-ins came from their network.
    RateLimited,
    /// We failed.
    Internal,
}

impl Denied {
    /// The word in the page's address.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Expired => "expired",
            Self::Refused => "denied",
            Self::InstallationPending => "installation_pending",
            Self::InstallationSuspended => ErrorCode::InstallationSuspended.as_str(),
            Self::GuestRefused => ErrorCode::GuestRefused.as_str(),
            Self::NotAMember => ErrorCode::NotAMember.as_str(),
            Self::GitHub => "github",
            Self::RateLimited => ErrorCode::RateLimited.as_str(),
            Self::Internal => ErrorCode::Internal.as_str(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_contract_has_the_words_of_the_address() {
        for why in [
            Denied::Expired,
            Denied::Refused,
            Denied::InstallationPending,
            Denied::InstallationSuspended,
            Denied::GuestRefused,
            Denied::NotAMember,
            Denied::GitHub,
            Denied::RateLimited,
            Denied::Internal,
        ] {
            assert_eq!(serde_json::to_value(why).unwrap(), why.as_str());
        }
    }
}
