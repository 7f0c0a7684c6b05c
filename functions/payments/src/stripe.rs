//! Makes the three calls of Stripe's API that we need.

use aws::Secrets;
use domain::payment::{Checkout, Payment};
use domain::{InstallationId, PaymentId};
use http_kit::{AnswerError, Outbound, read_json};
use reqwest::Method;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use settings::{ConfigError, Secret, SecretError, var, var_or};
use std::time::Duration;

/// How long Stripe may take to answer.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The API version whose forms this module reads.
const VERSION: &str = "2025-06-30.basil";

/// A Stripe account. Cheap to clone.
#[derive(Clone)]
pub struct Stripe {
    http: Outbound,
    url: String,
    key: Secret,
}

/// A failed call of Stripe.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StripeError {
    #[error("Stripe")]
    Http(#[from] reqwest::Error),
    #[error("Stripe")]
    Answer(#[from] AnswerError),
    /// The API key is missing.
    #[error(transparent)]
    Key(#[from] SecretError),
    /// Stripe refused the call; the message is for the log.
    #[error("Stripe answered {status}: {message}")]
    Refused { status: u16, message: String },
    #[error("Stripe opened a checkout without a page")]
    NoPage,
}

#[derive(Deserialize)]
struct Opened {
    id: String,
    url: Option<String>,
}

/// A checkout session at Stripe.
#[derive(Debug, Deserialize)]
pub(crate) struct Session {
    pub payment_status: String,
    pub status: Option<String>,
    pub payment_intent: Option<Intent>,
}

/// A payment intent.
#[derive(Debug, Deserialize)]
pub(crate) struct Intent {
    pub status: String,
    #[serde(default)]
    pub metadata: Metadata,
}

/// The payment and its owner, as we named them to Stripe.
#[derive(Debug, Default, Clone, Deserialize)]
pub(crate) struct Metadata {
    pub installation_id: Option<String>,
    pub payment_id: Option<String>,
}

impl Metadata {
    /// The payment; `None` if it is not ours.
    pub fn owner(&self) -> Option<(InstallationId, PaymentId)> {
        let installation = self.installation_id.as_ref()?.parse().ok()?;
        Some((installation, self.payment_id.as_ref()?.parse().ok()?))
    }
}

#[derive(Deserialize)]
struct Refusal {
    error: RefusalBody,
}

#[derive(Deserialize)]
struct RefusalBody {
    #[serde(default)]
    message: String,
}

impl Stripe {
    /// The account with this key, at this address of the API.
    pub fn new(url: &str, key: impl Into<Secret>) -> Self {
        let url = url.trim_end_matches('/').to_owned();
        Self { http: Outbound::within(TIMEOUT), url, key: key.into() }
    }

    /// Builds the client from the environment.
    pub(crate) fn from_env(secrets: &Secrets) -> Result<Self, ConfigError> {
        let key = secrets.secret("Stripe's API key", var("STRIPE_API_KEY_SECRET_ID")?);
        Ok(Self::new(&var_or("STRIPE_API_URL", "https://api.stripe.com"), key))
    }

    /// Opens the page for a payment. A repeated call for the same payment returns the same page.
    pub(crate) async fn open(
        &self,
        installation: InstallationId,
        payment: &Payment,
        returning: &Returning,
    ) -> Result<Checkout, StripeError> {
        let (installation, cents) = (installation.to_string(), payment.amount.cents().to_string());
        let id = payment.id.as_str();
        let form = [
            ("mode", "payment"),
            ("client_reference_id", id),
            ("success_url", &returning.paid),
            ("cancel_url", &returning.cancelled),
            ("line_items[0][quantity]", "1"),
            ("line_items[0][price_data][currency]", "usd"),
            ("line_items[0][price_data][unit_amount]", &cents),
            ("line_items[0][price_data][product_data][name]", "Groundcrew credits"),
            ("metadata[installation_id]", &installation),
            ("metadata[payment_id]", id),
            // Copied to the charge, so that refunds and disputes name their payment.
            ("payment_intent_data[metadata][installation_id]", &installation),
            ("payment_intent_data[metadata][payment_id]", id),
        ];
        let url = format!("{}/v1/checkout/sessions", self.url);
        let request = self.http.request(Method::POST, &url)?;
        let request = request.header("Idempotency-Key", format!("groundcrew-{id}")).form(&form);
        let opened: Opened = self.send(request).await?;
        let link = opened.url.ok_or(StripeError::NoPage)?;
        Ok(Checkout { session: opened.id, link })
    }

    /// The current state of a checkout.
    pub(crate) async fn session(&self, id: &str) -> Result<Session, StripeError> {
        let url = format!("{}/v1/checkout/sessions/{id}", self.url);
        let request = self.http.request(Method::GET, &url)?;
        self.send(request.query(&[("expand[]", "payment_intent")])).await
    }

    /// The current state of a payment intent.
    pub(crate) async fn intent(&self, id: &str) -> Result<Intent, StripeError> {
        let url = format!("{}/v1/payment_intents/{id}", self.url);
        self.send(self.http.request(Method::GET, &url)?).await
    }

    async fn send<T: DeserializeOwned>(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<T, StripeError> {
        let request = request.bearer_auth(self.key.get().await?).header("Stripe-Version", VERSION);
        let answer = request.send().await?;
        let status = answer.status();
        if status.is_success() {
            return Ok(read_json(answer).await?);
        }
        let refusal = read_json::<Refusal>(answer).await;
        let message = refusal.map(|refusal| refusal.error.message).unwrap_or_default();
        Err(StripeError::Refused { status: status.as_u16(), message })
    }
}

/// The addresses to which the checkout returns the payer's browser.
#[derive(Debug)]
pub(crate) struct Returning {
    pub paid: String,
    pub cancelled: String,
}
