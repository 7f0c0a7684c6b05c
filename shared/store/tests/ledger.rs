//! Tests wallets against a real engine: holds, calls, grants, payments and the history for their owner.
use domain::ledger::{EntryKind, Refusal};
use domain::payment::{Checkout, Dispute, DisputeState, PaymentEvent, PaymentStatus};
use domain::project::Project;
use domain::{AgentId, InstallationId, MicroDollars, Scope, Timestamp, TokenUsage};
use store::costs::{CostBook, ModelCall};
use store::ledger::{Hold, HoldError, Ledger, Row};
use store::payments::{BeginError, PaymentUpdate, Payments, Taken};
use store::projects::Projects;
use store::{Table, testing};

const OWNER: InstallationId = InstallationId(1);

fn cents(cents: i64) -> MicroDollars {
    MicroDollars::of_cents(cents)
}

/// A project whose owner has this many cents.
async fn project(table: &Table, credit: i64) -> Scope {
    let project = Project::new("blog", None).unwrap();
    assert!(Projects::new(table).create(OWNER, &project).await.unwrap());
    if credit > 0 {
        let granted = Ledger::new(table).grant(OWNER, "test", cents(credit), "Credit").await;
        assert!(granted.unwrap());
    }
    Scope { installation: OWNER, project: project.id }
}

/// The call of a hold, with this many tokens of output.
fn call(hold: &Hold, agent: AgentId, output_tokens: u64) -> ModelCall {
    let usage = TokenUsage { input_tokens: 1_000, output_tokens };
    ModelCall {
        call_id: hold.id.clone(),
        agent,
        usage,
        micro_usd: usage.cost(),
        estimated: false,
        cached_tokens: 0,
        at: Timestamp::now(),
    }
}

async fn standing(ledger: &Ledger) -> (i64, i64, i64) {
    let balance = ledger.balance(OWNER).await.unwrap();
    (balance.balance.0, balance.held.0, balance.available.0)
}

#[tokio::test]
async fn a_call_is_held_settled_and_counted_the_same_in_every_book() {
    let table = testing::table().await;
    let scope = project(&table, 100).await;
    let (ledger, book) = (Ledger::new(&table), CostBook::new(&table));
    for (agent, output) in [(AgentId::CloudArchitect, 100), (AgentId::Executor, 200)] {
        let before = ledger.balance(OWNER).await.unwrap().balance;
        let hold = ledger.hold(scope, cents(10)).await.unwrap();
        assert_eq!(ledger.balance(OWNER).await.unwrap().available, before - cents(10));
        let call = call(&hold, agent, output);
        assert!(ledger.settle(&hold, &call).await.unwrap());
        assert!(!ledger.settle(&hold, &call).await.unwrap(), "it is settled once");
        assert!(!ledger.release(&hold).await.unwrap(), "and not released after that");
    }
    let used = MicroDollars(2 * 1_000 * 5 + 300 * 20);
    let left = (cents(100) - used).0;
    assert_eq!(standing(&ledger).await, (left, 0, left));
    let costs = book.get(scope).await.unwrap().unwrap();
    assert_eq!((costs.input_tokens, costs.output_tokens), (2_000, 300));
    assert_eq!(costs.micro_usd, used);
    let parts = book.breakdown(scope).await.unwrap().unwrap();
    assert_eq!(parts.by_agent[&AgentId::Executor].tokens.output_tokens, 200);
    let sum = |parts: Vec<MicroDollars>| parts.into_iter().fold(MicroDollars::ZERO, |a, b| a + b);
    assert_eq!(sum(parts.by_agent.values().map(|part| part.micro_usd).collect()), used);
    assert_eq!(sum(parts.by_day.values().map(|part| part.micro_usd).collect()), used);
    let entries = ledger.entries(OWNER).await.unwrap();
    let uses = entries.iter().filter(|entry| entry.kind == EntryKind::Use);
    assert_eq!(sum(uses.map(|entry| entry.amount).collect()), used);
    assert_eq!(sum(entries.iter().map(|entry| entry.signed()).collect()).0, left);
}

