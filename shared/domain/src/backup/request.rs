//! The ids of requests to a sandbox, from which the answers show what they are about.

use super::{BackupId, BackupReason};
use std::fmt;
use std::str::FromStr;

/// A requested backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupRequest {
    /// Its name.
    pub id: BackupId,
    /// Its reason.
    pub reason: BackupReason,
    /// The number of the step, check or command after which it is made.
    pub step_number: Option<u32>,
}

/// A requested restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreRequest {
    /// The backup to restore.
    pub from: BackupId,
    /// The backup of the workspace before the restore.
    pub before: BackupId,
}

/// A text that is not the id of a backup or restore request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the id of a request")]
pub struct NotARequest;

impl BackupRequest {
    /// A backup under a new name.
    pub fn new(reason: BackupReason) -> Self {
        Self { id: BackupId::random(), reason, step_number: None }
    }
}

impl fmt::Display for BackupRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step_number {
            Some(step) => write!(f, "backup-{}.{step}-{}", self.reason.as_str(), self.id),
            None => write!(f, "backup-{}-{}", self.reason.as_str(), self.id),
        }
    }
}

impl FromStr for BackupRequest {
    type Err = NotARequest;

    fn from_str(text: &str) -> Result<Self, NotARequest> {
        let rest = text.strip_prefix("backup-").ok_or(NotARequest)?;
        let (reason, id) = rest.split_once('-').ok_or(NotARequest)?;
        let (reason, step_number) = match reason.split_once('.') {
            Some((reason, step)) => (reason, Some(step.parse().map_err(|_| NotARequest)?)),
            None => (reason, None),
        };
        let reason = BackupReason::ALL.into_iter().find(|known| known.as_str() == reason);
        Ok(Self { id: name(id)?, reason: reason.ok_or(NotARequest)?, step_number })
    }
}

impl fmt::Display for RestoreRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "restore-{}-{}", self.from, self.before)
    }
}

impl FromStr for RestoreRequest {
    type Err = NotARequest;

    fn from_str(text: &str) -> Result<Self, NotARequest> {
        let rest = text.strip_prefix("restore-").ok_or(NotARequest)?;
        let (from, before) = rest.split_once('-').ok_or(NotARequest)?;
        Ok(Self { from: name(from)?, before: name(before)? })
    }
}

/// A name becomes part of an object's key, so it must not contain characters with a meaning there.
fn name(text: &str) -> Result<BackupId, NotARequest> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if plain { Ok(BackupId::from(text)) } else { Err(NotARequest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_requests_id_shows_its_reason() {
        for reason in BackupReason::ALL {
            let request = BackupRequest::new(reason);
            assert_eq!(request.to_string().parse(), Ok(request.clone()));
            let after = BackupRequest { step_number: Some(12), ..request };
            assert_eq!(after.to_string().parse(), Ok(after));
        }
        let restore = RestoreRequest { from: BackupId::random(), before: BackupId::random() };
        assert_eq!(restore.to_string().parse(), Ok(restore));
        for bad in [
            "backup-step-../x",
            "backup-x-1",
            "backup-step-",
            "backup-step.x-1",
            "restore-1",
            "upload-step-1",
        ] {
            assert_eq!(bad.parse::<BackupRequest>(), Err(NotARequest), "{bad}");
            assert_eq!(bad.parse::<RestoreRequest>(), Err(NotARequest), "{bad}");
        }
    }
}
