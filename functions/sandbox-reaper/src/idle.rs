//! Sandboxes that nobody uses: backed up, then stopped.
//!
//! The agent says how long ago it was last of use to anybody; a sandbox whose agent says nothing is not idle but
//! silent, which is another's concern. The last look and the note that it is stopped are one conditional write, so who
//! comes back at the last moment keeps it.

use crate::{App, ReaperError};
use domain::backup::BackupReason;
use domain::report::Chain;
use domain::step::Failure;
use domain::{Scope, Timestamp};
use flows::SyncError;
use std::time::Duration;

/// How long one backup is waited for; one that takes longer is found complete the next time.
const BACKED_UP_WITHIN: Duration = Duration::from_secs(20);

/// Without a word of the operator, a sandbox is stopped after half an hour, in seconds.
pub(crate) const IDLE_STOP_SECONDS: i64 = 1800;

impl App {
    /// Stops the sandbox if nobody has used it for as long as the operator grants.
    pub(crate) async fn stop_if_idle(&self, scope: Scope) -> Result<(), ReaperError> {
        let Some(sandbox) = self.sandboxes.get(scope).await? else { return Ok(()) };
        let limit = self.idle_stop_seconds;
        let Some(since) = sandbox.idle_since.filter(|_| limit > 0 && sandbox.is_idle_for(limit))
        else {
            return Ok(());
        };
        if !self.is_saved(scope, since).await? {
            match self.sync.back_up(scope, BackupReason::Idle, BACKED_UP_WITHIN).await {
                Ok(_) => {}
                Err(SyncError::Store(error)) => return Err(error.into()),
                // Nothing is stopped whose files are not safe; the next minute tries again.
                Err(error) => {
                    tracing::warn!(error = %Chain(&error), %scope, "an idle sandbox is not backed up");
                    return Ok(());
                }
            }
        }
        let detail = format!(
            "Stopped after {} without use. Your files are backed up; start it to go on.",
            span(limit)
        );
        if self.control.stop_idle(scope, limit, &detail).await? {
            tracing::info!(%scope, "an idle sandbox is stopped");
            self.progression.abandon_runs(scope, Failure::Lost, Some(&detail)).await?;
        }
        Ok(())
    }

    /// Whether an earlier minute's backup has come about, of this very idleness.
    async fn is_saved(&self, scope: Scope, since: Timestamp) -> Result<bool, ReaperError> {
        let backups = self.backups.get(scope).await?;
        Ok(backups.list.first().is_some_and(|b| b.reason == BackupReason::Idle && b.at >= since))
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
    fn a_span_reads_as_people_say_it() {
        let told = [1, 45, 60, 1800].map(span);
        assert_eq!(told, ["1 second", "45 seconds", "1 minute", "30 minutes"]);
    }
}
