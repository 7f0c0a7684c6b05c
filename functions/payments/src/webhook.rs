//! What Stripe tells of payments.
//!
//! A message that is not signed is refused, one that is not about a payment of ours is none of our business
//! and acknowledged. Everything else is taken by `store::payments`, which takes it once and in any order. A
//! failure of our own is answered with 5xx, and Stripe tells again, for three days.

use crate::App;
use crate::signature;
use crate::stripe::{Metadata, StripeError};
use aws::Secrets;
use domain::payment::{Dispute, DisputeState, PaymentEvent};
use domain::report::Chain;
use domain::security::{About, SecurityEvent, record};
use domain::{InstallationId, MicroDollars, PaymentId, Timestamp};
use http_kit::ApiError;
use serde::Deserialize;
use serde_json::Value;
use settings::{ConfigError, var};
use store::payments::Taken;

/// The only currency that is sold in.
const CURRENCY: &str = "usd";

#[derive(Deserialize)]
struct Event {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    object: Value,
}

#[derive(Deserialize)]
struct Session {
    amount_total: Option<i64>,
    currency: Option<String>,
    payment_status: String,
    payment_intent: Option<String>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Charge {
    amount_refunded: i64,
    currency: String,
    payment_intent: Option<String>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
struct StripeDispute {
    id: String,
    amount: i64,
    currency: String,
    status: String,
    payment_intent: Option<String>,
}

/// Something that Stripe tells of a payment of ours.
struct Told {
    owner: Option<(InstallationId, PaymentId)>,
    intent: Option<String>,
    event: PaymentEvent,
    /// How much was paid, where the event says that it was.
    paid: Option<MicroDollars>,
}

impl App {
    /// Checks the signature over the raw body and takes the event.
    pub(crate) async fn receive(&self, signature: &str, body: &[u8]) -> Result<(), ApiError> {
        signature::check(&self.webhook_secret, signature, body, Timestamp::now()).map_err(
            |forged| {
                record(SecurityEvent::WebhookForged, About::default(), "stripe");
                ApiError::bad_request("invalid_signature", forged.to_string())
            },
        )?;
        let malformed = |_| ApiError::bad_request("invalid_event", "This is not an event.");
        let event: Event = serde_json::from_slice(body).map_err(malformed)?;
        let told = told(&event.kind, event.data.object).map_err(malformed)?;
        // Stripe adds kinds of events; those that are of no interest are acknowledged, or they would come again.
        let Some(told) = told else { return Ok(()) };
        let Some((installation, payment)) = self.owner(&told).await? else { return Ok(()) };
        let (intent, paid) = (told.intent.as_deref(), told.paid);
        let told = store::payments::Told { event_id: &event.id, event: &told.event, intent, paid };
        let taken = self.payments.take(installation, &payment, &told).await?;
        if taken == Taken::OtherAmount {
            tracing::error!(event = event.id, %payment, ?paid, "a payment came with another amount");
            let detail = "The amount or the currency is not that of the payment.";
            return Err(ApiError::unprocessable("amount_mismatch", detail));
        }
        tracing::info!(event = event.id, kind = event.kind, %payment, ?taken, "webhook");
        Ok(())
    }

    /// Whose payment it is: as the event says itself, as an event before it said, or as Stripe says when asked.
    async fn owner(&self, told: &Told) -> Result<Option<(InstallationId, PaymentId)>, ApiError> {
        if told.owner.is_some() {
            return Ok(told.owner.clone());
        }
        let Some(intent) = &told.intent else { return Ok(None) };
        if let Some(owner) = self.payments.of_intent(intent).await? {
            return Ok(Some(owner));
        }
        match self.stripe.intent(intent).await {
            Ok(intent) => Ok(intent.metadata.owner()),
            Err(StripeError::Refused { status: 404, .. }) => Ok(None),
            Err(error) => Err(ApiError::bad_gateway("The payment provider did not answer.", error)),
        }
    }
}

/// What an event means for a payment; nothing for a kind that is of no interest.
fn told(kind: &str, object: Value) -> Result<Option<Told>, serde_json::Error> {
    match kind {
        "checkout.session.completed"
        | "checkout.session.async_payment_succeeded"
        | "checkout.session.async_payment_failed"
        | "checkout.session.expired" => Ok(Some(of_session(kind, serde_json::from_value(object)?))),
        "charge.refunded" => Ok(of_charge(serde_json::from_value(object)?)),
        _ if kind.starts_with("charge.dispute.") => Ok(of_dispute(serde_json::from_value(object)?)),
        _ => Ok(None),
    }
}

fn of_session(kind: &str, session: Session) -> Told {
    let paid = session.payment_status == "paid";
    let event = match kind {
        "checkout.session.async_payment_failed" => PaymentEvent::Failed,
        "checkout.session.expired" => PaymentEvent::Expired,
        _ if paid => PaymentEvent::Paid,
        _ => PaymentEvent::Processing,
    };
    let ours = session.currency.as_deref() == Some(CURRENCY);
    // A checkout that does not name its amount in our currency is of no amount of ours.
    let cents = session.amount_total.filter(|_| ours).unwrap_or_default();
    let paid = (event == PaymentEvent::Paid).then(|| MicroDollars::of_cents(cents));
    Told { owner: session.metadata.owner(), intent: session.payment_intent, event, paid }
}

fn of_charge(charge: Charge) -> Option<Told> {
    let refunded = MicroDollars::of_cents(charge.amount_refunded);
    let event = PaymentEvent::Refunded(refunded);
    let owner = charge.metadata.owner();
    let told = Told { owner, intent: charge.payment_intent, event, paid: None };
    (charge.currency == CURRENCY).then_some(told)
}

fn of_dispute(dispute: StripeDispute) -> Option<Told> {
    let state = match dispute.status.as_str() {
        "won" => DisputeState::Won,
        "lost" => DisputeState::Lost,
        status if status.starts_with("warning_") => DisputeState::Inquiry,
        // "needs_response", "under_review", and whatever Stripe adds: the money is with the bank.
        _ => DisputeState::Open,
    };
    let amount = MicroDollars::of_cents(dispute.amount);
    let event = PaymentEvent::Disputed(dispute.id, Dispute { amount, state });
    let told = Told { owner: None, intent: dispute.payment_intent, event, paid: None };
    (dispute.currency == CURRENCY).then_some(told)
}

/// The secret that Stripe signs with.
pub(crate) async fn secret_from_env(secrets: &Secrets) -> Result<String, ConfigError> {
    let secret_id = var("STRIPE_WEBHOOK_SECRET_ID")?;
    let invalid = |reason| ConfigError::Invalid { name: "STRIPE_WEBHOOK_SECRET_ID", reason };
    let secret = secrets.get(&secret_id).await.map_err(|e| invalid(Chain(&e).to_string()))?;
    Ok(secret.trim().to_owned())
}
