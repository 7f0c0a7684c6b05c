//! The pages that a browser visits: the checkout, and the seller's list of payments.

use super::money::Way;
use super::state::{Checkout, Stripe};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

/// The checkout.
pub async fn checkout(State(stripe): State<Stripe>, Path(id): Path<String>) -> Response {
    let Some(checkout) = stripe.checkout(&id) else {
        return gone(StatusCode::NOT_FOUND, "There is no such checkout.");
    };
    if checkout.status != "open" {
        return gone(StatusCode::GONE, "This checkout is closed.");
    }
    let mut ways = String::new();
    for (way, name, label) in Way::ALL {
        let class = if way == Way::Pay { " class=\"main\"" } else { "" };
        let _ = write!(
            ways,
            "<form method=\"post\" action=\"/_stripe/checkout/{}/{name}\">\
             <button{class}>{label}</button><p>{}</p></form>",
            checkout.id,
            explained(way),
        );
    }
    page(
        "Checkout",
        &format!(
            "<p class=\"what\">{}</p><p class=\"amount\">{}</p>\
             <p class=\"note\">This page plays the payment provider. No card, no money: choose how the payment goes.</p>\
             <div class=\"ways\">{ways}</div>",
            escaped(&checkout.product),
            dollars(checkout.amount),
        ),
    )
}

fn explained(way: Way) -> &'static str {
    match way {
        Way::Pay => "The payment succeeds at once.",
        Way::PayTwice => "The same, and the webhook is sent twice.",
        Way::Fail => "The payment is refused.",
        Way::LaterSucceeds => "The payment succeeds after three seconds.",
        Way::LaterFails => "The payment is refused after three seconds.",
        Way::Abandon => "Back to the shop without paying.",
    }
}

/// Ends the checkout with the chosen outcome.
pub async fn pay(
    State(stripe): State<Stripe>,
    Path((id, way)): Path<(String, String)>,
) -> Response {
    let left = Way::named(&way).and_then(|way| stripe.leave(&id, way));
    match left {
        Some(address) => (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response(),
        None => gone(StatusCode::GONE, "This checkout is closed."),
    }
}

/// All payments, and the actions that each still allows.
pub async fn payments(State(stripe): State<Stripe>) -> Response {
    let mut rows = String::new();
    for checkout in stripe.checkouts() {
        let _ = write!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(checkout.reference.as_deref().unwrap_or(&checkout.id)),
            dollars(checkout.amount),
            standing(&checkout),
            acts(&checkout),
        );
    }
    if rows.is_empty() {
        rows.push_str("<tr><td colspan=\"4\">No checkout has been opened yet.</td></tr>");
    }
    page(
        "Payments",
        &format!(
            "<table><thead><tr><th scope=\"col\">Payment</th><th scope=\"col\">Amount</th>\
             <th scope=\"col\">Status</th><th scope=\"col\">Actions</th></tr></thead><tbody>{rows}</tbody></table>"
        ),
    )
}

fn standing(checkout: &Checkout) -> String {
    let mut words = match checkout {
        Checkout { paid: true, .. } => "paid".to_owned(),
        Checkout { failed: true, .. } => "failed".to_owned(),
        Checkout { later: Some(_), .. } => "on its way".to_owned(),
        _ => checkout.status.clone(),
    };
    if checkout.refunded > 0 {
        let _ = write!(words, ", {} refunded", dollars(checkout.refunded));
    }
    if let Some((_, status)) = &checkout.dispute {
        let _ = write!(words, ", dispute: {}", status.replace('_', " "));
    }
    words
}

fn acts(checkout: &Checkout) -> String {
    let left = checkout.amount - checkout.refunded;
    let open = checkout.dispute.as_ref().is_some_and(|(_, status)| status == "needs_response");
    let possible = [
        ("refund", "Refund", checkout.paid && left > 0 && !open),
        ("refund-half", "Refund half", checkout.paid && left > 1 && !open),
        ("refund-fails", "Refund fails", checkout.refunded > 0),
        ("dispute", "Dispute", checkout.paid && left > 0 && checkout.dispute.is_none()),
        ("dispute-won", "Dispute won", open),
        ("dispute-lost", "Dispute lost", open),
    ];
    let mut forms = String::new();
    for (act, label, _) in possible.iter().filter(|(.., possible)| *possible) {
        let _ = write!(
            forms,
            "<form method=\"post\" action=\"/_stripe/payments/{}/{act}\"><button>{label}</button></form>",
            checkout.id,
        );
    }
    forms
}

/// Performs an action on a payment, and shows the list again.
pub async fn act(
    State(stripe): State<Stripe>,
    Path((id, act)): Path<(String, String)>,
) -> Response {
    let left = stripe.checkout(&id).map_or(0, |checkout| checkout.amount - checkout.refunded);
    let done = match act.as_str() {
        "refund" => stripe.give_back(&id, left).is_some(),
        "refund-half" => stripe.give_back(&id, left / 2).is_some(),
        "refund-fails" => stripe.bounce(&id),
        "dispute" => stripe.dispute(&id, "needs_response"),
        "dispute-won" => stripe.dispute(&id, "won"),
        "dispute-lost" => stripe.dispute(&id, "lost"),
        _ => false,
    };
    match done {
        true => Redirect::to("/_stripe/payments").into_response(),
        false => gone(StatusCode::CONFLICT, "This is no longer possible for this payment."),
    }
}

fn dollars(cents: i64) -> String {
    format!("${}.{:02}", cents / 100, cents % 100)
}

fn gone(status: StatusCode, message: &'static str) -> Response {
    (status, page("Checkout", &format!("<p>{message}</p>"))).into_response()
}

fn page(title: &str, main: &str) -> Response {
    Html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title} · local payments</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><style>{STYLE}</style></head>\
         <body><header>Local payments</header><main><h1>{title}</h1>{main}</main></body></html>"
    ))
    .into_response()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
