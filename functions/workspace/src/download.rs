//! Serves the workspace as a zip.

use crate::App;
use aws::{ObjectStream, backup_key};
use axum::Json;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use domain::Scope;
use domain::backup::{BackupId, BackupReason};
use flows::SyncError;
use http_kit::{ApiError, ErrorCode};
use serde::{Deserialize, Serialize};
use settings::{ConfigError, count_or};
use std::time::Duration;
use tokio_util::io::ReaderStream;
use utoipa::ToSchema;

/// How long a sandbox may take to zip and upload its workspace. CloudFront ends a call that has not been answered for a
/// minute, without a reason.
const ZIPPED_WITHIN: Duration = Duration::from_secs(45);
/// The answer when it takes longer. A download without a running sandbox serves its last backup at once.
const SLOW: &str =
    "Packing the files takes too long. Stop the sandbox, which backs them up, then try again.";

/// The most bytes of a zip that a function sends itself: Lambda ends an answer after 200 MB, whatever its length was to be.
const SENT_BYTES: u32 = 190_000_000;

const PRIVATE: &str = "private, no-store";

/// Where a zip is that is too large for an answer.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ZipAddress {
    /// An address that serves the zip without a session, for an hour.
    pub url: String,
    /// Its size.
    pub bytes: u64,
}

/// The size up to which this deployment sends zips itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sent(u64);

impl Sent {
    pub fn from_env() -> Result<Self, ConfigError> {
        Ok(Self(count_or("SENT_ZIP_BYTES", SENT_BYTES)?.into()))
    }
}

impl App {
    /// The current workspace, or its last backup, named `file_name`.
    pub(crate) async fn download(
        &self,
        scope: Scope,
        file_name: &str,
    ) -> Result<Response, ApiError> {
        self.sandboxes.get(scope).await?.ok_or_else(ApiError::not_found)?;
        let id = self.latest(scope, BackupReason::Download).await?.ok_or_else(no_workspace)?;
        let key = backup_key(scope, &id);
        let zip = self.objects.get(&key).await.map_err(ApiError::internal)?;
        let zip = zip.ok_or_else(no_workspace)?;
        match zip.length.filter(|bytes| *bytes > self.sent.0) {
            None => Ok(attach(zip, file_name)),
            Some(bytes) => {
                let url = self.objects.presign_zip(&key, file_name).await;
                let url = url.map_err(ApiError::internal)?;
                Ok(([(CACHE_CONTROL, PRIVATE)], Json(ZipAddress { url, bytes })).into_response())
            }
        }
    }

    /// A backup of the current workspace, or the last backup if no sandbox is running; `None` if there is none.
    pub(crate) async fn latest(
        &self,
        scope: Scope,
        reason: BackupReason,
    ) -> Result<Option<BackupId>, ApiError> {
        match self.sync.back_up(scope, reason, ZIPPED_WITHIN).await {
            Ok((id, _)) => Ok(Some(id)),
            Err(SyncError::NotRunning) => Ok(self.backups.get(scope).await?.current),
            Err(SyncError::Store(error)) => Err(error.into()),
            Err(slow @ SyncError::TimedOut(_)) => Err(ApiError::bad_gateway(SLOW, slow)),
            Err(refused) => {
                Err(ApiError::bad_gateway("The sandbox could not pack its files.", refused))
            }
        }
    }
}

pub(crate) fn no_workspace() -> ApiError {
    let detail = "There are no files yet. Start the sandbox first.";
    ApiError::conflict(ErrorCode::NoWorkspace, detail)
}

fn attach(zip: ObjectStream, file_name: &str) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(PRIVATE));
    let attachment = format!("attachment; filename=\"{file_name}\"");
    headers.extend(HeaderValue::from_str(&attachment).ok().map(|v| (CONTENT_DISPOSITION, v)));
    headers.extend(zip.length.map(|n| (CONTENT_LENGTH, HeaderValue::from(n))));
    (headers, Body::from_stream(ReaderStream::new(zip.body.into_async_read()))).into_response()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_zip_is_answered_before_cloudfront_ends_the_call() {
        let template = include_str!("../../../infra/template.yaml");
        let limits = template.split("OriginReadTimeout: ").skip(1);
        let limits: Vec<u64> =
            limits.map(|rest| rest.split(',').next().unwrap().parse().unwrap()).collect();
        assert!(!limits.is_empty(), "no limit was found");
        for limit in limits {
            assert!(ZIPPED_WITHIN.as_secs() + 10 <= limit, "CloudFront waits for {limit} s");
        }
    }
}
