//! Webhooks of the App, signed as GitHub signs them.

use super::api;
use super::people::{Installation, User};
use super::state::GitHub;
use anyhow::{Result, ensure};
use aws_lc_rs::hmac;
use serde_json::json;
use std::time::Duration;

/// How long the App may take to answer: GitHub's own ten seconds.
const TIMEOUT: Duration = Duration::from_secs(10);

impl GitHub {
    /// Notifies the App of a change to an installation, and waits for its answer.
    pub async fn tell(&self, action: &str, user: &User, installation: &Installation) -> Result<()> {
        let payload = json!({
            "action": action,
            "installation": api::installation(self, installation),
            "sender": api::account(self, &user.account()),
        });
        self.deliver("installation", payload.to_string()).await
    }

    /// Notifies the App that a user left the organization of an installation, and waits for its answer.
    pub async fn tell_left(&self, user: &User, installation: &Installation) -> Result<()> {
        let user = api::account(self, &user.account());
        let payload = json!({
            "action": "member_removed",
            "membership": {"state": "inactive", "role": "unaffiliated", "user": user},
            "organization": api::account(self, &installation.account),
            "installation": {"id": installation.id},
            "sender": user,
        });
        self.deliver("organization", payload.to_string()).await
    }

    async fn deliver(&self, event: &str, body: String) -> Result<()> {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.webhook_secret().as_bytes());
        let signature = hex::encode(hmac::sign(&key, body.as_bytes()));
        let client = reqwest::Client::builder().no_proxy().timeout(TIMEOUT).build()?;
        let answer = client
            .post(format!("{}/api/github/webhook", self.site()))
            .header("user-agent", "GitHub-Hookshot/local")
            .header("content-type", "application/json")
            .header("x-github-event", event)
            .header("x-github-delivery", crate::ids::request_id())
            .header("x-hub-signature-256", format!("sha256={signature}"))
            .body(body)
            .send()
            .await?;
        ensure!(answer.status().is_success(), "the webhook was answered with {}", answer.status());
        Ok(())
    }
}
