//! Serves the workspace as a zip.

use crate::App;
use aws::{ObjectStream, backup_key};
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use domain::Scope;
use domain::backup::{BackupId, BackupReason};
use flows::SyncError;
use http_kit::ApiError;
use std::time::Duration;
use tokio_util::io::ReaderStream;

/// How long a sandbox may take to zip and upload its workspace.
const ZIPPED_WITHIN: Duration = Duration::from_secs(120);

impl App {
    /// The present workspace, or its last backup, named `file_name`.
    pub(crate) async fn download(
        &self,
        scope: Scope,
        file_name: &str,
    ) -> Result<Response, ApiError> {
        self.sandboxes.get(scope).await?.ok_or_else(ApiError::not_found)?;
        let zip = match self.latest(scope, BackupReason::Download).await? {
            Some(id) => self.objects.get(&backup_key(scope, &id)).await,
            None => Ok(None),
        };
        let zip = zip.map_err(ApiError::internal)?;
        zip.map(|zip| attach(zip, file_name)).ok_or_else(no_workspace)
    }

    /// A backup of the present workspace, or the last backup if no sandbox is running; `None` if there is none.
    pub(crate) async fn latest(
        &self,
        scope: Scope,
        reason: BackupReason,
    ) -> Result<Option<BackupId>, ApiError> {
        match self.sync.back_up(scope, reason, ZIPPED_WITHIN).await {
            Ok((id, _)) => Ok(Some(id)),
            Err(SyncError::NotRunning) => Ok(self.backups.get(scope).await?.current),
            Err(SyncError::Store(error)) => Err(error.into()),
            Err(refused) => {
                Err(ApiError::bad_gateway("The sandbox could not pack its files.", refused))
            }
        }
    }
}

pub(crate) fn no_workspace() -> ApiError {
    let detail = "There are no files yet. Start the sandbox first.";
    ApiError::conflict("no_workspace", detail)
}

fn attach(zip: ObjectStream, file_name: &str) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    let attachment = format!("attachment; filename=\"{file_name}\"");
    headers.extend(HeaderValue::from_str(&attachment).ok().map(|v| (CONTENT_DISPOSITION, v)));
    headers.extend(zip.length.map(|n| (CONTENT_LENGTH, HeaderValue::from(n))));
    (headers, Body::from_stream(ReaderStream::new(zip.body.into_async_read()))).into_response()
}
