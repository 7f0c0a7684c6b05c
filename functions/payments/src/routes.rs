//! The calls about payments.

use crate::App;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::PaymentId;
use http_kit::{
    Api, ApiError, ErrorBody, IdempotencyKey, Identity, Json, JsonNumber, Limited, Lookup, Payment,
    SignedIn, routes,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

fn api() -> Api<App> {
    Api::new().routes(routes!(create_payment)).routes(routes!(come_back)).routes(routes!(webhook))
}

/// The function's router.
pub fn routes(app: App) -> Router {
    api().router(app)
}

/// The function's part of the contract.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().openapi()
}

/// The payment to begin.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewPayment {
    /// US dollars with at most two decimals, from 1 to 10000.
    #[serde(default)]
    #[schema(value_type = f64, required, minimum = 1, maximum = 10000, example = 25)]
    pub amount: JsonNumber,
}

/// The address of the payment page.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct PaymentLink {
    /// Stripe's page.
    pub payment_link: String,
    /// The payment, for the page after it.
    pub payment_id: PaymentId,
}

/// Begin a payment at Stripe's checkout
///
/// The same `Idempotency-Key` returns the same payment, and is valid for one amount.
#[utoipa::path(post, path = "/user/credits/create-stripe-payment", tag = "payments",
    request_body = NewPayment,
    params(("Idempotency-Key" = Option<String>, Header, description = "Identifies this payment, so that repeating the call starts no second payment")),
    security(("session" = [], "installation" = [])),
    responses((status = 200, body = PaymentLink), (status = 409, body = ErrorBody), (status = 502, body = ErrorBody)))]
async fn create_payment(
    State(app): State<App>,
    caller: Identity,
    _: Limited<Payment>,
    IdempotencyKey(key): IdempotencyKey,
    Json(order): Json<NewPayment>,
) -> Result<axum::Json<PaymentLink>, ApiError> {
    let (payment_id, checkout) =
        app.begin(caller.installation, &order.amount.0, key.as_deref()).await?;
    Ok(axum::Json(PaymentLink { payment_link: checkout.link, payment_id }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Returned {
    /// The payment.
    payment_id: String,
}

/// The address to which Stripe returns payers
#[utoipa::path(get, path = "/payments/stripe/return", tag = "payments", params(Returned),
    responses((status = 302, description = "To /app/payment-success"), (status = 404, body = ErrorBody)))]
async fn come_back(
    State(app): State<App>,
    caller: Result<SignedIn, ApiError>,
    limited: Result<Limited<Lookup>, ApiError>,
    Query(returned): Query<Returned>,
) -> Result<Response, ApiError> {
    let id: PaymentId = returned.payment_id.parse().map_err(|_| ApiError::not_found())?;
    let installation = caller.ok().map(|caller| caller.session.installation_id);
    // A browser opens this call as a page, so a caller beyond the limit also gets the page, without Stripe's latest word.
    let page = app.come_back(installation, &id, limited.is_ok()).await;
    let headers = [(LOCATION, page), (CACHE_CONTROL, "no-store".to_owned())];
    Ok((StatusCode::FOUND, headers).into_response())
}

/// The answer to an event.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Received {
    /// Always `true`.
    pub received: bool,
}

/// Receive Stripe's signed webhooks about payments
#[utoipa::path(post, path = "/payments/stripe/webhook", tag = "payments",
    params(("Stripe-Signature" = String, Header, description = "`t=…,v1=…`: HMAC-SHA256 over time and raw body")),
    request_body(content = String, content_type = "application/json; charset=utf-8"),
    responses((status = 200, body = Received), (status = 502, body = ErrorBody)))]
async fn webhook(
    State(app): State<App>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<axum::Json<Received>, ApiError> {
    let signature = headers.get("stripe-signature").and_then(|value| value.to_str().ok());
    app.receive(signature.unwrap_or_default(), &body).await?;
    Ok(axum::Json(Received { received: true }))
}
