//! The security log: for an operator after an incident, and for alarms.
//!
//! Each event is one line of the JSON log with its stable name in the field `security`. A line identifies people and
//! things by number or name. It never contains a secret, a command or text that a user typed. `docs/security/log.md`
//! lists the events.

use crate::actor::Actor;
use crate::{InstallationId, Scope};

/// The kind of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecurityEvent {
    /// A person signed in.
    SignedIn,
    /// A person signed out, in one browser or in all.
    SignedOut,
    /// GitHub ended sessions: a suspension, a withdrawn authorization, a member who left.
    SessionsEnded,
    /// A guest's sign-in was refused, because the owner of the account has not allowed it.
    GuestRefused,
    /// The owner of an account allowed one guest or all.
    GuestAllowed,
    /// The owner of an account refused one guest or all, which ended their sessions.
    GuestRemoved,
    /// A call was refused: 401, 403, 429, or 404 for a signed-in caller.
    Refused,
    /// A WebSocket was refused.
    ConnectionRefused,
    /// An owner approved, rejected or canceled an attempt.
    Decided,
    /// Credentials were sealed.
    CredentialsSet,
    /// Credentials were deleted.
    CredentialsForgotten,
    /// Credentials were unsealed for a run.
    CredentialsUsed,
    /// A webhook came without a valid signature.
    WebhookForged,
    /// A provider reported more usage than the hold, and the rest was not charged.
    BillClamped,
    /// A project and everything in it is deleted, or will be.
    ProjectDeleted,
    /// A project's timeline was shared by a link.
    TimelineShared,
    /// A link to a timeline was withdrawn.
    TimelineWithdrawn,
    /// A timeline was read by a link; at most once a minute for each link.
    TimelineRead,
    /// An account's data was exported.
    AccountExported,
    /// An account is deleted, or will be.
    AccountDeleted,
    /// A person confirmed the address that their mail goes to.
    MailConfirmed,
    /// Mail was turned off by the key of a letter.
    MailTurnedOff,
    /// An owner opened a preview of a service inside a sandbox.
    PreviewOpened,
    /// The files of a workspace were pushed to a repository.
    WorkspacePushed,
    /// A project began with the files of a repository.
    WorkspaceImported,
}

impl SecurityEvent {
    /// All events.
    pub const ALL: [Self; 25] = [
        Self::SignedIn,
        Self::SignedOut,
        Self::SessionsEnded,
        Self::GuestRefused,
        Self::GuestAllowed,
        Self::GuestRemoved,
        Self::Refused,
        Self::ConnectionRefused,
        Self::Decided,
        Self::CredentialsSet,
        Self::CredentialsForgotten,
        Self::CredentialsUsed,
        Self::WebhookForged,
        Self::BillClamped,
        Self::ProjectDeleted,
        Self::TimelineShared,
        Self::TimelineWithdrawn,
        Self::TimelineRead,
        Self::AccountExported,
        Self::AccountDeleted,
        Self::MailConfirmed,
        Self::MailTurnedOff,
        Self::PreviewOpened,
        Self::WorkspacePushed,
        Self::WorkspaceImported,
    ];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::SignedIn => "session.opened",
            Self::SignedOut => "session.closed",
            Self::SessionsEnded => "session.ended",
            Self::GuestRefused => "guest.refused",
            Self::GuestAllowed => "guest.allowed",
            Self::GuestRemoved => "guest.removed",
            Self::Refused => "call.refused",
            Self::ConnectionRefused => "connection.refused",
            Self::Decided => "step.decided",
            Self::CredentialsSet => "credentials.set",
            Self::CredentialsForgotten => "credentials.forgotten",
            Self::CredentialsUsed => "credentials.used",
            Self::WebhookForged => "webhook.forged",
            Self::BillClamped => "bill.clamped",
            Self::ProjectDeleted => "project.deleted",
            Self::TimelineShared => "timeline.shared",
            Self::TimelineWithdrawn => "timeline.withdrawn",
            Self::TimelineRead => "timeline.read",
            Self::AccountExported => "account.exported",
            Self::AccountDeleted => "account.deleted",
            Self::MailConfirmed => "mail.confirmed",
            Self::MailTurnedOff => "mail.turned_off",
            Self::PreviewOpened => "preview.opened",
            Self::WorkspacePushed => "workspace.pushed",
            Self::WorkspaceImported => "workspace.imported",
        }
    }
}

/// The known parts of an event's subject.
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

    /// The same, with the person who acted.
    pub fn by(self, actor: &'a Actor) -> Self {
        Self { by: Some(actor), ..self }
    }
}

/// The target of the log's lines, by which a filter lets them through whatever else it leaves out.
pub const TARGET: &str = "security";

/// Writes a line. `detail` names the object of the action by numbers, digests and names.
pub fn record(event: SecurityEvent, about: About<'_>, detail: &str) {
    tracing::info!(
        target: TARGET,
        security = event.name(),
        installation = about.installation.map(|id| id.0),
        project = about.project,
        user = about.by.map(|by| by.user_id),
        login = about.by.map(|by| by.login.as_str()),
        detail,
        "security"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_has_its_own_name_and_is_documented() {
        let page = include_str!("../../../docs/security/log.md");
        let names: std::collections::BTreeSet<_> =
            SecurityEvent::ALL.map(SecurityEvent::name).into_iter().collect();
        assert_eq!(names.len(), SecurityEvent::ALL.len());
        for name in names {
            assert!(page.contains(&format!("| `{name}` |")), "{name}");
        }
    }
}
