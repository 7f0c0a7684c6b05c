//! Checkouts and the webhooks still to be sent about them, kept in a file.

use crate::{environment::Ports, files, ids};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The local Stripe.
#[derive(Clone)]
pub struct Stripe(Arc<Inner>);

struct Inner {
    file: PathBuf,
    site: String,
    http: reqwest::Client,
    kept: Mutex<Kept>,
}

/// The persistent state.
#[derive(Default, Serialize, Deserialize)]
pub struct Kept {
    api_key: String,
    webhook_secret: String,
    /// Checkouts by id.
    pub checkouts: BTreeMap<String, Checkout>,
    /// Answers by idempotency key.
    pub answers: BTreeMap<String, Answered>,
    /// Events that were not accepted yet, by id.
    pub untold: BTreeMap<String, Event>,
}

/// A checkout, its payment and its state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkout {
    /// `cs_test_…`
    pub id: String,
    /// Seconds since 1970.
    pub created: i64,
    /// Name of the product.
    pub product: String,
    /// Cents.
    pub amount: i64,
    /// Where the browser goes after a payment.
    pub success_url: String,
    /// Where it goes if the user gives up.
    pub cancel_url: String,
    /// The seller's own id for it.
    pub reference: Option<String>,
    /// The seller's metadata on it and on its payment.
    pub metadata: BTreeMap<String, String>,
    pub intent_metadata: BTreeMap<String, String>,
    /// `open`, `complete` or `expired`.
    pub status: String,
    /// Whether the money has arrived.
    pub paid: bool,
    /// The payment's id (`pi_…`) and its charge's (`ch_…`), once there is a payment.
    pub intent: Option<String>,
    pub charge: Option<String>,
    /// Whether the payment failed.
    pub failed: bool,
    /// When a delayed payment succeeds or fails, in milliseconds since 1970.
    pub later: Option<(bool, i64)>,
    /// Refunded cents, without refunds that failed.
    pub refunded: i64,
    /// Its refunds, the oldest first.
    #[serde(default)]
    pub refunds: Vec<Refund>,
    /// The bank's dispute: id and status.
    pub dispute: Option<(String, String)>,
}

/// A refund.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refund {
    /// `re_…`
    pub id: String,
    /// Cents.
    pub amount: i64,
    /// `succeeded` or `failed`.
    pub status: String,
}

/// The answer to a call with an idempotency key.
#[derive(Clone, Serialize, Deserialize)]
pub struct Answered {
    /// Form fields of the request.
    pub form: Vec<(String, String)>,
    /// The whole answer, which a repeated call gets again.
    pub body: Value,
}

/// A webhook to be sent.
#[derive(Clone, Serialize, Deserialize)]
pub struct Event {
    /// `evt_…`
    pub id: String,
    /// The body, exactly as it is signed.
    pub body: String,
}

impl Stripe {
    /// Reads the state; generates the key and the webhook's secret the first time.
    pub fn open(file: PathBuf, ports: Ports) -> Result<Self> {
        let kept: Option<Kept> =
            files::read_json(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut kept = kept.unwrap_or_default();
        if kept.api_key.is_empty() {
            kept.api_key = format!("sk_test_{}", ids::task_id());
            kept.webhook_secret = format!("whsec_{}", ids::task_id());
            files::write_json(&file, &kept)?;
        }
        let site = format!("http://localhost:{}", ports.site);
        let http = reqwest::Client::builder().no_proxy().build()?;
        Ok(Self(Arc::new(Inner { file, site, http, kept: Mutex::new(kept) })))
    }

    /// The seller's key.
    pub fn api_key(&self) -> String {
        self.kept().api_key.clone()
    }

    /// The secret with which webhooks are signed.
    pub fn webhook_secret(&self) -> String {
        self.kept().webhook_secret.clone()
    }

    /// Origin of the site.
    pub fn site(&self) -> &str {
        &self.0.site
    }

    /// The client that sends webhooks.
    pub fn http(&self) -> &reqwest::Client {
        &self.0.http
    }

    /// A checkout.
    pub fn checkout(&self, id: &str) -> Option<Checkout> {
        self.kept().checkouts.get(id).cloned()
    }

    /// All checkouts, the newest first.
    pub fn checkouts(&self) -> Vec<Checkout> {
        let mut all: Vec<_> = self.kept().checkouts.values().cloned().collect();
        all.sort_by_key(|checkout| std::cmp::Reverse(checkout.created));
        all
    }

    /// The checkout of a payment.
    pub fn of_intent(&self, intent: &str) -> Option<Checkout> {
        let kept = self.kept();
        let of = |checkout: &&Checkout| checkout.intent.as_deref() == Some(intent);
        kept.checkouts.values().find(of).cloned()
    }

    /// Changes a checkout if `act` says so; returns its state afterward.
    pub fn change(
        &self,
        id: &str,
        act: impl FnOnce(&mut Checkout) -> bool,
    ) -> Option<(Checkout, bool)> {
        let mut kept = self.kept();
        let checkout = kept.checkouts.get_mut(id)?;
        let changed = act(checkout);
        let checkout = checkout.clone();
        if changed {
            self.keep(&kept);
        }
        Some((checkout, changed))
    }

    /// Accesses the whole state, and may change it.
    pub fn with<T>(&self, act: impl FnOnce(&mut Kept) -> T) -> T {
        let mut kept = self.kept();
        let result = act(&mut kept);
        self.keep(&kept);
        result
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, kept: &Kept) {
        if let Err(error) = files::write_json(&self.0.file, kept) {
            tracing::error!(file = %self.0.file.display(), %error, "could not write the local Stripe's state");
        }
    }
}
