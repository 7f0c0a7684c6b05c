//! The bucket: workspace backups, full outputs and Terraform's state.

use crate::AwsError;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::Builder;
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::primitives::ByteStream;
use domain::backup::BackupId;
use domain::terraform_state::StateName;
use domain::{RunId, Scope};
use settings::SdkConfig;
use settings::{ConfigError, var, var_or};
use std::time::Duration;

/// How long a presigned address is valid, in seconds: long enough for the longest step and its upload.
pub const PRESIGNED_SECONDS: i64 = 3600;

/// The key of a backup of a project's workspace.
pub fn backup_key(scope: Scope, id: &BackupId) -> String {
    format!("backups/{scope}/{id}.zip")
}

/// The key of a run's whole output.
pub fn log_key(scope: Scope, run_id: &RunId) -> String {
    format!("logs/{scope}/{run_id}.log")
}

/// The key of a version of Terraform's state.
pub fn state_key(scope: Scope, name: &StateName, version: &str) -> String {
    format!("state/{scope}/{name}/{version}")
}

/// The keys of the bodies of a preview's request and of its answer, while they are under way.
pub fn preview_keys(scope: Scope, request_id: &RunId) -> [String; 2] {
    ["request", "answer"].map(|kind| format!("previews/{scope}/{request_id}/{kind}"))
}

/// The prefixes under which the bucket holds all objects of a project.
pub fn project_prefixes(scope: Scope) -> [String; 4] {
    ["backups", "logs", "state", "previews"].map(|kind| format!("{kind}/{scope}/"))
}

/// An object on its way to the caller.
pub struct ObjectStream {
    /// The object's bytes.
    pub body: ByteStream,
    /// The number of bytes, if S3 reports it.
    pub length: Option<u64>,
}

/// The S3 bucket.
#[derive(Clone, Debug)]
pub struct Objects {
    client: Client,
    bucket: String,
}

impl Objects {
    /// The bucket that `BUCKET_NAME` names; `S3_PATH_STYLE=true` asks for path-style addresses.
    pub fn from_env(sdk: &SdkConfig) -> Result<Self, ConfigError> {
        let path_style = var_or("S3_PATH_STYLE", "false") == "true";
        let config = Builder::from(sdk).force_path_style(path_style).build();
        Ok(Self { client: Client::from_conf(config), bucket: var("BUCKET_NAME")? })
    }

    /// An address that accepts a PUT of the object for an hour.
    pub async fn presign_put(&self, key: &str) -> Result<String, AwsError> {
        let request = self.client.put_object().bucket(&self.bucket).key(key);
        let signed = request.presigned(presigning()?).await;
        Ok(signed.map_err(AwsError::of("s3: presign put"))?.uri().to_owned())
    }

    /// An address that serves the object for an hour.
    pub async fn presign_get(&self, key: &str) -> Result<String, AwsError> {
        let request = self.client.get_object().bucket(&self.bucket).key(key);
        let signed = request.presigned(presigning()?).await;
        Ok(signed.map_err(AwsError::of("s3: presign get"))?.uri().to_owned())
    }

    /// The same for a browser, which saves the object as a zip of this name.
    pub async fn presign_zip(&self, key: &str, file_name: &str) -> Result<String, AwsError> {
        let request = self.client.get_object().bucket(&self.bucket).key(key);
        let attached = request
            .response_content_type("application/zip")
            .response_content_disposition(format!("attachment; filename=\"{file_name}\""));
        let signed = attached.presigned(presigning()?).await;
        Ok(signed.map_err(AwsError::of("s3: presign get"))?.uri().to_owned())
    }

    /// Writes an object.
    pub async fn put(&self, key: &str, content: Vec<u8>) -> Result<(), AwsError> {
        let request = self.client.put_object().bucket(&self.bucket).key(key);
        let sent = request.body(ByteStream::from(content)).send().await;
        sent.map(drop).map_err(AwsError::of("s3:PutObject"))
    }

    /// Deletes an object; also succeeds if it does not exist.
    pub async fn delete(&self, key: &str) -> Result<(), AwsError> {
        let request = self.client.delete_object().bucket(&self.bucket).key(key);
        request.send().await.map(drop).map_err(AwsError::of("s3:DeleteObject"))
    }

    /// Deletes every object whose key begins with `prefix` and returns their number.
    pub async fn delete_all(&self, prefix: &str) -> Result<usize, AwsError> {
        let mut pages = self
            .client
            .list_objects_v2()
            .bucket(&self.bucket)
            .prefix(prefix)
            .into_paginator()
            .send();
        let mut deleted = 0;
        while let Some(page) = pages.next().await {
            let page = page.map_err(AwsError::of("s3:ListObjectsV2"))?;
            for key in page.contents().iter().filter_map(|object| object.key()) {
                self.delete(key).await?;
                deleted += 1;
            }
        }
        Ok(deleted)
    }

    /// The object, or `None` if it does not exist.
    pub async fn get(&self, key: &str) -> Result<Option<ObjectStream>, AwsError> {
        match self.client.get_object().bucket(&self.bucket).key(key).send().await {
            Ok(object) => Ok(Some(ObjectStream {
                length: object.content_length.and_then(|n| u64::try_from(n).ok()),
                body: object.body,
            })),
            Err(error) if error.as_service_error().is_some_and(|e| e.is_no_such_key()) => Ok(None),
            Err(error) => Err(AwsError::of("s3:GetObject")(error)),
        }
    }
}

fn presigning() -> Result<PresigningConfig, AwsError> {
    PresigningConfig::expires_in(Duration::from_secs(PRESIGNED_SECONDS.unsigned_abs()))
        .map_err(AwsError::of("s3: presign"))
}
