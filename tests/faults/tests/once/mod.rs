//! Work that must happen exactly once, with each of its outside calls failing in every way (see `fault_tests::once`).

mod approvals;
mod holds;
mod payments;
mod sandboxes;

use api_tests::{Project, World};
use domain::ledger::EntryKind;
use domain::{InstallationId, MicroDollars};
use std::collections::BTreeSet;
use store::ledger::{Ledger, Row};

/// Stacks that run at the same time: each waits most of the time.
const STACKS: usize = 3;
/// How many lines of the history are read.
const LINES: usize = 10_000;

/// Whether no money is on hold anymore.
async fn nothing_is_held(world: &World, installation: InstallationId) -> bool {
    let balance = Ledger::new(&world.app.table()).balance(installation).await;
    balance.is_ok_and(|balance| balance.held == MicroDollars::ZERO)
}

/// Asserts that the balance is the sum of its entries, and that no two of them have the same cause; returns how many
/// model calls were paid for a project.
async fn books_are_right(
    world: &World,
    installation: InstallationId,
    project: Option<&Project>,
) -> usize {
    let ledger = Ledger::new(&world.app.table());
    let balance = ledger.balance(installation).await.unwrap();
    let (mut sum, mut keys, mut paid) = (MicroDollars::ZERO, BTreeSet::new(), 0);
    for row in ledger.page(installation, None, LINES).await.unwrap().rows {
        match row {
            Row::Entry(entry) => {
                assert!(keys.insert(entry.key.clone()), "{} is written twice", entry.key);
                let of = |project: &&Project| entry.project == Some(project.scope().project);
                paid += usize::from(entry.kind == EntryKind::Use && project.filter(of).is_some());
                match entry.kind {
                    EntryKind::Add => sum += entry.amount,
                    EntryKind::Use | EntryKind::Refund => sum += -entry.amount,
                }
            }
            // The history identifies a payment's credit by the payment.
            Row::Payment(payment) if payment.paid => sum += payment.amount,
            Row::Payment(_) => {}
        }
    }
    assert_eq!(sum, balance.balance, "the balance is the sum of its entries");
    assert_eq!(balance.held, MicroDollars::ZERO, "nothing is held");
    paid
}
