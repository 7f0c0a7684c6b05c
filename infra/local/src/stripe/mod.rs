//! A local Stripe: the calls that the product makes, a checkout page, and signed webhooks.
//!
//! It checks what Stripe checks, because the product must get it right: the key, the version header, form encoding, and
//! that an idempotency key comes with the same parameters. It sends webhooks as Stripe does: repeatedly until they are
//! accepted, concurrently with others, and not always in order. Where a person would enter a card number there are
//! buttons, one for each outcome of a payment; a second page (`/_stripe/payments`) refunds and disputes payments.
//!
//! Everything is under `/_stripe` on the site's port, the API under `/_stripe/v1`.

mod api;
mod money;
mod objects;
mod page;
mod state;
mod webhooks;

pub use state::Stripe;

use axum::Router;
use axum::routing::{get, post};

impl Stripe {
    /// Everything under `/_stripe`.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/v1/checkout/sessions", post(api::create_session))
            .route("/v1/checkout/sessions/{id}", get(api::session))
            .route("/v1/payment_intents/{id}", get(api::intent))
            .route("/v1/refunds", post(api::refund))
            .route("/checkout/{id}", get(page::checkout))
            .route("/checkout/{id}/{way}", post(page::pay))
            .route("/payments", get(page::payments))
            .route("/payments/{id}/{act}", post(page::act))
            .with_state(self.clone())
    }
}
