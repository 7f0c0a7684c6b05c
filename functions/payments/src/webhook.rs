//! Receives Stripe's events about payments.
//!
//! An unsigned message is refused. An event about a payment that is not ours is acknowledged and ignored.
//! `store::payments` takes every other event once and in any order. Our own failures answer 5xx, and Stripe repeats the
//! event for three days.

use crate::App;
use crate::signature;
use crate::stripe::{Metadata, StripeError};
use aws::Secrets;
use domain::payment::{Dispute, DisputeState, PaymentEvent, Refund, RefundState};
use domain::security::{About, SecurityEvent, record};
use domain::{InstallationId, MicroDollars, PaymentId, Timestamp};
use http_kit::{ApiError, ErrorCode};
use serde::Deserialize;
use serde_json::Value;
use settings::{ConfigError, Secret, var};
use store::payments::Taken;

/// The currency of all our prices.
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
struct StripeRefund {
    id: String,
    amount: i64,
    currency: String,
    /// `pending`, `requires_action`, `succeeded`, `failed` or `canceled`.
    status: Option<String>,
    payment_intent: Option<String>,
}

#[derive(Deserialize)]
struct StripeDispute {
    id: String,
    amount: i64,
    currency: String,
    status: String,
    payment_intent: Option<String>,
}

/// An event about one of our payments.
struct Update {
    owner: Option<(InstallationId, PaymentId)>,
    intent: Option<String>,
    event: PaymentEvent,
    /// The paid amount, if the event reports one.
    paid: Option<MicroDollars>,
    /// Whether its amounts are in our currency; amounts in another one cannot be compared with the payment's.
    in_our_currency: bool,
}

impl App {
    /// Checks the signature over the raw body and takes the event.
    pub(crate) async fn receive(&self, signature: &str, body: &[u8]) -> Result<(), ApiError> {
        let secret = self.webhook_secret.get().await.map_err(ApiError::of_secret)?;
        signature::check(&secret, signature, body, Timestamp::now()).map_err(|forged| {
            record(SecurityEvent::WebhookForged, About::default(), "stripe");
            ApiError::bad_request(ErrorCode::InvalidSignature, forged.to_string())
        })?;
        let malformed =
            |_| ApiError::bad_request(ErrorCode::InvalidEvent, "The body is not a Stripe event.");
        let event: Event = serde_json::from_slice(body).map_err(malformed)?;
        let update = update(&event.kind, event.data.object).map_err(malformed)?;
        // Stripe adds kinds of events. We acknowledge irrelevant ones, because Stripe would repeat them otherwise.
        let Some(update) = update else { return Ok(()) };
        let Some((installation, payment)) = self.owner(&update).await? else { return Ok(()) };
        let (intent, paid) = (update.intent.as_deref(), update.paid);
        let taken = if update.in_our_currency {
            let change = store::payments::PaymentUpdate {
                event_id: &event.id,
                event: &update.event,
                intent,
                paid,
            };
            self.payments.take(installation, &payment, &change).await?
        } else {
            Taken::Mismatch
        };
        if taken == Taken::Mismatch {
            tracing::error!(event = event.id, %payment, ?paid, "a payment event names another amount or currency than the payment; nothing is credited or deducted");
            let detail = "The amount or the currency does not match the payment.";
            return Err(ApiError::unprocessable(ErrorCode::AmountMismatch, detail));
        }
        tracing::info!(event = event.id, kind = event.kind, %payment, ?taken, "webhook");
        Ok(())
    }

