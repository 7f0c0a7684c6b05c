//! S3: s3s over a folder, with one folder per bucket and one file per object.

use crate::names;
use anyhow::{Context, Result};
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use std::path::{Path, PathBuf};

/// The S3 engine. It checks signatures, including those of presigned addresses, and their expiry.
#[derive(Clone)]
pub struct S3 {
    root: PathBuf,
    service: S3Service,
}

impl S3 {
    /// Opens or creates the folder.
    pub fn open(root: &Path) -> Result<Self> {
        std::fs::create_dir_all(root)
            .with_context(|| format!("cannot create {}", root.display()))?;
        let files = s3s_fs::FileSystem::new(root)
            .map_err(|error| anyhow::anyhow!("cannot open {}: {error:?}", root.display()))?;
        let mut builder = S3ServiceBuilder::new(files);
        builder.set_auth(SimpleAuth::from_single(names::CREDENTIAL, names::CREDENTIAL));
        Ok(Self { root: root.to_owned(), service: builder.build() })
    }

    /// Creates the bucket unless it exists.
    pub fn create_bucket(&self, bucket: &str) -> Result<()> {
        Ok(std::fs::create_dir_all(self.root.join(bucket))?)
    }

    /// Writes an object for the stack itself; it blocks.
    pub fn put(&self, bucket: &str, key: &str, bytes: &[u8]) -> Result<()> {
        let file = self.root.join(bucket).join(key);
        std::fs::create_dir_all(file.parent().unwrap_or(&self.root))?;
        std::fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))
    }

    /// Answers one call.
    pub async fn answer(&self, request: Request) -> Response {
        let request = request.map(s3s::Body::http_body_unsync);
        match self.service.call(request).await {
            Ok(response) => response.map(Body::new),
            Err(error) => {
                tracing::error!(?error, "S3 failed");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}
