//! Buying credits: from the amount through Stripe's page to the balance, including failures.

use api_tests::{Actor, Settings, World, eventually};
use reqwest::Method;
use serde_json::{Value, json};

const CREATE: &str = "/user/credits/create-stripe-payment";

/// Begins a payment in dollars; returns its checkout page and its id.
async fn begin(owner: &Actor, amount: Value) -> (String, String) {
    let begun = owner.post(CREATE, json!({"amount": amount})).await.is(200).json();
    let text = |name: &str| begun[name].as_str().unwrap().to_owned();
    (text("payment_link"), text("payment_id"))
}

/// Presses a button of the checkout; returns the application's page that the browser reaches.
async fn press(owner: &Actor, page: &str, way: &str) -> String {
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy();
    let pressed = http.build().unwrap().post(format!("{page}/{way}")).send().await.unwrap();
    assert_eq!(pressed.status(), 303);
    let back = pressed.headers()["location"].to_str().unwrap().to_owned();
    match back.contains("/app/payment-success") {
        true => back,
        false => owner.open(&back).await.is(302).header("location"),
    }
}

async fn balance(owner: &Actor) -> f64 {
    owner.get("/user/credits").await.is(200).json()["credits_balance"].as_f64().unwrap()
}

/// The payment's entry in the history, once it has this status.
async fn stands(owner: &Actor, id: &str, status: &str) -> Value {
    eventually(&format!("the payment to be {status}"), async || {
        let lines = owner.get("/user/transactions").await.is(200).json();
        let line = lines.as_array().unwrap().iter().find(|line| line["id"] == id).cloned();
        line.filter(|line| line["status"] == status)
    })
    .await
}

#[tokio::test]
async fn a_payer_is_credited_once_and_returns_to_our_page() {
    let World { owner, stranger, .. } = World::start().await;
    for (way, before) in [("pay", 25.0), ("pay-twice", 50.0)] {
        let (page, id) = begin(&owner, json!(25)).await;
        assert_eq!(balance(&owner).await, before, "opening the page credits nothing");
        assert_eq!(stands(&owner, &id, "pending").await["amount"], 25.0);
        let shown = owner.open(&page).await.is(200).text();
        assert!(shown.contains("$25.00") && shown.contains("Pay twice delivered"), "{shown}");
        let back = press(&owner, &page, way).await;
        let wanted = format!("/app/payment-success?payment_id={id}&status=success&amount=25.00");
        assert!(back.ends_with(&wanted), "{back}");
        let line = stands(&owner, &id, "completed").await;
        assert_eq!(
            (&line["transaction_type"], &line["payment_method"]),
            (&json!("add"), &json!("Card"))
        );
        assert_eq!(balance(&owner).await, before + 25.0);
        owner.open(&page).await.is(410);
    }
    assert_eq!(balance(&stranger).await, 25.0);
}

#[tokio::test]
async fn every_other_outcome_of_the_checkout_shows_its_result() {
    let World { owner, .. } = World::start().await;
    for (way, back_as, status, added) in [
        ("fail", "failed", "failed", 0.0),
        ("abandon", "cancelled", "expired", 0.0),
        ("later-fails", "pending", "failed", 0.0),
        ("later-succeeds", "pending", "completed", 12.34),
    ] {
        let before = balance(&owner).await;
        let (page, id) = begin(&owner, json!(12.34)).await;
        let back = press(&owner, &page, way).await;
        assert!(back.ends_with(&format!("{id}&status={back_as}&amount=12.34")), "{way}: {back}");
        stands(&owner, &id, status).await;
        assert_eq!(balance(&owner).await, before + added, "{way}");
    }
}

