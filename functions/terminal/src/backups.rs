//! Handles an agent's messages about backups.
//!
//! The agent repeats its report on a backup or a restore until the gateway confirms that it has recorded the report. So
//! the next report completes whatever a dead function left undone, and a repeated report changes nothing.
//!
//! A sandbox that was stopped still reports its last backup. If the next one is up by then, the report says nothing
//! about the workspace there.

use crate::{App, MessageError};
use aws::backup_key;
use domain::backup::{Backup, BackupId, BackupReason, BackupRequest, RestoreRequest};
use domain::report::Chain;
use domain::sandbox::WorkspaceSize;
use domain::{Scope, Timestamp};
use protocol::{ToAgent, WorkspaceUse};
use store::transfers::Transfer;

impl App {
    /// The address of the backup for a new sandbox.
    pub(crate) async fn last_backup(&self, scope: Scope) -> Result<Option<String>, MessageError> {
        match self.backups.get(scope).await?.current {
            Some(id) => Ok(Some(self.objects.presign_get(&backup_key(scope, &id)).await?)),
            None => Ok(None),
        }
    }

    /// Answers a sandbox that was asked to end: it gets an address for its last backup, unless another sandbox has
    /// replaced it.
    pub(crate) async fn leaving(
        &self,
        connection_id: &str,
        scope: Scope,
        generation: u64,
    ) -> Result<(), MessageError> {
        let sandbox = self.sandboxes.get(scope).await?;
        let answer = match sandbox.filter(|sandbox| sandbox.generation == generation) {
            Some(_) => {
                let request = BackupRequest::new(BackupReason::Stop);
                let url = self.objects.presign_put(&backup_key(scope, &request.id)).await?;
                let request_id = request.to_string();
                ToAgent::WorkspaceUpload(protocol::Backup { request_id, url })
            }
            None => ToAgent::Stop,
        };
        self.gateway.post(connection_id, &answer).await?;
        Ok(())
    }

    /// Records that the upload of a zip succeeded, or failed.
    pub(crate) async fn uploaded(
        &self,
        (scope, generation): (Scope, u64),
        request_id: &str,
        transfer: Transfer,
    ) -> Result<(), MessageError> {
        if transfer.error.is_none()
            && let Ok(BackupRequest { id, reason, step_number }) = request_id.parse()
        {
            let (at, bytes) = (Timestamp::now(), transfer.bytes);
            let backup = Backup { id, at, bytes, reason, step_number };
            let add = self.backups.change(scope, |backups| backups.add(backup.clone(), generation));
            let dropped = add.await?;
            self.note_synced(scope, generation).await?;
            self.delete(scope, dropped).await;
        }
        Ok(self.transfers.finish(scope, request_id, &transfer).await?)
    }

    /// Records that a backup has replaced the workspace, or failed to.
    pub(crate) async fn restored(
        &self,
        (scope, generation): (Scope, u64),
        request_id: &str,
        bytes: Option<u64>,
        error: Option<String>,
    ) -> Result<(), MessageError> {
        if let (Some(bytes), Ok(RestoreRequest { from, before })) = (bytes, request_id.parse()) {
            let (at, reason) = (Timestamp::now(), BackupReason::Restore);
            let before = Backup { id: before, at, bytes, reason, step_number: None };
            let restore = self.backups.change(scope, |backups| match &error {
                None => backups.restored(&from, before.clone(), generation),
                Some(_) => backups.add(before.clone(), generation),
            });
            let dropped = restore.await?;
            self.note_synced(scope, generation).await?;
            self.delete(scope, dropped).await;
        }
        let transfer = Transfer { bytes: bytes.unwrap_or_default(), error };
        Ok(self.transfers.finish(scope, request_id, &transfer).await?)
    }

    /// Lets the agent forget its report.
    pub(crate) async fn workspace_recorded(
        &self,
        connection_id: &str,
        request_id: String,
    ) -> Result<(), MessageError> {
        self.gateway.post(connection_id, &ToAgent::WorkspaceRecorded { request_id }).await?;
        Ok(())
    }

    /// Records the size of the workspace, which the sandbox's page shows.
    pub(crate) async fn measured(
        &self,
        (scope, generation): (Scope, u64),
        size: WorkspaceUse,
    ) -> Result<(), MessageError> {
        let WorkspaceUse { bytes, files, max_bytes, max_files } = size;
        let size = WorkspaceSize { bytes, files, max_bytes, max_files };
        let noted = self.sandboxes.change(scope, |sandbox| {
            let news = sandbox.generation == generation && sandbox.workspace != Some(size);
            if news {
                sandbox.workspace = Some(size);
            }
            news
        });
        noted.await?;
        Ok(())
    }

    async fn note_synced(&self, scope: Scope, generation: u64) -> Result<(), MessageError> {
        let synced = self.sandboxes.change(scope, |sandbox| {
            let news = sandbox.generation == generation;
            if news {
                sandbox.last_sync_time = Some(Timestamp::now());
            }
            news
        });
        synced.await?;
        Ok(())
    }

    /// Deletes zips that are no longer listed; a zip that stays costs only its space.
    async fn delete(&self, scope: Scope, dropped: Vec<BackupId>) {
        for id in dropped {
            if let Err(error) = self.objects.delete(&backup_key(scope, &id)).await {
                tracing::warn!(error = %Chain(&error), %scope, %id, "an old backup could not be deleted; it stays in the bucket");
            }
        }
    }
}