#[tokio::test]
async fn a_call_that_the_credits_or_the_budget_do_not_cover_is_refused() {
    let table = testing::table().await;
    let scope = project(&table, 100).await;
    let (ledger, book) = (Ledger::new(&table), CostBook::new(&table));
    let refused = async |scope, worst| match ledger.hold(scope, worst).await {
        Err(HoldError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(scope, cents(101)).await, Refusal::InsufficientCredits);
    let first = ledger.hold(scope, cents(60)).await.unwrap();
    assert_eq!(refused(scope, cents(41)).await, Refusal::InsufficientCredits);
    assert!(ledger.release(&first).await.unwrap());
    let stranger = Scope { installation: InstallationId(2), ..scope };
    assert_eq!(refused(stranger, cents(1)).await, Refusal::InsufficientCredits);

    assert!(book.set_budget(scope, Some(cents(60))).await.unwrap());
    assert_eq!(refused(scope, cents(61)).await, Refusal::BudgetReached);
    let hold = ledger.hold(scope, cents(60)).await.unwrap();
    assert_eq!(
        refused(scope, cents(1)).await,
        Refusal::BudgetReached,
        "held amounts count toward the budget"
    );
    assert!(book.set_budget(scope, Some(cents(61))).await.unwrap());
    ledger.release(&ledger.hold(scope, cents(1)).await.unwrap()).await.unwrap();
    assert!(ledger.settle(&hold, &call(&hold, AgentId::Executor, 500)).await.unwrap());
    assert!(book.set_budget(scope, Some(cents(1))).await.unwrap());
    assert_eq!(refused(scope, cents(1)).await, Refusal::BudgetReached);
    let funds = ledger.funds(scope).await.unwrap();
    assert_eq!(funds.cover(cents(1)), Err(Refusal::BudgetReached));
    assert_eq!(funds.cover(cents(1_000)), Err(Refusal::InsufficientCredits));
    assert!(book.set_budget(scope, None).await.unwrap());
    assert_eq!(ledger.funds(scope).await.unwrap().cover(cents(1)), Ok(()));
    ledger.release(&ledger.hold(scope, cents(1)).await.unwrap()).await.unwrap();
    assert!(!book.set_budget(stranger, None).await.unwrap());
    let nowhere = Scope { project: domain::ProjectId(9), ..scope };
    assert!(matches!(ledger.hold(nowhere, cents(1)).await, Err(HoldError::NoSuchProject)));
    assert_eq!(standing(&ledger).await.1, 0, "a refused call holds nothing");
}

#[tokio::test]
async fn an_expired_hold_blocks_no_call() {
    let table = testing::table().await;
    let scope = project(&table, 100).await;
    let ledger = Ledger::new(&table);
    let over = Timestamp::now().plus_seconds(-1);
    ledger.hold_until(scope, cents(100), over).await.unwrap();
    let hold = ledger.hold(scope, cents(100)).await.unwrap();
    let refused = ledger.hold(scope, cents(1)).await;
    assert!(matches!(refused, Err(HoldError::Refused(Refusal::InsufficientCredits))));
    ledger.release(&hold).await.unwrap();
}

#[tokio::test]
async fn what_a_provider_counts_above_the_hold_is_not_charged() {
    let table = testing::table().await;
    let scope = project(&table, 100).await;
    let (ledger, book) = (Ledger::new(&table), CostBook::new(&table));
    for (held, output_tokens) in [(10, 1_000_000_000), (0, 1), (20, u64::MAX)] {
        let before = ledger.balance(OWNER).await.unwrap().balance;
        let hold = ledger.hold(scope, cents(held)).await.unwrap();
        let counted =
            ModelCall { cached_tokens: 1_000, ..call(&hold, AgentId::Executor, output_tokens) };
        assert!(ledger.settle(&hold, &counted).await.unwrap());
        let after = ledger.balance(OWNER).await.unwrap();
        assert_eq!((before - after.balance, after.held), (cents(held), cents(0)));
    }
    assert_eq!(standing(&ledger).await, (cents(70).0, 0, cents(70).0));
    let costs = book.get(scope).await.unwrap().unwrap();
    assert_eq!((costs.micro_usd, costs.output_tokens), (cents(30), 15_000));
    assert!(costs.cached_tokens <= costs.input_tokens, "{costs:?}");
}

#[tokio::test]
async fn a_call_whose_hold_has_expired_takes_at_most_the_balance() {
    let table = testing::table().await;
    let scope = project(&table, 100).await;
    let ledger = Ledger::new(&table);
    let now = Timestamp::now();
    let over = ledger.hold_until(scope, cents(80), now.plus_seconds(-1)).await.unwrap();
    assert_eq!(ledger.release_expired(now).await.unwrap(), 1);
    let others = ledger.hold(scope, cents(70)).await.unwrap();
    assert!(ledger.settle(&over, &call(&over, AgentId::Executor, 40_000)).await.unwrap());
    assert_eq!(standing(&ledger).await, (cents(70).0, cents(70).0, 0));
    assert!(ledger.settle(&others, &call(&others, AgentId::Executor, 40_000)).await.unwrap());
    assert_eq!(standing(&ledger).await, (0, 0, 0));
}

#[tokio::test]
async fn only_the_concurrent_calls_that_the_budget_covers_begin() {
    let table = testing::table().await;
    let scope = project(&table, 10_000).await;
    let (ledger, book) = (Ledger::new(&table), CostBook::new(&table));
    assert!(book.set_budget(scope, Some(cents(40))).await.unwrap());
    let calls = (0..30).map(|_| {
        let ledger = ledger.clone();
        tokio::spawn(async move {
            loop {
                match ledger.hold(scope, cents(34)).await {
                    Err(HoldError::Store(store::StoreError::Contended)) => {}
                    held => break held,
                }
            }
        })
    });
    let mut held = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        match call.await.unwrap() {
            Ok(hold) => held.push(hold),
            Err(HoldError::Refused(Refusal::BudgetReached)) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(held.len(), 1);
    assert!(ledger.settle(&held[0], &call(&held[0], AgentId::Executor, 17_000)).await.unwrap());
    assert!(book.get(scope).await.unwrap().unwrap().micro_usd <= cents(40));
}

#[tokio::test]
async fn a_renewed_hold_lasts_and_an_ended_one_stays_ended() {
    let table = testing::table().await;
    let scope = project(&table, 100).await;
    let ledger = Ledger::new(&table);
    let now = Timestamp::now();
    let hold = ledger.hold_until(scope, cents(30), now.plus_seconds(-1)).await.unwrap();
    assert!(ledger.renew(&hold).await.unwrap());
    assert_eq!(ledger.release_expired(now).await.unwrap(), 0);
    assert_eq!(ledger.release_expired(now.plus_seconds(120)).await.unwrap(), 1);
    assert!(!ledger.renew(&hold).await.unwrap());
    assert_eq!(standing(&ledger).await, (cents(100).0, 0, cents(100).0));
}

#[tokio::test]
async fn a_hold_is_either_renewed_or_released_when_both_come_at_once() {
    let table = testing::table().await;
    let scope = project(&table, 100).await;
    let ledger = Ledger::new(&table);
    for n in 0..40 {
        let now = Timestamp::now();
        let hold = ledger.hold_until(scope, cents(30), now.plus_seconds(-1)).await.unwrap();
        let (renewing, releasing) = (ledger.renew(&hold), ledger.release_expired(now));
        let (renewed, released) = if n % 2 == 0 {
            tokio::join!(renewing, releasing)
        } else {
            let (released, renewed) = tokio::join!(releasing, renewing);
            (renewed, released)
        };
        let (renewed, released) = (renewed.unwrap(), released.unwrap());
        assert_eq!(released, usize::from(!renewed), "a renewed hold lasts");
        assert_eq!(ledger.release(&hold).await.unwrap(), renewed);
    }
    assert_eq!(standing(&ledger).await, (cents(100).0, 0, cents(100).0));
}

#[tokio::test]
async fn an_abandoned_hold_expires_and_its_call_is_still_paid_once() {
    let table = testing::table().await;
    let scope = project(&table, 100).await;
    let ledger = Ledger::new(&table);
    let now = Timestamp::now();
    let over = ledger.hold_until(scope, cents(30), now.plus_seconds(-1)).await.unwrap();
    let lasting = ledger.hold(scope, cents(30)).await.unwrap();
    assert_eq!(ledger.release_expired(now).await.unwrap(), 1);
    assert_eq!(ledger.release_expired(now).await.unwrap(), 0);
    assert_eq!(standing(&ledger).await, (cents(100).0, cents(30).0, cents(70).0));
    let late = call(&over, AgentId::Executor, 0);
    assert!(ledger.settle(&over, &late).await.unwrap());
    assert!(!ledger.settle(&over, &late).await.unwrap());
    assert!(ledger.release(&lasting).await.unwrap());
    let left = (cents(100) - late.micro_usd).0;
    assert_eq!(standing(&ledger).await, (left, 0, left));
}

#[tokio::test]
async fn the_opening_credit_is_granted_once_to_a_user_and_once_for_an_installation() {
    let table = testing::table().await;
    let ledger = Ledger::new(&table);
    // One user in eight installations at once, and seven more users in the installation that got the credit.
    let grants = (0..8).map(|n| {
        let ledger = ledger.clone();
        tokio::spawn(async move {
            ledger.grant_opening(1, InstallationId(n), cents(2_500)).await.unwrap().then_some(n)
        })
    });
    let mut granted = Vec::new();
    for grant in grants.collect::<Vec<_>>() {
        granted.extend(grant.await.unwrap());
    }
    assert_eq!(granted.len(), 1);
    for user in 2..9 {
        let home = InstallationId(granted[0]);
        assert!(!ledger.grant_opening(user, home, cents(2_500)).await.unwrap());
    }
    let other = InstallationId(100);
    assert!(
        ledger.grant_opening(2, other, cents(2_500)).await.unwrap(),
        "neither had received it yet"
    );
    for n in (0..8).chain([100]) {
        let begins_with = if n == granted[0] || n == 100 { cents(2_500) } else { cents(0) };
        assert_eq!(ledger.balance(InstallationId(n)).await.unwrap().balance, begins_with);
    }
}

fn checkout() -> Checkout {
    Checkout { session: "cs_1".into(), link: "https://pay.example/cs_1".into() }
}

#[tokio::test]
async fn a_payment_is_credited_once_whichever_event_reports_it_and_refunded_in_parts() {
    let table = testing::table().await;
    let (ledger, payments) = (Ledger::new(&table), Payments::new(&table));
    let payment = payments.begin(OWNER, cents(2_500), None).await.unwrap();
    payments.opened(OWNER, &payment.id, checkout()).await.unwrap().unwrap();
    let take = async |event_id: &str, event: PaymentEvent| {
        let update = PaymentUpdate { event_id, event: &event, intent: Some("pi_1"), paid: None };
        payments.take(OWNER, &payment.id, &update).await.unwrap()
    };
    assert_eq!(take("evt_1", PaymentEvent::Paid).await, Taken::New);
    assert_eq!(take("evt_1", PaymentEvent::Paid).await, Taken::Known);
    assert_eq!(take("evt_2", PaymentEvent::Paid).await, Taken::Known);
    assert_eq!(payments.of_intent("pi_1").await.unwrap(), Some((OWNER, payment.id.clone())));
    assert_eq!(ledger.balance(OWNER).await.unwrap().balance, cents(2_500));
    assert_eq!(take("evt_3", PaymentEvent::Refunded(cents(1_000))).await, Taken::New);
    let dispute =
        |state| PaymentEvent::Disputed("dp_1".into(), Dispute { amount: cents(1_500), state });
    assert_eq!(take("evt_4", dispute(DisputeState::Open)).await, Taken::New);
    assert_eq!(ledger.balance(OWNER).await.unwrap().balance, cents(0));
    assert_eq!(take("evt_5", dispute(DisputeState::Won)).await, Taken::New);
    assert_eq!(ledger.balance(OWNER).await.unwrap().balance, cents(1_500));
    let payment = payments.get(OWNER, &payment.id).await.unwrap().unwrap();
    assert_eq!(payment.status(), PaymentStatus::Completed);
    let shown = ledger.page(OWNER, None, 50).await.unwrap().rows;
    let words: Vec<_> = shown
        .iter()
        .map(|row| match row {
            Row::Entry(entry) => entry.description.clone().unwrap(),
            Row::Payment(_) => "the payment".to_owned(),
        })
        .collect();
    let wanted = ["Dispute ended, credits returned", "Payment disputed", "Payment refunded"];
    assert_eq!(words[..3], wanted);
    assert_eq!(words[3..], ["the payment"], "the payment's own line shows its credit");
}

#[tokio::test]
async fn a_callers_key_begins_one_payment_and_belongs_to_its_amount() {
    let table = testing::table().await;
    let payments = Payments::new(&table);
    let tries = (0..6).map(|_| {
        let payments = payments.clone();
        tokio::spawn(async move { payments.begin(OWNER, cents(500), Some("key")).await.unwrap() })
    });
    let mut begun = Vec::new();
    for payment in tries.collect::<Vec<_>>() {
        begun.push(payment.await.unwrap().id);
    }
    begun.dedup();
    assert_eq!(begun.len(), 1);
    let other = payments.begin(OWNER, cents(501), Some("key")).await;
    assert!(matches!(other, Err(BeginError::KeyReused)));
    let stranger = payments.begin(InstallationId(2), cents(501), Some("key")).await.unwrap();
    assert!(payments.get(OWNER, &stranger.id).await.unwrap().is_none());
    let shown = Ledger::new(&table).page(OWNER, None, 50).await.unwrap();
    assert_eq!(shown.rows, [], "it has no payment page yet");
}

#[tokio::test]
async fn a_history_is_read_page_by_page_without_a_gap_or_a_repeat() {
    let table = testing::table().await;
    let (ledger, payments) = (Ledger::new(&table), Payments::new(&table));
    for n in 0..7 {
        ledger.grant(OWNER, &n.to_string(), cents(n + 1), "Credit").await.unwrap();
        // A page is full even with hidden lines in between.
        payments.begin(OWNER, cents(100), None).await.unwrap();
    }
    for limit in [1, 2, 3, 7, 8] {
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let page = ledger.page(OWNER, cursor.as_ref(), limit).await.unwrap();
            assert!(page.rows.len() == limit || page.next.is_none());
            assert!(!page.rows.is_empty(), "only an empty history has an empty page");
            seen.extend(page.rows.iter().map(Row::id));
            let Some(next) = page.next else { break };
            cursor = Some(next);
        }
        let mut sorted = seen.clone();
        sorted.sort_by(|a, b| b.cmp(a));
        sorted.dedup();
        assert_eq!((seen.len(), &seen), (7, &sorted), "in pages of {limit}");
    }
}
