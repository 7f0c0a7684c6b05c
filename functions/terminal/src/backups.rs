//! What an agent says of backups.

use crate::{App, MessageError};
use aws::backup_key;
use domain::backup::{Backup, BackupId, BackupReason, BackupRequest, RestoreRequest};
use domain::report::Chain;
use domain::sandbox::WorkspaceSize;
use domain::{Scope, Timestamp};
use protocol::WorkspaceUse;
use store::transfers::Transfer;

impl App {
    /// The address of the backup from which a new sandbox is filled.
    pub(crate) async fn last_backup(&self, scope: Scope) -> Result<Option<String>, MessageError> {
        match self.backups.get(scope).await?.current {
            Some(id) => Ok(Some(self.objects.presign_get(&backup_key(scope, &id)).await?)),
            None => Ok(None),
        }
    }

    /// A zip of the workspace has reached its address, or has not.
    pub(crate) async fn uploaded(
        &self,
        scope: Scope,
        request_id: &str,
        transfer: Transfer,
    ) -> Result<(), MessageError> {
        if transfer.error.is_none()
            && let Ok(BackupRequest { id, reason }) = request_id.parse()
        {
            let backup = Backup { id, at: Timestamp::now(), bytes: transfer.bytes, reason };
            let add = self.backups.change(scope, |backups| backups.add(backup.clone()));
            let dropped = add.await?;
            self.note_synced(scope).await?;
            self.delete(scope, dropped).await;
        }
        Ok(self.transfers.finish(scope, request_id, &transfer).await?)
    }

    /// A backup has taken the place of the workspace, or has not.
    pub(crate) async fn restored(
        &self,
        scope: Scope,
        request_id: &str,
        bytes: Option<u64>,
        error: Option<String>,
    ) -> Result<(), MessageError> {
        if let (Some(bytes), Ok(RestoreRequest { from, before })) = (bytes, request_id.parse()) {
            let (at, reason) = (Timestamp::now(), BackupReason::Restore);
            let before = Backup { id: before, at, bytes, reason };
            let restore = self.backups.change(scope, |backups| match &error {
                None => backups.restored(&from, before.clone()),
                Some(_) => backups.add(before.clone()),
            });
            let dropped = restore.await?;
            self.note_synced(scope).await?;
            self.delete(scope, dropped).await;
        }
        let transfer = Transfer { bytes: bytes.unwrap_or_default(), error };
        Ok(self.transfers.finish(scope, request_id, &transfer).await?)
    }

    /// Notes how large the workspace is, which its page shows.
    pub(crate) async fn measured(
        &self,
        scope: Scope,
        size: WorkspaceUse,
    ) -> Result<(), MessageError> {
        let WorkspaceUse { bytes, files, max_bytes, max_files } = size;
        let size = WorkspaceSize { bytes, files, max_bytes, max_files };
        let noted = self.sandboxes.change(scope, |sandbox| {
            let news = sandbox.workspace != Some(size);
            sandbox.workspace = Some(size);
            news
        });
        noted.await?;
        Ok(())
    }

    async fn note_synced(&self, scope: Scope) -> Result<(), MessageError> {
        let synced = self.sandboxes.change(scope, |sandbox| {
            sandbox.last_sync_time = Some(Timestamp::now());
            true
        });
        synced.await?;
        Ok(())
    }

    /// Deletes zips that are on no list any more; one that stays costs its room and nothing else.
    async fn delete(&self, scope: Scope, dropped: Vec<BackupId>) {
        for id in dropped {
            if let Err(error) = self.objects.delete(&backup_key(scope, &id)).await {
                tracing::warn!(error = %Chain(&error), %scope, %id, "an old backup stays");
            }
        }
    }
}
