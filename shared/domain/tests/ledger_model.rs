//! Every interleaving of three callers, a payment's events and the sweep, on the rules of `domain::ledger`.
//!
//! A caller holds, and then settles (its usage, or more than its hold), releases, or crashes. A caller that settled may
//! have missed the answer and settle again. The sweep may end a hold at any moment, even the hold of a live caller that
//! settles afterward. The payment's events come in any order, each up to twice. The test visits all reachable states.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use domain::MicroDollars;
use domain::ledger::{Balance, EntryKind, Movement};
use domain::payment::{Dispute, DisputeState, Payment, PaymentEvent, Refund, RefundState};
use stateright::{Checker, Model, Property};
use std::collections::BTreeMap;

const CREDIT: i64 = 5;
const WORST: i64 = 2;
/// The usages that a provider may report: nothing, the worst case, and more than that.
const USED: [i64; 3] = [0, WORST, WORST + 1];
const PAID: i64 = 4;
const CALLERS: usize = 3;
const DELIVERIES: u8 = 2;

/// The payment's events: the last one says that the refund of the second has failed.
const EVENTS: usize = 4;

fn events() -> [PaymentEvent; EVENTS] {
    let dispute = |state| {
        PaymentEvent::Disputed("dp".to_owned(), Dispute { amount: MicroDollars(PAID), state })
    };
    let failed = Refund { amount: MicroDollars(1), state: RefundState::Failed };
    [
        PaymentEvent::Paid,
        PaymentEvent::Refunded(MicroDollars(1)),
        dispute(DisputeState::Open),
        PaymentEvent::Refund("re".to_owned(), failed),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Caller {
    Idle,
    Holding,
    /// Settled this amount, and may have missed the answer.
    Settled(i64),
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    balance: Balance,
    /// The hold for each caller's call.
    holds: BTreeMap<usize, i64>,
    /// Signed amounts by their keys, and whether a key was ever used twice.
    entries: BTreeMap<String, i64>,
    twice: bool,
    callers: [Caller; CALLERS],
    /// The payment's events in the order in which they were handled, and how often each came.
    taken: Vec<usize>,
    came: [u8; EVENTS],
    refused: bool,
    /// Whether a call was settled after its hold had ended.
    late: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Hold(usize),
    Settle(usize, i64),
    SettleAgain(usize),
    Release(usize),
    Crash(usize),
    Sweep(usize),
    Tell(usize),
}

struct Wallet;

impl State {
    fn new() -> Self {
        let credit = MicroDollars(CREDIT);
        Self {
            balance: Balance { balance: credit, held: MicroDollars(0), available: credit },
            holds: BTreeMap::new(),
            entries: BTreeMap::new(),
            twice: false,
            callers: [Caller::Idle; CALLERS],
            taken: Vec::new(),
            came: [0; EVENTS],
            refused: false,
            late: false,
        }
    }

    /// The same state with the callers in a fixed order. They are alike, so it makes no difference which of them did what,
    /// and there are six times fewer states to visit.
    fn in_order(mut self) -> Self {
        let key = |n| format!("call {n}");
        let mut callers: Vec<_> = (0..CALLERS)
            .map(|n| (self.callers[n], self.holds.remove(&n), self.entries.remove(&key(n))))
            .collect();
        callers.sort_unstable();
        for (n, (caller, hold, entry)) in callers.into_iter().enumerate() {
            self.callers[n] = caller;
            self.holds.extend(hold.map(|held| (n, held)));
            self.entries.extend(entry.map(|signed| (key(n), signed)));
        }
        self
    }

    fn enter(&mut self, key: String, signed: i64) {
        self.twice |= self.entries.insert(key, signed).is_some();
    }

    /// One transaction: if the call is new, it is settled and its hold ends; otherwise nothing changes. A call without
    /// a hold is paid from the part of the balance that is not held.
    fn settle(&mut self, caller: usize, used: i64) {
        let key = format!("call {caller}");
        if self.entries.contains_key(&key) {
            return;
        }
        let used = MicroDollars(used);
        let movement = match self.holds.remove(&caller) {
            Some(held) => Movement::settle(MicroDollars(held), used),
            None => {
                self.late = true;
                Movement::pay(used, self.balance.available)
            }
        };
        self.balance = self.balance.after(movement);
        self.enter(key, movement.balance.0);
    }

    fn release(&mut self, caller: usize) {
        if let Some(held) = self.holds.remove(&caller) {
            self.balance = self.balance.after(Movement::release(MicroDollars(held)));
        }
    }

    /// One transaction: records the payment's facts and the resulting entries.
    fn tell(&mut self, event: usize) {
        self.came[event] += 1;
        let mut payment = Payment::new(MicroDollars(PAID));
        for taken in &self.taken {
            payment.take(&events()[*taken]);
        }
        for moved in payment.take(&events()[event]) {
            let signed = if moved.kind == EntryKind::Add { moved.amount } else { -moved.amount };
            let movement = Movement { balance: signed, held: MicroDollars(0) };
            self.balance = self.balance.after(movement);
            self.enter(format!("{:?} of {}", moved.part, self.taken.len()), signed.0);
        }
        if !self.taken.contains(&event) {
            self.taken.push(event);
        }
    }

    /// The payment's movements, entry by entry.
    fn of_payment(&self) -> impl Iterator<Item = i64> {
        let entries = self.entries.iter().filter(|(key, _)| !key.starts_with("call"));
        entries.map(|(_, signed)| *signed)
    }

    /// The balance without payments and refunds: only the effect of calls.
    fn of_calls(&self) -> i64 {
        self.balance.balance.0 - self.of_payment().filter(|signed| *signed < 0).sum::<i64>()
    }
}

impl Model for Wallet {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State::new()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (n, caller) in state.callers.iter().enumerate() {
            match caller {
                Caller::Idle => actions.push(Action::Hold(n)),
                Caller::Holding => {
                    actions.extend(USED.map(|used| Action::Settle(n, used)));
                    actions.extend([Action::Release(n), Action::Crash(n)]);
                }
                Caller::Settled(_) => actions.extend([Action::SettleAgain(n), Action::Crash(n)]),
                Caller::Done => {}
            }
        }
        actions.extend(state.holds.keys().map(|n| Action::Sweep(*n)));
        actions.extend((0..EVENTS).filter(|n| state.came[*n] < DELIVERIES).map(Action::Tell));
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        match action {
            Action::Hold(n) if state.balance.covers(MicroDollars(WORST)) => {
                next.balance = state.balance.after(Movement::hold(MicroDollars(WORST)));
                next.holds.insert(n, WORST);
                next.callers[n] = Caller::Holding;
            }
            Action::Hold(n) => {
                next.refused = true;
                next.callers[n] = Caller::Done;
            }
            Action::Settle(n, used) => {
                next.settle(n, used);
                next.callers[n] = Caller::Settled(used);
            }
            Action::SettleAgain(n) => {
                if let Caller::Settled(used) = state.callers[n] {
                    next.settle(n, used);
                }
                next.callers[n] = Caller::Done;
            }
            Action::Release(n) => {
                next.release(n);
                next.callers[n] = Caller::Done;
            }
            Action::Crash(n) => next.callers[n] = Caller::Done,
            Action::Sweep(n) => next.release(n),
            Action::Tell(n) => next.tell(n),
        }
        Some(next.in_order())
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("the balance is the sum of the entries", |_, state: &State| {
                state.balance.balance.0 == CREDIT + state.entries.values().sum::<i64>()
            }),
            Property::always("what is held is the sum of the holds", |_, state: &State| {
                state.balance.held.0 == state.holds.values().sum::<i64>()
                    && state.balance.available == state.balance.balance - state.balance.held
            }),
            Property::always("nothing is entered twice", |_, state: &State| !state.twice),
            Property::always("calls overdraw nothing", |_, state: &State| state.of_calls() >= 0),
            Property::always("a payment moves what its facts say", |_, state: &State| {
                let paid = state.taken.contains(&0);
                let back = state.taken.contains(&1) && !state.taken.contains(&3);
                let wanted = match (paid, state.taken.contains(&2)) {
                    (false, _) | (true, true) => 0,
                    (true, false) => PAID - i64::from(back),
                };
                state.of_payment().sum::<i64>() == wanted
            }),
            Property::eventually("every hold ends", |_, state: &State| {
                state.holds.is_empty() && state.callers.iter().all(|c| *c == Caller::Done)
            }),
            Property::sometimes("a call is refused", |_, state: &State| state.refused),
            Property::sometimes("calls use everything", |_, state: &State| {
                state.balance.balance.0 == 0 && state.balance.held.0 == 0
            }),
            Property::sometimes("a call is settled after its hold", |_, state: &State| state.late),
        ]
    }
}

#[test]
fn every_interleaving_of_three_callers_keeps_the_books() {
    let checker = Wallet.checker().threads(2).spawn_dfs().join();
    checker.assert_properties();
    assert!(checker.unique_state_count() > 10_000, "{}", checker.unique_state_count());
}
