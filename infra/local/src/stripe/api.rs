//! The API: checkouts, payments and refunds.

use super::objects;
use super::state::{Answered, Checkout, Stripe};
use crate::ids;
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The version of the API whose format the answers have.
pub const VERSION: &str = "2025-06-30.basil";
/// The smallest amount that Stripe accepts, in cents of a dollar.
const LEAST: i64 = 50;
/// The largest amount, in cents.
const MOST: i64 = 99_999_999;

type Pairs = Vec<(String, String)>;

/// An error: the status, Stripe's error type and its message.
pub struct Refusal(StatusCode, &'static str, String);

impl Refusal {
    fn invalid(message: impl Into<String>) -> Self {
        Self(StatusCode::BAD_REQUEST, "invalid_request_error", message.into())
    }

    fn missing(what: &str, id: &str) -> Self {
        let message = format!("No such {what}: '{id}'");
        Self(StatusCode::NOT_FOUND, "invalid_request_error", message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({"error": {"type": self.1, "message": self.2}});
        (self.0, axum::Json(body)).into_response()
    }
}

/// `POST /v1/checkout/sessions`
pub async fn create_session(
    State(stripe): State<Stripe>,
    headers: HeaderMap,
    Form(form): Form<Pairs>,
) -> Result<Response, Refusal> {
    authorize(&stripe, &headers)?;
    once(&stripe, &headers, &form, || {
        let checkout = checkout(&form)?;
        let body = objects::session(&checkout, stripe.site(), false);
        stripe.with(|kept| kept.checkouts.insert(checkout.id.clone(), checkout));
        Ok(body)
    })
}

/// `GET /v1/checkout/sessions/{id}`
pub async fn session(
    State(stripe): State<Stripe>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Query(query): Query<Pairs>,
) -> Result<Response, Refusal> {
    authorize(&stripe, &headers)?;
    let checkout = stripe.checkout(&id).ok_or_else(|| Refusal::missing("checkout.session", &id))?;
    let expanded = query.iter().any(|(_, value)| value == "payment_intent");
    Ok(axum::Json(objects::session(&checkout, stripe.site(), expanded)).into_response())
}

/// `GET /v1/payment_intents/{id}`
pub async fn intent(
    State(stripe): State<Stripe>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    authorize(&stripe, &headers)?;
    let checkout = stripe.of_intent(&id).ok_or_else(|| Refusal::missing("payment_intent", &id))?;
    Ok(axum::Json(objects::intent(&checkout)).into_response())
}

/// `POST /v1/refunds`
pub async fn refund(
    State(stripe): State<Stripe>,
    headers: HeaderMap,
    Form(form): Form<Pairs>,
) -> Result<Response, Refusal> {
    authorize(&stripe, &headers)?;
    once(&stripe, &headers, &form, || {
        let intent = value(&form, "payment_intent")?;
        let found = stripe.of_intent(intent);
        let checkout = found.ok_or_else(|| Refusal::missing("payment_intent", intent))?;
        let cents = match value(&form, "amount") {
            Ok(cents) => cents.parse().map_err(|_| Refusal::invalid("Invalid integer: amount"))?,
            Err(_) => checkout.amount - checkout.refunded,
        };
        let refund = stripe.give_back(&checkout.id, cents);
        refund.ok_or_else(|| Refusal::invalid("Refund amount is greater than unrefunded amount."))
    })
}

/// Returns the earlier answer if the idempotency key says that it is the same call.
fn once(
    stripe: &Stripe,
    headers: &HeaderMap,
    form: &Pairs,
    act: impl FnOnce() -> Result<Value, Refusal>,
) -> Result<Response, Refusal> {
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok());
    let Some(key) = key else { return Ok(axum::Json(act()?).into_response()) };
    let known = stripe.with(|kept| kept.answers.get(key).cloned());
    if let Some(known) = known {
        if known.form != *form {
            let message = "Keys for idempotent requests can only be used with the same parameters they were first used with.";
            return Err(Refusal(StatusCode::BAD_REQUEST, "idempotency_error", message.to_owned()));
        }
        let replayed = [("idempotent-replayed", "true")];
        return Ok((replayed, axum::Json(known.body)).into_response());
    }
    let body = act()?;
    let answered = Answered { form: form.clone(), body: body.clone() };
    stripe.with(|kept| kept.answers.insert(key.to_owned(), answered));
    Ok(axum::Json(body).into_response())
}

fn checkout(form: &Pairs) -> Result<Checkout, Refusal> {
    let line = |name: &str| format!("line_items[0][{name}]");
    if value(form, "mode")? != "payment" {
        return Err(Refusal::invalid("The local Stripe supports only the mode `payment`."));
    }
    if value(form, &line("price_data][currency"))? != "usd" {
        return Err(Refusal::invalid("The local Stripe supports only the currency `usd`."));
    }
    let number = |name: &str| -> Result<i64, Refusal> {
        value(form, name)?.parse().map_err(|_| Refusal::invalid(format!("Invalid integer: {name}")))
    };
    let each = number(&line("price_data][unit_amount"))?;
    let amount = each.saturating_mul(number(&line("quantity"))?);
    if !(LEAST..=MOST).contains(&amount) {
        return Err(Refusal::invalid("The amount must be between $0.50 and $999,999.99 usd."));
    }
    let address = |name: &str| {
        let url = value(form, name)?;
        let web = ["http://", "https://"].iter().any(|start| url.starts_with(start));
        web.then(|| url.to_owned()).ok_or_else(|| Refusal::invalid(format!("Invalid URL: {name}")))
    };
    Ok(Checkout {
        id: format!("cs_test_{}", ids::task_id()),
        created: ids::now_ms() / 1000,
        product: value(form, &line("price_data][product_data][name"))?.to_owned(),
        amount,
        success_url: address("success_url")?,
        cancel_url: address("cancel_url")?,
        reference: value(form, "client_reference_id").ok().map(str::to_owned),
        metadata: named(form, "metadata["),
        intent_metadata: named(form, "payment_intent_data[metadata]["),
        status: "open".to_owned(),
        paid: false,
        intent: None,
        charge: None,
        failed: false,
        later: None,
        refunded: 0,
        refunds: Vec::new(),
        dispute: None,
    })
}

fn value<'a>(form: &'a Pairs, name: &str) -> Result<&'a str, Refusal> {
    let found = form.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    found.ok_or_else(|| Refusal::invalid(format!("Missing required param: {name}.")))
}

fn named(form: &Pairs, start: &str) -> BTreeMap<String, String> {
    let pair = |(name, value): &(String, String)| {
        let name = name.strip_prefix(start)?.strip_suffix(']')?;
        Some((name.to_owned(), value.clone()))
    };
    form.iter().filter_map(pair).collect()
}

fn authorize(stripe: &Stripe, headers: &HeaderMap) -> Result<(), Refusal> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let key = text(header::AUTHORIZATION.as_str()).strip_prefix("Bearer ").unwrap_or_default();
    if key != stripe.api_key() {
        let (kind, message) = ("invalid_request_error", "Invalid API Key provided.");
        return Err(Refusal(StatusCode::UNAUTHORIZED, kind, message.to_owned()));
    }
    if text("stripe-version") != VERSION {
        return Err(Refusal::invalid(format!("This is version {VERSION} of the API.")));
    }
    Ok(())
}
