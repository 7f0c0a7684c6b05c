//! The possible outcomes of a payment, and the webhooks of each.

use super::objects;
use super::state::{Checkout, Refund, Stripe};
use crate::ids;
use serde_json::Value;
use std::time::Duration;

/// How long a delayed payment takes, in milliseconds: long enough to see it pending.
const LATER_MS: i64 = 3_000;

/// What a payer does at a checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Pays.
    Pay,
    /// Pays, and the webhook is sent twice.
    PayTwice,
    /// Tries to pay, and the payment fails.
    Fail,
    /// Pays with a delayed method, and the payment succeeds.
    LaterSucceeds,
    /// Pays with a delayed method, and the payment fails.
    LaterFails,
    /// Leaves; the checkout expires at once instead of after a day.
    Abandon,
}

impl Way {
    /// All outcomes: name in addresses, label of the button.
    pub const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Pay, "pay", "Pay"),
        (Self::PayTwice, "pay-twice", "Pay twice delivered"),
        (Self::Fail, "fail", "Fail"),
        (Self::LaterSucceeds, "later-succeeds", "Pay later succeeds"),
        (Self::LaterFails, "later-fails", "Pay later fails"),
        (Self::Abandon, "abandon", "Abandon"),
    ];

    /// The outcome of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(way, ..)| *way)
    }
}

impl Stripe {
    /// Ends an open checkout with this outcome; returns where the browser goes, or `None` if the checkout is no longer
    /// open.
    pub fn leave(&self, id: &str, way: Way) -> Option<String> {
        let (checkout, left) = self.change(id, |checkout| leave(checkout, way))?;
        if !left {
            return None;
        }
        let session = || objects::session(&checkout, self.site(), false);
        match way {
            Way::Abandon => self.tell("checkout.session.expired", session(), 1),
            Way::PayTwice => self.tell("checkout.session.completed", session(), 2),
            Way::Pay | Way::LaterSucceeds | Way::LaterFails => {
                self.tell("checkout.session.completed", session(), 1);
            }
            Way::Fail => {
                self.tell("checkout.session.completed", session(), 1);
                self.tell("checkout.session.async_payment_failed", session(), 1);
            }
        }
        self.wait_for(&checkout);
        Some(match way {
            Way::Abandon => checkout.cancel_url,
            _ => checkout.success_url.replace("{CHECKOUT_SESSION_ID}", &checkout.id),
        })
    }

    /// Completes the delayed payments that were pending when the stack ended.
    pub fn go_on_waiting(&self) {
        for checkout in self.checkouts() {
            self.wait_for(&checkout);
        }
    }

    fn wait_for(&self, checkout: &Checkout) {
        let Some((succeeds, at)) = checkout.later else { return };
        let (stripe, id) = (self.clone(), checkout.id.clone());
        tokio::spawn(async move {
            let left = u64::try_from(at - ids::now_ms()).unwrap_or(0);
            tokio::time::sleep(Duration::from_millis(left)).await;
            stripe.come(&id, succeeds);
        });
    }

    fn come(&self, id: &str, succeeds: bool) {
        let come = |checkout: &mut Checkout| {
            checkout.paid = succeeds;
            checkout.failed = !succeeds;
            checkout.later.take().is_some()
        };
        let Some((checkout, true)) = self.change(id, come) else { return };
        let kind = if succeeds { "succeeded" } else { "failed" };
        let session = objects::session(&checkout, self.site(), false);
        self.tell(&format!("checkout.session.async_payment_{kind}"), session, 1);
    }

    /// Refunds cents; `None` if the payment has fewer left.
    pub fn give_back(&self, id: &str, cents: i64) -> Option<Value> {
        let made = Refund {
            id: format!("re_{}", ids::task_id()),
            amount: cents,
            status: "succeeded".to_owned(),
        };
        let refund = |checkout: &mut Checkout| {
            let left = checkout.amount - checkout.refunded;
            let possible = checkout.paid && (1..=left).contains(&cents);
            if possible {
                checkout.refunded += cents;
                checkout.refunds.push(made.clone());
            }
            possible
        };
        let (checkout, true) = self.change(id, refund)? else { return None };
        let object = objects::refund(&checkout, &made);
        self.tell("refund.created", object.clone(), 1);
        self.tell("charge.refunded", objects::charge(&checkout), 1);
        Some(object)
    }

    /// The payer's bank sends the latest refund back; false if there is none left to send back.
    pub fn bounce(&self, id: &str) -> bool {
        let mut failed = None;
        let bounce = |checkout: &mut Checkout| {
            let sent = |refund: &&mut Refund| refund.status == "succeeded";
            let Some(refund) = checkout.refunds.iter_mut().rev().find(sent) else { return false };
            "failed".clone_into(&mut refund.status);
            checkout.refunded -= refund.amount;
            failed = Some(refund.clone());
            true
        };
        let changed = self.change(id, bounce);
        let (Some((checkout, true)), Some(refund)) = (changed, failed) else { return false };
        // As Stripe does, whose failures of card payments' refunds are three events.
        for kind in ["refund.failed", "refund.updated", "charge.refund.updated"] {
            self.tell(kind, objects::refund(&checkout, &refund), 1);
        }
        true
    }

    /// Opens a dispute, or ends it; false if there is nothing to dispute or no dispute to end.
    pub fn dispute(&self, id: &str, status: &str) -> bool {
        let opens = status == "needs_response";
        let act = |checkout: &mut Checkout| match &mut checkout.dispute {
            None if opens && checkout.paid && checkout.refunded < checkout.amount => {
                checkout.dispute = Some((format!("dp_{}", ids::task_id()), status.to_owned()));
                true
            }
            Some((_, known)) if !opens && known == "needs_response" => {
                status.clone_into(known);
                true
            }
            _ => false,
        };
        let Some((checkout, true)) = self.change(id, act) else { return false };
        let Some((dispute, _)) = &checkout.dispute else { return false };
        let kind = if opens { "charge.dispute.created" } else { "charge.dispute.closed" };
        self.tell(kind, objects::dispute(&checkout, dispute, status), 1);
        true
    }
}

fn leave(checkout: &mut Checkout, way: Way) -> bool {
    if checkout.status != "open" {
        return false;
    }
    if way == Way::Abandon {
        "expired".clone_into(&mut checkout.status);
        return true;
    }
    "complete".clone_into(&mut checkout.status);
    checkout.intent = Some(format!("pi_{}", ids::task_id()));
    checkout.charge = Some(format!("ch_{}", ids::task_id()));
    checkout.paid = matches!(way, Way::Pay | Way::PayTwice);
    checkout.failed = way == Way::Fail;
    let later = matches!(way, Way::LaterSucceeds | Way::LaterFails);
    checkout.later = later.then(|| (way == Way::LaterSucceeds, ids::now_ms() + LATER_MS));
    true
}
