//! Getting the workspace out of a running sandbox and into its backup.
//!
//! The request goes to the agent through the gateway, the zip goes to S3 by a presigned address, and
//! the answer comes back through another function into the table, where the asker waits for it.

use crate::{CloudError, ConfigError, Delivery, Gateway, Objects, backup_key};
use aws_config::SdkConfig;
use domain::{RunId, Scope};
use protocol::{Backup, ToAgent};
use std::time::Duration;
use store::sandboxes::Sandboxes;
use store::transfers::Transfers;
use store::{StoreError, Table};

/// Uploads whose id begins so are backups: their success sets the sandbox's `last_sync_time`.
const BACKUP_PREFIX: &str = "backup-";
/// Pause between two looks for the answer.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The id of the upload that follows a run, or of one asked for by itself.
pub(crate) fn backup_request(id: &RunId) -> String {
    format!("{BACKUP_PREFIX}{id}")
}

/// Asks sandboxes for their workspace.
#[derive(Clone, Debug)]
pub struct WorkspaceSync {
    sandboxes: Sandboxes,
    transfers: Transfers,
    gateway: Gateway,
    objects: Objects,
}

/// Why a workspace was not backed up.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// No agent is connected.
    #[error("The sandbox is not running.")]
    NotRunning,
    /// The agent could not; its own words.
    #[error("{0}")]
    Refused(String),
    /// No answer in time.
    #[error("The sandbox did not answer in time.")]
    TimedOut,
    /// The table failed.
    #[error("the table failed")]
    Store(#[from] StoreError),
    /// A service failed.
    #[error("a service failed")]
    Cloud(#[from] CloudError),
}

impl WorkspaceSync {
    /// From the table, the gateway and the bucket.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            sandboxes: Sandboxes::new(table),
            transfers: Transfers::new(table),
            gateway: Gateway::from_env(sdk)?,
            objects: Objects::from_env(sdk)?,
        })
    }

    /// Whether an upload of this id is a backup.
    pub fn is_backup(request_id: &str) -> bool {
        request_id.starts_with(BACKUP_PREFIX)
    }

    /// Backs the workspace up and waits until that is done; the zip's size in bytes.
    pub async fn back_up(&self, scope: Scope, wait: Duration) -> Result<u64, SyncError> {
        let sandbox = self.sandboxes.get(scope).await?;
        let connection = sandbox.and_then(|sandbox| sandbox.connection_id);
        let connection = connection.ok_or(SyncError::NotRunning)?;
        let request_id = backup_request(&RunId::random());
        let url = self.objects.presign_put(&backup_key(scope)).await?;
        let order = ToAgent::WorkspaceUpload(Backup { request_id: request_id.clone(), url });
        if self.gateway.post(&connection, &order).await? == Delivery::Gone {
            return Err(SyncError::NotRunning);
        }
        let answer = tokio::time::timeout(wait, self.answer(scope, &request_id)).await;
        answer.map_err(|_| SyncError::TimedOut)?
    }

    async fn answer(&self, scope: Scope, request_id: &str) -> Result<u64, SyncError> {
        loop {
            if let Some(transfer) = self.transfers.find(scope, request_id).await? {
                return transfer
                    .error
                    .map_or(Ok(transfer.bytes), |why| Err(SyncError::Refused(why)));
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}
