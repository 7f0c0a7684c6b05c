//! Sells credits at Stripe's checkout.
//!
//! A payment is in the table before Stripe learns of it, so every event from Stripe finds it there. Only signed
//! webhooks add credit: the address to which a browser returns proves nothing, and only selects the page's text.
//!
//! Payments take only three calls of Stripe's API, which this crate makes with an HTTP client that is linked anyway.
//! The generated client crates would add hundreds of types for them and multiply the startup time.

mod checkout;
mod routes;
mod signature;
mod stripe;
mod webhook;

use aws::Secrets;
use axum::extract::FromRef;
use http_kit::Gatekeeper;
use settings::{ConfigError, Secret};
use store::Table;
use store::payments::Payments;

pub use routes::{NewPayment, PaymentLink, Received, openapi, routes};
pub use stripe::Stripe;

/// The function's state.
#[derive(Clone)]
pub struct App {
    gatekeeper: Gatekeeper,
    payments: Payments,
    stripe: Stripe,
    webhook_secret: Secret,
}

impl App {
    /// Serves payments in `table`, for callers that `gatekeeper` admits, through this Stripe account.
    pub fn new(
        table: &Table,
        gatekeeper: Gatekeeper,
        stripe: Stripe,
        webhook_secret: Secret,
    ) -> Self {
        Self { gatekeeper, payments: Payments::new(table), stripe, webhook_secret }
    }

    /// Builds the state from the environment.
    pub async fn from_env() -> Result<Self, ConfigError> {
        let sdk = settings::sdk_config().await;
        let table = store::Table::from_env(&sdk)?;
        let secrets = Secrets::new(&sdk);
        let (stripe, webhook_secret) =
            (Stripe::from_env(&secrets)?, webhook::secret_from_env(&secrets)?);
        Ok(Self::new(&table, Gatekeeper::from_env(&table), stripe, webhook_secret))
    }
}

impl FromRef<App> for Gatekeeper {
    fn from_ref(app: &App) -> Self {
        app.gatekeeper.clone()
    }
}
