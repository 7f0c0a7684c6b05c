//! Stripe's objects, with the fields that the product and its tests read.

use super::state::{Checkout, Refund};
use serde_json::{Value, json};

/// `checkout.session`; `expanded` includes the payment in place of its id.
pub fn session(checkout: &Checkout, site: &str, expanded: bool) -> Value {
    let open = checkout.status == "open";
    let url = open.then(|| format!("{site}/_stripe/checkout/{}", checkout.id));
    let payment_intent = match (&checkout.intent, expanded) {
        (Some(_), true) => intent(checkout),
        (Some(id), false) => json!(id),
        (None, _) => Value::Null,
    };
    json!({
        "id": checkout.id,
        "object": "checkout.session",
        "amount_subtotal": checkout.amount,
        "amount_total": checkout.amount,
        "cancel_url": checkout.cancel_url,
        "client_reference_id": checkout.reference,
        "created": checkout.created,
        "currency": "usd",
        "livemode": false,
        "metadata": checkout.metadata,
        "mode": "payment",
        "payment_intent": payment_intent,
        "payment_status": if checkout.paid { "paid" } else { "unpaid" },
        "status": checkout.status,
        "success_url": checkout.success_url,
        "url": url,
    })
}

/// `payment_intent`
pub fn intent(checkout: &Checkout) -> Value {
    let status = match checkout {
        Checkout { paid: true, .. } => "succeeded",
        Checkout { failed: true, .. } => "requires_payment_method",
        _ => "processing",
    };
    json!({
        "id": checkout.intent,
        "object": "payment_intent",
        "amount": checkout.amount,
        "amount_received": if checkout.paid { checkout.amount } else { 0 },
        "created": checkout.created,
        "currency": "usd",
        "latest_charge": checkout.charge,
        "livemode": false,
        "metadata": checkout.intent_metadata,
        "status": status,
    })
}

/// `charge`
pub fn charge(checkout: &Checkout) -> Value {
    json!({
        "id": checkout.charge,
        "object": "charge",
        "amount": checkout.amount,
        "amount_captured": checkout.amount,
        "amount_refunded": checkout.refunded,
        "created": checkout.created,
        "currency": "usd",
        "disputed": checkout.dispute.is_some(),
        "livemode": false,
        "metadata": checkout.intent_metadata,
        "paid": true,
        "payment_intent": checkout.intent,
        "refunded": checkout.refunded == checkout.amount,
        "status": "succeeded",
    })
}

/// `refund`
pub fn refund(checkout: &Checkout, refund: &Refund) -> Value {
    let failed = refund.status == "failed";
    json!({
        "id": refund.id,
        "object": "refund",
        "amount": refund.amount,
        "charge": checkout.charge,
        "created": checkout.created,
        "currency": "usd",
        "failure_reason": failed.then_some("expired_or_canceled_card"),
        "metadata": {},
        "payment_intent": checkout.intent,
        "reason": Value::Null,
        "status": refund.status,
    })
}

/// `dispute`
pub fn dispute(checkout: &Checkout, id: &str, status: &str) -> Value {
    json!({
        "id": id,
        "object": "dispute",
        "amount": checkout.amount - checkout.refunded,
        "charge": checkout.charge,
        "created": checkout.created,
        "currency": "usd",
        "livemode": false,
        "metadata": {},
        "payment_intent": checkout.intent,
        "reason": "general",
        "status": status,
    })
}
