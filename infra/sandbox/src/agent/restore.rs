//! Restores a backup over a workspace that is in use.
//!
//! The agent backs the workspace up first. From the first check to the last file no command runs and no other backup is
//! made: runs and backups that are ordered in the meantime wait, as they do while a new sandbox is filled. A restore
//! that is requested during a run is refused.

use protocol::{FromAgent, RESTORE_FOUND_RUN, RestoreOrder};

use super::{Agent, Done, Restore, transfer, workspace};

/// The error of a restore that is requested during another one or during the first fill.
const RESTORING_ALREADY: &str = "The files are being restored already. Try again in a moment.";

/// The error of a restore whose supervisor ended.
const ENDED: &str = "The sandbox's own processes were ended. Look at your files and try again.";

/// A restore in progress.
pub struct Restoring {
    order: RestoreOrder,
    /// The backup of the previous workspace has begun.
    begun: bool,
    /// The backup's size, once it is uploaded.
    saved: Option<u64>,
}

impl Agent {
    pub(super) async fn restore_asked(&mut self, order: RestoreOrder) -> anyhow::Result<()> {
        if self.restoring.as_ref().is_some_and(|under_way| under_way.order == order) {
            return Ok(());
        }
        let refused = if self.restore != Restore::Done {
            Some(RESTORING_ALREADY)
        } else {
            self.runs.any_running().then_some(RESTORE_FOUND_RUN)
        };
        if let Some(why) = refused {
            self.report_restore(order.request_id, None, Some(why.to_owned()));
            return Ok(());
        }
        self.restore = Restore::UnderWay;
        self.restoring = Some(Restoring { order, begun: false, saved: None });
        self.go_on_restoring().await
    }

    /// Begins once no other backup is being made: that one would contain a mix of two workspaces.
    pub(super) async fn go_on_restoring(&mut self) -> anyhow::Result<()> {
        let Some(restoring) = self.restoring.as_mut().filter(|restoring| !restoring.begun) else {
            return Ok(());
        };
        if !self.backups.is_idle() {
            return Ok(());
        }
        restoring.begun = true;
        let before = restoring.order.before.clone();
        self.back_up(before).await.map(drop)
    }

    /// The upload of a backup ended; a restore may have waited for it.
    pub(super) async fn backup_put(
        &mut self,
        request_id: &str,
        bytes: u64,
        error: Option<&str>,
    ) -> anyhow::Result<()> {
        let waits = |restoring: &&mut Restoring| restoring.order.before.request_id == request_id;
        let Some(restoring) = self.restoring.as_mut().filter(waits) else { return Ok(()) };
        if let Some(error) = error {
            let error = format!("The current files could not be backed up: {error}");
            return self.restore_is_over(Some(error)).await;
        }
        restoring.saved = Some(bytes);
        let (url, request) = (restoring.order.url.clone(), restoring.order.request_id.clone());
        let (client, done) = (self.client.clone(), self.done.clone());
        let (file, orders) = (self.state.path("restore.zip"), self.inside.orders.clone());
        tokio::spawn(async move {
            let fetched = async {
                transfer::get(&client, &url, &file).await?;
                workspace::hand_over(&file, true, &orders).await
            };
            let fetched = fetched.await;
            let _ = std::fs::remove_file(&file);
            let _ = done.send(Done::Fetched(Some(request), fetched)).await;
        });
        Ok(())
    }

    /// The zip of a restore was handed over, or the transfer failed.
    pub(super) async fn restore_fetched(
        &mut self,
        request: &str,
        fetched: anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let present = self.restoring.as_ref().is_some_and(|r| r.order.request_id == request);
        match fetched {
            Err(error) if present => self.restore_is_over(Some(format!("{error:#}"))).await,
            _ => Ok(()),
        }
    }

    /// Reports the result of a restore and takes the orders that waited for it.
    pub(super) async fn restore_is_over(&mut self, error: Option<String>) -> anyhow::Result<()> {
        let Some(Restoring { order, saved, .. }) = self.restoring.take() else { return Ok(()) };
        self.report_restore(order.request_id, saved, error);
        self.restored().await
    }

    fn report_restore(&mut self, request_id: String, bytes: Option<u64>, error: Option<String>) {
        let restored =
            FromAgent::WorkspaceRestored { request_id: request_id.clone(), bytes, error };
        self.reports.add(request_id, restored);
    }

    /// Handles the supervisor's end during a restore; the next supervisor has cleaned up the files.
    pub(super) async fn restore_lost(&mut self) -> anyhow::Result<()> {
        self.restore_is_over(Some(ENDED.to_owned())).await
    }
}
