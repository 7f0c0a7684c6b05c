//! Completes deletions that owners have requested.
//!
//! Each step can be repeated, and the row on the list is deleted last, so after a crash anywhere the next minute
//! completes the work.

use crate::{App, ReaperError};
use aws::{PRESIGNED_SECONDS, project_prefixes};
use domain::report::Chain;
use store::deletions::{Deletion, LATE_SECONDS};

// A presigned address of the bucket lets its holder upload an object until the address expires.
const _: () = assert!(LATE_SECONDS > PRESIGNED_SECONDS);

impl App {
    /// Continues every deletion; a failing one does not delay the others.
    pub(crate) async fn delete_what_is_to_go(&self) -> Result<(), ReaperError> {
        let mut outcome = self.delete_accounts().await;
        for deletion in self.deletions.under_way().await? {
            if let Err(error) = self.delete_project(&deletion).await {
                let scope = deletion.scope;
                tracing::error!(error = %Chain(&error), %scope, "a project could not be deleted");
                outcome = Err(error);
            }
        }
        outcome
    }

    async fn delete_accounts(&self) -> Result<(), ReaperError> {
        for installation in self.deletions.accounts().await? {
            for project in self.projects.list(installation).await? {
                let scope = domain::Scope { installation, project: project.id };
                self.deletions.begin(scope).await?;
            }
            self.mail.forget_all(installation).await?;
            self.deletions.finish_account(installation).await?;
        }
        Ok(())
    }

    async fn delete_project(&self, deletion: &Deletion) -> Result<(), ReaperError> {
        let scope = deletion.scope;
        if let Some(arn) = &deletion.task_arn {
            self.tasks.stop(arn, "its project was deleted").await?;
        }
        if let Some(charge) = self.deletions.charge(deletion, self.sandbox_rate).await? {
            tracing::info!(%scope, seconds = charge.seconds, charged = %charge.micro_usd, "a deleted project's sandbox is charged");
        }
        self.sandboxes.unlist_deleted(scope).await?;
        for prefix in project_prefixes(scope) {
            self.objects.delete_all(&prefix).await?;
        }
        let items = self.deletions.wipe(scope).await?;
        if items == 0 && deletion.is_over() {
            self.deletions.finish(scope).await?;
            tracing::info!(%scope, "a project's deletion is complete");
        }
        Ok(())
    }
}
