//! Completes deletions that owners have requested.
//!
//! Each step can be repeated, and the row on the list is deleted last, so after a crash anywhere the next minute
//! completes the work. Deletions run next to the care for sandboxes and stop in time: however many somebody requests,
//! every sandbox is charged and stopped when it is due, and the next sweeps delete the rest.

use crate::{App, ReaperError, in_another_order};
use aws::{PRESIGNED_SECONDS, project_prefixes};
use domain::MicroDollars;
use domain::report::Chain;
use futures::stream::{FuturesUnordered, StreamExt};
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
        let mut outcome = self.delete_accounts(until).await;
        let deletions = in_another_order(self.deletions.under_way().await?);
        let delete = |deletion: Deletion| {
            Box::pin(async move { (deletion.scope, self.delete_project(&deletion).await) })
        };
        for (scope, deleted) in begun_until(until, deletions, delete).await {
            if let Err(error) = deleted {
                tracing::error!(error = %Chain(&error), %scope, "a project could not be deleted");
                outcome = Err(error);
            }
        }
        outcome
    }

    async fn delete_accounts(&self, until: Instant) -> Result<(), ReaperError> {
        for installation in in_another_order(self.deletions.accounts().await?) {
            for project in self.projects.list(installation).await? {
                if Instant::now() >= until {
                    return Ok(());
                }
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

/// Works on one item after the other, [`AT_ONCE`] at a time, and begins none when the time is over; returns the results.
async fn begun_until<T, F: Future>(
    until: Instant,
    items: Vec<T>,
    work: impl Fn(T) -> F,
) -> Vec<F::Output> {
    let (mut waiting, mut under_way) = (items.into_iter(), FuturesUnordered::new());
    let mut results = Vec::new();
    loop {
        while under_way.len() < AT_ONCE && Instant::now() < until {
            let Some(item) = waiting.next() else { break };
            under_way.push(work(item));
        }
        match under_way.next().await {
            Some(result) => results.push(result),
            None => return results,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn work_on_many_items_ends_in_time() {
        let begun = Instant::now();
        let work = async |number: usize| {
            tokio::time::sleep(Duration::from_secs(10)).await;
            number
        };
        let mut worked = begun_until(begun + BEGUN_WITHIN, (0..1000).collect(), work).await;
        worked.sort_unstable();
        assert_eq!(worked, (0..4 * AT_ONCE).collect::<Vec<_>>());
        assert_eq!(begun.elapsed(), Duration::from_secs(40));
        assert_eq!(begun_until(Instant::now() + BEGUN_WITHIN, vec![7], work).await, [7]);
    }
}