#[tokio::test]
async fn a_refund_is_deducted_from_the_balance() {
    let World { app, owner, .. } = World::start().await;
    let (page, id) = begin(&owner, json!(10)).await;
    press(&owner, &page, "pay").await;
    stands(&owner, &id, "completed").await;
    let act = async |act: &str, left: f64| {
        let checkout = page.rsplit('/').next().unwrap();
        let address = app.url(&format!("/_stripe/payments/{checkout}/{act}"));
        let done = reqwest::Client::new().post(address).send().await.unwrap();
        assert!(done.status().is_success());
        eventually(&format!("the balance after {act}"), async || {
            (balance(&owner).await == left).then_some(())
        })
        .await;
    };
    act("refund-half", 30.0).await;
    stands(&owner, &id, "completed").await;
    act("dispute", 25.0).await;
    stands(&owner, &id, "disputed").await;
    act("dispute-won", 30.0).await;
    act("refund", 25.0).await;
    stands(&owner, &id, "refunded").await;
    // The second refund does not reach the payer: three events report it, and it counts once.
    act("refund-fails", 30.0).await;
    stands(&owner, &id, "completed").await;
    act("refund", 25.0).await;
    stands(&owner, &id, "refunded").await;
    let lines = owner.get("/user/transactions").await.is(200).json();
    let kinds: Vec<_> = lines.as_array().unwrap().iter().map(|line| &line["description"]).collect();
    let expected = [
        "Payment refunded",
        "Refund failed, credits returned",
        "Payment refunded",
        "Dispute ended, credits returned",
        "Payment disputed",
        "Payment refunded",
    ];
    assert_eq!(kinds[..6], expected.map(|text| json!(text)).iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn each_amount_out_of_bounds_is_refused_with_its_reason() {
    let World { owner, .. } = World::start().await;
    let invalid = "Please enter a valid amount greater than $0";
    for (amount, code, text) in [
        ("0", "invalid_amount", invalid),
        ("-1", "invalid_amount", invalid),
        ("1.001", "invalid_amount", invalid),
        ("\"25\"", "invalid_amount", invalid),
        ("null", "invalid_amount", invalid),
        ("0.99", "amount_too_small", "Minimum amount is $1"),
        ("10000.01", "amount_too_large", "Maximum amount is $10,000"),
        ("1e400", "amount_too_large", "Maximum amount is $10,000"),
    ] {
        let call = owner.call(Method::POST, CREATE);
        let call = call.body("application/json", format!("{{\"amount\":{amount}}}"));
        assert_eq!(call.send().await.refuses(422, code), text, "{amount}");
    }
    assert_eq!(owner.post(CREATE, json!({})).await.refuses(422, "invalid_amount"), invalid);
    let lines = owner.get("/user/transactions").await.is(200).json();
    assert_eq!(lines.as_array().unwrap().len(), 1, "none of them began");
}

#[tokio::test]
async fn a_repeated_call_begins_no_second_payment() {
    let World { owner, stranger, .. } = World::start().await;
    let call = async |caller: &Actor, amount: u32| {
        let call = caller.call(Method::POST, CREATE).header("idempotency-key", "one");
        call.json(&json!({"amount": amount})).send().await
    };
    let (first, again) = futures::join!(call(&owner, 5), call(&owner, 5));
    assert_eq!(first.is(200).json(), again.is(200).json());
    call(&owner, 6).await.refuses(409, "idempotency_key_reused");
    let theirs = call(&stranger, 6).await.is(200).json();
    let lines = owner.get("/user/transactions").await.is(200).json();
    assert_eq!(lines.as_array().unwrap().len(), 2, "the opening credit and one payment");

    // Another user's payment is hidden: the page shows neither its status nor its amount.
    let id = theirs["payment_id"].as_str().unwrap();
    let back = owner.get(&format!("/payments/stripe/return?payment_id={id}")).await.is(302);
    assert!(back.header("location").ends_with(&format!("payment_id={id}&status=pending")));
    owner.get("/payments/stripe/return?payment_id=x").await.refuses(404, "not_found");
}

#[tokio::test]
async fn a_payer_who_returns_too_often_gets_the_page_without_a_question_to_stripe() {
    for (limits, status) in
        [("lookups-per-session=1", "success"), ("lookups-per-session=0", "pending")]
    {
        let settings = Settings { rate_limits: Some(limits), ..Settings::default() };
        let World { app, owner, .. } = World::with_settings(settings).await;
        // No webhook is accepted, so only a question to Stripe can find out that the payment is complete.
        app.change_secret("groundcrew/stripe-webhook-secret", "whsec_another").await;
        let (page, id) = begin(&owner, json!(25)).await;
        let back = press(&owner, &page, "pay").await;
        assert!(back.ends_with(&format!("{id}&status={status}&amount=25.00")), "{limits}: {back}");
    }
}

#[tokio::test]
async fn an_unsigned_webhook_is_refused() {
    let World { visitor, .. } = World::start().await;
    let body = json!({"id": "evt_1", "type": "checkout.session.completed", "data": {"object": {}}});
    let webhook = || visitor.call(Method::POST, "/payments/stripe/webhook").json(&body);
    webhook().send().await.refuses(400, "invalid_signature");
    let signed = webhook().header("stripe-signature", "t=1,v1=00");
    signed.send().await.refuses(400, "invalid_signature");
}
