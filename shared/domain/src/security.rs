//! The security log: what an operator reads after an incident, and what alarms count.
//!
//! Each event is one line of the JSON log with its stable name in the field `security`. A line names people
//! and things by number or name and never holds a secret, a command or a text that somebody typed.
//! `docs/security/log.md` lists the events.

use crate::audit::Actor;
use crate::{InstallationId, Scope};

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecurityEvent {
    /// Somebody signed in.
    SignedIn,
    /// Somebody signed out, in one browser or in all.
    SignedOut,
    /// GitHub ended sessions: a suspension, a withdrawn authorisation, a member who left.
    SessionsEnded,
    /// A call was refused: 401, 403, 429, or 404 for somebody who is signed in.
    Refused,
    /// A WebSocket was refused.
    ConnectionRefused,
    /// An owner approved, rejected or cancelled an attempt.
    Decided,
    /// Credentials were sealed.
    CredentialsSet,
    /// Credentials were forgotten.
    CredentialsForgotten,
    /// Credentials were opened for a run.
    CredentialsUsed,
    /// A webhook came without a signature that fits.
    WebhookForged,
    /// A provider reported more usage than was held, and the rest was not charged.
    BillClamped,
    /// A project and everything in it was deleted, or is about to be.
    ProjectDeleted,
    /// An account's data was exported.
    AccountExported,
    /// An account was deleted, or is about to be.
    AccountDeleted,
}

impl SecurityEvent {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::SignedIn,
        Self::SignedOut,
        Self::SessionsEnded,
        Self::Refused,
        Self::ConnectionRefused,
        Self::Decided,
        Self::CredentialsSet,
        Self::CredentialsForgotten,
        Self::CredentialsUsed,
        Self::WebhookForged,
        Self::BillClamped,
        Self::ProjectDeleted,
        Self::AccountExported,
        Self::AccountDeleted,
    ];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::SignedIn => "session.opened",
            Self::SignedOut => "session.closed",
            Self::SessionsEnded => "session.ended",
            Self::Refused => "call.refused",
            Self::ConnectionRefused => "connection.refused",
            Self::Decided => "step.decided",
            Self::CredentialsSet => "credentials.set",
            Self::CredentialsForgotten => "credentials.forgotten",
            Self::CredentialsUsed => "credentials.used",
            Self::WebhookForged => "webhook.forged",
            Self::BillClamped => "bill.clamped",
            Self::ProjectDeleted => "project.deleted",
            Self::AccountExported => "account.exported",
            Self::AccountDeleted => "account.deleted",
        }
    }
}

/// Whom an event is about, as far as that is known.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'a> {
    installation: Option<InstallationId>,
    project: Option<u64>,
    by: Option<&'a Actor>,
}

impl<'a> About<'a> {
    /// An installation.
    pub fn installation(id: InstallationId) -> Self {
        Self { installation: Some(id), ..Self::default() }
    }

    /// A project.
    pub fn project(scope: Scope) -> Self {
        Self { project: Some(scope.project.0), ..Self::installation(scope.installation) }
    }

    /// The same, done by somebody.
    pub fn by(self, actor: &'a Actor) -> Self {
        Self { by: Some(actor), ..self }
    }
}

/// Writes a line. `detail` names what it was done to: numbers, digests and names.
pub fn record(event: SecurityEvent, about: About<'_>, detail: &str) {
    tracing::info!(
        security = event.name(),
        installation = about.installation.map(|id| id.0),
        project = about.project,
        user = about.by.map(|by| by.user_id),
        login = about.by.map(|by| by.login.as_str()),
        detail,
        "security"
    );
}

/// A provider reported more than was held for a call: `over` micro-dollars of it are ours to bear.
pub fn bill_clamped(scope: Scope, over: i64) {
    record(SecurityEvent::BillClamped, About::project(scope), &format!("over={over}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_has_a_name_of_its_own_and_is_documented() {
        let page = include_str!("../../../docs/security/log.md");
        let names: std::collections::BTreeSet<_> =
            SecurityEvent::ALL.map(SecurityEvent::name).into_iter().collect();
        assert_eq!(names.len(), SecurityEvent::ALL.len());
        for name in names {
            assert!(page.contains(&format!("| `{name}` |")), "{name}");
        }
    }
}
