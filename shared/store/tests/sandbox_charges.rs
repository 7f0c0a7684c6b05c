//! Tests charging sandboxes while model calls hold the balance.

use crate::deletions::{OWNER, running};
use domain::money::SandboxRate;
use domain::sandbox::SandboxStatus;
use domain::{MicroDollars, Scope, Timestamp};
use serde_json::json;
use store::costs::CostBook;
use store::deletions::{Deletion, Deletions};
use store::ledger::Ledger;
use store::sandboxes::Sandboxes;
use store::{Table, testing};

/// A cent a minute.
fn rate() -> SandboxRate {
    SandboxRate::per_hour(MicroDollars::of_cents(60))
}

/// Asserts that the project has paid for at least this many seconds, and for all that it was charged for.
async fn paid(table: &Table, scope: Scope, seconds: u64) {
    let costs = CostBook::new(table).get(scope).await.unwrap().unwrap();
    // The test itself may take some seconds.
    assert!((seconds..seconds + 60).contains(&costs.sandbox_seconds), "{costs:?}");
    let due = rate().cost(costs.sandbox_seconds.cast_signed());
    // Each charge is rounded down.
    assert!(due - costs.sandbox_micro_usd <= MicroDollars(2), "{costs:?}");
    let left = Ledger::new(table).balance(OWNER).await.unwrap().balance;
    assert_eq!(left, MicroDollars::of_cents(100) - costs.sandbox_micro_usd);
}

#[tokio::test]
async fn time_that_only_held_money_could_pay_is_charged_once_the_holds_end() {
    let table = testing::table().await;
    let scope = running(&table).await;
    let (ledger, sandboxes) = (Ledger::new(&table), Sandboxes::new(&table));
    let after = |minutes: i64| Timestamp::now().plus_seconds(minutes * 60);
    let hold = ledger.hold(scope, MicroDollars::of_cents(95)).await.unwrap();
    let part = sandboxes.charge(scope, rate(), after(15)).await.unwrap().unwrap();
    assert_eq!((part.seconds, part.micro_usd), (300, MicroDollars::of_cents(5)));
    assert_eq!(sandboxes.charge(scope, rate(), after(16)).await.unwrap(), None);
    assert!(ledger.release(&hold).await.unwrap());
    sandboxes.charge(scope, rate(), after(30)).await.unwrap().unwrap();
    paid(&table, scope, 30 * 60).await;
}

#[tokio::test]
async fn a_sandbox_that_stops_while_all_money_is_held_is_paid_for_later() {
    let table = testing::table().await;
    let scope = running(&table).await;
    let (ledger, sandboxes) = (Ledger::new(&table), Sandboxes::new(&table));
    let hold = ledger.hold(scope, MicroDollars::of_cents(100)).await.unwrap();
    // Running time is counted in seconds, and only the clock makes it.
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let down = sandboxes.change(scope, |sandbox| {
        sandbox.status = SandboxStatus::Stopped;
        true
    });
    down.await.unwrap();
    let listed = sandboxes.active().await.unwrap().remove(0);
    let (now, later) = (Timestamp::now(), Timestamp::now().plus_seconds(3_600));
    assert_eq!(sandboxes.charge(scope, rate(), now).await.unwrap(), None);
    assert!(!sandboxes.unlist_idle(&listed, later).await.unwrap(), "its time is not paid");
    assert!(ledger.release(&hold).await.unwrap());
    assert!(sandboxes.charge(scope, rate(), now).await.unwrap().is_some());
    assert_eq!(sandboxes.charge(scope, rate(), later).await.unwrap(), None);
    paid(&table, scope, 1).await;
    let listed = sandboxes.active().await.unwrap().remove(0);
    assert!(sandboxes.unlist_idle(&listed, later.plus_seconds(3_600)).await.unwrap());
}

#[tokio::test]
async fn what_the_balance_itself_cannot_pay_is_not_charged_later() {
    let table = testing::table().await;
    let scope = running(&table).await;
    let sandboxes = Sandboxes::new(&table);
    let day = Timestamp::now().plus_seconds(24 * 3600);
    let charge = sandboxes.charge(scope, rate(), day).await.unwrap().unwrap();
    assert_eq!(charge.micro_usd, MicroDollars::of_cents(100));
    assert_eq!(sandboxes.charge(scope, rate(), day).await.unwrap(), None);
}

#[tokio::test]
async fn a_deleted_projects_running_time_waits_for_held_money() {
    let table = testing::table().await;
    let scope = running(&table).await;
    let (deletions, ledger) = (Deletions::new(&table), Ledger::new(&table));
    let hold = ledger.hold(scope, MicroDollars::of_cents(95)).await.unwrap();
    assert!(deletions.begin(scope).await.unwrap().is_some());
    let noted = deletions.under_way().await.unwrap().remove(0);
    let running = serde_json::from_value(json!({"since": null, "seconds": 600})).unwrap();
    let noted = Deletion { running, ..noted };
    assert_eq!(deletions.charge(&noted, rate()).await.unwrap(), None);
    assert!(ledger.release(&hold).await.unwrap());
    let charge = deletions.charge(&noted, rate()).await.unwrap().unwrap();
    assert_eq!((charge.seconds, charge.micro_usd), (600, MicroDollars::of_cents(10)));
}
