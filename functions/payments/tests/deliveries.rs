//! Tests that the credit is exact after ten thousand webhooks, duplicated, shuffled, and a fifth of them forged or
//! stale.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use axum::body::Body;
use axum::extract::Path;
use axum::http::{Request, StatusCode};
use axum::routing::get;
use axum::{Json, Router};
use domain::payment::{Checkout, PaymentStatus};
use domain::{InstallationId, MicroDollars, PaymentId, Timestamp};
use futures::{StreamExt, stream};
use http_kit::Gatekeeper;
use payments::{App, Stripe};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use store::Table;
use store::ledger::Ledger;
use store::payments::Payments;
use store::testing;
use tokio::net::TcpListener;
use tower::ServiceExt;

const SECRET: &str = "whsec_test";
const DELIVERIES: usize = 10_000;
const PAYMENTS: usize = 400;
const INSTALLATIONS: u64 = 20;
/// Deliveries under way at once, as Stripe's are.
const AT_ONCE: usize = 16;

/// Stripe's messages, and their signatures.
#[derive(Clone)]
struct Delivery {
    body: String,
    signature: String,
    believed: bool,
}

fn signature(secret: &str, at: i64, body: &str) -> String {
    let key = Key::new(HMAC_SHA256, secret.as_bytes());
    format!("t={at},v1={}", hex::encode(sign(&key, format!("{at}.{body}").as_bytes())))
}

fn event(id: &str, kind: &str, object: &Value) -> String {
    json!({"id": id, "type": kind, "data": {"object": object}}).to_string()
}

/// A payment, its events, and the expected credit.
struct Story {
    installation: InstallationId,
    id: PaymentId,
    events: Vec<String>,
    /// The payment intent and its metadata.
    intent: (String, Value),
    credited: i64,
    status: PaymentStatus,
}

/// Picks one of the paths that a payment can take.
async fn story(payments: &Payments, n: usize, random: &mut StdRng) -> Story {
    let installation = InstallationId(1 + n as u64 % INSTALLATIONS);
    let cents = random.random_range(100..1_000_000);
    let payment = payments.begin(installation, MicroDollars::of_cents(cents), None).await.unwrap();
    let checkout = Checkout { session: format!("cs_{n}"), link: "https://pay.example".to_owned() };
    payments.opened(installation, &payment.id, checkout).await.unwrap();
    let metadata =
        json!({"installation_id": installation.to_string(), "payment_id": payment.id.as_str()});
    let session = |paid: bool| {
        json!({"id": format!("cs_{n}"), "amount_total": cents, "currency": "usd",
            "payment_status": if paid { "paid" } else { "unpaid" },
            "payment_intent": format!("pi_{n}"), "metadata": metadata})
    };
    let refund = |cents: i64| {
        json!({"id": format!("ch_{n}"), "amount_refunded": cents, "currency": "usd",
            "payment_intent": format!("pi_{n}"), "metadata": metadata})
    };
    let single = |id: &str, cents: i64, status: &str| {
        json!({"id": format!("re_{n}_{id}"), "object": "refund", "amount": cents, "currency": "usd",
            "status": status, "payment_intent": format!("pi_{n}"), "metadata": {}})
    };
    let half = cents / 2;
    let delivery =
        |k: usize, kind: &str, object: &Value| event(&format!("evt_{n}_{k}"), kind, object);
    let done = delivery(0, "checkout.session.completed", &session(true));
    let waiting = delivery(1, "checkout.session.completed", &session(false));
    let came = delivery(2, "checkout.session.async_payment_succeeded", &session(true));
    let failed = delivery(3, "checkout.session.async_payment_failed", &session(false));
    let expired = delivery(4, "checkout.session.expired", &session(false));
    let part = delivery(5, "charge.refunded", &refund(half));
    let all = delivery(6, "charge.refunded", &refund(cents));
    let other = delivery(7, "invoice.created", &json!({"id": "in_1"}));
    // The same event under two ids, which Stripe does not rule out.
    let again = delivery(8, "checkout.session.completed", &session(true));
    // The owner refunds half, the payer's bank sends it back, and the owner refunds everything.
    let made = delivery(9, "refund.created", &single("half", half, "succeeded"));
    let bounced = delivery(10, "refund.failed", &single("half", half, "failed"));
    let bounced_again = delivery(11, "charge.refund.updated", &single("half", half, "failed"));
    let canceled = delivery(12, "refund.updated", &single("half", half, "canceled"));
    let anew = delivery(13, "refund.created", &single("all", cents, "pending"));
    let (events, credited, status) = match n % 8 {
        0 => (vec![done, again, other], cents, PaymentStatus::Completed),
        1 => (vec![waiting, came], cents, PaymentStatus::Completed),
        2 => (vec![waiting, failed], 0, PaymentStatus::Failed),
        3 => (vec![expired], 0, PaymentStatus::Expired),
        4 => (vec![done, part], cents - half, PaymentStatus::Completed),
        5 => (vec![done, part, bounced, bounced_again], cents, PaymentStatus::Completed),
        6 => (vec![done, made, part, canceled, anew, all], 0, PaymentStatus::Refunded),
        _ => (vec![done, part, all], 0, PaymentStatus::Refunded),
    };
    let intent = (format!("pi_{n}"), metadata);
    Story { installation, id: payment.id, events, intent, credited, status }
}

