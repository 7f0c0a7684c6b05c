//! Fills the workspace and backs it up.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use protocol::{Backup, FromAgent};
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc;

use super::backups::Packed;
use super::{Agent, Done, EARLY_BACKUPS, Restore, transfer};
use crate::pipe::{DATA_BYTES, Order};

/// How long the upload of a workspace's zip may take.
const BACKUP_LIMIT: Duration = Duration::from_secs(15 * 60);
/// The answer to a request for one backup too many.
const BUSY: &str = "Other backups are being made. Try again when they are complete.";

impl Agent {
    /// Fills the workspace, once in its life, and then accepts the runs that waited for it.
    pub(super) async fn welcome(&mut self, restore_url: Option<String>) -> anyhow::Result<()> {
        if self.restore != Restore::Unknown {
            return Ok(());
        }
        match restore_url {
            Some(url) if !self.state.is_restored() => {
                self.restore = Restore::UnderWay;
                let (client, done) = (self.client.clone(), self.done.clone());
                let (file, orders) = (self.state.path("restore.zip"), self.inside.orders.clone());
                tokio::spawn(async move {
                    let fetched = async {
                        transfer::get(&client, &url, &file).await?;
                        hand_over(&file, false, &orders).await
                    };
                    let fetched = fetched.await;
                    let _ = std::fs::remove_file(&file);
                    let _ = done.send(Done::Fetched(None, fetched)).await;
                });
                Ok(())
            }
            _ => self.restored().await,
        }
    }

    pub(super) async fn restored(&mut self) -> anyhow::Result<()> {
        self.state.set_restored()?;
        self.restore = Restore::Done;
        while let Some(backup) = self.early_backups.pop_front() {
            self.upload_asked(backup).await?;
        }
        while let Some(order) = self.early.pop_front() {
            self.run(order).await?;
        }
        Ok(())
    }

    /// Backs the workspace up once it is filled. A request beyond the bounds is refused, because its caller waits.
    pub(super) async fn upload_asked(&mut self, backup: Backup) -> anyhow::Result<()> {
        let request_id = backup.request_id.clone();
        let is_accepted = if self.restore == Restore::Done {
            self.back_up(backup).await? || self.backups.is_making(&request_id)
        } else if self.early_backups.len() < EARLY_BACKUPS {
            self.early_backups.push_back(backup);
            true
        } else {
            false
        };
        if !is_accepted {
            let error = Some(BUSY.to_owned());
            let refused = FromAgent::WorkspaceUploaded {
                request_id: request_id.clone(),
                bytes: 0,
                error,
                workspace: None,
            };
            self.reports.add(request_id, refused);
        }
        Ok(())
    }

    /// Begins a backup; `false` if the same one is being made or too many are.
    pub(super) async fn back_up(&mut self, backup: Backup) -> anyhow::Result<bool> {
        let Some(order) = self.backups.begin(backup)? else { return Ok(false) };
        self.backup_begins();
        self.order(order, Vec::new()).await?;
        Ok(true)
    }

    pub(super) fn upload(&mut self, packed: Packed) {
        self.uploads += 1;
        let (client, done) = (self.client.clone(), self.done.clone());
        tokio::spawn(async move {
            let Packed { backup, path, error, workspace } = packed;
            let put = match error {
                Some(error) => Err(anyhow::anyhow!(error)),
                None => {
                    transfer::put(&client, &path, "application/zip", &backup.url, BACKUP_LIMIT)
                        .await
                }
            };
            let _ = std::fs::remove_file(&path);
            let uploaded = FromAgent::WorkspaceUploaded {
                request_id: backup.request_id,
                bytes: *put.as_ref().unwrap_or(&0),
                error: put.err().map(|error| format!("{error:#}")),
                workspace,
            };
            let _ = done.send(Done::Uploaded(uploaded)).await;
        });
    }

    pub(super) async fn finished(&mut self, done: Done) -> anyhow::Result<()> {
        match done {
            Done::Fetched(Some(request), fetched) => self.restore_fetched(&request, fetched).await,
            Done::Fetched(None, fetched) => {
                // No command may run in an empty workspace: its backup would replace the good one.
                fetched.context("the workspace could not be restored")
            }
            Done::Preview(moved) => self.preview_moved(moved).await,
            Done::State(moved) => self.state_moved(moved).await,
            Done::LogPut { run_id } => {
                self.runs.log_done(&run_id);
                Ok(())
            }
            Done::Uploaded(message) => {
                let FromAgent::WorkspaceUploaded { request_id, bytes, error, workspace } = message
                else {
                    return Ok(());
                };
                self.uploads = self.uploads.saturating_sub(1);
                self.backup_ends(error.is_none());
                self.ask_to_leave();
                let uploaded = FromAgent::WorkspaceUploaded {
                    request_id: request_id.clone(),
                    bytes,
                    error: error.clone(),
                    workspace,
                };
                self.reports.add(request_id.clone(), uploaded);
                self.backup_put(&request_id, bytes, error.as_deref()).await
            }
        }
    }
}

/// Sends a zip to the supervisor in parts.
pub(super) async fn hand_over(
    file: &Path,
    replace: bool,
    orders: &mpsc::Sender<(Order, Vec<u8>)>,
) -> anyhow::Result<()> {
    let mut file = tokio::fs::File::open(file).await?;
    let mut left = file.metadata().await?.len();
    loop {
        let mut part = Vec::with_capacity(DATA_BYTES);
        let n = (&mut file).take(DATA_BYTES as u64).read_to_end(&mut part).await?;
        left = left.saturating_sub(n as u64);
        let last = left == 0 || n == 0;
        orders.send((Order::Unpack { last, replace }, part)).await?;
        if last {
            return Ok(());
        }
    }
}
