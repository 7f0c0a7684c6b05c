//! Completes deletions that owners have requested.
//!
//! Each step can be repeated, and the row on the list is deleted last, so after a crash anywhere the next minute
//! completes the work. Deletions run next to the care for sandboxes and stop in time: however many somebody requests,
//! every sandbox is charged and stopped when it is due, and the next sweeps delete the rest.

use crate::side_by_side::worked_on;
use crate::{App, ReaperError, in_another_order};
use aws::{PRESIGNED_SECONDS, project_prefixes};
use domain::MicroDollars;
use domain::report::Chain;
use std::time::Duration;
use store::deletions::{Deletion, LATE_SECONDS};
use tokio::time::Instant;

// A presigned address of the bucket lets its holder upload an object until the address expires.
const _: () = assert!(LATE_SECONDS > PRESIGNED_SECONDS);

/// How many projects a sweep deletes at once. A deletion is a dozen calls, most of them waiting for S3.
const AT_ONCE: usize = 4;
/// How long a sweep begins to delete: the function has 55 seconds, and the mail comes after this.
const BEGUN_WITHIN: Duration = Duration::from_secs(35);

impl App {
    /// Continues deletions until the time is over; a failing one does not delay the others.
    pub(crate) async fn delete_what_is_to_go(&self) -> Result<(), ReaperError> {
        let until = Instant::now() + BEGUN_WITHIN;
        let outcome = self.delete_accounts(until).await;
        let deletions = in_another_order(self.deletions.under_way().await?);
        let delete = |deletion: Deletion| {
            Box::pin(async move {
                let deleted = self.delete_project(&deletion).await;
                deleted.inspect_err(|error| {
                    let scope = deletion.scope;
                    tracing::error!(error = %Chain(error), %scope, "a project could not be deleted");
                })
            })
        };
        let deleted = worked_on(AT_ONCE, Some(until), deletions, delete).await;
        deleted.into_iter().fold(outcome, Result::and)
    }

    async fn delete_accounts(&self, until: Instant) -> Result<(), ReaperError> {
        for account in in_another_order(self.deletions.accounts().await?) {
            let installation = account.installation;
            // Known before the look: a call that writes after it must find the next one.
            let last = account.is_over();
            for project in self.projects.list(installation).await? {
                if Instant::now() >= until {
                    return Ok(());
                }
                let scope = domain::Scope { installation, project: project.id };
                self.deletions.begin(scope).await?;
            }
            self.mail.forget_all(installation).await?;
            if last {
                self.deletions.finish_account(installation).await?;
            }
        }
        Ok(())
    }

    async fn delete_project(&self, deletion: &Deletion) -> Result<(), ReaperError> {
        let scope = deletion.scope;
        if let Some(arn) = &deletion.task_arn {
            self.tasks.stop(arn, "its project was deleted").await?;
        }
        let charge = self.deletions.charge(deletion, self.sandbox_rate).await?;
        let cost = self.sandbox_rate.cost(deletion.running.uncharged(deletion.at));
        let waits = charge.is_none() && cost > MicroDollars::ZERO;
        if let Some(charge) = charge {
            tracing::info!(%scope, seconds = charge.seconds, charged = %charge.micro_usd, "a deleted project's sandbox is charged");
        }
        self.sandboxes.unlist_deleted(scope).await?;
        for prefix in project_prefixes(scope) {
            self.objects.delete_all(&prefix).await?;
        }
        let left = self.deletions.wipe(scope).await?;
        if left == 0 && !waits && self.deletions.note_empty(deletion).await? {
            tracing::info!(%scope, "a project's deletion is complete");
        }
        Ok(())
    }
}
