//! A secret that its operator replaces while a function runs.

use crate::local::Local;
use aws_config::{BehaviorVersion, Region};
use aws_credential_types::Credentials;
use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_kit::Gatekeeper;
use payments::{App, Stripe};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tower::ServiceExt;

const NAME: &str = "tests/stripe-webhook-secret";
/// The delay that the runbooks promise.
const FIVE_MINUTES: Duration = Duration::from_secs(300);

/// The payments function, which reads its secret from the stack's Secrets Manager.
async fn payments(local: &Local) -> Router {
    let sdk = aws_config::defaults(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("local", "local", None, None, "tests"))
        .endpoint_url(local.clients.engines())
        .load()
        .await;
    let table = store::Table::new(local.clients.dynamodb(), "groundcrew");
    let secret = aws::Secrets::new(&sdk).secret("the webhook's secret", NAME.to_owned());
    let gatekeeper = Gatekeeper::new(&table, "https://crew.example");
    payments::routes(App::new(&table, gatekeeper, Stripe::new("https://stripe", "key"), secret))
}

/// The function's answer to a Stripe event that is signed with this secret.
async fn answer(payments: &Router, secret: &str) -> StatusCode {
    let body = r#"{"id": "evt_1", "type": "invoice.created", "data": {"object": {}}}"#;
    let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let signature =
        sign(&Key::new(HMAC_SHA256, secret.as_bytes()), format!("{at}.{body}").as_bytes());
    let request = Request::post("/payments/stripe/webhook")
        .header("content-type", "application/json")
        .header("stripe-signature", format!("t={at},v1={}", hex::encode(signature)))
        .body(Body::from(body))
        .unwrap();
    payments.clone().oneshot(request).await.unwrap().status()
}

#[tokio::test]
async fn a_replaced_secret_is_used_within_five_minutes_by_the_function_that_runs() {
    let local = Local::start().await;
    let secrets = local.clients.secrets();
    secrets.create_secret().name(NAME).secret_string("former").send().await.unwrap();
    let payments = payments(&local).await;
    assert_eq!(answer(&payments, "former").await, StatusCode::OK);
    secrets.put_secret_value().secret_id(NAME).secret_string("new").send().await.unwrap();
    assert_eq!(answer(&payments, "former").await, StatusCode::OK, "it is not read for each call");
    tokio::time::pause();
    tokio::time::advance(FIVE_MINUTES).await;
    tokio::time::resume();
    assert_eq!(answer(&payments, "new").await, StatusCode::OK);
    assert_eq!(answer(&payments, "former").await, StatusCode::BAD_REQUEST);
}
