//! Secrets Manager and KMS: winterbaume, with the state of each kept in a file.
//!
//! winterbaume keeps its state in memory and notifies a listener of each change; [`keep`] writes the change to the file
//! before the call is answered, so a secret or key is never lost once its call was answered.

use crate::{files, names};
use anyhow::{Context, Result};
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use winterbaume_core::{MockRequest, MockResponse, StatefulService};

/// The Secrets Manager engine.
pub type Secrets = Vault<winterbaume_secretsmanager::SecretsManagerService>;
/// The KMS engine.
pub type Kms = Vault<winterbaume_kms::KmsService>;

/// A winterbaume service with persistent state.
pub struct Vault<Service> {
    service: Arc<Service>,
    /// Allows one call at a time, so that an older state never overwrites a newer one.
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl<Service> Clone for Vault<Service> {
    fn clone(&self) -> Self {
        Self { service: self.service.clone(), turn: self.turn.clone() }
    }
}

impl<Service: StatefulService + Default> Vault<Service> {
    /// Opens the service with the state from its file.
    pub async fn open(file: PathBuf) -> Result<Self> {
        let service = Service::default();
        if let Some(view) =
            files::read_json(&file).with_context(|| format!("cannot read {}", file.display()))?
        {
            let restored = service.restore(account(), names::REGION, view).await;
            restored
                .map_err(|error| anyhow::anyhow!("cannot restore {}: {error}", file.display()))?;
        }
        service.notifier().subscribe(move |_account, _region, view| keep(&file, view));
        Ok(Self { service: Arc::new(service), turn: Arc::default() })
    }

    /// Answers one call.
    pub async fn answer(&self, headers: HeaderMap, body: Bytes) -> Response {
        // The service reads its region from the host name; without one it uses the region of all state here.
        let request = MockRequest { method: "POST".to_owned(), uri: "/".to_owned(), headers, body };
        let _turn = self.turn.lock().await;
        let reply = self.service.handle(request).await;
        (status(&reply), reply.headers, Body::from(reply.body)).into_response()
    }

    /// Calls the service from inside the stack, for its setup.
    pub async fn call(&self, target: &'static str, body: serde_json::Value) -> (StatusCode, Bytes) {
        let mut headers = HeaderMap::new();
        headers.insert("x-amz-target", axum::http::HeaderValue::from_static(target));
        let body = Bytes::from(body.to_string());
        let request = MockRequest { method: "POST".to_owned(), uri: "/".to_owned(), headers, body };
        let _turn = self.turn.lock().await;
        let reply = self.service.handle(request).await;
        (status(&reply), reply.body)
    }
}

impl Secrets {
    /// Sets a secret's value, creating the secret if necessary.
    pub async fn set(&self, id: &str, value: &str) -> Result<()> {
        let put = serde_json::json!({"SecretId": id, "SecretString": value});
        let (status, _) = self.call("secretsmanager.PutSecretValue", put).await;
        if status.is_success() {
            return Ok(());
        }
        let create = serde_json::json!({"Name": id, "SecretString": value});
        let (status, body) = self.call("secretsmanager.CreateSecret", create).await;
        anyhow::ensure!(
            status.is_success(),
            "cannot create secret {id}: {}",
            String::from_utf8_lossy(&body)
        );
        Ok(())
    }
}

impl Kms {
    /// Creates a key with this alias unless there is one: data that it has sealed must stay readable.
    pub async fn create_key(&self, alias: &str) -> Result<()> {
        let described = serde_json::json!({"KeyId": alias});
        let (status, _) = self.call("TrentService.DescribeKey", described).await;
        if status.is_success() {
            return Ok(());
        }
        let made = self.make("TrentService.CreateKey", serde_json::json!({})).await?;
        let key = serde_json::json!({
            "AliasName": alias,
            "TargetKeyId": made["KeyMetadata"]["KeyId"],
        });
        self.make("TrentService.CreateAlias", key).await.map(drop)
    }

    async fn make(&self, target: &'static str, body: Value) -> Result<Value> {
        let (status, answer) = self.call(target, body).await;
        let reason = String::from_utf8_lossy(&answer);
        anyhow::ensure!(status.is_success(), "{target} failed: {reason}");
        Ok(serde_json::from_slice(&answer).unwrap_or_default())
    }
}

fn status(reply: &MockResponse) -> StatusCode {
    StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

fn account() -> &'static str {
    winterbaume_core::default_account_id()
}

fn keep<View: serde::Serialize>(file: &std::path::Path, view: &View) {
    if let Err(error) = files::write_json(file, view) {
        tracing::error!(file = %file.display(), %error, "could not write state");
    }
}
