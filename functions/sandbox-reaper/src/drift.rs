//! Starts the checks for drift that are due.
//!
//! A schedule moves on to its next time before its checks start, so two runs of the reaper never start them twice. If
//! the function dies in between, the project is checked the next time.

use crate::{App, ReaperError};
use domain::Timestamp;
use domain::report::Chain;
use flows::RecheckError;
use store::schedules::Due;

/// The most projects whose checks one run starts: each may start a sandbox, and the run has other work in its minute.
/// The other projects stay due for the next run.
const STARTED_PER_SWEEP: u32 = 20;

impl App {
    /// Starts the checks that are due; a failing project does not delay the others.
    pub(crate) async fn check_what_is_due(&self) -> Result<(), ReaperError> {
        let mut outcome = Ok(());
        for due in self.schedules.due(Timestamp::now(), STARTED_PER_SWEEP).await? {
            if let Err(error) = self.check(&due).await {
                let scope = due.scope;
                tracing::error!(error = %Chain(&error), %scope, "due checks for drift could not start");
                outcome = Err(error);
            }
        }
        outcome
    }

    async fn check(&self, due: &Due) -> Result<(), ReaperError> {
        let scope = due.scope;
        // Whoever signs in again can turn it on again. A schedule that only waited would go on with anyone's sign-in.
        if self.sessions.is_installation_over(scope.installation).await? {
            if self.schedules.end(due).await? {
                tracing::info!(%scope, "a schedule ended, because the installation is suspended or gone");
            }
            return Ok(());
        }
        if !self.schedules.take(due, Timestamp::now()).await? {
            return Ok(());
        }
        // An archived project is skipped, because a check may start its sandbox, which costs money.
        let project = self.projects.get(scope).await?;
        if project.is_none_or(|project| project.archived) {
            return Ok(());
        }
        let begun = async {
            let (_, checks) = self.rechecks.validated(scope).await?;
            self.rechecks.begin(scope, &checks).await
        };
        match begun.await {
            Ok(()) => tracing::info!(%scope, "started due checks for drift"),
            Err(RecheckError::Progression(error)) => return Err(error.into()),
            Err(refused) => tracing::info!(%scope, %refused, "due checks for drift did not start"),
        }
        Ok(())
    }
}
