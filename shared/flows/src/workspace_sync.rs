//! Backs up the workspace of a running sandbox, and restores a backup into one.
//!
//! The request goes to the agent through the gateway, the zip goes to S3 by a presigned address, and the answer comes
//! back through another function into the table, where the caller waits for it. A caller that cannot wait any longer gets
//! the request's id, and can go on waiting for the same transfer with another call.

use crate::polling::{Pauses, poll};
use aws::{AwsError, Delivery, Gateway, Objects, backup_key};
use domain::Scope;
use domain::audit::{Actor, DecisionRecord};
use domain::backup::{Backup, BackupId, BackupReason, BackupRequest, RestoreRequest};
use protocol::{RESTORE_FOUND_RUN, RestoreOrder, ToAgent};
use settings::ConfigError;
use settings::SdkConfig;
use std::time::Duration;
use store::audit::Audit;
use store::backups::Backups;
use store::sandboxes::Sandboxes;
use store::transfers::Transfers;
use store::{StoreError, Table};

/// Pause between two looks for the answer.
const PAUSES: Pauses =
    Pauses { first: Duration::from_millis(50), longest: Duration::from_millis(50) };

/// Asks sandboxes for their workspace.
#[derive(Clone, Debug)]
pub struct WorkspaceSync {
    sandboxes: Sandboxes,
    transfers: Transfers,
    backups: Backups,
    audit: Audit,
    gateway: Gateway,
    objects: Objects,
}

/// Why a workspace was not backed up or restored.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// No agent is connected.
    #[error("The sandbox is not running.")]
    NotRunning,
    /// A command is running, so no restore can replace the workspace.
    #[error("{RESTORE_FOUND_RUN}")]
    RunGoesOn,
    /// There is no such backup.
    #[error("There is no such backup.")]
    NoSuchBackup,
    /// The agent could not do it; the text is its own.
    #[error("{0}")]
    Refused(String),
    /// No answer came in time; the request's id.
    #[error("The sandbox did not answer in time.")]
    TimedOut(String),
    /// The table failed.
    #[error("the table failed")]
    Store(#[from] StoreError),
    /// A service failed.
    #[error("a service failed")]
    Aws(#[from] AwsError),
}

impl WorkspaceSync {
    /// Uses the table, the gateway and the bucket.
    pub fn from_env(sdk: &SdkConfig, table: &Table) -> Result<Self, ConfigError> {
        Ok(Self {
            sandboxes: Sandboxes::new(table),
            transfers: Transfers::new(table),
            backups: Backups::new(table),
            audit: Audit::new(table),
            gateway: Gateway::from_env(sdk)?,
            objects: Objects::from_env(sdk)?,
        })
    }

    /// Backs up the workspace and waits for the result: the backup's name, and the zip's size in bytes.
    pub async fn back_up(
        &self,
        scope: Scope,
        reason: BackupReason,
        wait: Duration,
    ) -> Result<(BackupId, u64), SyncError> {
        let connection = self.connection(scope).await?;
        let request = BackupRequest::new(reason);
        let order = ToAgent::WorkspaceUpload(protocol::Backup {
            request_id: request.to_string(),
            url: self.objects.presign_put(&backup_key(scope, &request.id)).await?,
        });
        let bytes = self.ask(scope, &connection, &order, &request.to_string(), wait).await?;
        Ok((request.id, bytes))
    }

    /// Backs up the workspace, then replaces it with a backup, and waits until that is done.
    pub async fn restore(
        &self,
        scope: Scope,
        from: &BackupId,
        by: &Actor,
        wait: Duration,
    ) -> Result<Backup, SyncError> {
        self.backups.get(scope).await?.find(from).ok_or(SyncError::NoSuchBackup)?;
        let connection = self.connection(scope).await?;
        let chosen = self.backups.change(scope, |backups| backups.choose(from)).await?;
        let backup = chosen.ok_or(SyncError::NoSuchBackup)?;
        let before = BackupRequest::new(BackupReason::Restore);
        let request = RestoreRequest { from: from.clone(), before: before.id.clone() };
        let order = ToAgent::WorkspaceRestore(RestoreOrder {
            request_id: request.to_string(),
            before: protocol::Backup {
                request_id: before.to_string(),
                url: self.objects.presign_put(&backup_key(scope, &before.id)).await?,
            },
            url: self.objects.presign_get(&backup_key(scope, from)).await?,
        });
        let asked = self.ask(scope, &connection, &order, &request.to_string(), wait).await;
        if matches!(asked, Ok(_) | Err(SyncError::TimedOut(_))) {
            let record = DecisionRecord::of_restore(&backup, by.clone());
            self.audit.record(scope, &record).await?;
        }
        asked?;
        Ok(backup)
    }

    /// Goes on waiting for a backup or a restore that was requested earlier; returns the bytes of the zip.
    pub async fn go_on(
        &self,
        scope: Scope,
        request_id: &str,
        wait: Duration,
    ) -> Result<u64, SyncError> {
        if self.transfers.find(scope, request_id).await?.is_none() {
            // Without an agent no answer will come.
            self.connection(scope).await?;
        }
        self.answer(scope, request_id, wait).await
    }

    async fn connection(&self, scope: Scope) -> Result<String, SyncError> {
        let sandbox = self.sandboxes.get(scope).await?;
        sandbox.and_then(|sandbox| sandbox.connection_id).ok_or(SyncError::NotRunning)
    }

    async fn ask(
        &self,
        scope: Scope,
        connection: &str,
        order: &ToAgent,
        request_id: &str,
        wait: Duration,
    ) -> Result<u64, SyncError> {
        if self.gateway.post(connection, order).await? == Delivery::Gone {
            return Err(SyncError::NotRunning);
        }
        self.answer(scope, request_id, wait).await
    }

    async fn answer(
        &self,
        scope: Scope,
        request_id: &str,
        wait: Duration,
    ) -> Result<u64, SyncError> {
        let look = || self.transfers.find(scope, request_id);
        let late = || SyncError::TimedOut(request_id.to_owned());
        let transfer = poll(wait, PAUSES, look).await?.ok_or_else(late)?;
        match transfer.error {
            None => Ok(transfer.bytes),
            Some(why) if why == RESTORE_FOUND_RUN => Err(SyncError::RunGoesOn),
            Some(why) => Err(SyncError::Refused(why)),
        }
    }
}
