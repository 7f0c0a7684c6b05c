//! Buying credits at Stripe's checkout.
//!
//! A payment is in the table before Stripe hears of it, so whatever Stripe tells finds it there. Credit comes
//! from signed webhooks alone: the address that a browser returns to proves nothing, and only chooses what
//! the page says.
//!
//! Stripe is spoken to by three calls over the HTTP client that is here anyway. The generated client crates
//! would bring hundreds of types for them and a start that is several times as long.

mod checkout;
mod routes;
mod signature;
mod stripe;
mod webhook;

use aws::Secrets;
use axum::extract::FromRef;
use http_kit::Gatekeeper;
use settings::ConfigError;
use store::Table;
use store::payments::Payments;

pub use routes::{NewPayment, PaymentLink, Received, openapi, routes};
pub use stripe::Stripe;

/// What the function needs.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    payments: Payments,
    stripe: Stripe,
    webhook_secret: String,
}

impl App {
    /// Payments in `table`, for callers that `gatekeeper` lets in, through this account of Stripe's.
    pub fn new(
        table: &Table,
        gatekeeper: Gatekeeper,
        stripe: Stripe,
        webhook_secret: &str,
    ) -> Self {
        Self {
            gatekeeper,
            payments: Payments::new(table),
            stripe,
            webhook_secret: webhook_secret.to_owned(),
        }
    }

    /// From the environment; Stripe's key and the webhook's secret are read once, here.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        let secrets = Secrets::new(&sdk);
        let (stripe, webhook_secret) =
            tokio::try_join!(Stripe::from_env(&secrets), webhook::secret_from_env(&secrets))?;
        Ok(Self::new(&table, Gatekeeper::from_env(&table)?, stripe, &webhook_secret))
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
