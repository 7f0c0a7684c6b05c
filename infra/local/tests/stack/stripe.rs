//! The local Stripe is as strict as the one it simulates.

use crate::local::{Local, browser};
use reqwest::{RequestBuilder, StatusCode};
use serde_json::Value;

const VERSION: &str = "2025-06-30.basil";

async fn key(local: &Local) -> String {
    let secret = local.clients.secrets().get_secret_value().secret_id("groundcrew/stripe-api-key");
    secret.send().await.unwrap().secret_string.unwrap()
}

fn form(cents: &str) -> Vec<(&'static str, String)> {
    [
        ("mode", "payment"),
        ("client_reference_id", "mine"),
        ("success_url", "http://localhost/done?session={CHECKOUT_SESSION_ID}"),
        ("cancel_url", "http://localhost/left"),
        ("line_items[0][quantity]", "1"),
        ("line_items[0][price_data][currency]", "usd"),
        ("line_items[0][price_data][unit_amount]", cents),
        ("line_items[0][price_data][product_data][name]", "<b>Credits</b>"),
        ("payment_intent_data[metadata][payment_id]", "mine"),
    ]
    .map(|(name, value)| (name, value.to_owned()))
    .to_vec()
}

async fn send(request: RequestBuilder, key: &str) -> (StatusCode, Value) {
    let answer = request.bearer_auth(key).header("stripe-version", VERSION).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

#[tokio::test]
async fn a_checkout_is_made_once_per_idempotency_key_and_only_for_the_seller() {
    let local = Local::start().await;
    let (key, url) = (key(&local).await, local.clients.site("/_stripe/v1/checkout/sessions"));
    let create =
        |cents: &str| browser().post(&url).header("idempotency-key", "k").form(&form(cents));
    let (status, made) = send(create("2500"), &key).await;
    assert_eq!((status, &made["amount_total"]), (StatusCode::OK, &Value::from(2500)));
    assert_eq!((&made["status"], &made["payment_status"]), (&"open".into(), &"unpaid".into()));
    assert_eq!(send(create("2500"), &key).await.1["id"], made["id"]);
    let (status, other) = send(create("2600"), &key).await;
    assert_eq!(
        (status, &other["error"]["type"]),
        (StatusCode::BAD_REQUEST, &"idempotency_error".into())
    );
    assert_eq!(send(create("2500"), "sk_test_other").await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(send(browser().post(&url).form(&form("49")), &key).await.0, StatusCode::BAD_REQUEST);
    let unversioned =
        browser().post(&url).bearer_auth(&key).form(&form("2500")).send().await.unwrap();
    assert_eq!(unversioned.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_checkout_ends_once_and_refunds_never_exceed_its_payment() {
    let local = Local::start().await;
    let (key, url) = (key(&local).await, local.clients.site("/_stripe/v1/checkout/sessions"));
    let (_, made) = send(browser().post(&url).form(&form("2500")), &key).await;
    let (page, id) = (made["url"].as_str().unwrap(), made["id"].as_str().unwrap());
    let shown = browser().get(page).send().await.unwrap().text().await.unwrap();
    assert!(shown.contains("$25.00") && shown.contains("&lt;b&gt;Credits"), "{shown}");
    let left = browser().post(format!("{page}/pay")).send().await.unwrap();
    assert_eq!(left.status(), StatusCode::SEE_OTHER);
    assert_eq!(left.headers()["location"], format!("http://localhost/done?session={id}"));
    let again = browser().post(format!("{page}/pay")).send().await.unwrap();
    assert_eq!(again.status(), StatusCode::GONE);

    let (_, paid) = send(browser().get(format!("{url}/{id}?expand[]=payment_intent")), &key).await;
    assert_eq!((&paid["status"], &paid["payment_status"]), (&"complete".into(), &"paid".into()));
    let intent = &paid["payment_intent"];
    assert_eq!(
        (&intent["status"], &intent["metadata"]["payment_id"]),
        (&"succeeded".into(), &"mine".into())
    );
    let intent = intent["id"].as_str().unwrap();
    let refund = |cents: &str| {
        let form = [("payment_intent", intent), ("amount", cents)];
        browser().post(local.clients.site("/_stripe/v1/refunds")).form(&form)
    };
    assert_eq!(send(refund("2000"), &key).await.0, StatusCode::OK);
    assert_eq!(send(refund("501"), &key).await.0, StatusCode::BAD_REQUEST);
    assert_eq!(send(refund("500"), &key).await.0, StatusCode::OK);
    let payments = browser().get(local.clients.site("/_stripe/payments")).send().await.unwrap();
    assert!(payments.text().await.unwrap().contains("paid, $25.00 refunded"));
}
