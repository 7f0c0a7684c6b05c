use super::{STACKS, books_are_right};
use api_tests::{Actor, Settings, World};
use domain::payment::PaymentStatus;
use domain::secret_token::SecretToken;
use domain::{MicroDollars, PaymentId};
use fault_tests::once::{Scenario, Ways, every_fault};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Mutex;
use store::ledger::{Ledger, Row};
use store::payments::Payments;

/// The price of each purchase, in cents.
const CENTS: i64 = 1_000;

struct Buying;

struct Purchase {
    owner: Actor,
    key: String,
    before: MicroDollars,
    id: Mutex<Option<PaymentId>>,
}

impl Purchase {
    /// Begins the payment with the page's own id for it; returns the checkout.
    async fn begun(&self) -> Option<String> {
        let call = self.owner.call(Method::POST, "/user/credits/create-stripe-payment");
        let call = call.header("idempotency-key", &self.key).json(&json!({"amount": 10}));
        let begun = call.attempt().await.filter(|answer| answer.status == 200)?.json();
        let id: PaymentId = begun["payment_id"].as_str().unwrap().parse().unwrap();
        let known = self.id.lock().unwrap().replace(id.clone());
        assert!(known.is_none_or(|known| known == id), "the same key is the same payment");
        let page = begun["payment_link"].as_str().unwrap();
        page.rsplit('/').next().map(str::to_owned)
    }

    fn id(&self) -> PaymentId {
        self.id.lock().unwrap().clone().expect("it has begun")
    }
}

impl Scenario for Buying {
    type Case = Purchase;

    async fn begin(&self, world: &World) -> Purchase {
        let owner = world.owner.clone();
        let ledger = Ledger::new(&world.app.table());
        let before = ledger.balance(owner.installation()).await.unwrap().balance;
        Purchase { owner, key: SecretToken::random().hash(), before, id: Mutex::default() }
    }

    async fn act(&self, case: &Purchase) -> bool {
        let Some(checkout) = case.begun().await else { return false };
        let pay = case.owner.app().url(&format!("/_stripe/checkout/{checkout}/pay"));
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        let pressed = http.no_proxy().build().unwrap().post(pay).send().await;
        // It was paid earlier, and the answer was lost.
        pressed.is_ok_and(|pressed| [303, 410].contains(&pressed.status().as_u16()))
    }

    async fn has_ended(&self, world: &World, case: &Purchase) -> bool {
        let payments = Payments::new(&world.app.table());
        let payment = payments.get(case.owner.installation(), &case.id()).await;
        payment.is_ok_and(|p| p.is_some_and(|p| p.status() == PaymentStatus::Completed))
    }

    async fn check(&self, world: &World, case: &Purchase, _calls: Option<&[String]>) {
        let installation = case.owner.installation();
        books_are_right(world, installation, None).await;
        let ledger = Ledger::new(&world.app.table());
        let after = ledger.balance(installation).await.unwrap().balance;
        assert_eq!(after - case.before, MicroDollars::of_cents(CENTS), "credited once");
        let rows = ledger.page(installation, None, super::LINES).await.unwrap().rows;
        let ours = |row: &&Row| matches!(row, Row::Payment(payment) if payment.id == case.id());
        assert_eq!(rows.iter().filter(ours).count(), 1);
        // Stripe has one checkout for it, so its payer cannot pay twice.
        let kept = std::fs::read(world.app.data().join("stripe.json")).unwrap();
        let kept: Value = serde_json::from_slice(&kept).unwrap();
        let checkouts = kept["checkouts"].as_object().unwrap().values();
        let id = case.id().to_string();
        assert_eq!(checkouts.filter(|checkout| checkout.to_string().contains(&id)).count(), 1);
    }
}

#[tokio::test]
async fn a_payment_is_taken_and_credited_once_despite_any_fault() {
    every_fault(Settings::default(), STACKS, Ways::All, &Buying).await;
}
