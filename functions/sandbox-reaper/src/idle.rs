//! Stops sandboxes that are idle, or whose owner's credits are used up, after a backup.
//!
//! The agent reports how long it has been idle. A sandbox whose agent reports nothing does not count as idle;
//! [`crate::silent`] ends it. One conditional write makes the last check and records the stop, so an owner who returns,
//! or pays, at the last moment keeps the sandbox.
//!
//! A failing backup does not keep a sandbox running: after the third failure it stops without one, and its detail says
//! so.

use crate::{App, ReaperError};
use domain::backup::BackupReason;
use domain::report::Chain;
use domain::sandbox::Sandbox;
use domain::step::Failure;
use domain::{MicroDollars, Scope, Timestamp};
use flows::SyncError;
use std::time::Duration;

/// How long to wait for one backup; the next run finds a slower one complete.
const BACKED_UP_WITHIN: Duration = Duration::from_secs(20);

/// The default idle time after which a sandbox is stopped: half an hour, in seconds.
pub(crate) const IDLE_STOP_SECONDS: i64 = 1800;

/// Whether a sandbox's files are safe before its stop.
enum Saved {
    /// A backup exists.
    Yes,
    /// There will be no backup, for this reason.
    Never(String),
    /// The next minute tries again.
    NotYet,
}

impl App {
    /// Stops the sandbox if it has been idle for as long as the operator allows.
    pub(crate) async fn stop_if_idle(&self, scope: Scope) -> Result<(), ReaperError> {
        let Some(sandbox) = self.sandboxes.get(scope).await? else { return Ok(()) };
        let limit = self.idle_stop_seconds;
        match sandbox.idle_since.filter(|_| limit > 0 && sandbox.is_idle_for(limit)) {
            Some(since) => {
                let why = format!("Stopped after {} without use.", span(limit));
                self.save_and_stop(scope, since, &why, |sandbox| sandbox.is_idle_for(limit)).await
            }
            // Its user has returned, so the next backup has all its attempts again.
            None if sandbox.leaving.is_some() && sandbox.unpaid_since.is_none() => {
                self.stays(scope).await
            }
            None => Ok(()),
        }
    }

    /// Warns the owner of a sandbox whose credits are used up, and stops it after a while; returns whether it is
    /// stopping.
    pub(crate) async fn stop_if_unpaid(&self, scope: Scope) -> Result<bool, ReaperError> {
        let Some(sandbox) = self.sandboxes.get(scope).await? else { return Ok(false) };
        let out_of_credits =
            self.ledger.balance(scope.installation).await?.balance <= MicroDollars::ZERO;
        let now = Timestamp::now();
        let Some(since) = sandbox.unpaid_since.filter(|_| out_of_credits) else {
            if out_of_credits != sandbox.unpaid_since.is_some() {
                let noted = self.sandboxes.change(scope, |sandbox| {
                    sandbox.unpaid_since = out_of_credits.then_some(now);
                    sandbox.leaving = None;
                    sandbox.is_up()
                });
                noted.await?;
            }
            return Ok(false);
        };
        let runs = self.progression.is_running(scope).await?;
        if !sandbox.is_unpaid_for_too_long(runs, now) {
            return Ok(false);
        }
        let why = "Stopped because your credits are used up.";
        self.save_and_stop(scope, since, why, |sandbox| sandbox.unpaid_since == Some(since))
            .await?;
        Ok(true)
    }

    async fn save_and_stop(
        &self,
        scope: Scope,
        since: Timestamp,
        why: &str,
        still: impl Fn(&Sandbox) -> bool,
    ) -> Result<(), ReaperError> {
        let detail = match self.save(scope, since).await? {
            Saved::NotYet => return Ok(()),
            Saved::Yes => format!("{why} Your files are backed up; start it to continue."),
            Saved::Never(reason) => format!(
                "{why} Its files could not be backed up ({}); it will start from the previous backup.",
                reason.trim_end_matches('.')
            ),
        };
        if self.control.stop_if(scope, still, &detail).await? {
            tracing::info!(%scope, detail, "stopped a sandbox");
            self.progression.abandon_runs(scope, Failure::Lost, Some(&detail)).await?;
        }
        Ok(())
    }

    async fn save(&self, scope: Scope, since: Timestamp) -> Result<Saved, ReaperError> {
        if self.is_saved(scope, since).await? {
            return Ok(Saved::Yes);
        }
        let error = match self.sync.back_up(scope, BackupReason::Idle, BACKED_UP_WITHIN).await {
            Ok(_) => return Ok(Saved::Yes),
            Err(SyncError::Store(error)) => return Err(error.into()),
            Err(error) => error,
        };
        tracing::warn!(error = %Chain(&error), %scope, "the backup before a sandbox's stop failed");
        let answered = !matches!(error, SyncError::TimedOut(_));
        let mut given_up = false;
        let noted = self.sandboxes.change(scope, |sandbox| {
            given_up = sandbox.backup_failed(answered, Timestamp::now());
            sandbox.is_up()
        });
        noted.await?;
        Ok(if given_up { Saved::Never(error.to_string()) } else { Saved::NotYet })
    }

    async fn stays(&self, scope: Scope) -> Result<(), ReaperError> {
        let noted = self.sandboxes.change(scope, |sandbox| sandbox.leaving.take().is_some());
        noted.await?;
        Ok(())
    }

    /// Whether a backup that an earlier run requested for this stop has succeeded.
    async fn is_saved(&self, scope: Scope, since: Timestamp) -> Result<bool, ReaperError> {
        let backups = self.backups.get(scope).await?;
        let current = backups.current.as_ref().and_then(|id| backups.find(id));
        Ok(current.is_some_and(|b| b.reason == BackupReason::Idle && b.at >= since))
    }
}

/// "30 minutes", "1 minute", "45 seconds".
fn span(seconds: i64) -> String {
    let (n, unit) = if seconds >= 60 { (seconds / 60, "minute") } else { (seconds, "second") };
    format!("{n} {unit}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn a_duration_reads_naturally() {
        let spans = [1, 45, 60, 1800].map(span);
        assert_eq!(spans, ["1 second", "45 seconds", "1 minute", "30 minutes"]);
    }
}