/// A forged, an altered or a stale copy of an event.
fn forged(body: &str, random: &mut StdRng) -> Delivery {
    let now = Timestamp::now().epoch_seconds();
    let (body, signature) = match random.random_range(0..5) {
        0 => (body.to_owned(), signature("whsec_other", now, body)),
        1 => (body.replace("\"id\":\"evt_", "\"id\":\"evt_x"), signature(SECRET, now, body)),
        2 => (body.to_owned(), signature(SECRET, now - 301, body)),
        3 => (body.to_owned(), signature(SECRET, now, body).replace("v1=", "v0=")),
        _ => (format!("{body} "), signature(SECRET, now, body)),
    };
    Delivery { body, signature, believed: false }
}

/// A provider that knows these payment intents by their ids; returns its address.
async fn provider(metadata: BTreeMap<String, Value>) -> String {
    let intent = async move |Path(id): Path<String>| match metadata.get(&id) {
        Some(metadata) => Ok(Json(json!({"id": id, "status": "succeeded", "metadata": metadata}))),
        None => Err(StatusCode::NOT_FOUND),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let routes = Router::new().route("/v1/payment_intents/{id}", get(intent));
    tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
    format!("http://{address}")
}

/// The function's routes, with a provider that is not there: every event names its payment.
fn app(table: &Table) -> Router {
    app_with(table, "http://127.0.0.1:9")
}

fn app_with(table: &Table, provider: &str) -> Router {
    let stripe = Stripe::new(provider, "sk_test");
    let gatekeeper = Gatekeeper::new(table, "http://localhost");
    payments::routes(App::new(table, gatekeeper, stripe, SECRET.into()))
}

async fn deliver(app: Router, delivery: Delivery) {
    let request = Request::post("/payments/stripe/webhook")
        .header("stripe-signature", delivery.signature)
        .body(Body::from(delivery.body.clone()))
        .unwrap();
    let status = app.oneshot(request).await.unwrap().status();
    let wanted = if delivery.believed { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    assert_eq!(status, wanted, "{}", delivery.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_deliveries_are_credited_to_the_cent_and_forged_ones_are_not() {
    let table = testing::table().await;
    let (payments, ledger) = (Payments::new(&table), Ledger::new(&table));
    let mut random = StdRng::seed_from_u64(4_815_162_342);
    let mut stories = Vec::new();
    for n in 0..PAYMENTS {
        stories.push(story(&payments, n, &mut random).await);
    }
    // A single refund does not name its payment, and may be the first event about it.
    let provider = provider(stories.iter().map(|story| story.intent.clone()).collect()).await;
    let app = app_with(&table, &provider);
    let events: Vec<_> = stories.iter().flat_map(|story| story.events.clone()).collect();
    let now = Timestamp::now().epoch_seconds();
    let genuine = |body: &String| Delivery {
        body: body.clone(),
        signature: signature(SECRET, now, body),
        believed: true,
    };
    let mut deliveries: Vec<_> = events.iter().map(genuine).collect();
    while deliveries.len() < DELIVERIES * 4 / 5 {
        deliveries.push(genuine(&events[random.random_range(0..events.len())]));
    }
    while deliveries.len() < DELIVERIES {
        deliveries.push(forged(&events[random.random_range(0..events.len())], &mut random));
    }
    deliveries.shuffle(&mut random);
    let sent = stream::iter(deliveries).map(|delivery| {
        let app = app.clone();
        async move { tokio::spawn(deliver(app, delivery)).await.unwrap() }
    });
    sent.buffer_unordered(AT_ONCE).for_each(async |()| {}).await;

    let mut credited: BTreeMap<InstallationId, i64> = BTreeMap::new();
    for story in &stories {
        *credited.entry(story.installation).or_default() += story.credited;
        let payment = payments.get(story.installation, &story.id).await.unwrap().unwrap();
        assert_eq!(payment.status(), story.status);
    }
    for (installation, cents) in credited {
        let balance = ledger.balance(installation).await.unwrap();
        assert_eq!(balance.balance, MicroDollars::of_cents(cents));
        assert_eq!((balance.available, balance.held.0), (balance.balance, 0));
        let entries = ledger.entries(installation).await.unwrap();
        let sum = entries.iter().fold(MicroDollars::ZERO, |sum, entry| sum + entry.signed());
        assert_eq!(sum, balance.balance);
    }
}

#[tokio::test]
async fn a_payment_with_the_wrong_amount_or_currency_credits_nothing() {
    let table = testing::table().await;
    let (payments, owner) = (Payments::new(&table), InstallationId(1));
    let payment = payments.begin(owner, MicroDollars::of_cents(2_500), None).await.unwrap();
    let app = app(&table);
    for (n, (cents, currency)) in [(2_501, "usd"), (2_500, "eur")].into_iter().enumerate() {
        let metadata = json!({"installation_id": "1", "payment_id": payment.id.as_str()});
        let session = json!({"id": "cs_1", "amount_total": cents, "currency": currency,
            "payment_status": "paid", "payment_intent": "pi_1", "metadata": metadata});
        let body = event(&format!("evt_{n}"), "checkout.session.completed", &session);
        let request = Request::post("/payments/stripe/webhook")
            .header("stripe-signature", signature(SECRET, Timestamp::now().epoch_seconds(), &body))
            .body(Body::from(body))
            .unwrap();
        let status = app.clone().oneshot(request).await.unwrap().status();
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(Ledger::new(&table).balance(owner).await.unwrap().balance, MicroDollars::ZERO);
    let kept = payments.get(owner, &payment.id).await.unwrap().unwrap();
    assert_eq!(kept.status(), PaymentStatus::Pending);
}

#[tokio::test]
async fn odd_events_about_a_payment_and_events_about_others_move_nothing() {
    let table = testing::table().await;
    let (payments, ledger, owner) = (Payments::new(&table), Ledger::new(&table), InstallationId(1));
    let payment = payments.begin(owner, MicroDollars::of_cents(2_500), None).await.unwrap();
    let app = app(&table);
    let of = |installation: &str| json!({"installation_id": installation, "payment_id": payment.id.as_str()});
    let session = |metadata: Value| {
        json!({"id": "cs_1", "amount_total": 2_500, "currency": "usd", "payment_status": "paid",
            "payment_intent": "pi_1", "metadata": metadata})
    };
    let refund = |refunded: Value, currency: &str| {
        json!({"id": "ch_1", "amount_refunded": refunded, "currency": currency,
            "payment_intent": "pi_1", "metadata": of("1")})
    };
    let dispute = |amount: Value, currency: &str| {
        json!({"id": "dp_1", "amount": amount, "currency": currency, "status": "lost",
            "payment_intent": "pi_1"})
    };
    let completed = "checkout.session.completed";
    let (refunded, disputed) = ("charge.refunded", "charge.dispute.created");
    let single = |amount: Value, currency: &str| {
        json!({"id": "re_1", "amount": amount, "currency": currency, "status": "failed",
            "payment_intent": "pi_1"})
    };
    let (created, failed) = ("refund.created", "refund.failed");
    let events = [
        (completed, session(of("1")), 200),
        (completed, session(of("999")), 200),
        (completed, session(of("-1")), 200),
        (completed, session(json!({"installation_id": "1", "payment_id": "../1"})), 200),
        (refunded, refund(json!(500), "eur"), 422),
        (disputed, dispute(json!(500), "eur"), 422),
        (refunded, refund(json!(-500), "usd"), 200),
        (disputed, dispute(json!(-500), "usd"), 200),
        (refunded, refund(json!("500"), "usd"), 400),
        (refunded, refund(json!(5.5), "usd"), 400),
        (refunded, refund(json!(1e30), "usd"), 400),
        (refunded, refund(Value::Null, "usd"), 400),
        (disputed, dispute(json!([500]), "usd"), 400),
        (failed, single(json!(500), "eur"), 422),
        (created, single(json!("500"), "usd"), 400),
        // A refund fails of which nothing was known, or of less than nothing.
        (failed, single(json!(500), "usd"), 200),
        (
            failed,
            json!({"id": "re_2", "amount": -500, "currency": "usd", "payment_intent": "pi_1"}),
            200,
        ),
        // A refund of a payment that is not ours.
        (
            failed,
            json!({"id": "re_3", "amount": 500, "currency": "usd", "payment_intent": null}),
            200,
        ),
    ];
    for (n, (kind, object, expected)) in events.into_iter().enumerate() {
        let body = event(&format!("evt_{n}"), kind, &object);
        let request = Request::post("/payments/stripe/webhook")
            .header("stripe-signature", signature(SECRET, Timestamp::now().epoch_seconds(), &body))
            .body(Body::from(body.clone()))
            .unwrap();
        let status = app.clone().oneshot(request).await.unwrap().status();
        assert_eq!(status.as_u16(), expected, "{body}");
        let balance = ledger.balance(owner).await.unwrap().balance;
        assert_eq!(balance, MicroDollars::of_cents(2_500), "{body}");
    }
    assert_eq!(ledger.entries(InstallationId(999)).await.unwrap(), []);
}