    /// The owner of the payment, as named by this event, by an earlier one, or by Stripe in answer to a call.
    async fn owner(
        &self,
        update: &Update,
    ) -> Result<Option<(InstallationId, PaymentId)>, ApiError> {
        if update.owner.is_some() {
            return Ok(update.owner.clone());
        }
        let Some(intent) = &update.intent else { return Ok(None) };
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

/// The meaning of an event for a payment; `None` for an irrelevant kind.
fn update(kind: &str, object: Value) -> Result<Option<Update>, serde_json::Error> {
    match kind {
        "checkout.session.completed"
        | "checkout.session.async_payment_succeeded"
        | "checkout.session.async_payment_failed"
        | "checkout.session.expired" => Ok(Some(of_session(kind, serde_json::from_value(object)?))),
        "charge.refunded" => Ok(Some(of_charge(serde_json::from_value(object)?))),
        "charge.refund.updated" | "refund.created" | "refund.updated" | "refund.failed" => {
            Ok(Some(of_refund(serde_json::from_value(object)?)))
        }
        _ if kind.starts_with("charge.dispute.") => {
            Ok(Some(of_dispute(serde_json::from_value(object)?)))
        }
        _ => Ok(None),
    }
}

fn of_session(kind: &str, session: Session) -> Update {
    let paid = session.payment_status == "paid";
    let event = match kind {
        "checkout.session.async_payment_failed" => PaymentEvent::Failed,
        "checkout.session.expired" => PaymentEvent::Expired,
        _ if paid => PaymentEvent::Paid,
        _ => PaymentEvent::Processing,
    };
    let ours = session.currency.as_deref() == Some(CURRENCY);
    // A checkout without an amount in our currency has no amount that counts.
    let cents = session.amount_total.filter(|_| ours).unwrap_or_default();
    let paid = (event == PaymentEvent::Paid).then(|| MicroDollars::of_cents(cents));
    // Until the money has arrived, no amount counts.
    let in_our_currency = ours || event != PaymentEvent::Paid;
    Update {
        owner: session.metadata.owner(),
        intent: session.payment_intent,
        event,
        paid,
        in_our_currency,
    }
}

fn of_charge(charge: Charge) -> Update {
    let refunded = MicroDollars::of_cents(charge.amount_refunded);
    let event = PaymentEvent::Refunded(refunded);
    let (owner, in_our_currency) = (charge.metadata.owner(), charge.currency == CURRENCY);
    Update { owner, intent: charge.payment_intent, event, paid: None, in_our_currency }
}

/// A refund names no payment of ours: its metadata is its own. The object's status counts rather than the event's name,
/// because one failure comes as two or three kinds of events.
fn of_refund(refund: StripeRefund) -> Update {
    let state = match refund.status.as_deref() {
        Some("failed" | "canceled") => RefundState::Failed,
        _ => RefundState::Made,
    };
    let amount = MicroDollars::of_cents(refund.amount);
    let event = PaymentEvent::Refund(refund.id, Refund { amount, state });
    let in_our_currency = refund.currency == CURRENCY;
    Update { owner: None, intent: refund.payment_intent, event, paid: None, in_our_currency }
}

fn of_dispute(dispute: StripeDispute) -> Update {
    let state = match dispute.status.as_str() {
        "won" => DisputeState::Won,
        "lost" => DisputeState::Lost,
        status if status.starts_with("warning_") => DisputeState::Inquiry,
        // "needs_response", "under_review", and future states: the bank has the money.
        _ => DisputeState::Open,
    };
    let amount = MicroDollars::of_cents(dispute.amount);
    let event = PaymentEvent::Disputed(dispute.id, Dispute { amount, state });
    let in_our_currency = dispute.currency == CURRENCY;
    Update { owner: None, intent: dispute.payment_intent, event, paid: None, in_our_currency }
}

/// The secret that Stripe signs with.
pub(crate) fn secret_from_env(secrets: &Secrets) -> Result<Secret, ConfigError> {
    Ok(secrets.secret("the signing secret of Stripe's webhook", var("STRIPE_WEBHOOK_SECRET_ID")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KINDS: [&str; 10] = [
        "checkout.session.completed",
        "checkout.session.async_payment_succeeded",
        "checkout.session.async_payment_failed",
        "checkout.session.expired",
        "charge.refunded",
        "charge.refund.updated",
        "refund.failed",
        "charge.dispute.created",
        "charge.dispute.closed",
        "customer.created",
    ];
    const FIELDS: [&str; 9] = [
        "id",
        "amount_total",
        "currency",
        "payment_status",
        "payment_intent",
        "metadata",
        "amount_refunded",
        "amount",
        "status",
    ];

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "usd|paid|won|lost|warning_x|\\PC{0,12}".prop_map(Value::from),
            Just(Value::Null),
            Just(serde_json::json!({"installation_id": "1", "payment_id": "x"})),
            Just(serde_json::json!([[]])),
        ]
    }

    proptest! {
        #[test]
        fn an_event_with_arbitrary_fields_is_read_or_refused(
            kind in 0..KINDS.len(),
            fields in prop::collection::vec((0..FIELDS.len(), value()), 0..8),
        ) {
            let fields = fields.into_iter().map(|(field, value)| (FIELDS[field].to_owned(), value));
            let update = update(KINDS[kind], Value::Object(fields.collect()));
            if let Ok(Some(Update { owner: Some((_, payment)), .. })) = update {
                prop_assert!(!payment.to_string().is_empty());
            }
        }

        #[test]
        fn arbitrary_bytes_parse_as_an_event_or_are_refused(
            body in "\\{(\"(id|type|data|object)\":[\\[\\]{}0-9\"a-z,:]{0,20},?){0,5}\\}|\\PC{0,100}",
        ) {
            serde_json::from_str::<Event>(&body).ok();
        }
    }
}
