//! Sends signed webhooks to the product until it accepts them.

use super::state::{Event, Stripe};
use crate::ids;
use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use serde_json::{Value, json};
use std::time::Duration;

/// The pause before an event is sent again; it doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Stripe itself pauses for hours, which is too long for a local stack.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How often an event is sent at most.
const ATTEMPTS: u32 = 100;
/// How long the product may take to answer.
const TIMEOUT: Duration = Duration::from_secs(20);

impl Stripe {
    /// Sends `copies` webhooks about an object at once, until the product has accepted them.
    pub fn tell(&self, kind: &str, object: Value, copies: usize) {
        let id = format!("evt_{}", ids::task_id());
        let body = json!({
            "id": id,
            "object": "event",
            "api_version": super::api::VERSION,
            "created": ids::now_ms() / 1000,
            "data": {"object": object},
            "livemode": false,
            "pending_webhooks": 1,
            "type": kind,
        });
        let event = Event { id: id.clone(), body: body.to_string() };
        self.with(|kept| kept.untold.insert(id, event.clone()));
        for _ in 0..copies {
            tokio::spawn(self.clone().deliver(event.clone()));
        }
    }

    /// Sends the webhooks that were pending when the stack ended.
    pub fn go_on_telling(&self) {
        let untold: Vec<_> = self.with(|kept| kept.untold.values().cloned().collect());
        for event in untold {
            tokio::spawn(self.clone().deliver(event));
        }
    }

    async fn deliver(self, event: Event) {
        let mut pause = FIRST_PAUSE;
        for attempt in 1..=ATTEMPTS {
            match self.post(&event).await {
                Ok(status) if status.is_success() => break,
                Ok(status) => {
                    tracing::warn!(attempt, %status, event = event.id, "a webhook was refused")
                }
                Err(error) => {
                    tracing::warn!(attempt, %error, event = event.id, "a webhook was not delivered")
                }
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        self.with(|kept| kept.untold.remove(&event.id));
    }

    async fn post(&self, event: &Event) -> reqwest::Result<reqwest::StatusCode> {
        let signature = self.signature(event.body.as_bytes());
        let request = self.http().post(format!("{}/api/payments/stripe/webhook", self.site()));
        let request = request
            .timeout(TIMEOUT)
            .header("content-type", "application/json; charset=utf-8")
            .header("stripe-signature", signature)
            .header("user-agent", "Stripe/1.0 (+https://stripe.com/docs/webhooks)");
        Ok(request.body(event.body.clone()).send().await?.status())
    }

    fn signature(&self, body: &[u8]) -> String {
        let at = ids::now_ms() / 1000;
        let key = Key::new(HMAC_SHA256, self.webhook_secret().as_bytes());
        let tag = sign(&key, &[at.to_string().as_bytes(), b".", body].concat());
        format!("t={at},v1={}", hex::encode(tag))
    }
}
