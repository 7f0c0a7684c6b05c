//! A backup in the place of a workspace that is in use.
//!
//! What is there goes to a backup first. From the first look to the last file nothing runs and nothing else is backed
//! up: runs and backups that are ordered meanwhile wait, as they do while a new sandbox is filled. A run that goes on
//! when a restore is asked for has come first, and the restore is refused.

use protocol::{FromAgent, RESTORE_FOUND_RUN, RestoreOrder};

use super::{Agent, Done, Restore, transfer, workspace};

/// The text of a restore that finds another, or the first filling.
const RESTORING_ALREADY: &str = "The files are being restored already. Try again in a moment.";

/// The text of a restore that lost the supervisor.
const ENDED: &str = "The sandbox's own processes were ended. Look at your files and try again.";

/// A restore that is under way.
pub struct Restoring {
    order: RestoreOrder,
    /// The backup of what was there has begun.
    begun: bool,
    /// Its size, once it is where it belongs.
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
            let (request_id, error) = (order.request_id, Some(why.to_owned()));
            self.say(FromAgent::WorkspaceRestored { request_id, bytes: None, error });
            return Ok(());
        }
        self.restore = Restore::UnderWay;
        self.restoring = Some(Restoring { order, begun: false, saved: None });
        self.go_on_restoring().await
    }

    /// Begins once no other backup is being made: it would be half of one workspace and half of another.
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

    /// A backup has been put, or not: perhaps the one that a restore waits for.
    pub(super) async fn backup_put(
        &mut self,
        request_id: &str,
        bytes: u64,
        error: Option<&str>,
    ) -> anyhow::Result<()> {
        let waits = |restoring: &&mut Restoring| restoring.order.before.request_id == request_id;
        let Some(restoring) = self.restoring.as_mut().filter(waits) else { return Ok(()) };
        if let Some(error) = error {
            let error = format!("What is there could not be backed up: {error}");
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

    /// The zip of a restore is handed over, or could not be.
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

    /// Says how a restore went and takes what has waited for it.
    pub(super) async fn restore_is_over(&mut self, error: Option<String>) -> anyhow::Result<()> {
        let Some(Restoring { order, saved, .. }) = self.restoring.take() else { return Ok(()) };
        let request_id = order.request_id;
        self.say(FromAgent::WorkspaceRestored { request_id, bytes: saved, error });
        self.restored().await
    }

    /// The supervisor is gone, and with it what it did with the files; the next one has put that in order.
    pub(super) async fn restore_lost(&mut self) -> anyhow::Result<()> {
        self.restore_is_over(Some(ENDED.to_owned())).await
    }
}
