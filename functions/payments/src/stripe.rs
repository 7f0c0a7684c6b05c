//! Stripe's side: the three calls that we make.

use aws::Secrets;
use domain::payment::{Checkout, Payment};
use domain::report::Chain;
use domain::{InstallationId, PaymentId};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use settings::{ConfigError, var, var_or};
use std::time::Duration;

/// How long Stripe may take to answer.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The version of the API whose shapes are read here.
const VERSION: &str = "2025-06-30.basil";

/// An account of Stripe's. Cheap to clone.
#[derive(Clone)]
pub struct Stripe {
    http: reqwest::Client,
    url: String,
    key: String,
}

/// Stripe did not do its part.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StripeError {
    #[error("Stripe")]
    Http(#[from] reqwest::Error),
    /// It answered, and not with what was asked for; the words are for the log.
    #[error("Stripe answered {status}: {message}")]
    Refused { status: u16, message: String },
}

#[derive(Deserialize)]
struct Opened {
    id: String,
    url: Option<String>,
}

/// A checkout as Stripe tells of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Session {
    pub payment_status: String,
    pub status: Option<String>,
    pub payment_intent: Option<Intent>,
}

/// The money's way.
#[derive(Debug, Deserialize)]
pub(crate) struct Intent {
    pub status: String,
    #[serde(default)]
    pub metadata: Metadata,
}

/// Whose payment it is, as we told Stripe ourselves.
#[derive(Debug, Default, Clone, Deserialize)]
pub(crate) struct Metadata {
    pub installation_id: Option<String>,
    pub payment_id: Option<String>,
}

impl Metadata {
    /// The payment; none for what is not ours.
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
    /// The account of this key, at this address of the API.
    pub fn new(url: &str, key: &str) -> Result<Self, ConfigError> {
        let client = reqwest::Client::builder().user_agent("groundcrew").timeout(TIMEOUT).build();
        let invalid = |e: reqwest::Error| ConfigError::Invalid {
            name: "STRIPE_API_URL",
            reason: e.to_string(),
        };
        Ok(Self {
            http: client.map_err(invalid)?,
            url: url.trim_end_matches('/').to_owned(),
            key: key.to_owned(),
        })
    }

    /// From the environment; the key is read from its secret.
    pub(crate) async fn from_env(secrets: &Secrets) -> Result<Self, ConfigError> {
        let secret_id = var("STRIPE_API_KEY_SECRET_ID")?;
        let invalid = |reason| ConfigError::Invalid { name: "STRIPE_API_KEY_SECRET_ID", reason };
        let key = secrets.get(&secret_id).await.map_err(|e| invalid(Chain(&e).to_string()))?;
        Self::new(&var_or("STRIPE_API_URL", "https://api.stripe.com"), key.trim())
    }

    /// Opens the page where a payment is paid. Asked again for the same payment, Stripe answers the same page.
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
            // Copied to the charge, so that a refund or a dispute can be told whose it is.
            ("payment_intent_data[metadata][installation_id]", &installation),
            ("payment_intent_data[metadata][payment_id]", id),
        ];
        let request = self.http.post(format!("{}/v1/checkout/sessions", self.url));
        let request = request.header("Idempotency-Key", format!("groundcrew-{id}")).form(&form);
        let opened: Opened = self.send(request).await?;
        let link = opened.url.ok_or_else(|| StripeError::Refused {
            status: 200,
            message: "a checkout without a page".to_owned(),
        })?;
        Ok(Checkout { session: opened.id, link })
    }

    /// A checkout as it stands.
    pub(crate) async fn session(&self, id: &str) -> Result<Session, StripeError> {
        let url = format!("{}/v1/checkout/sessions/{id}", self.url);
        self.send(self.http.get(url).query(&[("expand[]", "payment_intent")])).await
    }

    /// The money's way as it stands.
    pub(crate) async fn intent(&self, id: &str) -> Result<Intent, StripeError> {
        self.send(self.http.get(format!("{}/v1/payment_intents/{id}", self.url))).await
    }

    async fn send<T: DeserializeOwned>(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<T, StripeError> {
        let request = request.bearer_auth(&self.key).header("Stripe-Version", VERSION);
        let answer = request.send().await?;
        let status = answer.status();
        if status.is_success() {
            return Ok(answer.json().await?);
        }
        let refusal = answer.json::<Refusal>().await;
        let message = refusal.map(|refusal| refusal.error.message).unwrap_or_default();
        Err(StripeError::Refused { status: status.as_u16(), message })
    }
}

/// Where the payer's browser goes from the checkout.
#[derive(Debug)]
pub(crate) struct Returning {
    pub paid: String,
    pub cancelled: String,
}
